import { argument, string } from '../arguments/flag.js';
import { defined } from '@platform-sync/core/model/value';
import { hasErrors } from '@platform-sync/core/model/diagnostic';
import { isDate } from '@platform-sync/core/model/world';
import { ignoreText } from '@platform-sync/report/text/drift-done';
import { exitCode, withoutPlan } from '../process/exit-code.js';
import { printProblems } from '../run/run-context.js';
import { command } from '../run/command.js';
import { UsageError } from '../process/usage-error.js';

export const driftIgnoreCommand = command({
  summary: 'Leave a change out of drift checks, by a rule in sync.yaml.',
  description:
    'Adds one rule per finding under drift.ignore; comments and layout stay. An expired rule is a finding itself, and its findings show again. Only the check ignores it: a plan still puts the value back.',
  examples: ['sync drift ignore 1a2b3c4d5e --reason "campaign, ticket 42" --until 2030-01-31'],
  anyWords: true,
  args: {
    finding: argument({ name: 'FINDING', required: true, description: 'ids, addresses, or address.field' }),
  },
  flags: {
    reason: string({ description: 'why; goes into the rule', helpValue: 'TEXT', required: true }),
    until: string({ description: 'last day the rule holds, YYYY-MM-DD', helpValue: 'DATE' }),
  },
  needs: 'project',
  given({ flags }) {
    const reason = flags.reason.trim();
    if (reason === '') throw new UsageError('--reason is empty', 'say why: --reason "ticket 42, agreed with …"');
    if (flags.until !== undefined && !isDate(flags.until))
      throw new UsageError(`--until takes a day like 2030-01-31, not "${flags.until}"`);
    return { reason, ...defined({ until: flags.until }) };
  },
  async run({ words, given, host, context, project }) {
    const result = await project.ignoreDrift(words, given);
    context.progress.finish();
    printProblems(context, result.diagnostics);
    if (hasErrors(result.diagnostics)) return exitCode(withoutPlan(result.diagnostics));
    host.out(ignoreText(result, context.style));
    return exitCode({});
  },
});
