import { defined, isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { Chance, Decisions } from './chance.js';
import { secretOf, withoutPin } from './secrets.js';
import { asKept, frameIn } from './shapes.js';
import type { VirtualTime } from './virtual-time.js';

export interface Answer {
  readonly status: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject | undefined;
}

export type Collection = 'sites' | 'pages' | 'routes' | 'members' | 'boards' | 'notes' | 'policy';

/** What was true of an object from one moment on, and when each way to look shows it. */
interface Version {
  readonly values: JsonObject | undefined;
  readonly inLists: number;
  readonly alone: number;
  /** Until then it shows, too: whoever took it answers, and then others that do not have it yet. */
  readonly glimpse: number;
  /** Until it shows, every other answer shows it: those who answer take turns. */
  readonly wavers?: true;
}

export interface Thing {
  readonly id: string;
  readonly collection: Collection;
  /** The site it lives in. */
  readonly home: string | undefined;
  readonly history: Version[];
}

/** What is wrong with an answer, in the place of the right one. */
export type Lie = 'missing in list' | 'denied' | 'denied by a machine between' | 'cut list' | { readonly list: string };

/** What the service has done: the simulator's judge hears of it, whoever asked. */
export interface Deed {
  readonly kind: 'made' | 'changed' | 'ended';
  readonly thing: Thing;
  /** Of a change: what was true before. */
  readonly before?: JsonObject;
  /** Ended because of what it lived in. */
  readonly along?: true;
}

const fields: Readonly<Record<Collection, readonly string[]>> = {
  sites: ['name', 'note', 'tags', 'look', 'until', 'env'],
  pages: ['title', 'layout', 'body', 'password', 'look', 'labels', 'script'],
  routes: ['name', 'siteId', 'weight', 'note', 'password', 'port', 'door'],
  members: ['mail', 'rank'],
  boards: ['title', 'text', 'tags', 'rows', 'scheme'],
  notes: ['words', 'color'],
  policy: ['mode', 'limit'],
};
/** Fields that only some worlds have. */
const shapes: ReadonlySet<string> = new Set(['look', 'labels', 'rows', 'until', 'script', 'port', 'scheme']);
const vaults: ReadonlySet<string> = new Set(['env', 'door']);
/** What an object has of which nobody has said anything. */
export const defaults: Readonly<Record<Collection, JsonObject>> = {
  sites: { note: null, tags: {}, look: null, until: null, env: {} },
  pages: { layout: 'plain', body: null, password: null, look: null, labels: [], script: null },
  routes: { weight: null, note: null, password: null, port: null, door: null },
  members: { rank: null },
  boards: { text: null, tags: {}, rows: [], scheme: null },
  notes: { color: null },
  policy: { mode: 'open', limit: 0 },
};
const keys: Readonly<Partial<Record<Collection, string>>> = { sites: 'name', routes: 'name', boards: 'title' };
/** How many of a thousand late writes show in every other answer. */
const waverOften = 150;
/** Of these, answers leave out what is null. */
const brief: ReadonlySet<Collection> = new Set(['routes', 'members']);
/** What no answer shows, and what no list does. */
const hidden = ['password'];
const unlisted = ['body', 'text'];

/** The service, as strict as its types say, and slower to show what it did than to do it. */
export class Service {
  readonly things = new Map<string, Thing>();
  /** Longest time until a write shows, milliseconds. */
  lagMs = 0;
  /** How many of a thousand writes show late, in lists and alone. */
  late = 500;
  /** How many of a thousand writes show for a moment before they show. */
  glimpses = 400;
  /** The next page of a list is where it goes on by number, and not after which item. */
  isByPosition = false;
  /** Pages have fewer items than was asked for where something stands between these that is not for everybody. */
  isRagged = false;
  /** A list does not say how many there are in it. */
  isUncounted = false;
  /** It answers a change with nothing at all. */
  isSilent = false;
  /** A create is answered with an id alone. */
  isTerse = false;
  /** Its objects have no revisions. */
  isUnrevised = false;
  /** They have lists and records. */
  isShaped = false;
  /** They have secrets in maps and records, and the service makes some. */
  isVaulted = false;
  /** The one way to look that shows writes late; absent: both do. */
  lateWay: 'inLists' | 'alone' | undefined;
  onDeed: (deed: Deed) => void = () => undefined;
  readonly #time: VirtualTime;
  readonly #decisions: Decisions;
  #made = 0;
  /** How often each thing was looked at while answers about it took turns. */
  readonly #turns = new Map<string, number>();
  #last: Thing | undefined;

  constructor(time: VirtualTime, decisions: Decisions) {
    this.#time = time;
    this.#decisions = decisions;
  }

  /** What is true of it now; undefined: it is gone. */
  truth(thing: Thing): JsonObject | undefined {
    return thing.history.at(-1)?.values;
  }

  /** It was written last, or what was lives in it. */
  isAbout({ id }: Thing): boolean {
    return this.#last?.id === id || this.#last?.home === id;
  }

  /** All that exist, of one collection or of all. */
  living(collection?: Collection): readonly Thing[] {
    return [...this.things.values()].filter(
      (thing) => (collection === undefined || thing.collection === collection) && this.truth(thing) !== undefined,
    );
  }

  /** Of all that live where that list is. */
  pathsIn(list: string): readonly string[] {
    const [, first, home, inner = first] = list.split('/');
    return this.living(inner as Collection).flatMap((thing) => (thing.home === home ? [`${list}/${thing.id}`] : []));
  }

  handle({ method, path, body }: Request): Answer {
    const url = new URL(path, 'http://service');
    const [first = '', siteId, inner, innerId] = url.pathname.split('/').slice(1).map(decodeURIComponent);
    if (first !== 'sites' && first !== 'routes') return problem(404, 'no such path');
    const collection = (inner ?? first) as Collection;
    const id = inner === undefined ? siteId : innerId;
    const home = inner === undefined ? undefined : siteId;
    // Whoever does not know the site yet knows nothing in it.
    const site = home === undefined ? undefined : this.things.get(home);
    // Answers may be old; but nothing is written into what has ended.
    const isOver = method !== 'GET' && site !== undefined && this.truth(site) === undefined;
    if (home !== undefined && (isOver || this.#seen(home, 'alone') === undefined)) return problem(404, 'no such site');
    if (collection === 'policy') return this.#policy(method, home ?? '', body);
    if (id === undefined)
      return method === 'POST'
        ? this.make(collection, home, body ?? {})
        : this.#list(collection, home, url.searchParams);
    const thing = this.things.get(id);
    const isHere = thing?.collection === collection && thing.home === home;
    if (method === 'GET') {
      const values = isHere ? this.#seen(id, 'alone') : undefined;
      return values === undefined
        ? denied(collection)
        : { status: 200, body: { ...this.#shown(thing as Thing, values), ...this.#board(id, 'alone') } };
    }
    if (thing === undefined || !isHere || this.truth(thing) === undefined) return denied(collection);
    if (method === 'DELETE') return this.end(thing);
    if (frameIn(body?.['look']) !== undefined) return problem(422, 'look.frame: it is chosen when the page is made');
    const whole =
      method === 'PUT' ? { ...this.#unsaid(collection), ...known(collection, body) } : known(collection, body);
    return this.#told(this.change(thing, whole));
  }

  #unsaid(collection: Collection): JsonObject {
    const isThere = (name: string): boolean =>
      (this.isShaped || !shapes.has(name)) && (this.isVaulted || !vaults.has(name));
    return Object.fromEntries(Object.entries(defaults[collection]).filter(([name]) => isThere(name)));
  }

  #told(answer: Answer): Answer {
    return this.isSilent && answer.status === 200 ? { status: 204 } : answer;
  }

  make(collection: Collection, home: string | undefined, body: JsonObject): Answer {
    const values = filled({ ...this.#unsaid(collection), ...known(collection, body) });
    const taken = this.#refusal(collection, home, values, undefined);
    if (taken !== undefined) return taken;
    const id = `${collection.slice(0, 2)}-${String(++this.#made).padStart(4, '0')}`;
    const thing: Thing = { id, collection, home, history: [] };
    this.things.set(id, thing);
    const createdAt = new Date(this.#time.now).toISOString();
    const revision = nextRevision(collection, 0);
    const own = {
      ...(home === undefined ? {} : { siteId: home }),
      ...(this.isVaulted && collection === 'sites' ? { token: secretOf(this.#made + 5000) } : {}),
    };
    this.#write(thing, { ...values, ...own, revision, createdAt });
    this.onDeed({ kind: 'made', thing });
    return { status: 201, body: this.isTerse ? { id } : this.#shown(thing, this.truth(thing) ?? {}) };
  }

  change(thing: Thing, values: JsonObject): Answer {
    const before = this.truth(thing) ?? {};
    // A map that is null has nothing in it.
    const emptied = ['tags', 'env'].flatMap((name) => (values[name] === null ? [[name, {}] as const] : []));
    const next: Record<string, Json> = { ...before, ...values, ...Object.fromEntries(emptied) };
    const refused = this.#refusal(thing.collection, thing.home, next, thing);
    if (refused !== undefined) return refused;
    for (const map of thing.collection === 'sites' ? ['tags', 'env'] : [])
      if (values[map] !== undefined)
        next[map] = withoutNull({ ...(before[map] as JsonObject), ...(values[map] as JsonObject) });
    // The members of this record change one by one, and null takes one off; of that of a page one stays.
    const [had = null, look = null] = [before['look'], values['look']];
    const isMerged = isObject(had) && isObject(look);
    if (isMerged && thing.collection === 'sites') next['look'] = { ...had, ...look };
    if (isMerged && thing.collection === 'pages') next['look'] = { ...look, ...defined({ frame: frameIn(had) }) };
    this.#write(thing, { ...filled(next), revision: nextRevision(thing.collection, before['revision']) });
    this.onDeed({ kind: 'changed', thing, before });
    return { status: 200, body: this.#shown(thing, this.truth(thing) ?? {}) };
  }

  end(thing: Thing): Answer {
    if (
      thing.collection === 'sites' &&
      this.living('routes').some((route) => this.truth(route)?.['siteId'] === thing.id)
    )
      return problem(409, 'routes lead to it');
    if (this.living('boards').some(({ home }) => home === thing.id)) return problem(409, 'boards are in it');
    for (const other of this.living())
      if (other.home === thing.id) {
        this.#write(other, undefined);
        this.onDeed({ kind: 'ended', thing: other, along: true });
      }
    this.#write(thing, undefined);
    this.onDeed({ kind: 'ended', thing });
    return { status: 204 };
  }

  #refusal(
    collection: Collection,
    home: string | undefined,
    values: JsonObject,
    self: Thing | undefined,
  ): Answer | undefined {
    const key = keys[collection];
    if (collection === 'routes' && this.#known(values['siteId']) === undefined)
      return problem(422, 'siteId: no such site');
    if (key === undefined) return undefined;
    const holder = this.living(collection).find(
      (other) => other !== self && other.home === home && this.truth(other)?.[key] === values[key],
    );
    return holder === undefined ? undefined : problem(409, `${key}: "${String(values[key])}" already exists`);
  }

  #known(id: Json | undefined): JsonObject | undefined {
    const thing = typeof id === 'string' ? this.things.get(id) : undefined;
    return thing?.collection === 'sites' ? this.truth(thing) : undefined;
  }

  /** Always there, as long as its site is. */
  #policy(method: string, home: string, body: JsonObject | undefined): Answer {
    const id = `policy of ${home}`;
    let thing = this.things.get(id);
    if (thing === undefined) {
      thing = { id, collection: 'policy', home, history: [] };
      this.things.set(id, thing);
      thing.history.push({ values: { ...defaults.policy }, inLists: 0, alone: 0, glimpse: 0 });
    }
    const before = this.truth(thing) ?? {};
    if (method === 'PATCH') this.#write(thing, { ...before, ...known('policy', body) });
    if (method === 'PATCH') this.onDeed({ kind: 'changed', thing, before });
    if (method === 'GET') return { status: 200, body: { ...this.#seen(id, 'alone') } };
    return this.#told({ status: 200, body: { ...this.truth(thing) } });
  }

  #write(thing: Thing, values: JsonObject | undefined): void {
    const lag = (chance: Chance, way?: 'inLists' | 'alone'): number => {
      const mayBeLate = this.lagMs > 0 && (way ?? this.lateWay) === (this.lateWay ?? way);
      return mayBeLate && chance.happens(this.late) ? chance.between(1, this.lagMs) : 0;
    };
    const later = this.#decisions.of<
      Readonly<Record<'inLists' | 'alone', number>> & { readonly glimpse?: number; readonly wavers?: true }
    >(`${thing.id} shows its version ${String(thing.history.length)}`, { inLists: 0, alone: 0 }, (chance) => ({
      inLists: lag(chance, 'inLists'),
      alone: lag(chance, 'alone'),
      ...(chance.happens(this.glimpses) ? { glimpse: lag(chance) } : {}),
      ...(this.lagMs > 0 && chance.happens(waverOften) ? { wavers: true } : {}),
    }));
    const { now } = this.#time;
    this.#last = thing;
    const { inLists, alone, glimpse = 0, wavers } = later;
    const shows = { inLists: now + inLists, alone: now + alone, glimpse: now + glimpse };
    thing.history.push({ values, ...shows, ...(wavers === true ? { wavers } : {}) });
  }

  #seen(id: string, how: 'inLists' | 'alone'): JsonObject | undefined {
    const { now } = this.#time;
    const isShown = (version: Version): boolean =>
      version[how] <= now || now < version.glimpse || (version.wavers === true && this.#isItsTurn(id));
    return this.things.get(id)?.history.findLast(isShown)?.values;
  }

  #isItsTurn(id: string): boolean {
    const turn = this.#turns.get(id) ?? 0;
    this.#turns.set(id, turn + 1);
    return turn % 2 === 0;
  }

  #shown({ id, collection }: Thing, values: JsonObject, without: readonly string[] = []): JsonObject {
    const isTold = ([name, value]: [string, Json]): boolean =>
      !hidden.includes(name) &&
      !without.includes(name) &&
      (value !== null || !brief.has(collection)) &&
      (name !== 'revision' || !this.isUnrevised);
    const told = Object.entries(values)
      .filter(isTold)
      .map(([name, value]) => [name, name === 'door' ? withoutPin(value) : value]);
    return { id, ...Object.fromEntries(told) };
  }

  /** One of the boards of a site, as that shows it. */
  #board(home: string, how: 'inLists' | 'alone'): JsonObject {
    for (const thing of this.things.values()) {
      const values = thing.collection === 'boards' && thing.home === home ? this.#seen(thing.id, how) : undefined;
      if (values === undefined) continue;
      const { title = null, revision = null } = values;
      return { board: { id: thing.id, title, ...(this.isUnrevised ? {} : { revision }) } };
    }
    return {};
  }

  /** The sites, as one lists them that does not know all of them. */
  lacking(path: string, id: string): Answer {
    return this.#list('sites', undefined, new URL(path, 'http://service').searchParams, id);
  }

  /** What is said of a site that nobody knows, or of a place in it. */
  denied(): Answer {
    return denied('sites');
  }

  #list(collection: Collection, home: string | undefined, query: URLSearchParams, unknown?: string): Answer {
    const name = query.get('name');
    const all = [...this.things.values()]
      .filter((thing) => thing.collection === collection && thing.home === home && thing.id !== unknown)
      .flatMap((thing) => {
        const values = this.#seen(thing.id, 'inLists');
        return values === undefined || (name !== null && values['name'] !== name)
          ? []
          : [{ ...this.#shown(thing, values, unlisted), ...this.#board(thing.id, 'inLists') }];
      });
    const after = query.get('after');
    const [limit, number] = [Number(query.get('limit') ?? 2), query.get('page')];
    const slots = this.isRagged ? all.flatMap((item) => (isBehind(item) ? [undefined, item] : [item])) : all;
    const place = this.isByPosition ? Number(after) : slots.findIndex((item) => item?.['id'] === after) + 1;
    const from = number !== null ? (Number(number) - 1) * limit : after === null ? 0 : place;
    const page = slots.slice(from, from + limit);
    const items = page.filter((item) => item !== undefined);
    const hasMore = number === null && from + page.length < slots.length;
    const next = this.isByPosition ? String(from + page.length) : String(items.at(-1)?.['id']);
    return {
      status: 200,
      body: { items, ...(this.isUncounted ? {} : { total: all.length }), ...(hasMore ? { next } : {}) },
    };
  }

  /** A right answer with that lie in it. */
  wrongly({ path }: Request, lie: Exclude<Lie, { readonly list: string }>, right: Answer, chance: Chance): Answer {
    if (lie === 'denied by a machine between') return { status: 404 };
    const [first, , inner] = path.split('?')[0]?.split('/').slice(1) ?? [];
    if (lie === 'denied') return denied((inner ?? first) as Collection);
    if (!isObject(right.body ?? null)) return right;
    const { items = [], total = 0, ...rest } = right.body as { items?: JsonObject[]; total?: number };
    const counted = (many: number): JsonObject => (this.isUncounted ? {} : { total: many });
    if (lie === 'cut list') return { ...right, body: { items, ...counted(total) } };
    const lacking = items.toSpliced(items.length === 0 ? 0 : chance.between(0, items.length - 1), 1);
    return { ...right, body: { ...rest, items: lacking, ...counted(Math.max(0, total - 1)) } };
  }
}

/** Before it stands something that is not for everybody. */
function isBehind({ id = '' }: JsonObject): boolean {
  return /[258]$/.test(String(id));
}

/** Numbers, or texts that tell as much. */
function nextRevision(collection: Collection, before: Json = 0): Json {
  return collection === 'boards' ? `r${String(Number(String(before).replace('r', '')) + 1)}` : Number(before) + 1;
}

/** What nobody says in a record or a list is filled in, and what has no order gets one. */
function filled(values: JsonObject): JsonObject {
  const { look, rows, labels, door } = values;
  return {
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asKept(value)])),
    ...(isObject(look) ? { look: filledLook(look) } : {}),
    ...(isObject(door) ? { door: withoutNull(door) } : {}),
    ...(isList(rows) ? { rows: rows.map((row) => ({ width: 1, ...(row as JsonObject) })) } : {}),
    ...(isList(labels) ? { labels: [...new Set(labels.map(String))].sort().reverse() } : {}),
  };
}

function filledLook({ shade, ...look }: JsonObject): JsonObject {
  const behind = isObject(shade) ? { shade: { deep: 1, ...withoutNull(shade) } } : {};
  return { size: 10, ...withoutNull(look), ...behind };
}

function withoutNull(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

function known(collection: Collection, body: JsonObject | undefined): Record<string, Json> {
  return Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => fields[collection].includes(name)));
}

function problem(status: number, detail: string): Answer {
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: { status, title: 'Refused', detail },
  };
}

function denied(collection: Collection): Answer {
  if (collection === 'routes') return { status: 404, body: { error: 'no-such-route' } };
  return collection === 'pages' ? { status: 404 } : problem(404, 'there is no such object');
}
