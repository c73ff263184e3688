import { argument, option, string as text } from '../arguments/flag.js';
import { typeChangesText } from '../../report/text/types.js';
import { jsonText } from '../../report/words/json-text.js';
import { diffTypes } from '../../types-compile/diff.js';
import { typesOf } from '../../types-compile/load.js';
import type { ExitCode } from '../process/exit-code.js';
import type { Host } from '../process/host.js';
import { withContext } from '../run/run-context.js';
import { SyncCommand } from '../run/sync-command.js';

export class TypesDiffCommand extends SyncCommand {
  static override summary = 'Say what a renewed description changes for catalogues.';
  static override description =
    'Types and fields that appear or vanish, fields that now replace, become required or secret. Each file is an OpenAPI description, or what `types compile` wrote. A line that begins with ! can break a catalogue.';
  static override examples = [
    '<%= config.bin %> types diff acme.types.json openapi.yaml',
    '<%= config.bin %> types diff old.yaml new.yaml --rules acme.rules.yaml --format json',
  ];
  static override args = {
    old: argument({ name: 'OLD', required: true, description: 'description or compiled types of before' }),
    new: argument({ name: 'NEW', required: true, description: 'those of now' }),
  };
  static override flags = {
    rules: text({ description: 'names and corrections for descriptions, YAML or JSON', helpValue: 'FILE' }),
    format: option({ options: ['text', 'json'] as const, description: 'how to print it', default: 'text' as const })(),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { args, flags } = await this.parse(TypesDiffCommand);
    return withContext(host, flags, (context) => {
      const [old, next] = [args.old, args.new].map((file) => typesOf(context.cwd, file, flags.rules).types.definitions);
      const changes = diffTypes(old ?? [], next ?? []);
      host.out(flags.format === 'json' ? jsonText({ changes }) : typeChangesText(changes));
      return Promise.resolve(0);
    });
  }
}
