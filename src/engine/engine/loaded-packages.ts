import { LazyMap, valueIn } from '@platform-sync/core/model/lazy-map';
import type { PackageSource } from '@platform-sync/core/model/package-source';
import type {
  Listing,
  Provider,
  ProviderPackage,
  RemoteObject,
  UpdateRequest,
} from '@platform-sync/core/model/provider';
import { packageNameOf, type ResourceType } from '@platform-sync/core/model/resource-type';
import { recordByNames, type Json, type JsonObject } from '@platform-sync/core/model/value';
import {
  isMarked,
  labelsOf,
  labelsWith,
  markField,
  markIn,
  markRule,
  withoutMark,
} from '@platform-sync/core/model/ownership-mark';

/** The packages that a project's tokens belong to, each loaded once, when somebody asks for what is in it. */
export class LoadedPackages {
  readonly #source: PackageSource;
  readonly #loaded = new Map<string, ProviderPackage>();
  readonly #loading = new Map<string, Promise<void>>();

  constructor(source: PackageSource) {
    this.#source = source;
  }

  /** Loads the packages that own these type or function tokens, so that `typeOf` answers at once. */
  async load(tokens: Iterable<string>): Promise<void> {
    for (const name of new Set([...tokens].map(packageNameOf))) {
      const loading =
        this.#loading.get(name) ??
        this.#source.load(name).then((loaded) => void this.#loaded.set(name, markedPackage(loaded)));
      this.#loading.set(name, loading);
      await loading;
    }
  }

  get(name: string): ProviderPackage {
    const loaded = this.#loaded.get(name);
    if (loaded === undefined) throw new Error(`bug: package ${name} is not loaded`);
    return loaded;
  }

  /** Undefined for a type that nobody describes, or whose package is not loaded. */
  find(token: string): ResourceType | undefined {
    return this.#loaded.get(packageNameOf(token))?.types.get(token);
  }

  readonly typeOf = (token: string): ResourceType => {
    const type = this.find(token);
    if (type === undefined) throw new Error(`bug: resource type ${token} is not loaded`);
    return type;
  };

  types(): ReadonlyMap<string, ResourceType> {
    const tokens = [...this.#loaded.values()].flatMap((loaded) => [...loaded.types.keys()]);
    return new LazyMap(tokens, this.typeOf);
  }
}

/**
 * A package whose objects have their ownership mark in a field of its own, and no trace of it among their labels: what
 * plans, records, compares or exports labels never meets it.
 */
export function markedPackage(loaded: ProviderPackage): ProviderPackage {
  const types = new LazyMap(loaded.types.keys(), (token) => markedType(valueIn(loaded.types, token)));
  return {
    ...loaded,
    types,
    start: async (context) => markedProvider(await loaded.start(context), loaded.types, types),
  };
}

function markedType(type: ResourceType): ResourceType {
  if (!isMarked(type)) return type;
  return { ...type, fields: recordByNames([...Object.entries(type.fields), [markField, markRule]]) };
}

function markedProvider(
  provider: Provider,
  plainTypes: ReadonlyMap<string, ResourceType>,
  types: ReadonlyMap<string, ResourceType>,
): Provider {
  const plain = (type: ResourceType): ResourceType => plainTypes.get(type.token) ?? type;
  return {
    ...provider,
    types,
    list: (type, scope, given = {}) => {
      if (!isMarked(type)) return provider.list(plain(type), scope, given);
      const { isEnough, ...options } = given;
      const enough: typeof isEnough =
        isEnough && ((start) => isEnough({ ...start, objects: start.objects.map((object) => marked(type, object)) }));
      const asked = enough === undefined ? options : { ...options, isEnough: enough };
      const seen = (call: Promise<Listing>): Promise<Listing> =>
        call.then(({ rest, ...listing }) => ({
          ...listing,
          objects: listing.objects.map((object) => marked(type, object)),
          ...(rest === undefined ? {} : { rest: () => seen(rest()) }),
        }));
      return seen(provider.list(plain(type), scope, asked));
    },
    ahead: async (type, ...call) => provider.ahead?.(plain(type), ...call),
    read: async (type, ...call) => {
      const object = await provider.read(plain(type), ...call);
      return object && marked(type, object);
    },
    readWriteOnly: (type, ...call) => provider.readWriteOnly(plain(type), ...call),
    find: async (type, scope, inputs, options) => {
      const found = await provider.find(plain(type), scope, without(inputs), options);
      return found.map((object) => marked(type, object));
    },
    create: async (type, scope, inputs, options) =>
      marked(type, await provider.create(plain(type), scope, labelled(type, inputs), options)),
    update: async (type, request, options) =>
      marked(type, await provider.update(plain(type), labelledChange(type, request), options)),
    delete: (type, ...call) => provider.delete(plain(type), ...call),
  };
}

/** An answered object with its mark in the field for it. */
function marked(type: ResourceType, object: RemoteObject): RemoteObject {
  const field = isMarked(type) ? type.markedIn : undefined;
  if (field === undefined) return object;
  const { labels, mark } = withoutMark(labelsOf(object.values[field]));
  if (mark === undefined) return object;
  return { ...object, values: { ...object.values, [field]: labels, [markField]: mark } };
}

/** Fields to send, the mark among the labels. */
function labelled(type: ResourceType, inputs: JsonObject): JsonObject {
  const mark = markIn(inputs[markField]);
  if (type.markedIn === undefined || mark === undefined) return without(inputs);
  return { ...without(inputs), [type.markedIn]: labelsWith(labelsOf(inputs[type.markedIn]), mark) };
}

/** A change of labels or mark is one of the labels as the platform has them, where either stands. */
function labelledChange(type: ResourceType, request: UpdateRequest): UpdateRequest {
  const { set, clear, actual } = request;
  const field = type.markedIn;
  const changed = new Set([...Object.keys(set), ...clear]);
  const markNow = clear.includes(markField) ? undefined : markIn(set[markField] ?? actual[markField]);
  const isTouched = field !== undefined && (changed.has(field) || changed.has(markField));
  // Labels without any mark are no concern of ours.
  if (!isTouched || (markNow === undefined && !changed.has(markField)))
    return { ...request, set: without(set), actual: without(actual) };
  const wanted: Json | undefined = clear.includes(field) ? {} : (set[field] ?? actual[field]);
  return {
    ...request,
    set: { ...without(set), [field]: labelsWith(labelsOf(wanted), markNow) },
    clear: clear.filter((name) => name !== field && name !== markField),
    actual: labelled(type, actual),
  };
}

function without(fields: JsonObject): JsonObject {
  const { [markField]: _mark, ...others } = fields;
  return others;
}
