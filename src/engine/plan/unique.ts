import type { Address } from '../model/address.js';
import { defined } from '../model/defined.js';
import { hasUnknown, reveal, type Json, type JsonObject } from '../model/value.js';
import { operationId, type OperationKind } from './operation.js';
import type { Proposal } from './proposal.js';
import { keyText, knownInputs } from './unique-key.js';
import { keysOf } from '../model/resource-type.js';

/** The resource that has a key now, and the one that is to get it. */
export interface KeyExchange {
  readonly holder: Address;
  readonly taker: Address;
}

/** An operation that takes a unique key has to wait for the one that gives it up. */
export interface UniqueWait extends KeyExchange {
  readonly later: string;
  readonly earlier: string;
  /** How the holder could step aside for a moment; absent where it can't. */
  readonly parking?: { readonly field: string; readonly value: string };
}

interface Holder {
  readonly proposal: Proposal;
  readonly kind: OperationKind;
  readonly group: readonly string[];
}

/** Who takes a unique key waits until its holder has given it up. */
export function uniqueWaits(proposals: ReadonlyMap<Address, Proposal>): readonly UniqueWait[] {
  const holders = new Map<string, Holder>();
  for (const proposal of proposals.values()) {
    const kind = givingUp(proposal);
    if (kind === undefined) continue;
    // Where names may be the same, who keeps one is not waited for.
    const keeps = proposal.type.derived === true && (kind === 'update' || kind === 'adopt');
    const kept = new Set(keeps ? finalKeys(proposal).map(({ key }) => key) : []);
    for (const { key, group } of heldKeys(proposal)) if (!kept.has(key)) holders.set(key, { proposal, kind, group });
  }
  const waits: UniqueWait[] = [];
  if (holders.size === 0) return waits;
  for (const proposal of proposals.values()) {
    const taking = takingIn(proposal);
    if (taking === undefined) continue;
    const later = operationId(proposal.address, taking);
    const held = new Set(heldKeys(proposal).map(({ key }) => key));
    for (const { key } of finalKeys(proposal)) {
      const holder = holders.get(key);
      if (holder === undefined || holder.proposal.address === proposal.address || held.has(key)) continue;
      const parking = parkingOf(holder);
      const earlier = operationId(holder.proposal.address, holder.kind);
      const addresses = { holder: holder.proposal.address, taker: proposal.address };
      waits.push({ later, earlier, ...addresses, ...defined({ parking }) });
    }
  }
  return waits;
}

/** The operation after which the object does not have its present key any more, if there is one. */
function givingUp({ action, order }: Proposal): OperationKind | undefined {
  if (action === 'update' || action === 'adopt' || action === 'delete') return action;
  if (action !== 'replace') return undefined;
  return order === 'create-first' ? 'delete-old' : 'delete';
}

/** The operation after which the object has another key than now, if there is one. */
export function takingIn({ action }: Proposal): OperationKind | undefined {
  if (action === 'replace') return 'create';
  return action === 'create' || action === 'update' || action === 'adopt' ? action : undefined;
}

/** A text of the key that is about to change anyway can have a passing value; an id in it makes it nobody else's. */
function parkingOf({ proposal, kind, group }: Holder): UniqueWait['parking'] {
  const id = proposal.actual?.identity.id;
  const decision = proposal.decisions.find(
    ({ rule, change }) =>
      group.includes(rule.name) && rule.type === 'string' && rule.references === undefined && change.new !== undefined,
  );
  if ((kind !== 'update' && kind !== 'adopt') || id === undefined || decision === undefined) return undefined;
  return { field: decision.rule.name, value: `moving-${id}` };
}

interface Key {
  readonly key: string;
  readonly group: readonly string[];
}

function heldKeys(proposal: Proposal): readonly Key[] {
  const actual = proposal.actual;
  if (actual === undefined) return [];
  return uniqueKeys(proposal, (field) => actual.values[field] ?? null);
}

/** The unique keys a resource has once its step is done. */
export function finalKeys(proposal: Proposal): readonly Key[] {
  return uniqueKeys(proposal, valueThen(proposal));
}

/** One of them; undefined while a part is unknown, or where none has a value. */
export function finalKey(proposal: Proposal, group: readonly string[]): string | undefined {
  return keyText(proposal.type, group, valueThen(proposal));
}

/** What a resource's fields hold once its step is done; undefined where that is not known yet. */
export function valueThen({
  type,
  action,
  declared,
  actual,
  decisions,
}: Proposal): (field: string) => Json | undefined {
  const isNew = action === 'create' || action === 'replace';
  // Worked out for what the file leaves open.
  let chosen: JsonObject | undefined;
  return (field) => {
    const change = decisions.find(({ rule }) => rule.name === field)?.change;
    // What no step writes stays, whatever the file says.
    const isKept = change === undefined || change.rule === 'replace' || change.cannotClear === true;
    if (!isNew && isKept) return actual?.values[field] ?? null;
    const value = declared.get(field) ?? undefined;
    if (value !== undefined) return hasUnknown(value) ? undefined : reveal(value);
    return (isNew ? (chosen ??= type.derive(knownInputs(declared)))[field] : change?.new) ?? null;
  };
}

function uniqueKeys(proposal: Proposal, valueOf: (field: string) => Json | undefined): readonly Key[] {
  const { type } = proposal;
  const found = new Map<string, Key>();
  // Of a derived type nobody knows whether the platform refuses a second one of a name: waiting does no harm.
  for (const group of [...keysOf(type), ...(type.naturalKey.length === 0 ? [] : [type.naturalKey])]) {
    const key = keyText(type, group, valueOf);
    if (key !== undefined && !found.has(key)) found.set(key, { key, group });
  }
  return [...found.values()];
}
