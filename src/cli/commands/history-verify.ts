import { printProblems } from '../run/run-context.js';
import { command } from '../run/command.js';

export const historyVerifyCommand = command({
  summary: 'Check that no row of the history is missing or changed.',
  description:
    'Each row is bound to the one before it by a digest, and the last one to the stack. What was dropped because it was old is told by a row of its own.',
  examples: ['sync history verify'],
  needs: 'project',
  async run({ host, context, project }) {
    const fault = await (await project.state()).verifyRuns();
    if (fault === undefined) {
      host.out('The history is as it was written.\n');
      return 0;
    }
    const summary =
      fault.what === 'missing'
        ? `Row ${String(fault.number)} of the history is missing.`
        : `Row ${String(fault.number)} of the history is not as it was written.`;
    const hint = 'Somebody wrote into the database by hand, or restored a part of it. Compare with a copy.';
    printProblems(context, [{ severity: 'error', code: 'history-broken', summary, hint }]);
    return 1;
  },
});
