import { argument } from '../arguments/flag.js';
import type { ExitCode } from '../process/exit-code.js';
import { withContext, withProject } from '../run/run-context.js';
import { recordsAt } from '../state/records.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';
import { jsonText } from '../../report/words/json-text.js';

export class StateShowCommand extends SyncCommand {
  static override summary = 'Print what is recorded of one object, as JSON.';
  static override description = 'Secrets stand as their expression and a fingerprint, never as a value.';
  static override examples = ['<%= config.bin %> state show petstore/guide'];
  static override args = {
    address: argument({ name: 'ADDRESS', required: true, description: 'as sync state list prints it' }),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { args, flags } = await this.parse(StateShowCommand);
    return withContext(host, flags, (context) =>
      withProject(context, 'state show', async (project) => {
        const { resources } = await (await project.state()).read();
        const record = resources.get(args.address) ?? recordsAt(resources, args.address)[0];
        host.out(jsonText(record));
        return 0;
      }),
    );
  }
}
