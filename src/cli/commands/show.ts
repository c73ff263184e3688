import { argument } from '../arguments/flag.js';
import { resolve } from 'node:path';
import { exitCode, type ExitCode } from '../process/exit-code.js';
import { readPlanFile } from '../files/plan-file.js';
import { planReportFlags, reportPlan } from '../plan/plan-report.js';
import { printProblems, withContext } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';

export class ShowCommand extends SyncCommand {
  static override summary = 'Print a plan that was kept in a file.';
  static override description =
    'Renders the file alone: no network, no state, no catalogue. A file that was changed after it was written is refused.';
  static override examples = [
    '<%= config.bin %> show plan.json',
    '<%= config.bin %> show plan.json --format html > plan.html',
    '<%= config.bin %> show plan.json --report-dir reports',
  ];
  static override args = {
    plan: argument({ name: 'PLAN', required: true, description: 'file written by sync plan --out' }),
  };
  static override flags = planReportFlags;

  override async execute(host: Host): Promise<ExitCode> {
    const { args, flags } = await this.parse(ShowCommand);
    return withContext(host, flags, async (context) => {
      const found = await readPlanFile(resolve(context.cwd, args.plan));
      if (found.plan === undefined) {
        printProblems(context, [found.diagnostic]);
        return exitCode(found.stale ? { stale: true } : { errors: true });
      }
      await reportPlan(context, found.plan, flags, args.plan);
      return 0;
    });
  }
}
