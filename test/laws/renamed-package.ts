import type {
  Listing,
  Provider,
  ProviderPackage,
  RemoteObject,
  UpdateRequest,
} from '@platform-sync/core/model/provider';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';

/** Other names for every type and field of a package, and back. Names of lookups and members of records stay. */
export interface Renaming {
  readonly type: (token: string) => string;
  readonly field: (name: string) => string;
  readonly originalType: (token: string) => string;
  readonly originalField: (name: string) => string;
}

/** New names out of `number`, in another order than the old ones. */
export function renaming(types: ReadonlyMap<string, ResourceType>, number: number): Renaming {
  const tokens = [...types.keys()];
  // Every object has an id by that name, whether a file may say it or not.
  const fields = [...new Set([...types.values()].flatMap((type) => Object.keys(type.fields)))].filter(
    (name) => name !== 'id',
  );
  const shuffled = <T>(items: readonly T[]): readonly T[] =>
    items
      .map((item, at) => ({ item, rank: Math.imul(at + 1, 2654435761 + number * 40503) >>> 0 }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ item }) => item);
  const newToken = new Map(shuffled(tokens).map((token, at) => [token, `platform:index/kind${at}:Kind${at}`]));
  const newField = new Map(shuffled(fields).map((name, at) => [name, `field${String.fromCharCode(97 + at)}`]));
  const back = (names: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
    new Map([...names].map(([from, to]) => [to, from]));
  const of =
    (names: ReadonlyMap<string, string>) =>
    (name: string): string =>
      names.get(name) ?? name;
  return {
    type: of(newToken),
    field: of(newField),
    originalType: of(back(newToken)),
    originalField: of(back(newField)),
  };
}

function keys<T>(object: Readonly<Record<string, T>>, rename: (name: string) => string): Record<string, T> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [rename(name), value]));
}

function renamedRule(rule: FieldRule, { field, type }: Renaming): FieldRule {
  return {
    ...rule,
    name: field(rule.name),
    ...(rule.references === undefined ? {} : { references: type(rule.references) }),
    ...(rule.keptAs === undefined ? {} : { keptAs: type(rule.keptAs) }),
    ...(rule.movesWith === undefined ? {} : { movesWith: field(rule.movesWith) }),
  };
}

export function renamedType(original: ResourceType, names: Renaming): ResourceType {
  const { field, type } = names;
  const group = (fields: readonly string[]): readonly string[] => fields.map(field);
  const token = type(original.token);
  const name = token.slice(token.lastIndexOf(':') + 1);
  const { parent, nameField, revision, creation, label, importId } = original;
  return {
    ...original,
    ...{ token, name, shortToken: `platform:${name}` },
    fields: Object.fromEntries(
      Object.values(original.fields).map((rule) => [field(rule.name), renamedRule(rule, names)]),
    ),
    ...(parent === undefined ? {} : { parent: { field: field(parent.field), type: type(parent.type) } }),
    nesting: original.nesting.map((nesting) => ({
      under: type(nesting.under),
      field: field(nesting.field),
      inherits: group(nesting.inherits),
    })),
    naturalKey: group(original.naturalKey),
    unique: original.unique.map(group),
    exactlyOne: original.exactlyOne.map(group),
    collection: {
      ...original.collection,
      scope: group(original.collection.scope),
      ...(original.collection.shownIn === undefined ? {} : { shownIn: field(original.collection.shownIn) }),
      ...(original.collection.idsIn === undefined ? {} : { idsIn: field(original.collection.idsIn) }),
      ...(original.collection.narrowedBy === undefined ? {} : { narrowedBy: group(original.collection.narrowedBy) }),
    },
    ...(nameField === undefined ? {} : { nameField: field(nameField) }),
    ...(revision === undefined ? {} : { revision: field(revision) }),
    ...(creation === undefined ? {} : { creation: field(creation) }),
    ...(label === undefined ? {} : { label: field(label) }),
    visibility: original.visibility.map((rule) => ({ ...rule, field: field(rule.field) })),
    losses: original.losses.map((rule) => ({ ...rule, field: field(rule.field) })),
    cascades: original.cascades.map(type),
    contents: original.contents.map(type),
    ...(original.follows === undefined ? {} : { follows: original.follows.map(type) }),
    importId:
      importId.form !== 'json'
        ? importId
        : {
            form: 'json',
            keys: Object.fromEntries(Object.entries(importId.keys).map(([key, to]) => [key, field(to)])),
          },
    derive: (inputs) => keys(original.derive(keys(inputs, names.originalField)), field),
  };
}

/** The same package, in which nothing has the name it had. What it says to the platform stays the same. */
export function renamedPackage(original: ProviderPackage, names: Renaming): ProviderPackage {
  const types = new Map(
    [...original.types.values()].map((type) => {
      const renamed = renamedType(type, names);
      return [renamed.token, renamed] as const;
    }),
  );
  return {
    ...original,
    types,
    validate: async (token, properties) => {
      const found = await original.validate(names.originalType(token), keys(properties, names.originalField));
      return found.map((each) => ({ ...each, pointer: renamedPointer(each.pointer, names.field) }));
    },
    start: async (context) => renamedProvider(await original.start(context), original, types, names),
  };
}

/** Of what is wrong inside a field: the field has another name. */
function renamedPointer(pointer: string, field: (name: string) => string): string {
  const [root = '', name, ...rest] = pointer.split('/');
  return name === undefined ? root : [root, field(name), ...rest].join('/');
}

function renamedProvider(
  provider: Provider,
  original: ProviderPackage,
  types: Provider['types'],
  { field, originalField, originalType }: Renaming,
): Provider {
  const typeOf = ({ token }: ResourceType): ResourceType => {
    const type = original.types.get(originalType(token));
    if (type === undefined) throw new Error(`no type ${token}`);
    return type;
  };
  const summaries = new Set([...original.types.values()].flatMap(({ collection }) => collection.shownIn ?? []));
  // What shows an object of another type has that type's fields.
  const inside = ([name, value]: [string, Json]): [string, Json] => [
    name,
    summaries.has(name) && isObject(value) ? keys(value as JsonObject, field) : value,
  ];
  const out = (object: RemoteObject): RemoteObject => ({
    identity: { id: object.identity.id, scope: keys(object.identity.scope, field) },
    values: keys(Object.fromEntries(Object.entries(object.values).map(inside)), field),
  });
  const place = ({ id, scope }: Identity): Identity => ({ id, scope: keys(scope, originalField) });
  const inputs = (values: JsonObject): Record<string, Json> => keys(values, originalField);
  const plain = (values: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(inputs(values)).map(([name, value]) => [
        name,
        summaries.has(name) && isObject(value) ? inputs(value as JsonObject) : value,
      ]),
    );
  const request = ({ identity, set, clear, actual, unread, recorded, ...rest }: UpdateRequest): UpdateRequest => ({
    ...rest,
    identity: place(identity),
    set: inputs(set),
    clear: clear.map(originalField),
    actual: plain(actual),
    ...(unread === undefined ? {} : { unread: plain(unread) }),
    ...(recorded === undefined ? {} : { recorded: plain(recorded) }),
  });
  return {
    ...provider,
    types,
    list: async (type, scope, { isEnough, having = {}, ...options } = {}) => {
      const enough = isEnough && {
        isEnough: (start: Parameters<typeof isEnough>[0]) => isEnough({ ...start, objects: start.objects.map(out) }),
      };
      const seen = async (call: Promise<Listing>): Promise<Listing> => {
        const { rest, ...listing } = await call;
        const further = rest && { rest: () => seen(rest()) };
        return { ...listing, objects: listing.objects.map(out), ...further };
      };
      const given = { ...options, having: inputs(having), ...enough };
      return seen(provider.list(typeOf(type), keys(scope, originalField), given));
    },
    read: async (type, identity, options) => {
      const object = await provider.read(typeOf(type), place(identity), options);
      return object && out(object);
    },
    readWriteOnly: async (type, identity, { known, ...options } = {}) => {
      const both = known && { known: { now: plain(known.now), before: plain(known.before) } };
      return keys(await provider.readWriteOnly(typeOf(type), place(identity), { ...options, ...both }), field);
    },
    find: async (type, scope, values, { through: _through, ...options } = {}) =>
      (await provider.find(typeOf(type), keys(scope, originalField), inputs(values), options)).map(out),
    create: async (type, scope, values, options) =>
      out(await provider.create(typeOf(type), keys(scope, originalField), inputs(values), options)),
    update: async (type, change, options) => out(await provider.update(typeOf(type), request(change), options)),
    delete: (type, identity, options) => provider.delete(typeOf(type), place(identity), options),
  };
}
