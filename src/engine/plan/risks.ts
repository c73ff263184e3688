import type { Address } from '../model/address.js';
import type { FieldChange, Risk, Unmanaged } from '../model/plan.js';
import { isList, isObject, type Json } from '../model/value.js';
import type { GoingAlong } from './contents.js';
import type { Proposal } from './proposal.js';
import { exposureRisks } from './exposure.js';
import { isLetGo } from './propose-removal.js';
import type { publicationsOf } from './publications.js';

/** What no step deletes, and what ends all the same with what it lives in. */
export interface Alongside {
  readonly unmanaged: readonly Unmanaged[];
  readonly along: readonly GoingAlong[];
}

/** The same, by the address of the step that ends it. */
interface Contents {
  readonly unmanaged: ReadonlyMap<Address, readonly Unmanaged[]>;
  readonly along: ReadonlyMap<Address, readonly GoingAlong[]>;
}

export function contentsOf({ unmanaged, along }: Alongside): Contents {
  const found = new Map<Address, Unmanaged[]>();
  for (const entry of unmanaged)
    if (entry.under !== undefined) found.set(entry.under, [...(found.get(entry.under) ?? []), entry]);
  const recorded = new Map<Address, GoingAlong[]>();
  for (const each of along) recorded.set(each.home.address, [...(recorded.get(each.home.address) ?? []), each]);
  return { unmanaged: found, along: recorded };
}

/** What stands around the steps of a plan. */
export interface Surroundings {
  readonly contents: Contents;
  readonly publications: ReturnType<typeof publicationsOf>;
}

/** What a reviewer must see of a step: what ends, what goes along, what the public will see or miss. */
export function risksOf(
  proposal: Proposal,
  fields: readonly FieldChange[],
  { contents, publications }: Surroundings,
): readonly Risk[] {
  const ends = proposal.action === 'delete' || proposal.action === 'replace';
  return [
    ...(proposal.action === 'delete' ? [{ kind: 'deletes' } as const] : []),
    ...(proposal.action === 'replace' ? [{ kind: 'replaces' } as const] : []),
    ...(ends ? losses(proposal, contents) : []),
    ...exposureRisks(proposal, fields, publications),
    ...ended(proposal),
  ];
}

function losses(proposal: Proposal, { unmanaged, along }: Contents): readonly Risk[] {
  const listed = proposal.type.losses.flatMap(({ field, named }) => {
    const entries = proposal.actual?.values[field];
    return isList(entries) ? entries.map((entry) => `${field}: ${nameOf(entry, named)}`) : [];
  });
  const alongside = (unmanaged.get(proposal.address) ?? [])
    .filter((found) => proposal.type.cascades.includes(found.type))
    .map((found) => `${found.count} unmanaged ${found.type.split(':').at(-1) ?? found.type}`);
  const retained = (along.get(proposal.address) ?? []).map(alongText);
  const isForced = proposal.force === true && proposal.type.forcible?.includes('delete') === true;
  const forced = isForced ? ['whatever else is in it: the delete is forced'] : [];
  return [...listed.sort(), ...alongside, ...retained, ...forced].map((what) => ({ kind: 'cascades', what }));
}

function alongText({ address, record, proposal, owner }: GoingAlong): string {
  if (owner !== undefined) return `${address}, which the stack ${owner.project}/${owner.stack} manages`;
  if (isLetGo(proposal)) return `${address}, which removed was to keep`;
  if (record.retainOnDelete) return `${address}, which retainOnDelete was to keep`;
  return `${address}, which no step of this plan deletes`;
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
