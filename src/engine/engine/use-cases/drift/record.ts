import { groupBy } from '@platform-sync/core/model/graph';
import { sameJson } from '@platform-sync/core/model/canonical';
import type { ApplyOptions, RecordDriftResult } from '../../api.js';
import { oldOneLeft, settledRecord } from '../../apply/record.js';
import { selectFindings } from '../../drift/select-findings.js';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { DriftResult, Finding } from '@platform-sync/core/model/drift';
import { isSettling, type RecordedResource, type StateChange } from '@platform-sync/core/model/state';
import { LeaseLostError } from '@platform-sync/core/model/state-store';
import { sealsOf } from '../../sealed-state.js';
import { withAllWritten } from '../../plan/dropped-parts.js';
import { settledAt, settling } from '../../refresh/evidence.js';
import type { Workspace } from '../../workspace.js';
import { stateMismatches } from '../apply-plan.js';
import { withLease } from '../lease.js';
import { checkDrift } from './check.js';

/**
 * Takes what the platform has into state, for these findings only: none of them is one again until it moves. The
 * catalogue stays what is wanted, so a plan goes on showing where the two differ.
 */
export async function recordDrift(
  workspace: Workspace,
  words: readonly string[],
  options: ApplyOptions = {},
): Promise<RecordDriftResult> {
  return withLease(workspace, options, async (lease): Promise<RecordDriftResult> => {
    const { result, planned } = await checkDrift(workspace, { remember: false });
    if (planned === undefined) return { recorded: [], diagnostics: result.diagnostics };
    const { plan, work } = planned;
    const selected = selectFindings(result.findings, words);
    const problems = [
      ...selected.problems,
      ...selected.findings.filter(({ verbs }) => !verbs.includes('record')).map(refused),
    ];
    if (problems.length > 0) return { recorded: [], diagnostics: [...result.diagnostics, ...problems] };
    const store = await workspace.state();
    // Nobody else writes under a lease that lives.
    if (stateMismatches(plan, await store.read()).length > 0) throw new LeaseLostError();
    const seals = sealsOf(work.state, workspace.redactor);
    const { settledBefore } = settling(workspace);
    const early = selected.findings.flatMap(({ address, field = '', ...finding }): readonly Diagnostic[] => {
      const { recorded, actual, type } = work.steps.get(address) ?? {};
      if (actual === undefined && recorded !== undefined && recorded.deposed.length > 0)
        return [refused({ ...finding, address, todo: oldOneLeft(recorded) })];
      if (recorded === undefined || actual === undefined || type === undefined) return [];
      if (!isSettling(recorded.writtenAt, settledBefore)) return [];
      const written = withAllWritten({ type, recorded, actual: actual.values, seals });
      const isLacking = !sameJson(written[field] ?? null, actual.values[field] ?? null);
      return isLacking ? [refused({ ...finding, address, todo: mayBeOld(recorded, workspace) })] : [];
    });
    if (early.length > 0) return { recorded: [], diagnostics: [...result.diagnostics, ...early] };
    const left = addressesLeft(result, selected.findings);
    const changes = [...byAddress(selected.findings)].flatMap(([address, findings]): readonly StateChange[] => {
      const step = work.steps.get(address);
      if (step?.recorded === undefined) return [];
      const { recorded, actual } = step;
      if (actual === undefined) return [{ kind: 'remove', address: recorded.address }];
      const fields = left.has(address) ? findings.flatMap(({ field }) => field ?? []) : 'all';
      return [{ kind: 'put', resource: settledRecord(recorded, step, actual, fields, seals) }];
    });
    await store.commit(lease, [...work.recovery, ...changes]);
    work.recovered.forEach(workspace.emit);
    return { recorded: selected.findings, diagnostics: result.diagnostics };
  });
}

function byAddress(findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
  return groupBy(findings, ({ address }) => address);
}

/** Resources of which something else differs from the record, and is to stay so. */
function addressesLeft(result: DriftResult, selected: readonly Finding[]): ReadonlySet<string> {
  const taken = new Set(selected.map(({ id }) => id));
  const others = [...result.findings.filter(({ id }) => !taken.has(id)), ...result.ignored, ...result.converged];
  return new Set(others.map(({ address }) => address));
}

/** What was written a moment ago and an answer lacks is let go of only once that answer can't be older. */
function mayBeOld({ writtenAt = '' }: RecordedResource, workspace: Workspace): string {
  const until = settledAt(writtenAt, settling(workspace).settleMs);
  return `This stack wrote it at ${writtenAt}, and an answer that lacks it may be older. Run the command again after ${until} (timing.settleSeconds).`;
}

function refused(finding: Pick<Finding, 'id' | 'address' | 'todo'>): Diagnostic {
  return {
    severity: 'error',
    code: 'cannot-record',
    summary: `${finding.id} (${finding.address}) cannot be recorded.`,
    hint: finding.todo,
    address: finding.address,
  };
}
