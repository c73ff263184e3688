import { option } from '../arguments/flag.js';
import { jsonText } from '../../report/words/json-text.js';
import type { ExitCode } from '../process/exit-code.js';
import { packageFacts } from '../process/package-facts.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';

export class VersionCommand extends SyncCommand {
  static override summary = 'Print the version.';
  static override description = 'The same as --version; with --format json also of Node, and the platform it runs on.';
  static override examples = ['<%= config.bin %> version', '<%= config.bin %> version --format json'];
  static override flags = {
    format: option({ options: ['text', 'json'] as const, description: 'how to print it', default: 'text' as const })(),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { flags } = await this.parse(VersionCommand);
    const { name, version } = packageFacts();
    const { version: node, platform, arch } = process;
    host.out(flags.format === 'json' ? jsonText({ name, version, node, platform, arch }) : `${name} ${version}\n`);
    return 0;
  }
}
