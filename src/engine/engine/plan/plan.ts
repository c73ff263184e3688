import { defined, hasSecret, ownMember, type Value } from '@platform-sync/core/model/value';
import { type Address, compareText } from '@platform-sync/core/model/address';
import { canonicalJson, sha256 } from '@platform-sync/core/model/canonical';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { GuardAllowance } from '@platform-sync/core/model/project';
import type {
  LeftOut,
  NotCompared,
  OutputChange,
  Plan,
  PlanMeta,
  PlanSummary,
  PlanStep,
} from '@platform-sync/core/model/plan';
import { evaluate, type EvaluationScope } from '@platform-sync/core/resolve/evaluate';
import type { LookupCall } from '@platform-sync/core/resolve/lookup-call';
import { stillUnmanaged } from './guards/adoption.js';
import { departures, goingAlong, type GoingAlong } from './contents.js';
import { outputEffect, planEffect } from './effect.js';
import { withForced } from './guards/force.js';
import { checkGuards, holds } from './guards/guard.js';
import { heldBack } from './outside-keys.js';
import { orderOperations } from './order.js';
import type { NeededLookup, NeededObject, NeededOwner, Step, Proposals } from './step.js';
import { planNotices } from './notices.js';
import { Claims } from './claims.js';
import { keyConflicts, keyExchanges, keysOutside, madeInEnds, movedAcross } from './problems.js';
import { withoutDeletes, cutMoves, selectSteps, type Selection } from './selection.js';
import { withDigests } from './saved-plan.js';
import type { PlanInput } from './planning-state.js';
import { propose } from './propose.js';
import { isLetGo, withLastingSettings } from './removal.js';
import { plainRule } from '@platform-sync/core/value/seal';
import { withBoundOrders } from './replacement-order.js';
import { sourcesOf, buildSteps } from './plan-steps.js';

export type Planned =
  /** Something must be looked up first; call again with the results. */
  | {
      readonly kind: 'needs';
      readonly lookups: readonly NeededLookup[];
      readonly objects: readonly NeededObject[];
      readonly owners: readonly NeededOwner[];
    }
  /** Resources claim what they can't have: there is no plan. */
  | { readonly kind: 'refused'; readonly problems: readonly Diagnostic[] }
  | {
      readonly kind: 'plan';
      readonly plan: Plan;
      /** All that was decided, what is left as it is among it, with the operations that carry it out. */
      readonly steps: ReadonlyMap<Address, Step>;
      /** What ends without a step of its own. */
      readonly along: readonly GoingAlong[];
    };

/** Compares, decides, orders and guards. Pure: equal inputs give an equal plan. */
export function makePlan(input: PlanInput): Planned {
  const proposal = proposeInOrder(input);
  const { proposed, kept, ordered } = proposal;
  const { neededLookups: lookups, neededObjects: objects, neededOwners: owners } = proposed;
  if (lookups.length > 0 || objects.length > 0 || owners.length > 0) return { kind: 'needs', lookups, objects, owners };
  const forced = withForced(ordered, permissions(input));
  const problems = problemsOf(input, proposed, kept, forced);
  if (problems.length > 0 && !input.isCheck) return { kind: 'refused', problems };
  const { steps, cycles } = orderOperations(forced, input.graph, departures(input, [...forced.values()]));
  const tied = keyExchanges(input, steps, cycles);
  if (tied.length > 0 && !input.isCheck) return { kind: 'refused', problems: tied };
  const along = goingAlong(input, [...steps.values()], proposed.byAddress.values(), input.inside);
  return { kind: 'plan', plan: planOf(input, { ...proposal, steps, along }), steps, along };
}

/** Guards that somebody has lifted, and that are lifted today. */
function permissions({ guards, allow, meta }: PlanInput): readonly GuardAllowance[] {
  return [...guards.allow, ...allow].filter((one) => holds(one, dayOf(meta)));
}

function dayOf({ createdAt }: Pick<PlanMeta, 'createdAt'>): string {
  return createdAt.slice(0, 10);
}

interface Decided extends Proposed {
  readonly steps: ReadonlyMap<Address, Step>;
  readonly along: readonly GoingAlong[];
}

/** What was decided, as the document has it. */
function planOf(input: PlanInput, decided: Decided): Plan {
  const body = bodyOf(input, decided);
  const { outputs } = decided.proposed;
  const effects = body.outputs.map(
    ({ name }) => [name, outputEffect(name, outputs.get(name) ?? null, input.seals)] as const,
  );
  return withDigests({ ...body, effectDigest: planEffect(body, Object.fromEntries(effects)) }, input.desired);
}

function bodyOf(input: PlanInput, decided: Decided): Omit<Plan, 'digest' | 'catalogueDigest'> {
  const { proposed, steps, along, selection, leftOut } = decided;
  const { state, snapshot, seals, desired } = input;
  const all = [...steps.values()];
  const unmanaged = stillUnmanaged(snapshot.unmanaged, steps, proposed.ownership, proposed.movedTo);
  const shown = buildSteps(steps, { unmanaged, along }, seals, desired);
  const isPartial = input.only.length > 0 || input.excludes.length > 0;
  const head = headOf(input);
  const summary = summaryOf(shown, all.filter(({ action }) => action === 'none').length);
  const { createdAt } = input.meta;
  const judged = input.judge?.({ ...head, summary, isPartial, shown, steps, seals, desired, createdAt });
  return {
    formatVersion: 1,
    engine: input.engine,
    ...head,
    lineage: state.lineage,
    serial: state.serial,
    ...defined({ partial: isPartial ? partOf(input) : undefined, leftOut }),
    steps: shown,
    outputs: isPartial || isCatalogueCut(leftOut, proposed) ? [] : plannedOutputs(input, proposed),
    summary,
    guards: checkGuards({
      ...input,
      steps: all,
      along,
      settings: input.guards,
      ...defined({ judged: judged?.guards, unread: input.inside?.unread }),
      today: dayOf(input.meta),
    }),
    ...defined({ policies: judged?.by }),
    notCompared: notCompared(input, steps),
    unmanaged,
    undeclaredChanges: undeclaredOf(input, steps),
    notices: [...planNotices(input, { steps, shown, selection, ...defined({ leftOut }) }), ...(judged?.advice ?? [])],
    lookups: lookupEvidence(proposed.usedLookups, input),
    meta: Object.assign(sourcesOf(shown, steps, desired), input.meta),
  };
}

/** What a plan is about. */
function headOf(input: PlanInput): Pick<Plan, 'mode' | 'project' | 'stack' | 'targets' | 'parameters'> {
  const { project, stack } = input.state;
  return { mode: input.mode, project, stack, targets: input.targets, ...defined({ parameters: parametersOf(input) }) };
}

function plannedOutputs(input: PlanInput, { outputs }: Proposals): Plan['outputs'] {
  return input.mode === 'apply' ? outputChanges(outputs, input) : [];
}

function undeclaredOf({ seals, desired }: PlanInput, steps: ReadonlyMap<Address, Step>): Plan['undeclaredChanges'] {
  return [...steps.values()]
    .flatMap((p) => p.undeclared)
    .map((change) => seals.told(change, () => [desired.digest, change.address, change.field]))
    .sort((a, b) => compareText(`${a.address} ${a.field}`, `${b.address} ${b.field}`));
}

interface Proposed {
  readonly proposed: Proposals;
  readonly kept: ReadonlyMap<Address, Step>;
  /** What is selected, with orders that can be carried out. */
  readonly ordered: ReadonlyMap<Address, Step>;
  readonly selection: Selection;
  /** Of a plan that deletes nothing. */
  readonly leftOut?: readonly LeftOut[];
}

/** Proposes again where an object has to go first after all: what lives in it goes with it then. */
function proposeInOrder(input: PlanInput): Proposed {
  const deleteFirst = new Set<Address>();
  for (;;) {
    const proposed = propose({ ...input, deleteFirst });
    const kept = input.mode === 'adopt' ? withoutCreates(proposed.byAddress) : proposed.byAddress;
    const selection = selectSteps(input, kept, input.graph, input.only, input.excludes);
    const selected = selection.steps;
    const ordered = withLastingSettings(withBoundOrders(selected));
    const bound =
      ordered === selected ? [] : [...ordered].filter(([address, { order }]) => order !== selected.get(address)?.order);
    if (bound.length === 0 && input.noDelete !== true) return { proposed, kept, ordered, selection };
    if (bound.length === 0) {
      const { steps, leftOut } = withoutDeletes(ordered, input.graph);
      return { proposed, kept, ordered: steps, selection, leftOut };
    }
    for (const [address] of bound) deleteFirst.add(address);
  }
}

function partOf({ only, excludes }: PlanInput): Plan['partial'] {
  return { targets: [...only].sort(compareText), excludes: [...excludes].sort(compareText) };
}

/** Outputs are those of the whole catalogue: what left it, and stays on the platform for now, has no part in them. */
function isCatalogueCut(leftOut: readonly LeftOut[] | undefined, { byAddress }: Proposals): boolean {
  return leftOut?.some(({ address }) => byAddress.get(address)?.desired !== undefined) === true;
}

/** Problems of what is selected: what gets no step does no harm. */
function problemsOf(
  input: PlanInput,
  proposed: Proposals,
  kept: ReadonlyMap<Address, Step>,
  selected: ReadonlyMap<Address, Step>,
): readonly Diagnostic[] {
  // Who names an id on the command line has said both ends.
  const cut = cutMoves(kept, selected, input.only, input.excludes).filter(({ address }) => !input.imports.has(address));
  const claims = new Claims(kept.values());
  return [
    ...[...proposed.problems, ...keyConflicts(input, claims)].filter(({ address }) => selected.has(address)),
    ...(selected.size === kept.size ? [] : keysOutside(input, claims, selected)),
    ...madeInEnds(input, selected),
    ...cut.map((step) => movedAcross(input, step, step.movedFrom)),
  ].sort((a, b) => compareText(a.address, b.address));
}

/** Plain values, which rest on nothing but themselves. */
function parametersOf({ desired, seals }: PlanInput): Plan['parameters'] {
  if (desired.parameters === undefined) return undefined;
  const none: EvaluationScope = { property: () => null, variable: () => null, lookup: () => null };
  const values = [...desired.parameters].map(([name, value]) => {
    const change = { new: seals.planValue(plainRule, evaluate(value, none)) };
    return [name, seals.told(change, () => [desired.digest, 'parameters', name]).new] as const;
  });
  return Object.fromEntries(values.sort(([a], [b]) => compareText(a, b)));
}

/** A call with a secret argument stands there sealed, and its result, which repeats the argument, by a keyed digest. */
function lookupEvidence(
  used: ReadonlyMap<string, LookupCall>,
  { lookups, seals, desired }: PlanInput,
): Readonly<Record<string, string>> {
  const calls = [...used].flatMap(([key, { token, given }]): [string, string][] => {
    const result = lookups.get(key);
    if (result === undefined) return [];
    const place = (): readonly string[] => [desired.digest, 'lookups', token];
    const call = seals.told({ new: seals.planValue(plainRule, given ?? {}) }, place);
    const name = `${token} ${canonicalJson(call.new)}`;
    const digest = hasSecret(given)
      ? seals.fingerprint([...place(), name, result]).replace(/^.*:/, '')
      : sha256(canonicalJson(result));
    return [[name, digest]];
  });
  return Object.fromEntries(calls.sort(([a], [b]) => compareText(a, b)));
}

/** `sync adopt` only takes in what exists. */
function withoutCreates(steps: ReadonlyMap<Address, Step>): ReadonlyMap<Address, Step> {
  return new Map(
    [...steps].filter(([, p]) => p.action === 'adopt' || p.action === 'none' || p.action === 'not-compared'),
  );
}

function outputChanges(
  outputs: ReadonlyMap<string, Value>,
  { state: { outputs: recorded }, seals, desired }: PlanInput,
): readonly OutputChange[] {
  const names = [...new Set([...outputs.keys(), ...Object.keys(recorded)])].sort(compareText);
  return names.flatMap((name) => {
    const old = ownMember(recorded, name);
    const value = seals.comparable(plainRule, outputs.get(name) ?? null, old);
    const next = value === null ? undefined : seals.output(value);
    if (seals.same(plainRule, old, next)) return [];
    return [seals.told({ name, ...defined({ old, new: next }) }, () => [desired.digest, 'outputs', name])];
  });
}

/** How many steps of each kind; changes of options are counted only where there are any. */
export function summaryOf(shown: readonly PlanStep[], unchanged: number): PlanSummary {
  const { options, ...counts } = {
    create: 0,
    update: 0,
    replace: 0,
    delete: 0,
    forget: 0,
    adopt: 0,
    move: 0,
    options: 0,
    ...countBy(shown),
  };
  return { ...counts, ...(options === 0 ? {} : { options }), unchanged };
}

function countBy(shown: readonly PlanStep[]): Partial<Record<PlanStep['action'], number>> {
  const counts: Partial<Record<PlanStep['action'], number>> = {};
  for (const { action } of shown) counts[action] = (counts[action] ?? 0) + 1;
  return counts;
}

function notCompared(input: PlanInput, steps: ReadonlyMap<Address, Step>): readonly NotCompared[] {
  const failed: NotCompared[] = [];
  const begun = new Map(input.state.intents.map((intent) => [intent.address, intent]));
  for (const readings of [input.snapshot.readings, input.snapshot.found])
    for (const [address, reading] of readings) {
      const step = steps.get(address);
      // What is let go of anyway needs no comparing, and what is created beside others has been compared.
      if (reading.kind !== 'failed' || isLetGo(step) || step?.action === 'create') continue;
      // What another commit's run began to make is neither recorded nor in these files.
      const type = [input.state.resources.get(address), input.desired.resources.get(address), begun.get(address)]
        .map((known) => known?.type)
        .find((token) => token !== undefined);
      if (type === undefined) throw new Error(`bug: ${address} is of no type`);
      failed.push({ address, type, diagnostic: reading.diagnostic });
    }
  const unread = input.snapshot.unread.map(({ type, diagnostic }): NotCompared => ({ type, diagnostic }));
  return [...unread, ...failed, ...heldBack(steps, input.snapshot)].sort((a, b) =>
    compareText(a.address ?? '', b.address ?? ''),
  );
}
