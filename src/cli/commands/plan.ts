import { resolve } from 'node:path';
import { boolean, string } from '../arguments/flag.js';
import type { OpenOptions, PlanOptions, Project } from '@platform-sync/engine/api';
import { defined } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { isEmptyPlan, type Plan } from '@platform-sync/core/model/plan';
import { isBlocked } from '@platform-sync/report/words/guards';
import { exitCode, withoutPlan, type ExitCode } from '../process/exit-code.js';
import { noDeleteFlag, outputFlag, planFlags, planOptions } from '../arguments/plan-flags.js';
import { coldFlag, watchFlag } from '../arguments/shared-flags.js';
import { planReportFlags, removeEarlierReports, reportNoPlan, reportPlan, reportThrown } from '../plan/plan-report.js';
import { pipelineHere } from '../review/review-place.js';
import { rememberedPlan } from '../run/remembering.js';
import { destinationsOf } from '../run/destinations.js';
import { printProblems, tellPlanned, withProject, type RunContext } from '../run/run-context.js';
import { command } from '../run/command.js';
import { everyStackFlag, forStacks, requireOneMeaning } from '../run/every-stack.js';
import type { RunEnd } from '../run/tell-runs.js';

export const planCommand = command({
  summary: 'Show what would change, and change nothing.',
  description:
    'Reads what exists, compares it with the catalogue and with what was recorded, and prints every difference with its reason. --out saves the plan: sync apply FILE does exactly that or nothing.',
  examples: [
    'sync plan  # what the catalogue changes',
    'sync plan --out plan.json --detailed-exitcode',
    'sync plan --target petstore --refresh full  # one API, every field read again',
    'sync plan --allow delete:petstore --reason "retired, ticket 42"',
    'sync plan --base origin/main  # what this branch changes, and what was pending',
    'sync plan --untrusted --base refs/remotes/origin/main',
    'sync plan --out plan.json --report-dir reports  # for review; also --all-stacks',
  ],
  flags: {
    ...planFlags,
    ...noDeleteFlag,
    ...outputFlag,
    out: string({ description: 'save the plan to this file', helpValue: 'FILE' }),
    ...planReportFlags,
    ...everyStackFlag,
    ...watchFlag('out', 'report-dir', 'events', 'output'),
    ...coldFlag,
    'detailed-exitcode': boolean({ description: 'exit 2 when there are changes' }),
    destroy: boolean({ description: 'plan to delete everything that is managed', exclusive: ['no-delete'] }),
    base: string({
      description:
        'tell which changes come from this branch (since this commit), which were pending, and which are drift',
      helpValue: 'REF',
      exclusive: ['base-dir', 'destroy'],
    }),
    untrusted: boolean({
      description:
        'treat the files as a proposal: servers, credentials, state and webhook come from --base, lookups get no secret, state is only read',
      dependsOn: ['base'],
    }),
    'base-dir': string({
      description: 'like --base, with the project in this folder',
      helpValue: 'DIR',
      exclusive: ['base', 'destroy'],
    }),
  },
  needs: 'context',
  given({ flags }) {
    requireOneMeaning(
      flags,
      (['out', 'output'] as const).filter((name) => flags[name] !== undefined),
    );
    return { ...planOptions(flags), ...(flags.destroy ? ({ mode: 'destroy' } as const) : {}) };
  },
  async run({ flags: all, given, context: ofAll }) {
    const planned = (): Promise<ExitCode> =>
      forStacks(ofAll, all, async (context, flags) => {
        await removeEarlierReports(context, flags);
        const seen: { config?: Project['config']; isPlanned?: true } = {};
        const work = async (project: Project, options: OpenOptions): Promise<ExitCode> => {
          seen.config = project.config;
          const destinations = destinationsOf(flags.output, {
            ...context,
            env: context.host.env,
            world: context.host.world,
          });
          const asked = { ...given, ...baseOption(flags, context.cwd), ...defined({ destinations }) };
          const isWritten = flags.format !== 'text' || flags.out !== undefined || flags['report-dir'] !== undefined;
          const made = await rememberedPlan({ context, project, options, isCold: flags.cold }, asked, isWritten);
          const { diagnostics } = made;
          const plan = made.plan && (await ofPipeline(context, made.plan));
          seen.isPlanned = true;
          if (plan === undefined || flags.format !== 'json') printProblems(context, diagnostics);
          if (plan === undefined) {
            await reportNoPlan(context, diagnostics, project.config, flags);
            return exitCode(withoutPlan(diagnostics));
          }
          tellPlanned(context, plan);
          const out = flags.out === undefined ? undefined : resolve(context.cwd, flags.out);
          if (out !== undefined) await (await import('../files/plan-file.js')).writePlanFile(out, plan);
          await reportPlan(context, plan, flags, flags.out, flags.refresh);
          if (isBlocked(plan.guards) && !flags.untrusted) {
            const { tellRun } = await import('../run/tell-runs.js');
            await tellRun(context, project, 'plan', blockedEnd(plan));
          }
          return planExitCode(plan, flags['detailed-exitcode']);
        };
        const refused = (found: readonly Diagnostic[]): Promise<void> => reportNoPlan(context, found, {}, flags);
        const untrusted = flags.untrusted && flags.base !== undefined ? { untrusted: { base: flags.base } } : {};
        return withProject(context, 'plan', work, refused, untrusted).catch(async (error: unknown) => {
          // What breaks down after the plan was made leaves the plan that stands.
          if (seen.isPlanned !== true) await reportThrown(context, error, seen.config ?? {}, flags);
          throw error;
        });
      });
    return all.watch ? (await import('../run/watching.js')).watching(ofAll, planned) : planned();
  },
});

/** A blocked plan is news; who proposes it reads the comment. */
function blockedEnd({ guards, notCompared }: Plan): RunEnd {
  return { result: { status: 'blocked', steps: [], diagnostics: [] }, guards, notCompared };
}

/** A plan names the run that made it, so that a comment on it can tell. */
async function ofPipeline(context: RunContext, plan: Plan): Promise<Plan> {
  const pipeline = await pipelineHere(context);
  return pipeline === undefined ? plan : { ...plan, meta: { ...plan.meta, pipeline } };
}

function baseOption(
  flags: { readonly base: string | undefined; readonly 'base-dir': string | undefined },
  cwd: string,
): Pick<PlanOptions, 'base'> {
  if (flags.base !== undefined) return { base: { ref: flags.base } };
  const folder = flags['base-dir'];
  return folder === undefined ? {} : { base: { folder: resolve(cwd, folder) } };
}

function planExitCode(plan: Plan, detailed: boolean): ExitCode {
  return exitCode({
    blocked: isBlocked(plan.guards),
    notCompared: plan.notCompared.length > 0,
    changes: detailed && !isEmptyPlan(plan),
  });
}
