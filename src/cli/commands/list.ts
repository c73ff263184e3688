import { argument, option } from '../arguments/flag.js';
import { defined } from '../../engine/model/defined.js';
import { objectFlags, objectFormats } from '../arguments/object-flags.js';
import type { ExitCode } from '../process/exit-code.js';
import type { Host } from '../process/host.js';
import { showObjects } from '../run/show-objects.js';
import { SyncCommand } from '../run/sync-command.js';

export class ListCommand extends SyncCommand {
  static override summary = 'List objects of a type as the platform has them.';
  static override description =
    'All objects of the type, whoever manages them, in the order of their names. Secrets are never shown. Needs no project: without sync.yaml, server and token are those of the environment.';
  static override examples = [
    '<%= config.bin %> list Api',
    '<%= config.bin %> list Portal --filter name.contains=dev --format yaml',
    '<%= config.bin %> list ApiDocument --parent Petstore',
  ];
  static override args = {
    type: argument({ name: 'TYPE', required: true, description: 'resource type: Api, platform:Api' }),
  };
  static override flags = {
    ...objectFlags,
    format: option({ options: objectFormats, description: 'how to print it', default: 'table' as const })(),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { args, flags } = await this.parse(ListCommand);
    const { parent: parents, filter: filters, format } = flags;
    return showObjects(host, flags, { type: args.type, many: 'all', ...defined({ parents, filters }) }, format);
  }
}
