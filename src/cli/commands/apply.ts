import { argument } from '../arguments/flag.js';
import { join, resolve } from 'node:path';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { defined } from '@platform-sync/core/model/value';
import { lockWait } from '../arguments/shared-flags.js';
import { applied, reportNoApply } from '../plan/apply-report.js';
import { exitCode, type ExitCode } from '../process/exit-code.js';
import { applyReviewed, planAndApply, requireConsent } from '../plan/plan-and-apply.js';
import {
  applyFlags,
  noDeleteFlag,
  outputFlag,
  planFlags,
  planOptions,
  requireDigests,
} from '../arguments/plan-flags.js';
import { pipelineHere } from '../review/review-place.js';
import { destinationsOf } from '../run/destinations.js';
import { printProblems, type RunContext } from '../run/run-context.js';
import { command } from '../run/command.js';
import { everyStackFlag, forStacks, requireOneMeaning } from '../run/every-stack.js';
import { UsageError } from '../process/usage-error.js';

const planningFlags = ['target', 'exclude', 'replace', 'resend', 'no-delete', 'allow', 'reason'] as const;

export const applyCommand = command({
  summary: 'Make the platform match the catalogue.',
  description:
    'Without PLAN: plans, shows the plan, asks, applies. With PLAN (from sync plan --out): carries out exactly what was reviewed, or refuses with exit code 5 before the first write. Without a terminal, --yes is needed.',
  examples: [
    'sync apply',
    'sync apply plan.json --yes',
    'sync apply --yes --lock-timeout 5m --report result.json',
    'sync apply plan.json --yes --report-dir reports',
    'sync apply plan.json --expect-effect 3f2a91c04b7d --yes  # unrelated merges since do not matter',
    'sync apply reports --all-stacks --yes --report-dir reports',
  ],
  args: {
    plan: argument({
      name: 'PLAN',
      description: 'a reviewed plan file; with --all-stacks the folder that sync plan wrote its reports to',
    }),
  },
  flags: { ...planFlags, ...noDeleteFlag, ...outputFlag, ...applyFlags, ...everyStackFlag },
  needs: 'context',
  given({ args: { plan: file }, flags }) {
    requireOneMeaning(
      flags,
      (['expect', 'expect-effect', 'report', 'output'] as const).filter((name) => flags[name] !== undefined),
    );
    lockWait(flags);
    requireDigests(flags);
    const misplaced = planningFlags.find((name) => flags[name] !== undefined && flags[name] !== false);
    if (file !== undefined && misplaced !== undefined) {
      throw new UsageError(
        `--${misplaced} belongs to planning, and ${file} is already a plan`,
        `Make the plan with it: sync plan --${misplaced} … --out ${file}`,
      );
    }
    return planOptions(flags);
  },
  async run({ args: { plan: file }, flags: all, given, context: ofAll }) {
    requireConsent(ofAll, all, file === undefined ? 'apply' : `apply ${file}`);
    const destinations = destinationsOf(all.output, { ...ofAll, env: ofAll.host.env, world: ofAll.host.world });
    const work = async (context: RunContext, flags: typeof all): Promise<ExitCode> => {
      if (file === undefined)
        return applied(context, flags, 'apply', (logged, project) =>
          planAndApply(logged, project, { ...given, ...defined({ destinations }) }, flags),
        );
      const { readHandedPlan, readPlanFile } = await import('../files/plan-file.js');
      const read = (await pipelineHere(context)) === undefined ? readPlanFile : readHandedPlan;
      const ofStack = flags['all-stacks'] && flags.stack !== undefined ? join(file, flags.stack, 'plan.json') : file;
      const { plan, ...problem } = await read(resolve(context.cwd, ofStack), context.host.world);
      if (plan !== undefined)
        return applied(
          context,
          flags,
          'apply',
          (logged, project) => applyReviewed(logged, project, plan, flags, destinations),
          plan,
        );
      const isStale = 'stale' in problem && problem.stale;
      const found = problem.diagnostic === undefined ? [] : [problem.diagnostic];
      printProblems(context, found);
      await reportNoApply(context, flags, found, isStale ? 'stale' : 'failed');
      return isStale ? exitCode({ stale: true }) : exitCode({ errors: true });
    };
    const notBegun = async (context: RunContext, flags: typeof all, before: string): Promise<void> => {
      const path = file === undefined || flags.stack === undefined ? undefined : join(file, flags.stack, 'plan.json');
      const { readPlanFile } = await import('../files/plan-file.js');
      const { plan } = path === undefined ? {} : await readPlanFile(resolve(context.cwd, path));
      await reportNoApply(context, flags, [stackNotBegun(before)], 'failed', plan);
    };
    return forStacks(ofAll, all, work, notBegun);
  },
});

function stackNotBegun(before: string): Diagnostic {
  return {
    severity: 'error',
    code: 'stack-not-begun',
    summary: `The stack ${before} comes first, and did not end well.`,
    hint: 'Mend that one, and apply again.',
  };
}
