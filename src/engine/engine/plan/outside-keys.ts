import { type Address, compareText } from '@platform-sync/core/model/address';
import { groupBy } from '@platform-sync/core/model/graph';
import { collectionKey, identityKey } from '@platform-sync/core/model/identity';
import { sameJson } from '@platform-sync/core/model/canonical';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import { defined, hasUnknown, type Json, type JsonObject, reveal, type Value } from '@platform-sync/core/model/value';
import { isAlwaysThere, type ResourceType } from '@platform-sync/core/model/resource-type';
import { ownAlong, type OwnAlong } from './contents.js';
import { Claims, isUnread, type Taking, valueThen } from './claims.js';
import { placeUnder, type PlanningState } from './planning-state.js';
import { scopeOf } from './ownership.js';
import { keyHeld } from './problems.js';
import type { ProposalInput, Step } from './step.js';
import { isNameless, knownInputs } from './keys.js';
import type { NotCompared } from '@platform-sync/core/model/plan';
import type { Snapshot } from '@platform-sync/core/model/snapshot';

/** Leaves as it is what must not go ahead while others are left alone: takers of their keys, what rests on them, their homes. */
export function holdBack(planning: PlanningState): void {
  const held = new Set<Address>();
  do {
    checkTakenKeys(planning, held);
    holdDependents(planning, held);
  } while (keepHomes(planning, held));
}

/**
 * An object that gets another key gets it only when nobody has it: what is outside state is looked for as it is for
 * creates, and who waits for a key of something that could not be read does nothing.
 */
function checkTakenKeys(planning: PlanningState, held: Set<Address>): void {
  const { input, done } = planning;
  // Where no object is known, creates alone take keys, and nobody's; who is held back keeps one that the next may wait for.
  for (let isStable = ![...done.values()].some(hasObject); !isStable;) {
    isStable = true;
    const claims = new Claims(done.values());
    for (const { step, holder } of claims.doubts) {
      done.set(step.address, heldBackFor(step, keyNotCompared(step, holder.address)));
      if (makesAnother(step.action)) held.add(step.address);
      isStable = false;
    }
    for (const taking of claims.takings) {
      const { address, action } = taking.step;
      const holder = claims.holderOf(taking);
      const why = holder === undefined ? outside(planning, taking) : heldBy(taking, holder);
      if (why === undefined) continue;
      done.set(address, heldBackFor(taking.step, why));
      if (makesAnother(action)) held.add(address);
      isStable = false;
    }
  }
  // A check shows what it can: it leads to no write.
  if (input.looksForKeys)
    for (const { address, action, recorded } of done.values())
      if (action === 'not-compared' && recorded === undefined) held.add(address);
}

/** What the catalogue wants and nobody could compare, or is held back, stays where it is: its home does not end. True where one was to. */
function keepHomes({ input, done }: PlanningState, held: Set<Address>): boolean {
  const steps = [...done.values()];
  if (!steps.some(isLeftAlone)) return false;
  const along = ownAlong(input, steps, steps).filter(({ step }) => step !== undefined && isLeftAlone(step));
  for (const [home, inside] of groupBy(along, (each) => each.home)) {
    if (makesAnother(home.action)) held.add(home.address);
    done.set(home.address, heldBackFor(home, homeHeld(home, inside)));
  }
  return along.length > 0;
}

function isLeftAlone(step: Step): boolean {
  return isUnread(step) && step.recorded !== undefined;
}

function homeHeld(home: Step, inside: readonly OwnAlong[]): Diagnostic {
  const names = inside.map((each) => each.address).sort(compareText);
  return heldAs(home, `its end would also end what is left alone in this plan: ${names.join(', ')}`);
}

function hasObject({ actual, recorded }: Step): boolean {
  return actual !== undefined || recorded !== undefined;
}

function makesAnother(action: Step['action']): boolean {
  return action === 'create' || action === 'replace';
}

/** What rests on an object that is not made, be it the first one or another in its place, is left as it is. */
function holdDependents({ input, done }: PlanningState, held: Set<Address>): void {
  // What is needed comes before what needs it.
  for (const [address, step] of done) {
    const needed = input.graph.get(address)?.find((other) => held.has(other));
    if (needed === undefined || !isWaiting(step)) continue;
    if (makesAnother(step.action)) held.add(address);
    done.set(address, heldBackFor(step, needsHeld(step, needed)));
  }
}

/** Is there something in it that is known only after another resource's step? */
function isWaiting({ action, changes, declared }: Step): boolean {
  if (action === 'create') return true;
  return (action === 'replace' || changes.length > 0) && [...declared.values()].some(hasUnknown);
}

function needsHeld(step: Step, needed: Address): Diagnostic {
  return heldAs(step, `it needs ${needed}, which is left alone in this plan`);
}

function heldAs({ address, action }: Pick<Step, 'address' | 'action'>, why: string): Diagnostic {
  const what = action === 'create' ? 'not created' : 'left as it is';
  return { severity: 'error', code: 'held-back', summary: `${address} is ${what}: ${why}.`, address };
}

/** Nothing of it is written, nor is what the file says recorded. */
export const untouched = { action: 'not-compared', changes: [], reasons: [], recordOnly: false } as const;

function heldBackFor(step: Step, held: Diagnostic): Step {
  return { ...step, ...untouched, held };
}

function heldBy({ step }: Taking, holder: Step): Diagnostic | undefined {
  return isUnread(holder) ? keyNotCompared(step, holder.address) : undefined;
}

/** It takes the key of something of which is not known what it has. */
function keyNotCompared(step: Pick<Step, 'address' | 'action'>, holder: string): Diagnostic {
  return heldAs(step, `it would get the key of ${holder}, which is left alone in this plan`);
}

/** Looks for the key among what state knows nothing of; why nothing can be done, where that failed. */
function outside(planning: PlanningState, taking: Taking): Diagnostic | undefined {
  const { input, keys } = planning;
  const { step } = taking;
  // Creates were asked for when they were decided.
  if (!input.looksForKeys || step.action === 'create') return undefined;
  const found = step.recorded === undefined ? undefined : input.snapshot.found.get(step.address);
  const [listed] = keys.strangers(taking.keys);
  const stranger = listed ?? (found?.kind === 'found' ? found : undefined);
  if (stranger !== undefined) {
    refuse(planning, taking, stranger);
    return undefined;
  }
  if (found?.kind === 'failed') return found.diagnostic;
  if (found === undefined && step.recorded !== undefined) lookFor(planning, taking);
  return undefined;
}

function refuse(planning: PlanningState, { step }: Taking, { identity, values }: RemoteObject): void {
  const { input, marks } = planning;
  const { token } = step.type;
  const elsewhere = input.elsewhere.get(identityKey(token, identity));
  if (elsewhere === undefined) planning.neededOwners.push({ type: token, identity });
  const marked = marks.elsewhere(values);
  const owner = typeof elsewhere === 'object' ? elsewhere : marked;
  // What every place has one of is nobody's until somebody manages it.
  if (owner === undefined && isAlwaysThere(step.type)) return;
  planning.problems.push(keyHeld(input, step, identity, owner));
}

function lookFor(planning: PlanningState, { step }: Taking): void {
  const { type, address, declared, actual } = step;
  // The key as it will be: parts that nobody changes stay as they are.
  const then = valueThen(step);
  const key = type.naturalKey.flatMap((field) => {
    const value = then(field) ?? null;
    return value === null ? [] : [[field, value] as const];
  });
  const inputs: JsonObject = { ...knownInputs(declared), ...Object.fromEntries(key) };
  const scope = scopeOf(type, { ...actual?.identity.scope, ...inputs });
  if (planning.keys.isWhole(type, scope)) return;
  planning.neededObjects.push({
    address,
    type,
    scope,
    inputs,
    isKeyUnique: true,
    ...placeUnder(planning, type, scope),
  });
}

/**
 * May an object be made although state knows of none? Not in a collection of which is not known what it holds, and not
 * beside something that itself is held back for that reason.
 */
export function isHeldBack(
  snapshot: Snapshot,
  type: ResourceType,
  declared: ReadonlyMap<string, Value>,
  needed: readonly Address[],
  done: ReadonlyMap<Address, Step>,
): boolean {
  return (
    whyUncertain(snapshot, type, declared) !== undefined ||
    needed.some((address) => {
      const other = done.get(address);
      return other?.action === 'not-compared' && other.recorded === undefined;
    })
  );
}

/** What is held back, for the list of what was not compared. */
export function heldBack(steps: ReadonlyMap<Address, Step>, snapshot: Snapshot): readonly NotCompared[] {
  return [...steps.values()].flatMap(({ address, type, action, recorded, declared, held }): NotCompared[] => {
    if (action !== 'not-compared' || snapshot.found.get(address)?.kind === 'failed') return [];
    if (held !== undefined) return [{ address, type: type.token, diagnostic: held }];
    if (recorded !== undefined) return [];
    const cause = whyUncertain(snapshot, type, declared);
    return [{ address, type: type.token, diagnostic: notCreated(address, cause) }];
  });
}

function whyUncertain(
  snapshot: Snapshot,
  type: ResourceType,
  declared: ReadonlyMap<string, Value>,
): Diagnostic | undefined {
  if (snapshot.uncertain.size === 0) return undefined;
  const scope = new Map<string, string>();
  for (const field of type.collection.scope) {
    const value = declared.get(field);
    // What will live in a new object has a collection that does not exist yet.
    if (value === undefined || hasUnknown(value)) return undefined;
    const id = reveal(value);
    if (typeof id === 'string') scope.set(field, id);
  }
  return snapshot.uncertain.get(collectionKey(type, Object.fromEntries(scope)));
}

function notCreated(address: Address, cause: Diagnostic | undefined): Diagnostic {
  return {
    severity: 'error',
    code: 'held-back',
    summary: `${address} is not created: it is not known whether it exists.`,
    ...defined({ detail: cause?.summary }),
  };
}

/** An interrupted run may have made just that under another address, and lists need not show it yet: nothing is made beside it. */
export function perhapsMade(
  { state, seals }: Pick<ProposalInput, 'state' | 'seals'>,
  { address, type, declared }: Pick<Step, 'address' | 'type' | 'declared'>,
): Diagnostic | undefined {
  const open = state.intents.filter((intent) => intent.action === 'create' && intent.type === type.token);
  if (open.length === 0) return undefined;
  const inputs = knownInputs(declared);
  const scope = scopeOf(type, inputs);
  const telling = isNameless(type, inputs) ? Object.keys(type.fields) : type.naturalKey;
  const valueOf = (from: JsonObject, field: string): Json | undefined => from[field] ?? type.derive(from)[field];
  const rival = open.find(
    (intent) =>
      intent.address !== address &&
      sameJson(intent.scope, scope) &&
      telling.every((field) => {
        const rule = type.fields[field];
        return rule === undefined || seals.same(rule, valueOf(intent.inputs, field), valueOf(inputs, field));
      }),
  );
  if (rival === undefined) return undefined;
  const why = `an interrupted run may have made it as ${rival.address}, and the platform does not show it yet`;
  return heldAs({ address, action: 'create' }, why);
}
