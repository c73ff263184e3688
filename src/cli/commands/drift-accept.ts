import { argument } from '../arguments/flag.js';
import { hasErrors } from '../../engine/model/diagnostic.js';
import { acceptText } from '../../report/text/drift-done.js';
import { exitCode, withoutPlan, type ExitCode } from '../process/exit-code.js';
import { printProblems, withContext, withProject } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';

export class DriftAcceptCommand extends SyncCommand {
  static override summary = 'Write what was changed outside into the catalogue.';
  static override description =
    'Edits the value at its place in the YAML file (or in the file it is read from); comments and layout stay. A reference becomes one to the object that the platform has, where the catalogue has it, too. Secrets, other references and computed values are left and named; exit code 7 when some were. Nothing is sent to the platform, and state is not written.';
  static override examples = [
    '<%= config.bin %> drift accept 1a2b3c4d5e',
    '<%= config.bin %> drift accept petstore petstore/guide.content',
  ];
  static override strict = false;
  static override args = {
    finding: argument({ name: 'FINDING', required: true, description: 'ids, addresses, or address.field' }),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { argv, flags } = await this.parse(DriftAcceptCommand);
    return withContext(host, flags, (context) =>
      withProject(context, 'drift accept', async (project) => {
        const result = await project.acceptDrift(argv.map(String));
        context.progress.finish();
        printProblems(context, result.diagnostics);
        if (hasErrors(result.diagnostics)) return exitCode(withoutPlan(result.diagnostics));
        host.out(acceptText(result, context.style));
        const left = result.skipped.length > 0;
        return exitCode({ errors: left && result.accepted.length === 0, partly: left });
      }),
    );
  }
}
