import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { loopback, type Loopback, type Reaction, type SeenRequest } from '../http/loopback.js';
import { kindOf, membersOf, Schemas } from './stand-in-schemas.js';

/** How a service behaves where its description leaves that open: facts of its documentation. */
export interface Behaviours {
  /** What a call to an object that is not there answers. */
  readonly absent: { readonly status: number; readonly body?: Json };
  /** How lists that ask for pages come: by which parameter, of which size, and where the next page is named. */
  readonly pages?: {
    readonly parameter: string;
    readonly size: number;
    readonly counts?: 'pages' | 'items';
    /** Member of an answer with the parameter of the next page, or `Link`: the header. Left out: nowhere. */
    readonly next?: string;
    /** Member that says that there are more. */
    readonly more?: string;
    readonly total?: string;
    /** Named after the last page, too. */
    readonly endless?: boolean;
  };
  /** Objects that others made of each kind. */
  readonly others?: number;
  /** Members of bodies that answers show under another name. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** Where objects of one kind lie. */
interface Kind {
  readonly collection: string;
  readonly item: string;
  readonly calls: Readonly<Record<string, JsonObject>>;
  /** It is there without being made, once in its place. */
  readonly isAlone: boolean;
}

/** An object as it was written, with what the service chose. */
interface Kept {
  readonly kind: Kind;
  readonly at: string;
  readonly id: string;
  values: JsonObject;
}

/** One service out of its description: what POST makes can be read, listed, changed and deleted where it lies. */
export class StandIn {
  readonly #schemas: Schemas;
  readonly #behaviours: Behaviours;
  readonly #kinds: readonly Kind[];
  readonly #kept = new Map<string, Kept>();
  #made = 0;
  #changes = 0;
  /** Bodies that were refused, and why. */
  readonly refused: string[] = [];

  constructor(description: JsonObject, behaviours: Behaviours) {
    this.#schemas = new Schemas(description);
    this.#behaviours = behaviours;
    this.#kinds = kindsOf(this.#schemas, isObject(description['paths']) ? description['paths'] : {});
  }

  start(): Promise<Loopback> {
    return loopback((request) => this.#react(request));
  }

  /** Something that is always there was written. */
  isLasting = false;

  /** Paths of all objects. */
  get paths(): readonly string[] {
    return [...this.#kept.keys()];
  }

  /** Somebody else deletes what there is. */
  forget(): void {
    this.#kept.clear();
  }

  /** Somebody else changes a member of an object; false where there is none. */
  edit(path: string, member: string, value: Json): boolean {
    const kept = this.#kept.get(path);
    if (kept === undefined) return false;
    kept.values = { ...kept.values, [member]: value, ...this.#touched(kept.kind) };
    return true;
  }

  /** When it was last changed, where answers say that. */
  #touched(kind: Kind): JsonObject {
    this.#changes += 1;
    const members = membersOf(this.#objectSchema(kind));
    const times = Object.keys(members).filter((name) => /^(?:last_?)?(?:updated|modified|changed)/i.test(name));
    const isTime = (name: string): boolean => this.#schemas.whole(members[name])['format'] === 'date-time';
    const now = new Date(Date.UTC(2026, 0, 2) + this.#changes * 1000).toISOString();
    return Object.fromEntries(times.filter(isTime).map((name) => [name, now]));
  }

  valuesAt(path: string): JsonObject | undefined {
    return this.#kept.get(path)?.values;
  }

  #react(request: SeenRequest): Reaction {
    const url = new URL(request.url, 'http://service');
    const path = decodeURI(url.pathname).replace(/(?<=.)\/$/, '');
    const [found] = this.#kinds
      .filter(({ collection, item }) => fits(collection, path) || fits(item, path))
      .sort((a, b) => openness(a, path) - openness(b, path));
    if (found === undefined || (found.isAlone && this.#isHomeGone(path))) return this.#absent();
    const sent: Json = request.body === '' ? {} : (JSON.parse(request.body) as Json);
    if (!found.isAlone && fits(found.collection, path) && !fits(found.item, path)) {
      if (request.method === 'GET') return this.#list(found, path, url.searchParams);
      return request.method === 'POST' ? this.#make(found, path, sent) : { status: 405 };
    }
    return this.#one(found, path, request.method, sent);
  }

  /** What is always there is so in what there is. */
  #isHomeGone(path: string): boolean {
    const parts = path.split('/');
    const above = parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
    return above.some(
      (place) =>
        !this.#kept.has(place) &&
        this.#kinds.some(({ item, isAlone, calls }) => !isAlone && calls['create'] !== undefined && fits(item, place)),
    );
  }

  #absent(): Reaction {
    const { status, body } = this.#behaviours.absent;
    return body === undefined ? { status } : { status, json: body };
  }

  #refuse(why: string): Reaction {
    this.refused.push(why);
    return { status: 422, json: { message: why } };
  }

  #make(kind: Kind, at: string, sent: Json): Reaction {
    const call = kind.calls['create'] ?? {};
    const schema = this.#schemas.body(call);
    const why = this.#schemas.refusal(schema, sent);
    if (why !== undefined) return this.#refuse(`POST ${at}: ${why}`);
    const given = this.#opened(kind, sent);
    const inner = this.#schemas.refusal(this.#openedSchema(kind, schema, sent), given);
    if (inner !== undefined) return this.#refuse(`POST ${at}: ${inner}`);
    const [id, values] = this.#named(kind, given);
    this.#kept.set(`${at}/${id}`, { kind, at, id, values });
    return this.#answer(201, call, kind, `${at}/${id}`);
  }

  /** What updates want and a create left to the service. */
  #needed(kind: Kind, given: JsonObject): JsonObject {
    const shown = membersOf(this.#objectSchema(kind));
    const call = kind.calls['put'] ?? kind.calls['patch'];
    const { required } = (call === undefined ? undefined : this.#schemas.body(call)) ?? {};
    const names = (isList(required) ? required.map(String) : []).filter(
      (name) => name !== 'id' && shown[name] !== undefined && given[name] === undefined,
    );
    return Object.fromEntries(names.map((name) => [name, this.#schemas.sample(shown[name])]));
  }

  /** With the id that the service chooses, or that the body holds. */
  #named(kind: Kind, given: JsonObject): readonly [id: string, values: JsonObject] {
    const shown = membersOf(this.#objectSchema(kind));
    const last = /\{([^{}]*)\}$/.exec(kind.item)?.[1] ?? 'id';
    const said = Object.keys({ ...shown, ...given }).filter((name) => plain(last).endsWith(plain(name)));
    const own = shown['id'] !== undefined ? 'id' : said.sort((a, b) => b.length - a.length)[0];
    const chosen = own === undefined ? undefined : given[own];
    if (typeof chosen === 'string') return [chosen, given];
    this.#made += 1;
    const schema = this.#schemas.whole(shown[own ?? 'id']);
    const isNumber = kindOf(schema) === 'integer' || kindOf(schema) === 'number';
    const id = isNumber
      ? String(this.#made)
      : schema['format'] === 'uuid'
        ? `00000000-0000-4000-8000-${String(this.#made).padStart(12, '0')}`
        : `id${this.#made}`;
    return [id, { ...this.#needed(kind, given), ...given, [own ?? 'id']: isNumber ? this.#made : id }];
  }

  #one(kind: Kind, path: string, method: string, sent: Json): Reaction {
    const kept = this.#kept.get(path);
    if (method === 'PUT' && kept === undefined && kind.calls['create'] === undefined) {
      const id = path.split('/').at(-1) ?? '';
      const why = this.#schemas.refusal(this.#schemas.body(kind.calls['put'] ?? {}), sent);
      if (why !== undefined) return this.#refuse(`PUT ${path}: ${why}`);
      this.#kept.set(path, {
        kind,
        at: path.slice(0, path.lastIndexOf('/')),
        id,
        values: { ...this.#ownName(kind, id), ...this.#opened(kind, sent) },
      });
      return this.#answer(200, kind.calls['put'] ?? {}, kind, path);
    }
    const isMade = !kind.isAlone || (kind.calls['post'] !== undefined && kind.calls['delete'] !== undefined);
    if (kept === undefined && isMade && method === 'POST' && kind.isAlone) {
      const why = this.#schemas.refusal(this.#schemas.body(kind.calls['post'] ?? {}), sent);
      if (why !== undefined) return this.#refuse(`POST ${path}: ${why}`);
      this.#kept.set(path, {
        kind,
        at: path,
        id: '',
        values: { ...this.#needed(kind, this.#opened(kind, sent)), ...this.#opened(kind, sent) },
      });
      return this.#answer(201, kind.calls['post'] ?? {}, kind, path);
    }
    if (kept === undefined && isMade) return this.#absent();
    const call = kind.calls[method.toLowerCase()];
    if (call === undefined) return { status: 405 };
    if (method === 'DELETE') {
      this.#kept.delete(path);
      return { status: 204 };
    }
    if (method === 'PUT' || method === 'PATCH') {
      this.isLasting ||= !isMade;
      const schema = this.#schemas.body(call);
      const why =
        this.#schemas.refusal(schema, sent) ??
        this.#schemas.refusal(this.#openedSchema(kind, schema, sent), this.#opened(kind, sent));
      if (why !== undefined) return this.#refuse(`${method} ${path}: ${why}`);
      const given = this.#opened(kind, sent);
      const before = kept?.values ?? {};
      // What nobody sends in a body is the service's own: a PUT leaves it.
      const taken = membersOf(this.#openedSchema(kind, schema, sent) ?? {});
      const own = Object.fromEntries(
        Object.entries(before).filter(([name]) => method === 'PATCH' || taken[name] === undefined),
      );
      const values = {
        ...own,
        ...this.#touched(kind),
        ...(before['id'] === undefined ? {} : { id: before['id'] }),
        ...given,
      };
      this.#kept.set(path, { kind, at: path, id: '', ...kept, values });
    }
    return this.#answer(200, call, kind, path);
  }

  #ownName(kind: Kind, id: string): JsonObject {
    const shown = membersOf(this.#objectSchema(kind));
    return Object.fromEntries(
      ['id', 'name', 'slug', 'key'].filter((name) => shown[name] !== undefined).map((name) => [name, id]),
    );
  }

  /** The object of a body, out of the member that holds it where answers hold it in one, too. */
  #opened(kind: Kind, sent: Json): JsonObject {
    const body = isObject(sent) ? sent : {};
    const inner = this.#heldIn(kind, body);
    return inner === undefined ? body : (body[inner] as JsonObject);
  }

  #openedSchema(kind: Kind, schema: JsonObject | undefined, sent: Json): JsonObject | undefined {
    const inner = this.#heldIn(kind, isObject(sent) ? sent : {});
    return inner === undefined || schema === undefined ? schema : this.#schemas.whole(membersOf(schema)[inner]);
  }

  #heldIn(kind: Kind, body: JsonObject): string | undefined {
    const wrapping = wrapperOf(this.#schemas, this.#schemas.answer(kind.calls['get'] ?? kind.calls['create'] ?? {}));
    const names = Object.keys(body);
    const name = wrapping ?? (names.length === 1 ? names[0] : undefined);
    const isHeld =
      name !== undefined && isObject(body[name]) && membersOf(this.#objectSchema(kind))[name] === undefined;
    return isHeld ? name : undefined;
  }

  /** The schema of the object itself. */
  #objectSchema(kind: Kind): JsonObject {
    const { calls } = kind;
    const single = this.#schemas.answer(calls['get'] ?? {}) ?? this.#schemas.answer(calls['create'] ?? {});
    const wrapping = wrapperOf(this.#schemas, single);
    if (single !== undefined && Object.keys(membersOf(single)).length > 0)
      return wrapping === undefined ? single : this.#schemas.whole(membersOf(single)[wrapping]);
    const list = this.#schemas.answer(calls['list'] ?? {});
    const items = list === undefined ? undefined : itemsIn(this.#schemas, list);
    return items === undefined ? {} : this.#schemas.whole(items.schema);
  }

  #answer(status: number, call: JsonObject, kind: Kind, path: string): Reaction {
    const schema = this.#schemas.answer(call);
    if (schema === undefined) return { status: status === 201 ? 201 : 204 };
    const values = this.#kept.get(path)?.values ?? {};
    const usual = wrapperOf(this.#schemas, this.#schemas.answer(kind.calls['get'] ?? {}));
    const isUsual = usual !== undefined && membersOf(schema)[usual] !== undefined;
    const wrapping = isUsual ? usual : wrapperOf(this.#schemas, schema);
    if (wrapping === undefined) return { status, json: this.#shown(schema, values) };
    const inner = this.#shown(membersOf(schema)[wrapping], values);
    return { status, json: this.#schemas.shown({ ...schema }, { [wrapping]: inner }) };
  }

  #shown(schema: Json | undefined, values: JsonObject): Json {
    const { renamed = {} } = this.#behaviours;
    const members = membersOf(this.#schemas.whole(schema));
    const own = Object.entries(values).map(([name, value]): [string, Json] => {
      const other = renamed[name];
      return other !== undefined && members[other] !== undefined ? [other, value] : [spelled(name, members), value];
    });
    return this.#schemas.shown(schema, Object.fromEntries(own));
  }

  #list(kind: Kind, at: string, query: URLSearchParams): Reaction {
    const call = kind.calls['list'] ?? {};
    const schema = this.#schemas.answer(call);
    const found = schema === undefined ? undefined : itemsIn(this.#schemas, schema);
    if (schema === undefined || found === undefined) return { status: 405 };
    const own = [...this.#kept.values()].filter((each) => each.kind === kind && each.at === at);
    const all = [...this.#others(kind, at), ...own];
    const { pages } = this.#behaviours;
    const isPaged = pages !== undefined && asksFor(this.#schemas, call, pages.parameter);
    const said = isPaged ? query.get(pages.parameter) : null;
    const size = isPaged ? pages.size : Math.max(1, all.length);
    const from =
      said === null ? 0 : isPaged && pages.counts === 'pages' ? (Number(said) - 1) * size : startOf(all, said);
    const part = all.slice(from, from + size);
    const items = part.map(({ values }) => this.#shown(found.schema, values));
    const isMore = from + size < all.length;
    const next = isMore || pages?.endless === true ? (part.at(-1)?.id ?? null) : null;
    const headers: Record<string, string> =
      isPaged && pages.next === 'Link' && next !== null
        ? { link: `<http://service${at}?${pages.parameter}=${next}>; rel="next"` }
        : {};
    if (found.way.length === 0) return { status: 200, headers, json: items };
    const sides: readonly (readonly [string | undefined, Json])[] = !isPaged
      ? []
      : [
          [pages.next === 'Link' ? undefined : pages.next, next],
          [pages.more, isMore],
          [pages.total, all.length],
        ];
    const body = [[found.way.join('.'), items] as const, ...sides].reduce<JsonObject>(
      (whole, [way, value]) => (way === undefined ? whole : withAt(whole, way.split('.'), value)),
      {},
    );
    return { status: 200, headers, json: isList(body) ? body : this.#completed(schema, body) };
  }

  /** What others made there, which nobody here touches. */
  #others(kind: Kind, at: string): readonly Kept[] {
    const schema = this.#objectSchema(kind);
    const sample = this.#schemas.sample(schema);
    const values = isObject(sample) ? sample : {};
    return Array.from({ length: this.#behaviours.others ?? 0 }, (_, nth): Kept => {
      const told = Object.entries(values).map(([name, value]): [string, Json] => {
        const isNumber = kindOf(this.#schemas.whole(membersOf(schema)[name])) === 'integer';
        const isOwn = name === 'id' || name === 'uid' || name === 'name';
        return [name, isOwn ? (isNumber ? 1000 + nth : `other${nth}`) : value];
      });
      const id = isObject(values) && typeof values['id'] === 'number' ? String(1000 + nth) : `other${nth}`;
      return { kind, at, id, values: Object.fromEntries(told) };
    });
  }

  /** With all that every answer has. */
  #completed(schema: JsonObject, body: JsonObject): JsonObject {
    const whole = this.#schemas.sample(schema);
    return deep(isObject(whole) ? whole : {}, body);
  }
}

function deep(base: JsonObject, over: JsonObject): JsonObject {
  const joined = Object.entries(over).map(([name, value]): [string, Json] => {
    const own = base[name];
    return [name, isObject(own) && isObject(value) ? deep(own, value) : value];
  });
  return { ...base, ...Object.fromEntries(joined) };
}

function withAt(whole: JsonObject, [name = '', ...rest]: readonly string[], value: Json): JsonObject {
  const inner = whole[name];
  return { ...whole, [name]: rest.length === 0 ? value : withAt(isObject(inner) ? inner : {}, rest, value) };
}

/** After the object of that id, or so many objects. */
function startOf(all: readonly Kept[], said: string): number {
  const at = all.findIndex(({ id }) => id === said);
  return at >= 0 ? at + 1 : /^\d+$/.test(said) ? Number(said) : all.length;
}

function asksFor(schemas: Schemas, call: JsonObject, parameter: string): boolean {
  const { parameters } = call;
  return isList(parameters) && parameters.some((each) => schemas.whole(each)['name'] === parameter);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function spelled(name: string, members: JsonObject): string {
  return members[name] !== undefined
    ? name
    : (Object.keys(members).find((each) => plain(each) === plain(name)) ?? name);
}

/** The member of an answer that holds the object, where the answer has no id of its own and one record in it has. */
function wrapperOf(schemas: Schemas, schema: JsonObject | undefined): string | undefined {
  const members = membersOf(schema ?? {});
  if (members['id'] !== undefined) return undefined;
  const records = Object.keys(members).filter(
    (name) => Object.keys(membersOf(schemas.whole(members[name]))).length > 0,
  );
  const withId = records.filter((name) => membersOf(schemas.whole(members[name]))['id'] !== undefined);
  return Object.keys(members).length === 1 ? records[0] : withId.length === 1 ? withId[0] : undefined;
}

interface ItemsIn {
  readonly way: readonly string[];
  readonly schema: Json | undefined;
}

function itemsIn(schemas: Schemas, schema: JsonObject): ItemsIn | undefined {
  if (kindOf(schema) === 'array') return { way: [], schema: schema['items'] };
  const members = Object.entries(membersOf(schema)).map(([name, each]) => [name, schemas.whole(each)] as const);
  const lists = members.filter(([, each]) => kindOf(each) === 'array');
  const [own] = [...lists].sort((a, b) => weight(schemas, b[1]) - weight(schemas, a[1]));
  if (own !== undefined) return { way: [own[0]], schema: own[1]['items'] };
  for (const [name, each] of members) {
    const inner = kindOf(each) === 'object' ? itemsIn(schemas, each) : undefined;
    if (inner !== undefined) return { way: [name, ...inner.way], schema: inner.schema };
  }
  return undefined;
}

function weight(schemas: Schemas, list: JsonObject): number {
  const item = schemas.whole(list['items']);
  return (membersOf(item)['id'] === undefined ? 0 : 2) + (kindOf(item) === 'object' ? 1 : 0);
}

/** Fixed words are meant before parameters. */
function openness({ collection, item }: Kind, path: string): number {
  return (fits(collection, path) ? collection : item).split('/').filter((part) => part.startsWith('{')).length;
}

function fits(template: string, path: string): boolean {
  const [own, given] = [template.split('/'), path.split('/')];
  return own.length === given.length && own.every((part, at) => part.startsWith('{') || part === given[at]);
}

/** Collections with their items, items that PUT makes, and things that are always there; fixed words before parameters. */
function kindsOf(schemas: Schemas, paths: JsonObject): readonly Kind[] {
  const known = new Map<string, JsonObject>();
  for (const [path, item] of Object.entries(paths)) {
    const whole = schemas.whole(item);
    const shared = isList(whole['parameters']) ? whole['parameters'] : [];
    const calls = Object.entries(whole).map(([method, call]): [string, Json] => [
      method,
      isObject(call)
        ? { ...call, parameters: [...(isList(call['parameters']) ? call['parameters'] : []), ...shared] }
        : call,
    ]);
    known.set(path.replace(/(?<=.)\/$/, ''), Object.fromEntries(calls));
  }
  const kinds: Kind[] = [];
  for (const [path, item] of known) {
    const isItem = path.endsWith('}');
    const above = path.slice(0, path.lastIndexOf('/'));
    const collection = isItem ? known.get(above) : undefined;
    const own = Object.entries(item).flatMap(([method, call]) => (isObject(call) ? [[method, call] as const] : []));
    const post = collection?.['post'];
    const list = collection?.['get'];
    kinds.push({
      ...{ collection: isItem ? above : path, item: path, isAlone: !isItem },
      calls: {
        ...Object.fromEntries(own),
        ...(isObject(post) ? { create: post } : {}),
        ...(isObject(list) ? { list } : {}),
      },
    });
  }
  const collections = new Set(kinds.filter(({ isAlone }) => !isAlone).map(({ collection }) => collection));
  const fixed = ({ item }: Kind): number => item.split('/').filter((part) => part.startsWith('{')).length;
  return kinds.filter(({ isAlone, item }) => !isAlone || !collections.has(item)).sort((a, b) => fixed(a) - fixed(b));
}
