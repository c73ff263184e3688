import type { Address } from '@platform-sync/core/model/address';
import { groupBy, groupOf, addTo } from '@platform-sync/core/model/graph';
import type { FieldChange, Risk, Unmanaged, PlanValue } from '@platform-sync/core/model/plan';
import { defined, isList, isObject, isUnknown, type Json, type Value } from '@platform-sync/core/model/value';
import { typeName, type GoingAlong } from './contents.js';
import type { Operation, Step } from './step.js';
import { isLetGo } from './removal.js';
import type { VisibilityRule, ResourceType } from '@platform-sync/core/model/resource-type';

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
    ...groupOf(passing, step.address),
    ...exposureRisks(step, fields, publications),
    ...ended(step),
  ];
}

function losses(step: Step, { unmanaged, along }: Contents): readonly Risk[] {
  const listed = step.type.losses.flatMap(({ field, named }) => {
    const entries = step.actual?.values[field];
    return isList(entries) ? entries.map((entry) => `${field}: ${nameOf(entry, named)}`) : [];
  });
  const inside = groupOf(along, step.address);
  const alongside = unmanagedCounts(step, groupOf(unmanaged, step.address), inside).map(
    ([token, count]) => `${count} unmanaged ${typeName(token)}`,
  );
  const retained = inside.flatMap((each) => alongText(each) ?? []);
  const forced = step.force === true ? ['whatever else is in it: the delete is forced'] : [];
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
    groupOf(others, token).filter((each) => each.of === of).length;
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
  if (each.of === 'other')
    return each.isEnd === true
      ? `the same object as ${address} of the stack ${each.owner}`
      : `${address}, which the stack ${each.owner} manages`;
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

type Exposure = Extract<Risk, { readonly kind: 'publishes' | 'unpublishes' }>;

/** Who sees something that did not, and who no longer does, each clause once: what the object itself says, else that it is there. */
function exposureRisks(
  step: Step,
  fields: readonly FieldChange[],
  publications: (inside: Step) => Seen,
): readonly Risk[] {
  const own = step.type.visibility.flatMap((rule) => {
    const seen = rule.published === true ? publications(step) : { before: true, after: true };
    return exposed(rule, step, fields, seen);
  });
  const found = own.length > 0 ? own : presence(step);
  const told = new Map(found.map((risk) => [`${risk.kind} ${risk.what ?? ''}`, risk]));
  return [...told.values()];
}

function exposed(rule: VisibilityRule, step: Step, fields: readonly FieldChange[], seen: Seen): readonly Exposure[] {
  const { values } = rule;
  if (values === undefined) return holders(rule.field, step, fields);
  const before: Side = (field) => step.actual?.values[field];
  const wasShown = seen.before && isShown(rule, values.shown, before);
  if (step.action === 'delete')
    return wasShown && rule.contents !== true
      ? [{ kind: 'unpublishes', ...defined({ what: step.type.presence?.hidden }) }]
      : [];
  const change = fields.find(({ field }) => field === rule.field);
  const after = afterwards(step, fields);
  if (!wasShown && seen.after && change?.new === values.shown && isShown(rule, values.shown, after))
    return [{ kind: 'publishes', ...defined({ what: rule.says?.shown }) }];
  if (wasShown && change?.new === values.hidden)
    return [{ kind: 'unpublishes', ...defined({ what: rule.says?.hidden }) }];
  return [];
}

type Side = (field: string) => PlanValue | undefined;

/** What the object has after the step: what no change is of stays. */
function afterwards({ actual }: Step, fields: readonly FieldChange[]): Side {
  return (name) => {
    const change = fields.find(({ field }) => field === name);
    return change === undefined ? actual?.values[name] : change.new;
  };
}

function isShown({ field, where }: VisibilityRule, shown: Json, value: Side): boolean {
  return value(field) === shown && (where === undefined || value(where.field) === where.is);
}

/** A field that holds who may see the object: whom it names newly, and whom no longer. What ends with the object is a loss. */
function holders(field: string, step: Step, fields: readonly FieldChange[]): readonly Exposure[] {
  const change = fields.find((one) => one.field === field);
  if (change === undefined || step.action === 'delete') return [];
  const before = entries(step.actual?.values[field]);
  const after = entries(change.new);
  return [
    ...([...after].some((entry) => !before.has(entry)) ? [{ kind: 'publishes' } as const] : []),
    ...([...before].some((entry) => !after.has(entry)) ? [{ kind: 'unpublishes' } as const] : []),
  ];
}

function entries(value: PlanValue | undefined): ReadonlySet<string> {
  return new Set((isList(value) ? value : []).map((entry) => JSON.stringify(entry)));
}

function presence({ type, action }: Step): readonly Exposure[] {
  const { shown, hidden } = type.presence ?? {};
  if (action === 'create' && shown !== undefined) return [{ kind: 'publishes', what: shown }];
  return action === 'delete' && hidden !== undefined ? [{ kind: 'unpublishes', what: hidden }] : [];
}

/** Whether somebody sees what is in an object: before the plan, and after it. What is not known counts as seen. */
interface Seen {
  readonly before: boolean;
  readonly after: boolean;
}

const notKnown: Seen = { before: true, after: true };

/** For what lives in an object: whether that one is published anywhere, by what the platform lists and by what is planned. */
export function publicationsOf(steps: ReadonlyMap<Address, Step>): (inside: Step) => Seen {
  const homes = new Map<string, Step>();
  const publications = new Map<Step, Step[]>();
  const homeOf = (inside: Step): Step | undefined => {
    const { parent } = inside.type;
    if (parent === undefined) return undefined;
    const id = homeId(inside, parent.field);
    if (!isUnknown(id)) return homes.get(homeKey(parent.type, id));
    const above = id.from.map((reference) => steps.get(reference.slice(0, reference.lastIndexOf('.'))));
    return above.find((found) => found?.type.token === parent.type);
  };
  for (const step of steps.values())
    if (step.actual !== undefined) homes.set(homeKey(step.type.token, step.actual.identity.id), step);
  for (const step of steps.values()) {
    const home = isPublication(step.type) ? homeOf(step) : undefined;
    if (home !== undefined) addTo(publications, home, step);
  }
  return (inside) => {
    const home = homeOf(inside);
    return home === undefined ? notKnown : seenIn(home, groupOf(publications, home));
  };
}

/** That one is there shows what it lives in. */
function isPublication({ presence }: ResourceType): boolean {
  return presence?.shown !== undefined;
}

function homeKey(token: string, id: string | undefined): string {
  return `${token} ${id ?? ''}`;
}

/** The id of its home, or what that waits for. */
function homeId(
  { declared, actual, recorded }: Step,
  field: string,
): string | Extract<Value, { from: unknown }> | undefined {
  const said = declared.get(field);
  if (typeof said === 'string' || isUnknown(said)) return said;
  return (actual ?? recorded)?.identity.scope[field];
}

function seenIn(home: Step, publications: readonly Step[]): Seen {
  const planned = publications.some(({ action }) => action !== 'delete');
  const { action, actual } = home;
  if (action === 'create') return { before: false, after: planned || holdsAny(home, home.declared) };
  if (actual === undefined) return notKnown;
  const held = new Map(Object.entries(actual.values));
  const recorded = publications.some(({ action: next, recorded: known }) => next !== 'create' && known !== undefined);
  const before = recorded || holdsAny(home, held) || !isKnown(home, held);
  if (action === 'replace') return { before, after: planned || holdsAny(home, home.declared) };
  const ended = new Set(
    publications.flatMap((each) => (each.action === 'delete' ? (each.actual?.identity.id ?? []) : [])),
  );
  const kept = new Map([...held, ...home.declared]);
  return { before, after: planned || holdsAny(home, kept, ended) || !isKnown(home, kept) };
}

type Values = ReadonlyMap<string, Value>;

/** The fields that say where an object is published: those that a catalogue may write, else those that the platform answers. */
function placeFields({ visibility, losses }: ResourceType): readonly string[] {
  const written = visibility.flatMap(({ field, values }) => (values === undefined ? [field] : []));
  return written.length > 0 ? written : losses.map(({ field }) => field);
}

function isKnown({ type }: Step, values: Values): boolean {
  return placeFields(type).some((field) => isList(values.get(field)));
}

function holdsAny({ type }: Step, values: Values, ended: ReadonlySet<string> = new Set()): boolean {
  return placeFields(type).some((field) => {
    const places = values.get(field);
    if (isUnknown(places)) return true;
    return isList(places) && places.some((place) => !isObject(place) || !ended.has(String(place['id'])));
  });
}

/** What a reviewer must see of objects that step aside: under which name, and for whom. */
export function passingNames(operations: readonly Operation[]): ReadonlyMap<Address, readonly Risk[]> {
  const parks = operations.filter(({ kind }) => kind === 'park');
  const takers = new Map<string, Address[]>(parks.map(({ id }) => [id, []]));
  for (const { address, dependsOn } of operations)
    for (const id of dependsOn) if (takers.has(id) && !id.startsWith(`${address} `)) addTo(takers, id, address);
  return new Map(
    parks.map(({ id, address, parking = {} }) => {
      const names = Object.entries(parking);
      const what = names.map(([field, value]) => `its ${field} is first ${value}`).join(' and ');
      const present = names.length === 1 ? 'the present one' : 'the present ones';
      const whom = groupOf(takers, id).join(' and ');
      return [address, [{ kind: 'steps-aside', what: `${what}, so that ${whom} can have ${present}` }]];
    }),
  );
}
