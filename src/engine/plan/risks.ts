import type { Address } from '../model/address.js';
import { identityKey, parentIdentity } from '../model/identity.js';
import type { FieldChange, Risk, Unmanaged } from '../model/plan.js';
import { isList, isObject } from '../model/value.js';
import type { Json } from '../model/value.js';
import type { Proposal } from './proposal.js';
import { exposureRisks } from './exposure.js';
import { isLetGo } from './propose-removal.js';

/** What no step deletes, and what ends all the same with what it lives in. */
export interface Contents {
  /** What nobody manages, by the resource it exists in. */
  readonly unmanaged: ReadonlyMap<Address, readonly Unmanaged[]>;
  /** Addresses that let go of their objects, and what says so, by `identityKey` of what those live in. */
  readonly letGo: ReadonlyMap<string, readonly { readonly address: Address; readonly by: string }[]>;
}

export function contentsOf(found: readonly Unmanaged[], proposals: Iterable<Proposal>): Contents {
  const unmanaged = new Map<Address, Unmanaged[]>();
  for (const entry of found) {
    if (entry.under !== undefined) unmanaged.set(entry.under, [...(unmanaged.get(entry.under) ?? []), entry]);
  }
  const letGo = new Map<string, { address: Address; by: string }[]>();
  for (const proposal of proposals) {
    const { action, address, type, actual } = proposal;
    const above = action !== 'forget' || actual === undefined ? undefined : parentIdentity(type, actual.identity);
    if (above === undefined) continue;
    const key = identityKey(type.parent?.type ?? '', above);
    const by = isLetGo(proposal) ? 'removed' : 'retainOnDelete';
    letGo.set(key, [...(letGo.get(key) ?? []), { address, by }]);
  }
  return { unmanaged, letGo };
}

/** What a reviewer must see of a step: what ends, what goes along, what the public will see or miss. */
export function risksOf(proposal: Proposal, fields: readonly FieldChange[], contents: Contents): readonly Risk[] {
  const ends = proposal.action === 'delete' || proposal.action === 'replace';
  return [
    ...(proposal.action === 'delete' ? [{ kind: 'deletes' } as const] : []),
    ...(proposal.action === 'replace' ? [{ kind: 'replaces' } as const] : []),
    ...(ends ? losses(proposal, contents) : []),
    ...exposureRisks(proposal, fields),
    ...ended(proposal),
  ];
}

function losses(proposal: Proposal, { unmanaged, letGo }: Contents): readonly Risk[] {
  const listed = proposal.type.losses.flatMap(({ field, named }) => {
    const entries = proposal.actual?.values[field];
    return isList(entries) ? entries.map((entry) => `${field}: ${nameOf(entry, named)}`) : [];
  });
  const alongside = (unmanaged.get(proposal.address) ?? [])
    .filter((found) => proposal.type.cascades.includes(found.type))
    .map((found) => `${found.count} unmanaged ${found.type.split(':').at(-1) ?? found.type}`);
  const own = proposal.actual === undefined ? '' : identityKey(proposal.type.token, proposal.actual.identity);
  const retained = (letGo.get(own) ?? []).map(({ address, by }) => `${address}, which ${by} was to keep`);
  const isForced = proposal.force === true && proposal.type.forcible?.includes('delete') === true;
  const forced = isForced ? ['whatever else is in it: the delete is forced'] : [];
  return [...listed.sort(), ...alongside, ...retained, ...forced].map((what) => ({ kind: 'cascades', what }));
}

function nameOf(entry: Json, named: readonly string[]): string {
  if (!isObject(entry)) return String(entry);
  const name = named.map((member) => entry[member] ?? null).find((value) => value !== null);
  return String(name ?? JSON.stringify(entry));
}

/** What kept the object so far, and no longer does. */
function ended({ options = [] }: Proposal): readonly Risk[] {
  return options.flatMap(({ option, old }): readonly Risk[] => {
    if (!old) return [];
    return [{ kind: option === 'protect' ? 'unprotects' : 'stops-retaining' }];
  });
}
