import type { Address } from '@platform-sync/core/model/address';
import { defined, hasUnknown, type Json, type JsonObject, reveal } from '@platform-sync/core/model/value';
import { keysOf, type ResourceType } from '@platform-sync/core/model/resource-type';
import { operationId, type OperationKind, type DesiredStep, type Step, type Wait } from './step.js';
import { heldKey, keyText, knownInputs, uniqueKeyOf, wantedKeys } from './keys.js';
import { type KeyHolder, type Parking, parkingOf } from './passing-name.js';

/** The resource that has a key now, and the one that is to get it. */
export interface KeyExchange {
  readonly holder: Address;
  readonly taker: Address;
}

/** An operation that takes a key has to wait for the one that gives it up. */
export interface KeyWait extends KeyExchange, Wait {
  /** How the holder could step aside for a moment; absent where it can't. */
  readonly parking?: Parking;
}

/** A resource whose object gets a key that it does not have now. */
export interface Taking {
  readonly step: DesiredStep;
  /** The key, and what else the platform may make of it. */
  readonly keys: readonly string[];
}

/** A resource that is to get a key of which others may have the same, and one that had it when it could be compared last. */
interface Doubt {
  readonly step: DesiredStep;
  readonly holder: Step;
}

/** The one table of a plan that says who has which key now, who takes it, and who has it then. */
export class Claims {
  readonly #steps: readonly Step[];
  #takings: readonly Taking[] | undefined;
  #holders: ReadonlyMap<string, Step> | undefined;
  #keepers: ReadonlyMap<string, Step> | undefined;

  constructor(steps: Iterable<Step>) {
    this.#steps = [...steps];
  }

  /** Who gets a unique key in this plan, whether the object is new or changes. */
  get takings(): readonly Taking[] {
    return (this.#takings ??= this.#steps.flatMap((step) => takingOf(step)));
  }

  /** Whose object has one of the keys now, as far as it is known; what could not be read has the one it had, and what a list shows. */
  holderOf(taking: Taking): Step | undefined {
    this.#holders ??= firstByKey(this.#steps, (step) => [keyNow(step), keyListed(step)]);
    return otherIn(this.#holders, taking);
  }

  /**
   * Where the platform allows two of a key, what can't be compared may be the very object that another resource is to be: it was
   * called so under an address of before, say.
   */
  get doubts(): readonly Doubt[] {
    const isShared = (type: ResourceType): boolean => uniqueKeyOf(type) === undefined;
    const unsure = this.#steps.filter((step) => isUnread(step) && isShared(heldType(step)));
    const holders = firstByKey(unsure, (step) => {
      const { naturalKey } = heldType(step);
      return [keyNow(step, naturalKey), keyListed(step, naturalKey)];
    });
    if (holders.size === 0) return [];
    const takings = this.#steps
      .filter(({ type }) => isShared(type))
      .flatMap((step) => takingOf(step, step.type.naturalKey));
    return takings.flatMap((taking): readonly Doubt[] => {
      const holder = otherIn(holders, taking);
      return holder === undefined ? [] : [{ step: taking.step, holder }];
    });
  }

  /** Who has one of the keys once the plan is carried out; those that have it now come before those that get it. */
  keeperOf(taking: Taking): Step | undefined {
    this.#keepers ??= firstByKey(this.#takersLast(), (step) => [keyThen(step)]);
    return otherIn(this.#keepers, taking);
  }

  #takersLast(): readonly Step[] {
    const takers = new Set(this.takings.map(({ step }) => step.address));
    const isTaking = ({ address }: Step): number => (takers.has(address) ? 1 : 0);
    return [...this.#steps].sort((a, b) => isTaking(a) - isTaking(b));
  }

  /** Who takes a key waits until its holder has given it up. */
  get waits(): readonly KeyWait[] {
    const holders = new Map<string, KeyHolder>();
    for (const step of this.#steps) {
      const kind = givingUp(step);
      if (kind === undefined) continue;
      // Where names may be the same, who keeps one is not waited for.
      const keeps = step.type.derived === true && (kind === 'update' || kind === 'adopt');
      const kept = new Set(keeps ? finalKeys(step).map(({ key }) => key) : []);
      for (const { key, group } of heldKeys(step)) if (!kept.has(key)) holders.set(key, { step, kind, group });
    }
    return holders.size === 0 ? [] : this.#steps.flatMap((step) => waitsOf(step, holders));
  }

  /** Keys that change hands, whatever the platform says of a second object of one. */
  get exchanges(): readonly KeyExchange[] {
    const certain = this.takings.flatMap((taking): KeyExchange[] => {
      const holder = this.holderOf(taking);
      return holder === undefined ? [] : [{ holder: holder.address, taker: taking.step.address }];
    });
    const all = [...certain, ...this.waits.map(({ holder, taker }) => ({ holder, taker }))];
    return [...new Map(all.map((each) => [`${each.holder} ${each.taker}`, each])).values()];
  }
}

function takingOf(step: Step, group = uniqueKeyOf(step.type)): readonly Taking[] {
  const { type, action, declared } = step;
  // Whose key does not change takes none.
  if (takingIn(step) === undefined || !isDesired(step) || group === undefined) return [];
  const own = keyNow(step, group);
  const then = action === 'create' ? wantedKeys(type, declared) : [keyThen(step, group)];
  const keys = then.filter((key) => key !== undefined).filter((key) => key !== own);
  return keys.length === 0 ? [] : [{ step, keys }];
}

function waitsOf(step: Step, holders: ReadonlyMap<string, KeyHolder>): readonly KeyWait[] {
  const taking = takingIn(step);
  if (taking === undefined) return [];
  const { address: taker } = step;
  const held = new Set(heldKeys(step).map(({ key }) => key));
  return finalKeys(step).flatMap(({ key }): KeyWait[] => {
    const found = holders.get(key);
    if (found === undefined || found.step.address === taker || held.has(key)) return [];
    const holder = found.step.address;
    const parking = parkingOf(found);
    const [later, earlier] = [operationId(taker, taking), operationId(holder, found.kind)];
    return [{ later, earlier, holder, taker, ...defined({ parking }) }];
  });
}

/** It could not be compared; of what moves, the record moves all the same. */
export function isUnread({ action, actual }: Step): boolean {
  return action === 'not-compared' || (action === 'move' && actual === undefined);
}

export function isDesired(step: Step): step is DesiredStep {
  return step.desired !== undefined;
}

function firstByKey(
  steps: readonly Step[],
  keys: (step: Step) => readonly (string | undefined)[],
): ReadonlyMap<string, Step> {
  const first = new Map<string, Step>();
  for (const step of steps)
    for (const key of keys(step)) if (key !== undefined && !first.has(key)) first.set(key, step);
  return first;
}

/** The first of the keys that any but the resource itself has, by who has it. */
function otherIn(owners: ReadonlyMap<string, Step>, { step, keys }: Taking): Step | undefined {
  return keys.map((key) => owners.get(key)).find((owner) => owner !== undefined && owner.address !== step.address);
}

/** The key once the plan is carried out; undefined while a part is not known, and for what ends. */
function keyThen(step: Step, group = uniqueKeyOf(step.type)): string | undefined {
  if (step.action === 'delete' || group === undefined) return undefined;
  return takingIn(step) === undefined ? keyNow(step, group) : keyText(step.type, group, valueThen(step));
}

/** What its object is by now, whatever the file makes of it. */
function heldType({ type, was = type }: Step): ResourceType {
  return was;
}

/** Undefined where others may have the same, and for what is not there. */
function keyNow(step: Step, group = uniqueKeyOf(heldType(step))): string | undefined {
  if (group === undefined) return undefined;
  const { actual, recorded } = step;
  const type = heldType(step);
  if (actual !== undefined) return heldKey(type, actual.identity.scope, actual.values, group);
  if (!isUnread(step) || recorded === undefined) return undefined;
  return heldKey(type, recorded.identity.scope, recorded.outputs, group);
}

function keyListed(step: Step, group = uniqueKeyOf(heldType(step))): string | undefined {
  const { listed } = step;
  if (listed === undefined || group === undefined) return undefined;
  return heldKey(heldType(step), listed.identity.scope, listed.values, group);
}

/** The operation after which the object does not have its present key any more, if there is one. */
function givingUp({ action, order }: Step): OperationKind | undefined {
  if (action === 'update' || action === 'adopt' || action === 'delete') return action;
  if (action !== 'replace') return undefined;
  return order === 'create-first' ? 'delete-old' : 'delete';
}

/** The operation after which the object has another key than now, if there is one. */
function takingIn({ action }: Step): OperationKind | undefined {
  if (action === 'replace') return 'create';
  return action === 'create' || action === 'update' || action === 'adopt' ? action : undefined;
}

interface Key {
  readonly key: string;
  readonly group: readonly string[];
}

/** The unique keys that its object has now. */
export function heldKeys(step: Step): readonly Key[] {
  const { actual } = step;
  if (actual === undefined) return [];
  return uniqueKeys(heldType(step), (field) => actual.values[field] ?? null);
}

/** The unique keys a resource has once its step is done. */
export function finalKeys(step: Step): readonly Key[] {
  return uniqueKeys(step.type, valueThen(step));
}

/** What a resource's fields hold once its step is done; undefined where that is not known yet. */
export function valueThen({ type, action, declared, actual, changes }: Step): (field: string) => Json | undefined {
  const isNew = action === 'create' || action === 'replace';
  // Worked out for what the file leaves open.
  let chosen: JsonObject | undefined;
  return (field) => {
    const change = changes.find(({ rule }) => rule.name === field)?.shown;
    // What no step writes stays, whatever the file says.
    const isKept = change === undefined || change.rule === 'replace' || change.cannotClear === true;
    if (!isNew && isKept) return actual?.values[field] ?? null;
    const value = declared.get(field) ?? undefined;
    if (value !== undefined) return hasUnknown(value) ? undefined : reveal(value);
    return (isNew ? (chosen ??= type.derive(knownInputs(declared)))[field] : change?.new) ?? null;
  };
}

function uniqueKeys(type: ResourceType, valueOf: (field: string) => Json | undefined): readonly Key[] {
  const found = new Map<string, Key>();
  // Of a derived type nobody knows whether the platform refuses a second one of a name: waiting does no harm.
  for (const group of [...keysOf(type), type.naturalKey]) {
    const key = keyText(type, group, valueOf);
    if (key !== undefined && !found.has(key)) found.set(key, { key, group });
  }
  return [...found.values()];
}
