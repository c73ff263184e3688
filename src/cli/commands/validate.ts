import { option } from '@oclif/core/flags';
import { hasErrors } from '../../engine/model/diagnostic.js';
import { sortDiagnostics } from '../../report/words/diagnostics.js';
import { diagnosticsText } from '../../report/text/diagnostics.js';
import { count } from '../../report/words/plural.js';
import { exitCode } from '../process/exit-code.js';
import type { ExitCode } from '../process/exit-code.js';
import { withContext, withProject } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';
import { jsonText } from '../../report/words/json-text.js';

export class ValidateCommand extends SyncCommand {
  static override summary = 'Check the catalogue without network and without a token.';
  static override description =
    'Finds everything that can be known from the files alone: syntax, unknown names, wrong values, broken limits, references to nothing, cycles. All problems are reported at once.';
  static override examples = ['<%= config.bin %> validate', '<%= config.bin %> validate --format json'];
  static override flags = {
    format: option({ options: ['text', 'json'] as const, description: 'how to report', default: 'text' as const })(),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { flags } = await this.parse(ValidateCommand);
    return withContext(host, flags, (context) =>
      withProject(context, 'validate', async (project) => {
        const { diagnostics, desired, files } = await project.validate();
        if (flags.format === 'json') {
          const document = {
            ok: !hasErrors(diagnostics),
            files,
            resources: desired?.resources.size,
            diagnostics: sortDiagnostics(diagnostics),
          };
          host.out(jsonText(document));
        } else {
          host.out(diagnosticsText(diagnostics, context.style));
          if (desired !== undefined) {
            const what = `${count(desired.resources.size, 'resource')} in ${count(files, 'file')}`;
            host.out(`${context.style.green('Valid:')} ${what}.\n`);
          }
        }
        return exitCode({ errors: hasErrors(diagnostics) });
      }),
    );
  }
}
