import type { ExitCode } from '../process/exit-code.js';
import { withContext, withProject } from '../run/run-context.js';
import type { Surroundings } from '../process/surroundings.js';
import { SyncCommand } from '../run/sync-command.js';

export class StatePullCommand extends SyncCommand {
  static override summary = "Print the stack's state as one JSON document.";
  static override description =
    'For a backup, or to move a stack to another backend with sync state push. The document holds the key of the fingerprints: keep it as private as the state itself.';
  static override examples = ['<%= config.bin %> state pull > backup.json'];

  override async execute(around: Surroundings): Promise<ExitCode> {
    const { flags } = await this.parse(StatePullCommand);
    return withContext(around, flags, (context) =>
      withProject(context, 'state pull', async (project) => {
        const document = await (await project.state()).pull();
        around.out(document.endsWith('\n') ? document : `${document}\n`);
        return 0;
      }),
    );
  }
}
