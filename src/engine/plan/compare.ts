import type { DesiredResource } from '../model/desired.js';
import type { ActionReason, Cause } from '../model/plan.js';
import type { RecordedResource } from '../model/state.js';
import type { Address } from '../model/address.js';
import { diffResource } from './diff.js';
import type { FieldDecision } from './diff.js';
import type { ExistingObject, Proposal, ProposalBase, ProposalInput } from './proposal.js';
import { fieldReasons } from './reasons.js';
import { replacementOrder } from './replacement.js';

/** What an object that exists needs to be as the file says: nothing, an update, a replacement, or only its record. */
export function compare(
  input: ProposalInput,
  base: ProposalBase & { readonly actual: ExistingObject; readonly recorded?: RecordedResource },
  done: ReadonlyMap<Address, Proposal>,
  reasons: readonly ActionReason[],
  whenSame: 'update' | 'adopt',
): Proposal {
  const { recorded, actual } = base;
  const diff = diffResource({
    address: base.address,
    type: base.type,
    declared: base.declared,
    inputs: recorded?.inputs ?? actual.values,
    outputs: recorded?.outputs ?? actual.values,
    actual: actual.values,
    options: base.desired.options,
    fingerprint: input.fingerprint,
  });
  const decisions = recorded === undefined ? adoptable(diff.decisions, base) : diff.decisions;
  const asked = input.replace.has(base.address);
  const replacing = recorded !== undefined && (asked || decisions.some((d) => d.change.rule === 'replace'));
  const changed = decisions.length > 0;
  const why = [
    ...fieldReasons(decisions, base.type, done),
    ...(asked ? [{ kind: 'requested' } as const] : []),
    ...reasons,
  ];
  const common = {
    ...base,
    decisions,
    undeclared: diff.undeclared,
    recordOnly: diff.converged || optionsDiffer(base.desired, recorded, input),
  };
  const cause = changed ? { cause: combinedCause(decisions) } : {};
  if (replacing)
    return { ...common, action: 'replace', order: replacementOrder(base, decisions), ...cause, reasons: why };
  if (whenSame === 'adopt') {
    const postponed = onlyByReplacement(diff.decisions, base);
    return { ...common, action: 'adopt', ...cause, reasons: why, ...(postponed.length > 0 ? { postponed } : {}) };
  }
  if (changed) return { ...common, action: 'update', ...cause, reasons: why };
  return { ...common, action: base.movedFrom === undefined ? 'none' : 'move', reasons };
}

/**
 * What adopting changes at once: declared fields that can be updated. Fields the file is silent about are not ours
 * to clear; one that forces a replacement is left to the next plan, which shows it; one that can't be read counts as equal.
 */
function adoptable(decisions: readonly FieldDecision[], base: Pick<Proposal, 'declared'>): readonly FieldDecision[] {
  return decisions.filter(({ rule, change }) => base.declared.has(rule.name) && change.rule === 'update');
}

/** Declared fields that differ, as far as they can be read, and that adopting leaves alone. */
function onlyByReplacement(
  decisions: readonly FieldDecision[],
  { declared, actual }: Pick<Proposal, 'declared'> & { readonly actual: ExistingObject },
): readonly string[] {
  return decisions
    .filter(({ rule, change }) => declared.has(rule.name) && change.rule === 'replace')
    .map(({ rule }) => rule.name)
    .filter((name) => (actual.values[name] ?? null) !== null);
}

function optionsDiffer(
  desired: DesiredResource,
  recorded: RecordedResource | undefined,
  input: ProposalInput,
): boolean {
  if (recorded === undefined) return false;
  const dependencies = input.graph.get(desired.address) ?? [];
  return (
    recorded.protect !== desired.options.protect ||
    recorded.retainOnDelete !== desired.options.retainOnDelete ||
    recorded.dependencies.join('\n') !== dependencies.join('\n')
  );
}

function combinedCause(decisions: readonly FieldDecision[]): Cause {
  const causes = new Set(decisions.map((d) => d.change.cause));
  return causes.size === 1 ? ([...causes][0] as Cause) : 'both';
}
