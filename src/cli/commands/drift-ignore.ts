import { argument, string } from '../arguments/flag.js';
import { defined } from '../../engine/model/defined.js';
import { hasErrors } from '../../engine/model/diagnostic.js';
import { isDate } from '../../engine/model/drift.js';
import { ignoreText } from '../../report/text/drift-done.js';
import { exitCode, withoutPlan, type ExitCode } from '../process/exit-code.js';
import { printProblems, withContext, withProject } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';
import { UsageError } from '../process/usage-error.js';

export class DriftIgnoreCommand extends SyncCommand {
  static override summary = 'Leave a change out of drift checks, by a rule in sync.yaml.';
  static override description =
    'Adds one rule a finding under drift.ignore; comments and layout stay. A rule that has run out is a finding itself, and what it hid is shown again. Only the check ignores it: a plan still puts the value back.';
  static override examples = [
    '<%= config.bin %> drift ignore 1a2b3c4d5e --reason "campaign, ticket 42" --until 2030-01-31',
  ];
  static override strict = false;
  static override args = {
    finding: argument({ name: 'FINDING', required: true, description: 'ids, addresses, or address.field' }),
  };
  static override flags = {
    reason: string({ description: 'why; goes into the rule', helpValue: 'TEXT', required: true }),
    until: string({ description: 'last day the rule holds, YYYY-MM-DD', helpValue: 'DATE' }),
  };

  override async execute(host: Host): Promise<ExitCode> {
    const { argv, flags } = await this.parse(DriftIgnoreCommand);
    const reason = flags.reason.trim();
    if (reason === '') throw new UsageError('--reason is empty', 'say why: --reason "ticket 42, agreed with …"');
    if (flags.until !== undefined && !isDate(flags.until))
      throw new UsageError(`--until takes a day like 2030-01-31, not "${flags.until}"`);
    const options = { reason, ...defined({ until: flags.until }) };
    return withContext(host, flags, (context) =>
      withProject(context, 'drift ignore', async (project) => {
        const result = await project.ignoreDrift(argv.map(String), options);
        context.progress.finish();
        printProblems(context, result.diagnostics);
        if (hasErrors(result.diagnostics)) return exitCode(withoutPlan(result.diagnostics));
        host.out(ignoreText(result, context.style));
        return exitCode({});
      }),
    );
  }
}
