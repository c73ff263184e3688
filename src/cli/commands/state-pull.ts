import type { ExitCode } from '../process/exit-code.js';
import { withContext, withProject } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { shownJson } from '../../report/words/json-text.js';
import { SyncCommand } from '../run/sync-command.js';

export class StatePullCommand extends SyncCommand {
  static override summary = "Print the stack's state as one JSON document.";
  static override description =
    'For a backup, or to move a stack to another backend with sync state push. The document holds the key of the fingerprints: keep it as private as the state itself.';
  static override examples = ['<%= config.bin %> state pull > backup.json'];

  override async execute(host: Host): Promise<ExitCode> {
    const { flags } = await this.parse(StatePullCommand);
    return withContext(host, flags, (context) =>
      withProject(context, 'state pull', async (project) => {
        const document = await (await project.state()).pull();
        host.out(shownJson(document.endsWith('\n') ? document : `${document}\n`));
        return 0;
      }),
    );
  }
}
