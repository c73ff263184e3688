import { defined } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { PlanOutline } from '@platform-sync/core/model/plan';
import type { ApplyResult } from '@platform-sync/core/model/results';
import type { RunNews, RunStatus } from '@platform-sync/core/model/run-news';
import { momentIn } from '@platform-sync/core/model/world';
import type { Project } from '@platform-sync/engine/api';
import { printProblems, type RunContext } from './run-context.js';

/** A run's end as its result says it. */
export interface RunEnd {
  readonly result: Pick<ApplyResult, 'status' | 'steps' | 'diagnostics' | 'mismatches'>;
  readonly guards: PlanOutline['guards'];
  readonly notCompared: PlanOutline['notCompared'];
}

/** A run at a terminal has its reader, and a project without a webhook has nobody to tell. */
function webhookOf({ host }: RunContext, { config: { drift } }: Project): string | undefined {
  return host.interactive || (drift?.unset ?? []).length > 0 ? undefined : drift?.webhook;
}

/** Before a run takes the stack: that the one before it ended without a word. */
export async function noteLostRun(context: RunContext, project: Project): Promise<void> {
  if (webhookOf(context, project) !== undefined) await project.noteLostRun();
}

/** Tells the project's webhook how a run ended, where that is news; without an end, what others left untold. */
export async function tellRun(
  context: RunContext,
  project: Project,
  command: string,
  end: RunEnd | undefined,
): Promise<void> {
  const url = webhookOf(context, project);
  if (url === undefined) return;
  const { sender } = await import('./webhook.js');
  const { format = 'generic', secret } = project.config.drift ?? {};
  const send = sender(context, { url, format, ...defined({ secret }) }).run;
  const trouble = await project.tellRuns(end && newsOf(project, command, momentIn(context.host.world), end), url, send);
  if (trouble !== undefined) printProblems(context, [trouble]);
}

function newsOf({ config }: Project, command: string, at: string, { result, guards, notCompared }: RunEnd): RunNews {
  const { steps, diagnostics, mismatches = [] } = result;
  const isIncomplete = result.status === 'done' && notCompared.length > 0;
  const status = isIncomplete ? 'partly' : statusOf(result);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return {
    ...{ project: config.project, stack: config.stack, command, at, status },
    about: [
      ...(status === 'blocked' ? guards.filter(({ lifted }) => lifted === undefined) : []),
      ...steps.flatMap(({ address, outcome, action, diagnostics: found = [] }) =>
        outcome === 'failed' ? [{ name: address, summary: `${action}: ${found[0]?.summary ?? 'it failed'}` }] : [],
      ),
      ...(isIncomplete ? notCompared : []).map(({ address, type, diagnostic }) => ({
        name: address ?? type,
        summary: `could not be compared: ${diagnostic.summary}`,
      })),
      ...mismatches.map(({ what, meaning }) => ({ name: what, summary: meaning })),
    ].map(({ name, summary }) => ({ name, summary })),
    ...(steps.length === 0 ? {} : { counts: countsOf(steps) }),
    problems: errors.map(({ code, summary }) => ({ code, summary })),
  };
}

function statusOf({
  status,
  diagnostics,
}: {
  status: ApplyResult['status'];
  diagnostics: readonly Diagnostic[];
}): RunStatus {
  return status === 'failed' && diagnostics.some(({ code }) => code === 'state-lease-held') ? 'held' : status;
}

function countsOf(steps: ApplyResult['steps']): NonNullable<RunNews['counts']> {
  const of = (wanted: string): number => steps.filter(({ outcome }) => outcome === wanted).length;
  return { done: of('done'), failed: of('failed'), skipped: of('skipped') };
}
