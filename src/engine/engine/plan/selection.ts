import { type Address, chooses, compareText, parentAddress } from '@platform-sync/core/model/address';
import type { DesiredResource, DesiredState } from '@platform-sync/core/model/desired';
import { addTo, groupOf, reach, reversed } from '@platform-sync/core/model/graph';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { type ContentsInput, isEnd, ownAlong, type OwnAlong } from './contents.js';
import { addressesNow, type Step } from './step.js';
import { defined, hasSecret, type JsonObject, unknown, type Value } from '@platform-sync/core/model/value';
import type { LeftOut } from '@platform-sync/core/model/plan';
import { Claims } from './claims.js';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { type EvaluationScope, lookupKey, variableScope } from '@platform-sync/core/resolve/evaluate';
import { type ReferenceExpression, visitExpression } from '@platform-sync/core/model/expression';
import type { LookupCall } from '@platform-sync/core/resolve/lookup-call';
import type { Seals } from '@platform-sync/core/value/seal';
import { shownOf, shownValue } from './shown-value.js';

export interface Selection {
  readonly steps: ReadonlyMap<Address, Step>;
  /** What stays only because something that is excluded lives in it, with what that is. */
  readonly homes: ReadonlyMap<Address, readonly Address[]>;
}

/**
 * The part of a plan that `--target` and `--exclude` leave: targets (with what is nested in them), what they need,
 * and what an end of theirs takes along; minus what is excluded and what needs it, and minus the ends of what that lives in.
 */
export function selectSteps(
  input: ContentsInput,
  steps: ReadonlyMap<Address, Step>,
  graph: ReadonlyMap<Address, readonly Address[]>,
  targets: readonly Address[],
  excludes: readonly Address[],
): Selection {
  if (targets.length === 0 && excludes.length === 0) return { steps, homes: new Map() };
  const near = neighbours(steps, graph);
  const named = targets.length === 0 ? [...steps.keys()] : within(steps, targets);
  const out = reach(within(steps, excludes), near.neededBy);
  // Homes of what stays out stay; what needs a new one waits for it, and stays in its home in turn.
  const homes = new Map<Address, Address[]>();
  for (;;) {
    const { selected, along } = chosenOf(input, steps, near, named, out);
    const kept = along.filter(({ address }) => out.has(address));
    if (kept.length === 0) return { steps: selected, homes };
    for (const { address, home } of kept) {
      addTo(homes, home.address, address);
      const waiting = home.action === 'replace' ? reach([home.address], near.neededBy) : [home.address];
      for (const each of waiting) out.add(each);
    }
  }
}

/** Whom a resource needs, and who needs it or did so until now. */
interface Neighbours {
  readonly needs: (address: Address) => readonly Address[];
  readonly neededBy: (address: Address) => readonly Address[];
}

function neighbours(steps: ReadonlyMap<Address, Step>, graph: ReadonlyMap<Address, readonly Address[]>): Neighbours {
  const now = addressesNow(steps);
  const recorded = (address: Address): readonly Address[] =>
    (steps.get(address)?.recorded?.dependencies ?? []).map(now);
  const needs = (address: Address): readonly Address[] => graph.get(address) ?? recorded(address);
  const users = reversed(steps.keys(), (address) => new Set([...needs(address), ...recorded(address)]));
  return { needs, neededBy: (address) => groupOf(users, address) };
}

/**
 * What is named and not out, what that needs, and what has to leave before an end of theirs, with what it needs in turn; and what
 * would go along all the same.
 */
function chosenOf(
  input: ContentsInput,
  steps: ReadonlyMap<Address, Step>,
  { needs, neededBy }: Neighbours,
  named: readonly Address[],
  out: ReadonlySet<Address>,
): { readonly selected: ReadonlyMap<Address, Step>; readonly along: readonly OwnAlong[] } {
  let chosen = new Set(named);
  for (;;) {
    const wanted = reach(chosen, needs);
    const selected = new Map([...steps].filter(([address]) => wanted.has(address) && !out.has(address)));
    const carried = [...selected.values()];
    const along = ownAlong(input, carried, steps.values());
    const users = reach(
      carried.filter(isEnd).map(({ address }) => address),
      neededBy,
    );
    const more = [...users, ...along.flatMap(({ step }) => step?.address ?? []), ...oldOnes(steps, selected)];
    chosen = new Set([...wanted, ...more]);
    if (chosen.size === wanted.size) return { selected, along };
  }
}

/** Ends of what earlier runs replaced, where the record goes that alone knows of it: nobody would end it any more. */
function oldOnes(steps: ReadonlyMap<Address, Step>, selected: ReadonlyMap<Address, Step>): readonly Address[] {
  const going = [...selected.values()].filter((step) => isEnd(step) || step.action === 'forget');
  const records = new Set(going.flatMap(({ recorded }) => recorded?.address ?? []));
  return [...steps.values()].flatMap(({ address, deposedOf = '' }) => (records.has(deposedOf) ? [address] : []));
}

/** One word for each home that stays, and whose sake it is for. */
export function homeNotices({ homes }: Selection): readonly Diagnostic[] {
  return [...homes]
    .sort(([a], [b]) => compareText(a, b))
    .map(([address, inside]) => ({
      severity: 'info',
      code: 'home-kept',
      summary: `${address} stays as it is: its end would also end resources outside this plan: ${[...inside].sort(compareText).join(', ')}.`,
      hint: 'The same command without --exclude ends both.',
      address,
    }));
}

/** Moves of which only one end is selected: the outermost of each tree. */
export function cutMoves(
  steps: ReadonlyMap<Address, Step>,
  selected: ReadonlyMap<Address, Step>,
  targets: readonly Address[],
  excludes: readonly Address[],
): readonly (Step & { readonly movedFrom: Address; readonly desired: DesiredResource })[] {
  const isNamed = chooses({ targets, excludes });
  const cut = new Set<Address>();
  return [...steps.values()].flatMap((step) => {
    const { address, movedFrom, desired } = step;
    if (movedFrom === undefined || desired === undefined) return [];
    // An alias says both addresses itself.
    if (step.reasons.some(({ kind }) => kind === 'alias')) return [];
    if (selected.has(address) === isNamed(movedFrom)) return [];
    const isBelowCut = cut.has(parentAddress(address) ?? '');
    cut.add(address);
    return isBelowCut ? [] : [{ ...step, movedFrom, desired }];
  });
}

function within(steps: ReadonlyMap<Address, Step>, roots: readonly Address[]): readonly Address[] {
  return roots.length === 0 ? [] : [...steps.keys()].filter(chooses({ targets: roots, excludes: [] }));
}

/** A plan without deletes, and what it lacks because of that. */
interface WithoutDeletes {
  readonly steps: ReadonlyMap<Address, Step>;
  /** Sorted by address. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * Leaves out what deletes an object, a replacement's old one, too; and with it what would have to come after: resources that need one
 * that stays as it is, and those that are to get a key which its object keeps.
 */
export function withoutDeletes(
  steps: ReadonlyMap<Address, Step>,
  graph: ReadonlyMap<Address, readonly Address[]>,
): WithoutDeletes {
  const out = new Map<Address, LeftOut>();
  const leave = (address: Address, needs?: Address): boolean => {
    const { type, action = 'none' } = steps.get(address) ?? {};
    if (type === undefined || action === 'none' || action === 'not-compared' || out.has(address)) return false;
    out.set(address, { address, type: type.token, action, ...defined({ needs }) });
    return true;
  };
  for (const [address, { action }] of steps) if (action === 'delete' || action === 'replace') leave(address);
  if (out.size === 0) return { steps, leftOut: [] };
  const after = waitingFor(steps, graph);
  reach(out.keys(), (address) => after(address).filter((other) => leave(other, address)));
  const kept = new Map([...steps].filter(([address]) => !out.has(address)));
  return { steps: kept, leftOut: [...out.values()].sort((a, b) => compareText(a.address, b.address)) };
}

/** Who must not go ahead while a resource stays as it is. What needs a resource that ends has let go of it in the catalogue. */
function waitingFor(
  steps: ReadonlyMap<Address, Step>,
  graph: ReadonlyMap<Address, readonly Address[]>,
): (address: Address) => readonly Address[] {
  const waiting = reversed(steps.keys(), (address) => groupOf(graph, address));
  for (const { holder, taker } of new Claims(steps.values()).exchanges) addTo(waiting, holder, taker);
  // Its record alone knows of an old object that stays.
  for (const { address, deposedOf } of steps.values())
    if (deposedOf !== undefined && steps.get(deposedOf)?.action === 'forget') addTo(waiting, address, deposedOf);
  return (address) => groupOf(waiting, address);
}

/** One word to the reader of any report. */
export function leftOutNotice(leftOut: readonly LeftOut[] | undefined): readonly Diagnostic[] {
  if (leftOut === undefined || leftOut.length === 0) return [];
  const lines = leftOut.map(
    ({ address, action, needs }) => `${action} ${address}${needs === undefined ? '' : `, which waits for ${needs}`}`,
  );
  return [
    {
      severity: 'info',
      code: 'left-out',
      summary: `Nothing is deleted, so ${lines.length === 1 ? 'one change is' : `${lines.length} changes are`} left out.`,
      detail: lines.join('\n'),
      hint: 'Without --no-delete they are part of the plan.',
    },
  ];
}

/**
 * What references see while planning: a declared property is what the file says, anything else what the platform
 * has, and unknown where a step of this plan will decide it.
 */
export function planScope(
  desired: DesiredState,
  steps: ReadonlyMap<Address, Step>,
  lookups: ReadonlyMap<string, JsonObject>,
  used: Map<string, LookupCall>,
  seals: Seals,
): EvaluationScope {
  const scope: EvaluationScope = {
    property: (address, name, text) => {
      const step = steps.get(address);
      return step === undefined ? null : propertyAtPlan(step, name, text, seals);
    },
    variable: variableScope(desired.variables, () => scope),
    lookup: (call, as) => {
      // No answer has what is to be there first, or is to be called so.
      const coming: string[] = [];
      const reference = ({ to, target, path: [name = 'id'], text }: ReferenceExpression): void => {
        const [step, named] = [steps.get(target), desired.variables.get(target)];
        if (to === 'variable') return named && visitExpression(named, { reference });
        if (isNew(step) || step?.changes.some(({ rule }) => rule.name === name)) coming.push(text);
      };
      visitExpression(as, { reference });
      if (coming.length > 0) return unknown(coming, [call.token, call.given]);
      const key = lookupKey(call.token, call.args, canonicalJson);
      used.set(key, mostSecret(used.get(key), call));
      const result = lookups.get(key);
      return result === undefined ? unknown([`lookup ${call.token}`]) : seals.answer(result, `!lookup ${call.token}`);
    },
  };
  return scope;
}

function isNew(step: Step | undefined): boolean {
  return step?.action === 'create' || step?.action === 'replace';
}

/** The same call may be written once with a secret argument and once in clear: then it is one that has a secret. */
function mostSecret(known: LookupCall | undefined, call: LookupCall): LookupCall {
  return known === undefined || (!hasSecret(known.given) && hasSecret(call.given)) ? call : known;
}

function propertyAtPlan(step: Step, name: string, text: string, seals: Seals): Value {
  const declared = name === 'id' ? undefined : step.declared.get(name);
  if (declared !== undefined && declared !== null) return declared;
  if (declared === null) return clearedValue(step, name, text);
  if (isNew(step)) return unknown([text]);
  if (step.changes.length > 0 && mayChange(step, name)) return unknown([text]);
  if (name === 'id') return step.actual?.identity.id ?? step.recorded?.identity.id ?? unknown([text]);
  return shownValue({ ...step, shown: shownOf(step) }, name, text, seals);
}

/** What a property holds that the file puts back with null. */
function clearedValue(step: Step, name: string, text: string): Value {
  if (isNew(step)) return unknown([text]);
  const change = step.changes.find(({ rule }) => rule.name === name);
  if (change === undefined) return step.actual?.values[name] ?? null;
  return change.wanted.by === 'value' ? change.wanted.value : null;
}

/** Can an update of the object change a property that the file does not declare? */
function mayChange(step: Step, name: string): boolean {
  // Every change moves the marker; nothing else that the platform sets follows from an update ...
  if (name === step.type.revision) return true;
  if (step.type.fields[name]?.clearing.by !== 'derived') return false;
  // ... but what it makes out of other fields, when those change.
  const before = { ...step.actual?.values };
  const after = { ...before };
  for (const { rule, shown } of step.changes) after[rule.name] = shown.new ?? null;
  return step.type.derive(before)[name] !== step.type.derive(after)[name];
}
