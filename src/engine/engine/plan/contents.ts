import { compareText, type Address } from '@platform-sync/core/model/address';
import { groupBy, groupOf } from '@platform-sync/core/model/graph';
import { collectionKey, identityKey, parentIdentity } from '@platform-sync/core/model/identity';
import { markField, markIn, markParts, stackOf } from '@platform-sync/core/model/ownership-mark';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import { packageNameOf, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { ListedStrangers, Snapshot } from '@platform-sync/core/model/snapshot';
import type { Identity, RecordedResource } from '@platform-sync/core/model/state';
import type { RecordedElsewhere } from '@platform-sync/core/model/state-store';
import { isList, isObject, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import type { Step, ProposalInput } from './step.js';

/** An object that ends with what it lives in, although no step ends it. */
export type GoingAlong = {
  /** Its address in the catalogue, or else in state; of what is recorded nowhere, its type and id. */
  readonly address: Address;
  readonly type: string;
  readonly object: ObjectInPlace;
  /** The nearest object above it that a step ends. */
  readonly home: Step;
} & (
  | { readonly of: 'stack'; readonly record: RecordedResource; readonly step: Step | undefined }
  /** Recorded in another stack of the store, or marked by one. `isEnd`: it is the very object that the step ends. */
  | { readonly of: 'other'; readonly owner: string; readonly isProtected: boolean; readonly isEnd?: true }
  | { readonly of: 'nobody' }
);

export type OwnAlong = Extract<GoingAlong, { readonly of: 'stack' }>;

type ObjectInPlace = Pick<RemoteObject, 'identity' | 'values'>;

/** What was found in objects that end, beyond what this stack has recorded and a refresh lists. */
export interface Inside {
  readonly recorded: readonly RecordedElsewhere[];
  readonly listed: readonly ListedStrangers[];
  readonly unread: readonly Unread[];
}

/** A type of which it is not known whether objects of it live in some of what ends. */
export interface Unread {
  readonly type: string;
  /** Addresses of what ends. */
  readonly homes: readonly Address[];
  /** Why nobody could see; absent where looking would only have taken too many lists. */
  readonly why?: string;
}

/** The lists that showed what lives in what ends, and what each showed. */
export interface SeenInside {
  readonly types: ContentsInput['types'];
  readonly lists: readonly (ListInside & {
    /** Objects, by `identityKey`. */
    readonly shown: ReadonlySet<string>;
  })[];
  /** What the plan tells to go along, by `keysAlong`. */
  readonly told: ReadonlySet<string>;
  /** Addresses of what ends and may not show everywhere yet: that its lists are denied says nothing of what they hold. */
  readonly lagging: ReadonlySet<Address>;
}

export type ContentsInput = Pick<ProposalInput, 'state' | 'snapshot' | 'types' | 'handedOver'>;

/** True for a step that ends an object: the old one of a replacement is as gone as any other. */
export function isEnd({ action }: Pick<Step, 'action'>): boolean {
  return action === 'delete' || action === 'replace';
}

/** Ids of what ends and of what that lives in: whatever lives in the one or the other has one of them in its scope. */
export function idsOfEnds(ends: Iterable<Step>): ReadonlySet<string> {
  return new Set(
    [...ends].filter(isEnd).flatMap(({ actual }) => {
      return actual === undefined ? [] : [actual.identity.id, ...Object.values(actual.identity.scope)];
    }),
  );
}

/**
 * What ends without a step of its own: every object that lives, at whatever depth, in one that ends, whoever manages it.
 * `all` are the steps of the whole plan, `carried` those of it that are to be carried out: they alone end or move an object.
 */
export function goingAlong(
  input: ContentsInput,
  carried: readonly Step[],
  all: Iterable<Step>,
  inside: Inside = nothing,
): readonly GoingAlong[] {
  const ends = carried.filter(isEnd);
  if (ends.length === 0) return [];
  const homes = new Homes(
    input,
    inside.recorded.map(({ record }) => record),
  );
  const endOf = endsById(ends);
  const records = [...input.state.resources.values(), ...inside.recorded.map(({ record }) => record)];
  const objects = carried.flatMap(({ actual }) => actual ?? []);
  const known = new Set([...objects, ...records].map(({ identity }) => placeKey(identity)));
  return [
    ...ownAlong(input, carried, all, homes),
    ...othersAlong(homes, carried, inside.recorded),
    ...strangersAlong(input, homes, endOf, known, inside.listed),
  ];
}

const nothing: Inside = { recorded: [], listed: [], unread: [] };

/** What other stacks have recorded of what ends, and in it. */
export function othersAlong(
  homes: Homes,
  carried: readonly Step[],
  found: Inside['recorded'],
): readonly Extract<GoingAlong, { readonly of: 'other' }>[] {
  const ends = carried.filter(isEnd);
  const endOf = endsById(ends);
  const endItself = new Map(
    ends.flatMap((step) => (step.actual ? [[identityKey(typeNow(step), step.actual.identity), step] as const] : [])),
  );
  const leaves = leavers(carried);
  return found.flatMap(({ project, stack, record }): Extract<GoingAlong, { readonly of: 'other' }>[] => {
    const itself = endItself.get(identityKey(record.type, record.identity));
    const home = itself ?? homes.nearest(homes.livingOf(record), endOf, leaves);
    const { address, type, protect } = record;
    const owner = `${project}/${stack}`;
    const object = { identity: record.identity, values: record.outputs };
    if (home === undefined) return [];
    const own = itself === undefined ? {} : { isEnd: true as const };
    return [{ of: 'other', owner, isProtected: protect, address, type, object, home, ...own }];
  });
}

/** What stands at the same targets. */
export function atTargets(
  found: readonly RecordedElsewhere[],
  targets: Readonly<Record<string, string>>,
): readonly RecordedElsewhere[] {
  return found.filter((one) => {
    const name = packageNameOf(one.record.type);
    const target = ownMember(one.targets, name);
    return target !== undefined && target === ownMember(targets, name);
  });
}

/** What stands for it wherever it is told: as lists show it, once it has an id, and as its stack has it. */
export function keysAlong(each: GoingAlong): readonly string[] {
  const { type, object, address } = each;
  const shown = object.identity.id === '' ? [] : [identityKey(type, object.identity)];
  return each.of === 'other' ? [...shown, `${each.owner} ${address}`] : shown;
}

/** What of it this stack has recorded. */
export function ownAlong(
  input: ContentsInput,
  carried: readonly Step[],
  all: Iterable<Step>,
  homes = new Homes(input),
): readonly OwnAlong[] {
  const ends = carried.filter(isEnd);
  if (ends.length === 0) return [];
  const endOf = endsById(ends);
  const leaves = leavers(carried);
  const byRecord = new Map(
    [...all].flatMap((each) => (each.recorded === undefined ? [] : [[each.recorded.address, each] as const])),
  );
  const hasEnd = new Set(ends.flatMap(({ recorded }) => recorded?.address ?? []));
  return [...input.state.resources.values()].flatMap((record) => {
    if (hasEnd.has(record.address) || input.snapshot.readings.get(record.address)?.kind === 'gone') return [];
    const living = homes.livingOf(record);
    const home = homes.nearest(living, endOf, leaves);
    if (home === undefined) return [];
    const step = byRecord.get(record.address);
    const address = step?.address ?? record.address;
    return [{ of: 'stack', address, type: record.type, object: living, record, step, home }];
  });
}

/** What a step that is carried out moves out of a home has left it in time. */
function leavers(steps: readonly Step[]): (record: RecordedResource, field: string) => boolean {
  const moving = new Map(
    steps.flatMap(({ recorded, changes }) => (recorded === undefined ? [] : [[recorded.address, changes] as const])),
  );
  return ({ address }, field) => moving.get(address)?.some(({ rule }) => rule.name === field) === true;
}

/** A resource whose own step takes it out of what another step ends: a home, or what it refers to. */
export interface Departure {
  readonly address: Address;
  readonly home: Address;
}

/** Who has to leave before what ends, whatever state says of what they depend on: that is where they were found. */
export function departures(
  input: ContentsInput & Pick<ProposalInput, 'graph'>,
  carried: readonly Step[],
): readonly Departure[] {
  const ends = carried.filter(isEnd);
  if (ends.length === 0) return [];
  const homes = new Homes(input);
  const endOf = endsById(ends);
  return carried.flatMap((step) => {
    const { address, action, actual, changes } = step;
    const moves = action === 'update' || action === 'adopt';
    if (actual === undefined || !(moves || isEnd(step))) return [];
    const isLeft = (field: string): boolean => !moves || changes.some(({ rule }) => rule.name === field);
    const type = typeNow(step);
    const home = homes.nearest({ type, ...actual }, endOf, undefined, isLeft);
    const { fields = {}, nesting = [] }: Partial<ResourceType> = input.types.get(type) ?? {};
    const isPlace = (name: string): boolean =>
      name in actual.identity.scope || nesting.some(({ field }) => field === name);
    const referred = Object.values(fields).flatMap(({ name, references }) => {
      const id = actual.values[name];
      if (references === undefined || typeof id !== 'string' || isPlace(name) || !isLeft(name)) return [];
      const end = endOf(references, id);
      // Who needs it further on waits for what takes its place.
      return end === undefined || groupOf(input.graph, address).includes(end.address) ? [] : [end];
    });
    return [...(home === undefined ? [] : [home]), ...referred].map((each) => ({ address, home: each.address }));
  });
}

/** What ends by id, and by type where that is known: a setting of an object may have its id. */
export function endsById(ends: readonly Step[]): Met<Step> {
  const byId = groupBy(ends, ({ actual }) => actual?.identity.id);
  return (type, id) =>
    byId.get(id)?.find((each) => (type === undefined ? !isIdBorrowed(each.actual) : type === typeNow(each)));
}

/** A membership has the id of whoever is in it, and a setting that of what it is of: neither is the home of what names that id. */
function isIdBorrowed(object: RemoteObject | undefined): boolean {
  if (object === undefined) return false;
  const { id, scope } = object.identity;
  const names = Object.entries({ ...object.values, ...scope });
  return names.some(([name, value]) => name !== 'id' && value === id);
}

/** The type of the object that is there. */
export function typeNow({ recorded, type }: Pick<Step, 'recorded' | 'type'>): string {
  return recorded?.type ?? type.token;
}

/** `Api` of `platform:index/api:Api`. */
export function typeName(token: string): string {
  return token.split(':').at(-1) ?? token;
}

/** What lists showed and no stack of the store has recorded. */
function strangersAlong(
  input: ContentsInput,
  homes: Homes,
  endOf: Met<Step>,
  known: Set<string>,
  listed: readonly ListedStrangers[],
): readonly GoingAlong[] {
  const found: { readonly home: Step; readonly type: ResourceType; readonly object: RemoteObject }[] = [];
  for (const { type: token, objects } of [...input.snapshot.listed, ...listed]) {
    const type = input.types.get(token);
    if (type === undefined) continue;
    for (const object of objects) {
      const key = placeKey(object.identity);
      // Two types may show one object.
      if (known.has(key)) continue;
      const home = homes.nearest({ type: token, ...object }, endOf);
      if (home === undefined) continue;
      known.add(key);
      found.push({ home, type, object });
    }
  }
  const inPlaces = [...groupBy(found, ({ home, type }) => `${home.address} ${type.token}`).values()];
  return inPlaces
    .flatMap(withoutParts)
    .map(({ home, type, object }): GoingAlong => {
      const mark = otherMark(input, object.values);
      const address = mark?.address ?? `${type.name}:${object.identity.id}`;
      const told = { address, type: type.token, object, home };
      return mark === undefined
        ? { ...told, of: 'nobody' }
        : { ...told, of: 'other', owner: mark.stack, isProtected: false };
    })
    .sort((a, b) => compareText(`${a.type} ${a.address}`, `${b.type} ${b.address}`));
}

/**
 * Objects of one type in one home, but for the one that the home itself keeps as such (an API its specification as a version): the
 * one that it shows, or else any, since they are told by their number.
 */
function withoutParts<T extends { readonly home: Step; readonly type: ResourceType; readonly object: RemoteObject }>(
  inside: readonly T[],
): readonly T[] {
  const [first] = inside;
  if (first === undefined) return [];
  const { home, type } = first;
  const isKept = Object.values(home.type.fields).some(
    ({ name, keptAs }) => keptAs === type.token && home.recorded?.inputs[name] !== undefined,
  );
  if (!isKept) return inside;
  const shown = home.actual?.values[type.collection.shownIn ?? ''];
  const part = inside.find(({ object }) => isObject(shown) && shown['id'] === object.identity.id) ?? first;
  return inside.filter((each) => each !== part);
}

/** Objects of one place have ids of their own, whatever their types. */
function placeKey(identity: Identity): string {
  return identityKey('', identity);
}

/** The other stack whose mark an object bears. */
function otherMark(
  { state, handedOver }: ContentsInput,
  values: JsonObject,
): { readonly stack: string; readonly address: string } | undefined {
  const mark = markIn(values[markField]);
  if (mark === undefined) return undefined;
  const parts = markParts(mark);
  return parts.stack === '' || parts.stack === stackOf(state) || handedOver?.has(parts.stack) === true
    ? undefined
    : parts;
}

/** Something that lives somewhere: what is recorded, or what a list showed. */
interface Living {
  readonly type: string;
  readonly identity: Identity;
  readonly values: JsonObject;
  /** This stack's record of it. */
  readonly record?: RecordedResource;
}

interface Home {
  readonly field: string;
  /** Undefined where the type does not say of what type its home is. */
  readonly type: string | undefined;
  readonly id: string;
}

/** Gives what is looked for, for an object of a type (or of any) with this id. */
type Met<T> = (type: string | undefined, id: string) => T | undefined;

/** What is to be known to say where an object lives. */
export type HomesInput = Pick<ContentsInput, 'state' | 'types'> & { readonly snapshot: Pick<Snapshot, 'readings'> };

/** What lives in what, from an object up: by its path, and by what it is nested in. */
export class Homes {
  readonly #input: HomesInput;
  readonly #others: readonly RecordedResource[];
  #records: ReadonlyMap<string, readonly RecordedResource[]> | undefined;

  /** `others`: records of other stacks. */
  constructor(input: HomesInput, others: readonly RecordedResource[] = []) {
    this.#input = input;
    this.#others = others;
  }

  /**
   * What is met first on the way up, the nearest levels before those above. `leaves`: what moves out of a home has left it in
   * time. `through`: the fields that say which homes of the object itself count.
   */
  nearest<T>(
    start: Living,
    met: Met<T>,
    leaves?: (record: RecordedResource, field: string) => boolean,
    through?: (field: string) => boolean,
  ): T | undefined {
    const levels: Living[] = [start];
    const seen = new Set<RecordedResource>();
    for (const living of levels) {
      for (const { field, type, id } of this.#homesOf(living)) {
        if (living.record !== undefined && leaves?.(living.record, field) === true) continue;
        if (living === start && through?.(field) === false) continue;
        const found = met(type, id);
        if (found !== undefined) return found;
        for (const above of this.#recordsOf(id)) {
          const { identity, inputs } = above;
          if (
            (type === undefined ? isIdBorrowed({ identity, values: inputs }) : type !== above.type) ||
            seen.has(above)
          )
            continue;
          seen.add(above);
          levels.push(this.livingOf(above));
        }
      }
    }
    return undefined;
  }

  /** Does a record's object live in another's, without anything in between? */
  livesIn(record: RecordedResource, { type, identity }: RecordedResource): boolean {
    return this.#homesOf(this.livingOf(record)).some(
      (home) => home.id === identity.id && (home.type === undefined || home.type === type),
    );
  }

  /** A record's object as it is now; of another stack's nothing is known but the record. */
  livingOf(record: RecordedResource): Living {
    const { state, snapshot } = this.#input;
    const { type, identity, outputs } = record;
    if (state.resources.get(record.address) !== record) return { type, identity, values: outputs };
    const reading = snapshot.readings.get(record.address);
    return { type, identity, values: reading?.kind === 'found' ? reading.values : outputs, record };
  }

  #recordsOf(id: string): readonly RecordedResource[] {
    this.#records ??= groupBy(
      [...this.#input.state.resources.values(), ...this.#others],
      ({ identity }) => identity.id,
    );
    return groupOf(this.#records, id);
  }

  #homesOf({ type: token, identity, values }: Living): readonly Home[] {
    // Of another stack's object maybe not even the type is known.
    const { parent, fields = {}, nesting = [] }: Partial<ResourceType> = this.#input.types.get(token) ?? {};
    const isNearest = ([field]: readonly [string, string]): number => (field === parent?.field ? 0 : 1);
    const scope = Object.entries(identity.scope).sort((a, b) => isNearest(a) - isNearest(b));
    const places = scope.map(([field, id]) => ({
      field,
      id,
      type: field === parent?.field ? parent.type : fields[field]?.references,
    }));
    const nested = nesting.flatMap(({ under, field }) => {
      const id = values[field];
      return typeof id === 'string' ? [{ field, id, type: under }] : [];
    });
    return [...places, ...nested];
  }
}

/** The list of objects of one type in what ends. */
export interface ListInside {
  readonly type: ResourceType;
  readonly scope: Identity['scope'];
  readonly homes: readonly Address[];
}

type Wanted = ListInside & { readonly homes: Address[] };

/** Looked for in more objects than this is a type only where all such looks take no more lists than objects end, or everything is read. */
const mostHomes = 10;

/**
 * The lists that show what else lives in what ends, and in what goes along, as far as none of them was read to its end; and types of
 * which that would take too many. `asked`: the `collectionKey`s of lists that were asked for since.
 */
export function listsInside(
  { types, snapshot }: Pick<ContentsInput, 'types' | 'snapshot'>,
  ends: readonly Step[],
  along: readonly GoingAlong[],
  asked: ReadonlySet<string>,
  most = mostHomes,
): { readonly lists: readonly ListInside[]; readonly unread: readonly Unread[] } {
  const read = new Set(readLists({ types, snapshot }).keys());
  const wanted = wantedLists({ types, snapshot }, ends, along, (key) => !read.has(key) && !asked.has(key));
  const lists: ListInside[] = [];
  const unread: Unread[] = [];
  const many = [...wanted.values()].flatMap(({ size }) => (size > most ? [size] : []));
  const areFew = many.reduce((sum, size) => sum + size, 0) <= ends.length;
  for (const [{ token }, inPlaces] of wanted)
    if (areFew || inPlaces.size <= most) lists.push(...inPlaces.values());
    else unread.push({ type: token, homes: [...inPlaces.values()].flatMap(({ homes }) => homes) });
  return { lists, unread };
}

/** What lists have shown of the contents of what ends and of what goes along. */
export function seenInside(
  { types, snapshot }: Pick<ContentsInput, 'types' | 'snapshot'>,
  ends: readonly Step[],
  along: readonly GoingAlong[],
  { listed }: Pick<Inside, 'listed'> = nothing,
): SeenInside['lists'] {
  if (ends.length === 0) return [];
  const read = readLists({ types, snapshot });
  // Looked at for this once more, whatever the list of before lacked.
  const again = readLists({ types, snapshot: { ...snapshot, listed, uncertain: new Map() } });
  const wanted = wantedLists({ types, snapshot }, ends, along, (key) => read.has(key) || again.has(key));
  return [...wanted.values()].flatMap((places) =>
    [...places].map(([key, list]) => {
      const keys = [read, again]
        .flatMap((of) => groupOf(of, key))
        .map(({ identity }) => identityKey(list.type.token, identity));
      return { ...list, shown: new Set(keys) };
    }),
  );
}

/** By type, and by place, what would show the contents of what ends and of what goes along, as far as it is wanted. */
function wantedLists(
  { types, snapshot }: Pick<ContentsInput, 'types' | 'snapshot'>,
  ends: readonly Step[],
  along: readonly GoingAlong[],
  isWanted: (key: string) => boolean,
): ReadonlyMap<ResourceType, ReadonlyMap<string, Wanted>> {
  const known = new Set(
    [...snapshot.readings.values()].flatMap((each) => (each.kind === 'found' ? each.identity.id : [])),
  );
  const wanted = new Map<ResourceType, Map<string, Wanted>>();
  const places = [
    ...ends.map((home) => ({ home, type: typeNow(home), object: home.actual })),
    ...along.filter((each) => each.of !== 'stack' || snapshot.readings.get(each.record.address)?.kind === 'found'),
  ];
  for (const { home, type: own, object } of places) {
    // Who forces a delete has said that all in it may go.
    if (object === undefined || home.force === true) continue;
    for (const token of types.get(own)?.contents ?? []) {
      const type = types.get(token);
      const scope = type === undefined ? undefined : scopeInside(type, object, known);
      if (type === undefined || scope === undefined) continue;
      const key = collectionKey(type, scope);
      if (!isWanted(key)) continue;
      const lists = wanted.get(type) ?? new Map<string, Wanted>();
      wanted.set(type, lists);
      const list = lists.get(key);
      if (list === undefined) lists.set(key, { type, scope, homes: [home.address] });
      else if (!list.homes.includes(home.address)) list.homes.push(home.address);
    }
  }
  return wanted;
}

/** What lists showed that were read to their end and can be relied on, by `collectionKey`. */
function readLists({
  types,
  snapshot,
}: Pick<ContentsInput, 'types' | 'snapshot'>): ReadonlyMap<string, readonly RemoteObject[]> {
  const whole = snapshot.listed.filter(({ morePages }) => morePages === 0);
  const shown = whole.flatMap(({ type: token, scope, objects }) => {
    const type = types.get(token);
    return type === undefined ? [] : [[collectionKey(type, scope), objects] as const];
  });
  return new Map(shown.filter(([key]) => !snapshot.uncertain.has(key)));
}

/** Where objects of a type would be listed that live in an object; undefined where that has none, or none are listed. */
function scopeInside(
  type: ResourceType,
  { identity, values }: ObjectInPlace,
  known: ReadonlySet<string>,
): Identity['scope'] | undefined {
  const { collection, parent } = type;
  if (collection.listed === false) return undefined;
  // It shows itself whether it has one.
  const { shownIn, idsIn } = collection;
  if (shownIn !== undefined && (values[shownIn] ?? null) === null && shownIn in values) return undefined;
  const ids = values[idsIn ?? ''];
  if (isList(ids) && ids.every((id) => typeof id === 'string' && known.has(id))) return undefined;
  const inside = { ...identity.scope, [parent?.field ?? '']: identity.id };
  if (!collection.scope.every((field) => field in inside)) return undefined;
  return Object.fromEntries(collection.scope.map((field) => [field, inside[field] ?? '']));
}

/** What nobody here manages of a type in an object; undefined where its list was not read to its end. */
export function strangersIn(
  snapshot: Snapshot,
  type: ResourceType,
  above: Identity,
): readonly RemoteObject[] | undefined {
  const key = collectionKey(type, { ...above.scope, [type.parent?.field ?? '']: above.id });
  const listed = snapshot.listed.find((list) => list.type === type.token && collectionKey(type, list.scope) === key);
  if (listed === undefined || listed.morePages > 0 || snapshot.uncertain.has(key)) return undefined;
  const own = identityKey('', above);
  return listed.objects.filter(({ identity }) => {
    const parent = parentIdentity(type, identity);
    return parent === undefined || identityKey('', parent) === own;
  });
}
