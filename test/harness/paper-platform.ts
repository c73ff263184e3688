import {
  ProviderError,
  type Provider,
  type ProviderPackage,
  type RemoteObject,
  type UpdateRequest,
} from '@platform-sync/core/model/provider';
import { isWholeInLists, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { sameValue } from '@platform-sync/core/value/equality';
import { platformPackage } from '@platform-sync/platform/package';

/** One object of a platform that lives in memory. */
export interface PaperObject {
  readonly id: string;
  readonly type: ResourceType;
  values: JsonObject;
}

/** Types written by hand: worlds on paper name no others, and each of thousands is spared a look at hundreds. */
export const paperTypes: ReadonlyMap<string, ResourceType> = new Map(
  [...platformPackage.types].filter(([, { derived }]) => derived === undefined),
);

/**
 * A platform in memory that obeys the rows of the types and nothing else, and is stricter than any real one: it refuses
 * what points at nothing, what others still point at, and what is unique twice. So a wrong order of calls fails.
 */
export class PaperPlatform {
  readonly objects = new Map<string, PaperObject>();
  /** Bodies of all updates since they were last taken. */
  readonly updates: { readonly id: string; readonly request: UpdateRequest }[] = [];
  /** Ids of objects that nobody manages any more: they go along with what they live in. */
  readonly released = new Set<string>();
  /** Ids by which a failing test can be read; where their form matters, a test gives others. */
  idOf = (type: string, at: number): string => `${type}-${String(at)}`;
  #made = 0;
  // Ahead of every machine: what is made here is never older than the call that made it.
  #clock = Date.parse('2100-01-01T00:00:00Z');

  readonly package: ProviderPackage;
  readonly #types: ReadonlyMap<string, ResourceType>;

  constructor(types = paperTypes) {
    this.#types = types;
    this.package = { ...platformPackage, types, start: () => Promise.resolve(this.#provider()) };
  }

  /** Changes an object by hand. */
  edit(object: PaperObject, values: JsonObject): void {
    object.values = { ...object.values, ...values, updatedAt: this.#now() };
  }

  /** Takes an object away by hand, with all that points at it. */
  take(id: string): void {
    this.objects.delete(id);
    for (const other of [...this.objects.values()]) if (pointsAt(other, id)) this.take(other.id);
  }

  #now(): string {
    this.#clock += 1000;
    return new Date(this.#clock).toISOString();
  }

  #provider(): Provider {
    return {
      name: 'platform',
      target: 'paper:',
      targetSource: 'the test',
      types: this.#types,
      list: (type, scope) => {
        const all = this.#in(type, scope);
        return Promise.resolve({
          objects: all.map((object) => shown(object, true)),
          total: all.length,
          isComplete: true,
        });
      },
      read: (type, { id }) => {
        const found = this.objects.get(id);
        return Promise.resolve(found?.type.token === type.token ? shown(found, false) : undefined);
      },
      readWriteOnly: () => Promise.resolve({}),
      find: async (type, scope, inputs, { through } = {}) => {
        const wanted: JsonObject = { ...type.derive(inputs), ...inputs, ...scope };
        const listed = await (through?.list(scope, wanted) ??
          this.#in(type, scope).map((object) => shown(object, true)));
        const found = listed.filter(({ identity, values }) =>
          type.naturalKey.every(
            (field) => (({ ...identity.scope, ...values })[field] ?? null) === (wanted[field] ?? null),
          ),
        );
        if (isWholeInLists(type)) return found;
        const full = found.map(async ({ identity: one }) =>
          through === undefined ? this.#shown(one.id) : through.read(one),
        );
        return (await Promise.all(full)).filter((object) => object !== undefined);
      },
      create: (type, scope, inputs) => {
        const id = this.idOf(type.name, ++this.#made);
        const times = { createdAt: this.#now(), updatedAt: this.#now() };
        const object: PaperObject = { id, type, values: { ...withDefaults(type, { ...scope, ...inputs }), ...times } };
        this.#check(object);
        this.objects.set(id, object);
        return Promise.resolve(shown(object, false));
      },
      update: (type, request) => {
        const object = this.objects.get(request.identity.id);
        if (object === undefined) throw refusal('not-found', `${request.identity.id} is gone`);
        this.updates.push({ id: object.id, request });
        const cleared = Object.fromEntries(request.clear.map((name) => [name, null]));
        const values = { ...object.values, ...request.set, ...cleared, updatedAt: this.#now() };
        this.#check({ ...object, values });
        object.values = withDefaults(type, values);
        return Promise.resolve(shown(object, false));
      },
      delete: (type, { id }) => {
        for (const other of [...this.objects.values()])
          if (
            (pointsAt(other, id) && (this.released.has(other.id) || type.cascades.includes(other.type.token))) ||
            livesIn(other, type, id)
          )
            this.take(other.id);
        const user = [...this.objects.values()].find((other) => other.id !== id && pointsAt(other, id));
        if (user !== undefined) throw refusal('conflict', `${id} is still used by ${user.id}`);
        this.objects.delete(id);
        return Promise.resolve();
      },
      lookup: () => Promise.reject(new Error('no lookups on paper')),
      requests: () => 0,
      close: () => Promise.resolve(),
    };
  }

  #shown(id: string): RemoteObject | undefined {
    const object = this.objects.get(id);
    return object && shown(object, false);
  }

  #in(type: ResourceType, scope: Readonly<Record<string, string>>): readonly PaperObject[] {
    return [...this.objects.values()].filter(
      (object) =>
        object.type.token === type.token &&
        type.collection.scope.every((field) => object.values[field] === (scope[field] ?? '')),
    );
  }

  #check({ id, type, values }: PaperObject): void {
    for (const rule of Object.values(type.fields)) {
      const value = values[rule.name];
      if (
        rule.references !== undefined &&
        typeof value === 'string' &&
        madeHere.test(value) &&
        !this.objects.has(value)
      )
        throw refusal('invalid', `${id}: there is no ${value}`);
    }
    for (const group of type.unique) {
      const parts = group.map((field) => values[field] ?? null);
      if (parts.every((part) => part === null)) continue;
      const same = ({ values: other }: PaperObject): boolean =>
        group.every((field, at) => sameValue({ equality: 'exact' }, other[field], parts[at]));
      const holder =
        this.#in(type, {}).length === 0
          ? undefined
          : [...this.objects.values()].find((other) => other.id !== id && other.type === type && same(other));
      if (holder !== undefined) throw refusal('conflict', `${id}: ${group.join()} belongs to ${holder.id}`);
    }
  }
}

/** What has another id was there before, and stays. */
const madeHere = /^[A-Za-z]+-\d+$/;

function pointsAt({ type, values }: PaperObject, id: string): boolean {
  return Object.values(type.fields).some((rule) => rule.references !== undefined && values[rule.name] === id);
}

/** In a derived type whatever lives in an object by its path ends with it. */
function livesIn({ type: { token, collection }, values }: PaperObject, home: ResourceType, id: string): boolean {
  const isInside = home.derived === true && home.contents.includes(token);
  return isInside && collection.scope.some((field) => values[field] === id);
}

function refusal(kind: ProviderError['kind'], summary: string): ProviderError {
  return new ProviderError(kind, [{ severity: 'error', code: 'refused', summary }]);
}

/** What the platform puts where nothing was said. */
function withDefaults(type: ResourceType, values: JsonObject): JsonObject {
  const derived = type.derive(values);
  const filled: Record<string, Json> = {};
  for (const rule of Object.values(type.fields)) {
    const value = values[rule.name] ?? null;
    if (!rule.input) continue;
    if (value === null && rule.clearing.by === 'value') filled[rule.name] = rule.clearing.value;
    else if (value === null && rule.clearing.by === 'derived') filled[rule.name] = derived[rule.name] ?? null;
    else filled[rule.name] = withoutNulls(value);
  }
  return { ...values, ...filled };
}

function withoutNulls(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value as JsonObject).filter(([, member]) => member !== null));
}

function shown({ id, type, values }: PaperObject, inList: boolean): RemoteObject {
  const place = type.derived === true ? type.collection.scope : type.parent === undefined ? [] : [type.parent.field];
  const scope = Object.fromEntries(place.map((field) => [field, String(values[field])]));
  const fields = Object.entries(values).filter(([name]) => {
    const rule = type.fields[name];
    return rule === undefined || (!rule.writeOnly && (!inList || rule.inList));
  });
  return { identity: { id, scope }, values: Object.fromEntries(fields) };
}
