import type { Address } from '../model/address.js';
import { hasUnknown, reveal } from '../model/value.js';
import type { Json } from '../model/value.js';
import { operationId } from './operation.js';
import type { OperationKind } from './operation.js';
import type { Proposal } from './proposal.js';
import { keyText, knownInputs } from './unique-key.js';

/** An operation that takes a unique key has to wait for the one that gives it up. */
export interface UniqueWait {
  readonly later: string;
  readonly earlier: string;
  /** The resource that has the key now. */
  readonly holder: Address;
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
    if (!['update', 'delete', 'replace'].includes(proposal.action)) continue;
    const kind = proposal.action === 'update' ? 'update' : proposal.order === 'create-first' ? 'delete-old' : 'delete';
    for (const { key, group } of heldKeys(proposal)) holders.set(key, { proposal, kind, group });
  }
  const waits: UniqueWait[] = [];
  for (const proposal of proposals.values()) {
    if (!['create', 'update', 'replace'].includes(proposal.action)) continue;
    const later = operationId(proposal.address, proposal.action === 'update' ? 'update' : 'create');
    const held = new Set(heldKeys(proposal).map(({ key }) => key));
    for (const { key } of finalKeys(proposal)) {
      const holder = holders.get(key);
      if (holder === undefined || holder.proposal.address === proposal.address || held.has(key)) continue;
      const parking = parkingOf(holder);
      const earlier = operationId(holder.proposal.address, holder.kind);
      waits.push({ later, earlier, holder: holder.proposal.address, ...(parking === undefined ? {} : { parking }) });
    }
  }
  return waits;
}

/** A text of the key that is about to change anyway can have a passing value; an id in it makes it nobody else's. */
function parkingOf({ proposal, kind, group }: Holder): UniqueWait['parking'] {
  const id = proposal.actual?.identity.id;
  const decision = proposal.decisions.find(
    ({ rule, change }) =>
      group.includes(rule.name) && rule.type === 'string' && rule.references === undefined && change.new !== undefined,
  );
  if (kind !== 'update' || id === undefined || decision === undefined) return undefined;
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
  const chosen = proposal.type.derive(knownInputs(proposal.declared));
  return uniqueKeys(proposal, (field) => {
    const value = proposal.declared.get(field);
    if (value !== undefined && value !== null) return hasUnknown(value) ? undefined : reveal(value);
    const change = proposal.decisions.find((d) => d.rule.name === field)?.change;
    if (proposal.action !== 'update') return chosen[field] ?? null;
    return change === undefined ? (proposal.actual?.values[field] ?? null) : (change.new ?? null);
  });
}

function uniqueKeys(proposal: Proposal, valueOf: (field: string) => Json | undefined): readonly Key[] {
  const { type } = proposal;
  const groups = [...type.unique, ...(type.naturalKey.length > 0 ? [type.naturalKey] : [])];
  return groups.flatMap((group) => {
    const key = keyText(type, group, valueOf);
    return key === undefined ? [] : [{ key, group }];
  });
}
