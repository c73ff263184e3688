import { argument } from '../arguments/flag.js';
import { resolve } from 'node:path';
import type { Project } from '../../engine/api.js';
import type { Plan } from '../../engine/model/plan.js';
import { reportNoApply, withApplyReport } from '../plan/apply-report.js';
import { exitCode, type ExitCode } from '../process/exit-code.js';
import { applyReviewed, planAndApply, requireConsent } from '../plan/plan-and-apply.js';
import {
  applyFlags,
  durationMs,
  expectedDigest,
  noDeleteFlag,
  planFlags,
  planOptions,
} from '../arguments/plan-flags.js';
import { pipelineHere } from '../review/pipeline-here.js';
import { printProblems, withContext, withProject, type RunContext } from '../run/run-context.js';
import type { Host } from '../process/host.js';
import { SyncCommand } from '../run/sync-command.js';
import { UsageError } from '../process/usage-error.js';

const planningFlags = ['target', 'exclude', 'replace', 'resend', 'no-delete', 'allow', 'reason'] as const;

export class ApplyCommand extends SyncCommand {
  static override summary = 'Make the platform as the catalogue says.';
  static override description =
    'Without PLAN: plans, shows the plan, asks, applies. With PLAN (from sync plan --out): carries out exactly what was reviewed, or refuses with exit code 5 before the first write. Without a terminal, --yes is needed.';
  static override examples = [
    '<%= config.bin %> apply',
    '<%= config.bin %> apply plan.json --yes',
    '<%= config.bin %> apply --yes --lock-timeout 5m --report result.json',
    '<%= config.bin %> apply plan.json --yes --report-dir reports',
  ];
  static override args = { plan: argument({ name: 'PLAN', description: 'a reviewed plan file' }) };
  static override flags = { ...planFlags, ...noDeleteFlag, ...applyFlags };

  override async execute(host: Host): Promise<ExitCode> {
    const { args, flags } = await this.parse(ApplyCommand);
    const options = planOptions(flags);
    durationMs(flags['lock-timeout'], '--lock-timeout');
    expectedDigest(flags.expect);
    const file = args.plan;
    const misplaced = planningFlags.find((name) => flags[name] !== undefined && flags[name] !== false);
    if (file !== undefined && misplaced !== undefined) {
      throw new UsageError(
        `--${misplaced} belongs to planning, and ${file} is already a plan`,
        `sync plan --${misplaced} … --out ${file}`,
      );
    }
    return withContext(host, flags, async (context) => {
      requireConsent(context, flags, file === undefined ? 'apply' : `apply ${file}`);
      const carried = (work: (logged: RunContext, project: Project) => Promise<ExitCode>, plan?: Plan) =>
        withApplyReport(context, flags, (logged) =>
          withProject(
            plan === undefined ? logged : ofPlan(logged, plan),
            'apply',
            (project) => work(logged, project),
            (found) => reportNoApply(logged, flags, found),
          ),
        );
      if (file === undefined) return carried((logged, project) => planAndApply(logged, project, options, flags));
      const { readHandedPlan, readPlanFile } = await import('../files/plan-file.js');
      const read = (await pipelineHere(context)) === undefined ? readPlanFile : readHandedPlan;
      const { plan, ...problem } = await read(resolve(context.cwd, file));
      if (plan !== undefined) return carried((logged, project) => applyReviewed(logged, project, plan, flags), plan);
      const isStale = 'stale' in problem && problem.stale;
      const found = problem.diagnostic === undefined ? [] : [problem.diagnostic];
      printProblems(context, found);
      await reportNoApply(context, flags, found, isStale ? 'stale' : 'failed');
      return isStale ? exitCode({ stale: true }) : exitCode({ errors: true });
    });
  }
}

/** A plan brings its own stack; one that was named is compared with it, and the refusal says so. */
function ofPlan(context: RunContext, { stack }: Plan): RunContext {
  const named = context.flags.stack ?? context.host.env['SYNC_STACK'];
  return named === undefined || named === '' ? { ...context, flags: { ...context.flags, stack } } : context;
}
