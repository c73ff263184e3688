import type { Job } from '@platform-sync/core/model/fleet';
import { type Diagnostic, DiagnosticError } from '@platform-sync/core/model/diagnostic';
import { defined } from '@platform-sync/core/model/value';
import { failed, type Found } from '@platform-sync/report/document/found';
import type { ApplyOutcome } from '@platform-sync/report/view/apply-outcome';
import { applied } from '../plan/apply-report.js';
import { planAndApply } from '../plan/plan-and-apply.js';
import type { Host } from '../process/host.js';
import type { RunContext } from '../run/run-context.js';
import { isPassing } from './patience.js';

/** An apply waits for the lease of a run that died: longer than a lease lives. */
const lockTimeout = '60s';

const applyFlags = {
  ...{ yes: true, quiet: true, 'fail-fast': false, report: undefined, 'report-dir': undefined },
  ...{ expect: undefined, 'expect-effect': undefined, frozen: undefined, 'lock-timeout': lockTimeout },
};

/** As `sync apply --yes` does it. Rejects when it is to be tried again. */
export async function appliedStack(given: RunContext, { effect, by, settlement }: Job): Promise<Found | undefined> {
  const told: Diagnostic[] = [];
  let unread: readonly Diagnostic[] = [];
  const hear = (problems: readonly Diagnostic[]): void => void told.push(...problems);
  const result = (value: unknown): void => (isOutcome(value) ? hear(value.diagnostics) : undefined);
  let printed = '';
  const err = (text: string): void => void (printed += text);
  const host: Host = { ...given.host, err, problems: hear, result, ...defined({ actor: by }) };
  const flags = { ...applyFlags, 'expect-effect': effect };
  const code = await applied({ ...given, host }, flags, 'apply', (context, project) => {
    const { findings } = settlement ?? {};
    const plan: typeof project.plan = async (how) => {
      // What was approved may be the plan that puts findings back, and nothing else.
      const made = findings === undefined ? await project.plan(how) : await project.revertDrift(findings);
      unread = made.plan?.notCompared.map(({ diagnostic }) => diagnostic) ?? [];
      return made;
    };
    return planAndApply(context, { ...project, plan }, {}, flags);
  });
  if (code === 3) hear(unread);
  const passes = told.find(({ code: said }) => isPassing(said));
  if (code === 143) return undefined;
  if (code === 0) return { state: 'clean', cause: '' };
  if (passes !== undefined) throw new DiagnosticError([passes]);
  if (code === 4) return { state: 'blocked', cause: 'held back by a guard' };
  if (told.length > 0) return failed(told);
  const [last = ''] = printed.trim().split('\n').slice(-1);
  return { state: 'failed', cause: `The apply ended with exit code ${String(code)}. ${last}`.trimEnd() };
}

function isOutcome(value: unknown): value is ApplyOutcome {
  return typeof value === 'object' && value !== null && 'diagnostics' in value;
}
