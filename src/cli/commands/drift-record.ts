import { argument } from '../arguments/flag.js';
import { lockTimeout, lockWait } from '../arguments/shared-flags.js';
import { hasErrors } from '@platform-sync/core/model/diagnostic';
import { recordText } from '@platform-sync/report/text/drift-done';
import { exitCode, withoutPlan } from '../process/exit-code.js';
import { printProblems } from '../run/run-context.js';
import { command } from '../run/command.js';

export const driftRecordCommand = command({
  summary: 'Record changes made outside as they are, until they change again.',
  description:
    'Like sync refresh, for the named findings only. The catalogue still decides: where it differs, the next plan shows a change.',
  examples: ['sync drift record 1a2b3c4d5e', 'sync drift record petstore.labels --lock-timeout 30s'],
  anyWords: true,
  args: {
    finding: argument({ name: 'FINDING', required: true, description: 'ids, addresses, or address.field' }),
  },
  flags: {
    'lock-timeout': lockTimeout,
  },
  needs: 'project',
  given: ({ flags }) => lockWait(flags),
  async run({ words, given, host, context, project }) {
    const result = await project.recordDrift(words, given);
    context.progress.finish();
    printProblems(context, result.diagnostics);
    if (hasErrors(result.diagnostics)) return exitCode(withoutPlan(result.diagnostics));
    host.out(recordText(result, context.style));
    return exitCode({});
  },
});
