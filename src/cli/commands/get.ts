import { argument, option } from '../arguments/flag.js';
import { defined } from '../../engine/model/defined.js';
import { objectFlags, objectFormats } from '../arguments/object-flags.js';
import type { ExitCode } from '../process/exit-code.js';
import type { Host } from '../process/host.js';
import { showObjects } from '../run/show-objects.js';
import { SyncCommand } from '../run/sync-command.js';

export class GetCommand extends SyncCommand {
  static override summary = 'Show one object as the platform has it.';
  static override description =
    'NAME is what it is known by: its name or label, its key where that is one field, or its id. It may be left out where there is only one. When none or several match, they are named, and nothing is shown. Secrets are never shown. Needs no project: without sync.yaml, server and token are those of the environment.';
  static override examples = [
    '<%= config.bin %> get Api Petstore',
    '<%= config.bin %> get Portal --filter name=dev --format json',
    '<%= config.bin %> get ApiDocument guide --parent Petstore',
  ];
  static override args = {
    type: argument({ name: 'TYPE', required: true, description: 'resource type: Api, platform:Api' }),
    name: argument({ name: 'NAME', description: 'name, key or id' }),
  };
  static override flags = {
    ...objectFlags,
    format: option({ options: objectFormats, description: 'how to print it', default: 'yaml' as const })(),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { args, flags } = await this.parse(GetCommand);
    const { parent: parents, filter: filters, format } = flags;
    const question = { type: args.type, many: 'one', ...defined({ name: args.name, parents, filters }) } as const;
    return showObjects(host, flags, question, format);
  }
}
