import { readFleet } from '@platform-sync/engine/use-cases/fleet';
import { hasErrors } from '@platform-sync/core/model/diagnostic';
import { examplesOf, issueOf, reportFlags, tellRound } from '../fleet/command.js';
import { fleetExit, fleetRound } from '../fleet/rounds.js';
import { command } from '../run/command.js';
import { printProblems } from '../run/run-context.js';

export const fleetStatusCommand = command({
  summary: 'Say how every stack of a fleet stood when it was last checked.',
  description:
    'Reads fleet.yaml and what the state stores remember: the last check of each stack, since when its drift is known, the last apply and by whom. The platform is not asked.',
  examples: examplesOf('status'),
  flags: reportFlags,
  needs: 'context',
  given: ({ flags, host }) => issueOf(host, flags),
  async run({ context, flags, given: issue }) {
    const report = await fleetRound(context, await readFleet(context.cwd), 'status', { refresh: 'auto', atOnce: 4 });
    const trouble = await tellRound(context, report, flags, issue);
    printProblems(context, trouble);
    return hasErrors(trouble) ? 1 : fleetExit(report, context);
  },
});
