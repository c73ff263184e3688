import { argument } from '../arguments/flag.js';
import { resolve } from 'node:path';
import { exitCode } from '../process/exit-code.js';
import { readPlanFile } from '../files/plan-file.js';
import { planReportFlags, reportPlan } from '../plan/plan-report.js';
import { printProblems } from '../run/run-context.js';
import { command } from '../run/command.js';

export const showCommand = command({
  summary: 'Print a saved plan.',
  description:
    'Renders the file alone: no network, no state, no catalogue. A file that was changed after it was written is refused.',
  examples: [
    'sync show plan.json',
    'sync show plan.json --format html > plan.html',
    'sync show plan.json --report-dir reports',
  ],
  args: {
    plan: argument({ name: 'PLAN', required: true, description: 'file written by sync plan --out' }),
  },
  flags: planReportFlags,
  needs: 'context',
  async run({ args, flags, context }) {
    const found = await readPlanFile(resolve(context.cwd, args.plan));
    if (found.plan === undefined) {
      printProblems(context, [found.diagnostic]);
      return exitCode(found.stale ? { stale: true } : { errors: true });
    }
    await reportPlan(context, found.plan, flags, args.plan);
    return 0;
  },
});
