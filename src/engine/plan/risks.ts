import type { Address } from '../model/address.js';
import { groupBy } from '../model/graph.js';
import type { FieldChange, Risk, Unmanaged } from '../model/plan.js';
import { isList, isObject, type Json } from '../model/value.js';
import { typeName, type GoingAlong } from './contents.js';
import type { Step } from './step.js';
import { exposureRisks } from './exposure.js';
import type { passingNames } from './passing-name.js';
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
  return {
    unmanaged: groupBy(unmanaged, ({ under = '' }) => under),
    along: groupBy(along, ({ home }) => home.address),
  };
}

/** What stands around the steps of a plan. */
export interface Surroundings {
  readonly contents: Contents;
  readonly publications: ReturnType<typeof publicationsOf>;
  readonly passing: ReturnType<typeof passingNames>;
}

/** What a reviewer must see of a step: what ends, what goes along, what the public will see or miss, names in between. */
export function risksOf(
  step: Step,
  fields: readonly FieldChange[],
  { contents, publications, passing }: Surroundings,
): readonly Risk[] {
  const ends = step.action === 'delete' || step.action === 'replace';
  return [
    ...(step.action === 'delete' ? [{ kind: 'deletes' } as const] : []),
    ...(step.action === 'replace' ? [{ kind: 'replaces' } as const] : []),
    ...(ends ? losses(step, contents) : []),
    ...(passing.get(step.address) ?? []),
    ...exposureRisks(step, fields, publications),
    ...ended(step),
  ];
}

function losses(step: Step, { unmanaged, along }: Contents): readonly Risk[] {
  const listed = step.type.losses.flatMap(({ field, named }) => {
    const entries = step.actual?.values[field];
    return isList(entries) ? entries.map((entry) => `${field}: ${nameOf(entry, named)}`) : [];
  });
  const inside = along.get(step.address) ?? [];
  const alongside = unmanagedCounts(step, unmanaged.get(step.address) ?? [], inside).map(
    ([token, count]) => `${count} unmanaged ${typeName(token)}`,
  );
  const retained = inside.flatMap((each) => alongText(each) ?? []);
  const isForced = step.force === true && step.type.forcible?.includes('delete') === true;
  const forced = isForced ? ['whatever else is in it: the delete is forced'] : [];
  return [...listed.sort(), ...alongside, ...retained, ...forced].map((what) => ({ kind: 'cascades', what }));
}

/** By type, of how many objects it is known that they end with it: of a list that was read in part, its length says most. */
function unmanagedCounts(
  { type: { cascades } }: Step,
  unmanaged: readonly Unmanaged[],
  inside: readonly GoingAlong[],
): readonly (readonly [string, number])[] {
  const others = groupBy(inside, ({ type }) => type);
  const countOf = (token: string, of: GoingAlong['of']): number =>
    (others.get(token) ?? []).filter((each) => each.of === of).length;
  const listed = new Map(
    unmanaged
      .filter(({ type }) => cascades.includes(type))
      .map(({ type, count }) => [type, count - countOf(type, 'other')]),
  );
  return [...new Set([...listed.keys(), ...others.keys()])]
    .map((token) => [token, Math.max(listed.get(token) ?? 0, countOf(token, 'nobody'))] as const)
    .filter(([, count]) => count > 0);
}

function alongText(each: GoingAlong): string | undefined {
  const { address } = each;
  if (each.of === 'nobody') return undefined;
  if (each.of === 'other') return `${address}, which the stack ${each.owner} manages`;
  if (isLetGo(each.step)) return `${address}, which removed was to keep`;
  if (each.record.retainOnDelete) return `${address}, which retainOnDelete was to keep`;
  return `${address}, which no step of this plan deletes`;
}

function nameOf(entry: Json, named: readonly string[]): string {
  if (!isObject(entry)) return String(entry);
  const name = named.map((member) => entry[member] ?? null).find((value) => value !== null);
  return String(name ?? JSON.stringify(entry));
}

/** What kept the object so far, and no longer does. */
function ended({ options = [] }: Step): readonly Risk[] {
  return options.flatMap(({ option, old }): readonly Risk[] => {
    if (!old) return [];
    return [{ kind: option === 'protect' ? 'unprotects' : 'stops-retaining' }];
  });
}
