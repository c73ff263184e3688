import { reach, reversed } from '../model/graph.js';
import type { Alongside } from '../plan/risks.js';
import type { Address } from '../model/address.js';
import { defined } from '../model/defined.js';
import type { Finding } from '../model/drift.js';
import type { Plan } from '../model/plan.js';
import { type Json, hasUnknown, type Value } from '../model/value.js';
import type { FieldDecision } from '../plan/diff.js';
import { factsOf } from '../plan/facts.js';
import { isTakenByUpdate } from '../plan/update-or-replace.js';
import { compareField, type Wanted } from '../value/field-comparison.js';
import { hasSealed } from '../value/sealed.js';
import { orderOperations } from '../plan/order.js';
import { isEnd } from '../plan/contents.js';
import type { Operation } from '../plan/operation.js';
import { summaryOf } from '../plan/plan.js';
import { isRestorable } from './advice.js';
import { digestOf } from '../plan/saved-plan.js';
import type { Proposal } from '../plan/proposal.js';
import type { Seals } from '../value/seal.js';
import { buildSteps } from '../plan/steps.js';

interface RevertInput {
  readonly plan: Plan;
  readonly proposals: ReadonlyMap<Address, Proposal>;
  readonly graph: ReadonlyMap<Address, readonly Address[]>;
  readonly findings: readonly Finding[];
  readonly along: Alongside['along'];
  readonly seals: Seals;
}

interface RevertPlan {
  readonly plan: Plan;
  readonly proposals: ReadonlyMap<Address, Proposal>;
  readonly operations: readonly Operation[];
}

/**
 * A whole plan cut down to the addresses of some findings, and to what those can't do without: a parent that has to be
 * made first, children that a replacement takes along. Fields that the catalogue leaves to the platform go back to what
 * was recorded.
 */
export function revertPlan(input: RevertInput): RevertPlan {
  const restored = restoreUndeclared(input);
  const chosen = closure(restored, input.graph, input.findings);
  const proposals = withSurroundings(restored, input.graph, chosen);
  const { operations } = orderOperations(proposals, input.graph);
  const { unmanaged, catalogueDigest } = input.plan;
  const alongside = { unmanaged, along: input.along };
  const steps = buildSteps(proposals, operations, alongside, input.seals, { digest: catalogueDigest });
  const touched = new Set(steps.map(({ address }) => address));
  const { digest: _digest, meta, ...whole } = input.plan;
  const body = {
    ...whole,
    partial: { targets: [...new Set(input.findings.map(({ address }) => address))].sort(), excludes: [] },
    ...{ steps, outputs: [] },
    summary: summaryOf(steps, [...proposals.values()].filter(({ action }) => action === 'none').length),
    guards: input.plan.guards.filter((guard) => concerns(guard.addresses, touched)),
    notCompared: input.plan.notCompared.filter(({ address }) => address === undefined || chosen.has(address)),
    undeclaredChanges: [],
    notices: input.plan.notices.filter(({ address }) => address === undefined || touched.has(address)),
  };
  return { plan: { ...body, digest: digestOf(body), meta }, proposals, operations };
}

/** A guard that names no resource is about the whole platform. */
function concerns(addresses: readonly Address[], touched: ReadonlySet<Address>): boolean {
  return addresses.length === 0 || addresses.some((address) => touched.has(address));
}

function restoreUndeclared({ proposals, findings, seals }: RevertInput): ReadonlyMap<Address, Proposal> {
  const changed = new Map(proposals);
  for (const { address, class: kind, field } of findings) {
    const proposal = changed.get(address);
    if (kind !== 'undeclared-changed' || field === undefined || proposal === undefined) continue;
    const decision = restoringDecision(proposal, field, seals);
    if (decision !== undefined) changed.set(address, withDecision(proposal, decision));
  }
  return changed;
}

function restoringDecision(proposal: Proposal, field: string, seals: Seals): FieldDecision | undefined {
  const rule = proposal.type.fields[field];
  if (rule === undefined || proposal.actual === undefined) return undefined;
  const { lastSeen, actual, own, shown } = compareField(rule, factsOf(proposal, proposal.actual.values, seals));
  // Neither a replacement nor a recorded secret, whose value nobody has, is worth a field the catalogue does not mention.
  const isPossible =
    proposal.type.updatable && rule.onChange !== 'replace' && !hasSealed(lastSeen) && isRestorable(rule, lastSeen);
  const isTaken = own.extent === 'none' || proposal.decisions.some((decision) => decision.rule.name === field);
  const has = (value: Json | undefined): value is Json => value !== undefined && value !== null;
  const wanted: Wanted = has(lastSeen) ? { by: 'value', value: lastSeen } : { by: 'null' };
  if (!isPossible || isTaken || !isTakenByUpdate(rule, actual, wanted)) return undefined;
  return {
    rule,
    change: {
      ...{ field, rule: 'update', cause: 'drift' },
      ...defined({ old: shown(actual), new: shown(lastSeen) }),
    },
    wanted,
  };
}

function withDecision(proposal: Proposal, decision: FieldDecision): Proposal {
  const decisions = [...proposal.decisions, decision];
  const reasons = [...proposal.reasons, { kind: 'field-changed', field: decision.rule.name } as const];
  if (!['none', 'options', 'update'].includes(proposal.action)) return proposal;
  const cause = proposal.cause === undefined || proposal.cause === 'drift' ? 'drift' : 'both';
  return { ...proposal, action: 'update', cause, decisions, reasons };
}

/** The addresses of the findings, what those wait for, and what goes along when one of them ends. */
function closure(
  proposals: ReadonlyMap<Address, Proposal>,
  graph: ReadonlyMap<Address, readonly Address[]>,
  findings: readonly Finding[],
): ReadonlySet<Address> {
  const dependants = dependantsOf(proposals, graph);
  const named = findings.map(({ address }) => address).filter((address) => proposals.has(address));
  return reach(named, (address) => {
    const proposal = proposals.get(address);
    if (proposal === undefined) return [];
    const waits = needsOthers(proposal);
    const needed = (graph.get(address) ?? []).filter((other) => waits || isMissing(proposals.get(other)));
    if (!isEnd(proposal)) return needed;
    return [...needed, ...(dependants.get(address) ?? []).filter((other) => proposals.get(other)?.action !== 'none')];
  });
}

/** What the chosen ones refer to must be there when the plan is carried out, but is left as it is. */
function withSurroundings(
  proposals: ReadonlyMap<Address, Proposal>,
  graph: ReadonlyMap<Address, readonly Address[]>,
  chosen: ReadonlySet<Address>,
): ReadonlyMap<Address, Proposal> {
  const needed = reach(chosen, (address) => graph.get(address) ?? []);
  // In the planner's order: what is needed comes first.
  return new Map(
    [...proposals]
      .filter(([address]) => needed.has(address))
      .map(([address, proposal]) => [address, chosen.has(address) ? proposal : leftAlone(proposal)]),
  );
}

function leftAlone(proposal: Proposal): Proposal {
  if (proposal.actual === undefined) return proposal;
  const action = proposal.movedFrom === undefined ? 'none' : 'move';
  return { ...proposal, action, decisions: [], recordOnly: false };
}

function needsOthers(proposal: Proposal): boolean {
  return [...proposal.declared.values()].some((value: Value) => hasUnknown(value));
}

function isMissing(proposal: Proposal | undefined): boolean {
  return proposal?.action === 'create' || proposal?.action === 'replace';
}

function dependantsOf(
  proposals: ReadonlyMap<Address, Proposal>,
  graph: ReadonlyMap<Address, readonly Address[]>,
): ReadonlyMap<Address, readonly Address[]> {
  return reversed(
    proposals.keys(),
    (address) => new Set([...(graph.get(address) ?? []), ...(proposals.get(address)?.recorded?.dependencies ?? [])]),
  );
}
