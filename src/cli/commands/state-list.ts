import { argument, option } from '../arguments/flag.js';
import { compareText } from '../../engine/model/address.js';
import { visible } from '../../report/words/escape.js';
import { table } from '../../report/text/table.js';
import { typeName } from '../../report/words/type-name.js';
import type { ExitCode } from '../process/exit-code.js';
import { withContext, withProject } from '../run/run-context.js';
import { isAtOrUnder } from '../state/records.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';
import { jsonText } from '../../report/words/json-text.js';

export class StateListCommand extends SyncCommand {
  static override summary = 'List what is managed: address, type, id.';
  static override examples = ['<%= config.bin %> state list', '<%= config.bin %> state list petstore --format json'];
  static override args = { address: argument({ name: 'ADDRESS', description: 'only this one and what is below it' }) };
  static override flags = {
    format: option({ options: ['text', 'json'] as const, description: 'how to print it', default: 'text' as const })(),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { args, flags } = await this.parse(StateListCommand);
    return withContext(host, flags, (context) =>
      withProject(context, 'state list', async (project) => {
        const { resources } = await (await project.state()).read();
        const records = [...resources.values()]
          .filter((record) => args.address === undefined || isAtOrUnder(record.address, args.address))
          .sort((a, b) => compareText(a.address, b.address))
          .map(({ address, type, identity }) => ({ address, type, id: identity.id }));
        if (flags.format === 'json') host.out(jsonText(records));
        else host.out(table(records.map(({ address, type, id }) => [visible(address), typeName(type), visible(id)])));
        return 0;
      }),
    );
  }
}
