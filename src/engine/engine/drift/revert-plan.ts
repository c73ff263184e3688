import { reach, reversed } from '@platform-sync/core/model/graph';
import type { Alongside } from '../plan/risks.js';
import type { Address } from '@platform-sync/core/model/address';
import { defined, hasUnknown, type Json, type Value } from '@platform-sync/core/model/value';
import type { Finding } from '@platform-sync/core/model/drift';
import type { Plan } from '@platform-sync/core/model/plan';
import { type Change, factsOf, isTakenByUpdate } from '../plan/change.js';
import { compareField, type Wanted } from '@platform-sync/core/value/field-comparison';
import { hasSealed } from '@platform-sync/core/value/secret-parts';
import { Claims } from '../plan/claims.js';
import { leftOutSecrets } from '../plan/left-out-secrets.js';
import { orderOperations } from '../plan/order.js';
import { isEnd } from '../plan/contents.js';
import { replacedInUse } from '../plan/replaced-in-use.js';
import type { Step } from '../plan/step.js';
import { summaryOf } from '../plan/plan.js';
import { isRestorable } from './advice.js';
import { planEffect } from '../plan/effect.js';
import { digestOf } from '../plan/saved-plan.js';
import type { Seals } from '@platform-sync/core/value/seal';
import { buildSteps } from '../plan/plan-steps.js';

interface RevertInput {
  readonly plan: Plan;
  readonly steps: ReadonlyMap<Address, Step>;
  readonly graph: ReadonlyMap<Address, readonly Address[]>;
  readonly findings: readonly Finding[];
  readonly along: Alongside['along'];
  readonly seals: Seals;
}

interface RevertPlan {
  readonly plan: Plan;
  readonly steps: ReadonlyMap<Address, Step>;
  /** What would get a name that another resource has until the catalogue is applied. */
  readonly waiting: readonly Finding[];
}

/**
 * A whole plan cut down to the addresses of some findings, and to what those can't do without: a parent that has to be
 * made first, children that a replacement takes along. Fields that the catalogue leaves to the platform go back to what
 * was recorded.
 */
export function revertPlan(input: RevertInput): RevertPlan {
  const restored = restoreUndeclared(input);
  const { chosen, steps, findings } = withoutHeldNames(restored, input.graph, input.findings);
  const { unmanaged, catalogueDigest } = input.plan;
  const alongside = { unmanaged, along: input.along };
  const shown = buildSteps(steps, alongside, input.seals, { digest: catalogueDigest });
  const touched = new Set(shown.map(({ address }) => address));
  const { digest: _digest, meta, ...whole } = input.plan;
  const body = {
    ...whole,
    partial: { targets: [...new Set(findings.map(({ address }) => address))].sort(), excludes: [] },
    ...{ steps: shown, outputs: [] },
    summary: summaryOf(shown, [...steps.values()].filter(({ action }) => action === 'none').length),
    guards: input.plan.guards.filter((guard) => concerns(guard.addresses, touched)),
    notCompared: input.plan.notCompared.filter(({ address }) => address === undefined || chosen.has(address)),
    undeclaredChanges: [],
    notices: [...input.plan.notices, ...replacedInUse(input.graph, steps), ...leftOutSecrets(steps.values())].filter(
      ({ address }) => address === undefined || touched.has(address),
    ),
  };
  const plan = { ...body, effectDigest: planEffect(body, {}) };
  const waiting = input.findings.filter((found) => !findings.includes(found));
  return { plan: { ...plan, digest: digestOf(plan), meta }, steps, waiting };
}

/** Findings that can be put back while all others stay as they are: none takes a name that another resource keeps for now. */
function withoutHeldNames(
  all: ReadonlyMap<Address, Step>,
  graph: ReadonlyMap<Address, readonly Address[]>,
  wanted: readonly Finding[],
): Pick<RevertPlan, 'steps'> & { readonly chosen: ReadonlySet<Address>; readonly findings: readonly Finding[] } {
  for (let findings = wanted; ;) {
    const chosen = closure(all, graph, findings);
    const { steps, cycles } = orderOperations(withSurroundings(all, graph, chosen), graph);
    const others = [...all.values()].filter(({ address, action }) => !chosen.has(address) && action !== 'create');
    const claims = new Claims([...steps.values(), ...others.map(leftAlone)]);
    const held = claims.takings.filter((taking) => claims.keeperOf(taking) !== undefined);
    const takers = new Set([...held.map(({ step }) => step.address), ...cycles.map(({ taker }) => taker)]);
    const left = findings.filter((found) => [...closure(all, graph, [found])].every((address) => !takers.has(address)));
    if (left.length === findings.length) return { chosen, steps, findings };
    findings = left;
  }
}

/** A guard that names no resource is about the whole platform. */
function concerns(addresses: readonly Address[], touched: ReadonlySet<Address>): boolean {
  return addresses.length === 0 || addresses.some((address) => touched.has(address));
}

function restoreUndeclared({ steps, findings, seals }: RevertInput): ReadonlyMap<Address, Step> {
  const changed = new Map(steps);
  for (const { address, class: kind, field } of findings) {
    const step = changed.get(address);
    if (kind !== 'undeclared-changed' || field === undefined || step === undefined) continue;
    const change = restoringChange(step, field, seals);
    if (change !== undefined) changed.set(address, withChange(step, change));
  }
  return changed;
}

function restoringChange(step: Step, field: string, seals: Seals): Change | undefined {
  const rule = step.type.fields[field];
  if (rule === undefined || step.actual === undefined) return undefined;
  const { lastSeen, actual, own, shown } = compareField(rule, factsOf(step, step.actual.values, seals));
  // Neither a replacement nor a recorded secret, whose value nobody has, is worth a field the catalogue does not mention.
  const isPossible =
    step.type.updatable && rule.onChange !== 'replace' && !hasSealed(lastSeen) && isRestorable(rule, lastSeen);
  const isTaken = own.extent === 'none' || step.changes.some((change) => change.rule.name === field);
  const has = (value: Json | undefined): value is Json => value !== undefined && value !== null;
  const wanted: Wanted = has(lastSeen) ? { by: 'value', value: lastSeen } : { by: 'null' };
  if (!isPossible || isTaken || !isTakenByUpdate(rule, actual, wanted)) return undefined;
  return {
    rule,
    shown: {
      ...{ field, rule: 'update', cause: 'drift' },
      ...defined({ old: shown(actual), new: shown(lastSeen) }),
    },
    wanted,
  };
}

function withChange(step: Step, change: Change): Step {
  const changes = [...step.changes, change];
  const reasons = [...step.reasons, { kind: 'field-changed', field: change.rule.name } as const];
  if (!['none', 'options', 'update'].includes(step.action)) return step;
  const cause = step.cause === undefined || step.cause === 'drift' ? 'drift' : 'both';
  return { ...step, action: 'update', cause, changes, reasons };
}

/** The addresses of the findings, what those wait for, and what goes along when one of them ends. */
function closure(
  steps: ReadonlyMap<Address, Step>,
  graph: ReadonlyMap<Address, readonly Address[]>,
  findings: readonly Finding[],
): ReadonlySet<Address> {
  const dependants = dependantsOf(steps, graph);
  const named = findings.map(({ address }) => address).filter((address) => steps.has(address));
  return reach(named, (address) => {
    const step = steps.get(address);
    if (step === undefined) return [];
    const waits = needsOthers(step);
    const needed = (graph.get(address) ?? []).filter((other) => waits || isMissing(steps.get(other)));
    if (!isEnd(step)) return needed;
    return [...needed, ...(dependants.get(address) ?? []).filter((other) => steps.get(other)?.action !== 'none')];
  });
}

/** What the chosen ones refer to must be there when the plan is carried out, but is left as it is. */
function withSurroundings(
  steps: ReadonlyMap<Address, Step>,
  graph: ReadonlyMap<Address, readonly Address[]>,
  chosen: ReadonlySet<Address>,
): ReadonlyMap<Address, Step> {
  const needed = reach(chosen, (address) => graph.get(address) ?? []);
  // In the planner's order: what is needed comes first.
  return new Map(
    [...steps]
      .filter(([address]) => needed.has(address))
      .map(([address, step]) => [address, chosen.has(address) ? step : leftAlone(step)]),
  );
}

function leftAlone(step: Step): Step {
  if (step.actual === undefined) return step;
  const action = step.movedFrom === undefined ? 'none' : 'move';
  return { ...step, action, changes: [], recordOnly: false };
}

function needsOthers(step: Step): boolean {
  return [...step.declared.values()].some((value: Value) => hasUnknown(value));
}

function isMissing(step: Step | undefined): boolean {
  return step?.action === 'create' || step?.action === 'replace';
}

function dependantsOf(
  steps: ReadonlyMap<Address, Step>,
  graph: ReadonlyMap<Address, readonly Address[]>,
): ReadonlyMap<Address, readonly Address[]> {
  return reversed(
    steps.keys(),
    (address) => new Set([...(graph.get(address) ?? []), ...(steps.get(address)?.recorded?.dependencies ?? [])]),
  );
}
