import { loopback, type Loopback, type Reaction, type SeenRequest } from '../providers/http/loopback.js';
import type { ConformanceService } from '@platform-sync/kit/conformance-row';
import { LendingDesk } from './library-desk.js';

type Thing = Record<string, unknown>;
type Body = Thing | undefined;

/**
 * A service as unlike the platform as REST allows: camelCase names, objects in an envelope, ids that clients choose, PUT in
 * place of POST and PATCH, cursors, offsets and bare lists, errors of one word, a 404 without a body.
 */
export class LibraryService implements ConformanceService {
  readonly env: Record<string, string | undefined> = {};
  /** By collection, then by id. */
  readonly things = new Map<string, Map<string, Thing>>();
  /** `PATCH /libraries/…` of every request since the last reset. */
  readonly calls: string[] = [];
  readonly bodies: (Thing | undefined)[] = [];
  readonly #desk = new LendingDesk((collection) => this.#in(collection));
  #server: Loopback | undefined;
  #made = 0;

  static async start(): Promise<LibraryService> {
    const service = new LibraryService();
    service.#server = await loopback((request) => service.#react(request));
    await service.#desk.open((request) => service.#react(request));
    service.env['LIBRARY_URL'] = service.#server.origin;
    service.env['LIBRARY_KEY'] = 'a-key-for-the-library';
    return service;
  }

  async close(): Promise<void> {
    await Promise.all([this.#server?.close(), this.#desk.close()]);
  }

  reset(): Promise<void> {
    this.things.clear();
    this.calls.length = 0;
    this.bodies.length = 0;
    this.#desk.reset();
    return Promise.resolve();
  }

  stored(collection: string, id: string): ReturnType<ConformanceService['stored']> {
    return Promise.resolve(this.#in(collection).get(id) as Awaited<ReturnType<ConformanceService['stored']>>);
  }

  edit(collection: string, id: string, changes: Thing): Promise<void> {
    const thing = this.#in(collection).get(id);
    if (thing === undefined) throw new Error(`there is no ${collection} ${id}`);
    this.#change(thing, changes);
    return Promise.resolve();
  }

  remove(collection: string, id: string): Promise<void> {
    this.#in(collection).delete(id);
    return Promise.resolve();
  }

  nextId(_collection: string, id: string): Promise<void> {
    this.#desk.nextId(id);
    return Promise.resolve();
  }

  elsewhere(): readonly string[] {
    return this.#desk.strayed;
  }

  readonly memberOf = (field: string): string => field;

  #in(collection: string): Map<string, Thing> {
    const found = this.things.get(collection) ?? new Map<string, Thing>();
    this.things.set(collection, found);
    return found;
  }

  #change(thing: Thing, changes: Thing): Thing {
    Object.assign(thing, changes, { revision: Number(thing['revision'] ?? 0) + 1 });
    return thing;
  }

  #react({ method, url, headers, body: text }: SeenRequest): Reaction {
    const { pathname, searchParams: query } = new URL(url, 'http://library');
    const parts = pathname.split('/').slice(1).map(decodeURIComponent);
    const body = text === '' ? undefined : (JSON.parse(text) as Thing);
    this.calls.push(`${method} ${decodeURIComponent(url)}`);
    this.bodies.push(body);
    if (headers['x-key'] !== this.env['LIBRARY_KEY']) return { status: 401, json: { error: 'key' } };
    const [first, library = '', second, code = '', third] = parts;
    if (first === 'shelves') return this.#offset(query);
    if (first === 'readers') return this.#desk.react(method, parts, body, query);
    if (first === 'rules' && parts.length === 2 && library === 'charter') return this.#charter(method, body);
    if (first !== 'libraries') return gone;
    if (parts.length === 1) return method === 'POST' ? this.#build(body) : this.#cursor(query);
    const home = this.#in('libraries').get(library);
    if (home === undefined) return gone;
    if (parts.length === 2) return this.#library(method, home, body);
    if (second === 'hours' && parts.length === 3) return this.#hours(method, library, body);
    if (second === 'members' && parts.length <= 4) return this.#members(method, library, parts[3], body, query);
    if (second !== 'shelves') return gone;
    if (parts.length === 4) return this.#shelf(method, library, code, body, query.get('burn'));
    if (third !== 'books' || parts.length > 6 || !this.#in('shelves').has(code)) return gone;
    return this.#books(method, { libraryId: library, code }, parts[5], body);
  }

  #build(body: Body): Reaction {
    if (typeof body?.['name'] !== 'string') return { status: 422, json: { error: 'name' } };
    const id = `lib-${++this.#made}`;
    const thing = { id, motto: null, ...body, status: 'opening', revision: 1 };
    this.#in('libraries').set(id, thing);
    return { status: 201, json: { result: thing } };
  }

  #library(method: string, thing: Thing, body: Body): Reaction {
    if (method === 'PUT') this.#change(thing, { motto: null, ...body });
    if (method === 'DELETE') {
      this.#in('libraries').delete(String(thing['id']));
      for (const other of ['shelves', 'books', 'members', 'hours'])
        for (const [id, { libraryId }] of this.#in(other)) if (libraryId === thing['id']) this.#in(other).delete(id);
      return { status: 204 };
    }
    if (method === 'GET') thing['status'] = 'open';
    return { status: 200, json: { result: thing } };
  }

  /** Three at a time, and each page names the next by an address. */
  #cursor(query: URLSearchParams): Reaction {
    const all = [...this.#in('libraries').values()];
    const at = all.findIndex(({ id }) => id === query.get('after')) + 1;
    const items = all.slice(at, at + 3);
    const last = items.at(-1)?.['id'];
    const next = at + 3 < all.length ? { next: `/libraries?after=${String(last)}` } : {};
    return { status: 200, json: { items, ...next } };
  }

  /** Four at a time, of all libraries, with a number of all of them. */
  #offset(query: URLSearchParams): Reaction {
    const all = [...this.#in('shelves').values()].map(({ lockCode: _, note: _note, ...shown }) => shown);
    const at = Number(query.get('skip') ?? 0);
    return { status: 200, json: { items: all.slice(at, at + 4), count: all.length } };
  }

  /** PUT forgets what it does not hear of. A shelf with books on it goes only with them, in a fire. */
  #shelf(method: string, libraryId: string, code: string, body: Body, burn: string | null): Reaction {
    const shelves = this.#in('shelves');
    const known = shelves.get(code);
    if (method === 'PUT') {
      if (body?.['lockCode'] === undefined && known === undefined) return { status: 422, json: { error: 'lockCode' } };
      const whole = { topic: 'general', note: null, keeper: null, lockCode: null, ...body };
      const revision = Number(known?.['revision'] ?? 0) + 1;
      shelves.set(code, { ...whole, libraryId, code, revision });
    } else if (known === undefined) return gone;
    if (method === 'DELETE') {
      const books = [...this.#in('books')].filter(([, { code: on }]) => on === code);
      if (books.length > 0 && burn !== 'true') return { status: 409, json: { error: 'there are books on it' } };
      for (const [id] of books) this.#in('books').delete(id);
      shelves.delete(code);
      return { status: 204 };
    }
    const { lockCode: _, ...shown } = shelves.get(code) ?? {};
    // An answer does not repeat where the object is.
    const { libraryId: _library, code: _code, ...rest } = shown;
    return { status: 200, json: { result: rest } };
  }

  #books(method: string, place: Thing, id: string | undefined, body: Body): Reaction {
    const books = this.#in('books');
    if (id === undefined && method === 'GET') {
      const here = [...books.values()].filter(({ code }) => code === place['code']);
      return { status: 200, json: here.map(({ summary: _, ...listed }) => listed) };
    }
    if (id === undefined) {
      if (tooManyTags(body)) return { status: 422, json: { error: 'tags' } };
      const made = { id: `book-${++this.#made}`, summary: '', tags: {}, ...place, ...body, revision: 1 };
      books.set(made.id, made);
      return { status: 201, json: { result: made } };
    }
    const known = books.get(id);
    if (known === undefined) return gone;
    if (method === 'DELETE') {
      books.delete(id);
      return { status: 204 };
    }
    if (method === 'PATCH') {
      if (tooManyTags(body)) return { status: 422, json: { error: 'tags' } };
      const tags = { ...(known['tags'] as Thing), ...(body?.['tags'] as Thing | undefined) };
      const left = Object.fromEntries(Object.entries(tags).filter(([, value]) => value !== null));
      this.#change(known, { ...body, tags: left });
      if (known['summary'] === null) known['summary'] = '';
    }
    return { status: 200, json: { result: known } };
  }

  /** Always there, and only once. */
  #charter(method: string, body: Body): Reaction {
    const charters = this.#in('charters');
    const known = { text: 'Be quiet.', fine: null, ...(method === 'PUT' ? body : charters.get('charter')) };
    charters.set('charter', known);
    return { status: 200, json: { result: known } };
  }

  /** Always there, with a default. */
  #hours(method: string, libraryId: string, body: Body): Reaction {
    const hours = this.#in('hours');
    const known = hours.get(libraryId) ?? { libraryId, opens: 9, closes: 17 };
    hours.set(libraryId, known);
    if (method === 'PATCH') Object.assign(known, body);
    return { status: 200, json: { result: { opens: known['opens'], closes: known['closes'] } } };
  }

  /** No call for one of them; pages of two, numbered from 0, that don't say how many there are. */
  #members(method: string, libraryId: string, id: string | undefined, body: Body, query: URLSearchParams): Reaction {
    const members = this.#in('members');
    if (method === 'POST') {
      const made = { id: `member-${++this.#made}`, libraryId, ...body };
      members.set(made.id, made);
      return { status: 201, json: { result: made } };
    }
    if (method === 'DELETE') return members.delete(id ?? '') ? { status: 204 } : gone;
    if (id !== undefined) return gone;
    const here = [...members.values()].filter((member) => member['libraryId'] === libraryId);
    const at = Number(query.get('page') ?? 0) * 2;
    return { status: 200, json: { items: here.slice(at, at + 2) } };
  }
}

const gone: Reaction = { status: 404 };

function tooManyTags(body: Body): boolean {
  return Object.keys((body?.['tags'] ?? {}) as Thing).length > 4;
}
