import { loopback, type Loopback, type Reaction, type SeenRequest } from '../providers/http/loopback.js';

type Thing = Record<string, unknown>;
type Things = Map<string, Thing>;

const gone: Reaction = { status: 404 };
const size = 3;

/**
 * Readers and what they borrow: ids are whole numbers, bodies stand in an envelope, pages are led through by a header Link
 * (readers) or a member (loans), whose addresses name another host.
 */
export class LendingDesk {
  readonly #in: (collection: string) => Things;
  #elsewhere: Loopback | undefined;
  #last = 0;
  /** The id of what is made next, where that is not the one after the last. */
  #next: string | undefined;

  constructor(collections: (collection: string) => Things) {
    this.#in = collections;
  }

  /** The other host answers as the library does: who goes there notices nothing. */
  async open(react: (request: SeenRequest) => Reaction): Promise<void> {
    this.#elsewhere = await loopback(react);
  }

  async close(): Promise<void> {
    await this.#elsewhere?.close();
  }

  reset(): void {
    this.#elsewhere?.seen.splice(0);
    this.#next = undefined;
  }

  nextId(id: string): void {
    this.#next = id;
  }

  get strayed(): readonly string[] {
    return (this.#elsewhere?.seen ?? []).map(({ method, url }) => `${method} ${url}`);
  }

  react(method: string, parts: readonly string[], body: Thing | undefined, query: URLSearchParams): Reaction {
    const [, readerId, loans, loanId] = parts;
    if (parts.length > 4 || (loans !== undefined && loans !== 'loans')) return gone;
    if (readerId === undefined) return method === 'POST' ? this.#join(body) : this.#readers(query);
    const reader = this.#in('readers').get(readerId);
    if (reader === undefined) return gone;
    if (loans === undefined) return this.#reader(method, readerId, reader, body);
    if (loanId !== undefined) return this.#loan(method, loanId, readerId, body);
    return method === 'POST' ? this.#lend(readerId, body) : this.#loans(readerId, query);
  }

  #join(body: Thing | undefined): Reaction {
    const given = this.#given(body);
    if (typeof given?.['name'] !== 'string') return refused('name');
    return this.#made('readers', { guarantorId: null, friendIds: [], ...given });
  }

  #reader(method: string, id: string, reader: Thing, body: Thing | undefined): Reaction {
    if (method === 'DELETE') {
      for (const [loan, { readerId }] of this.#in('loans')) if (String(readerId) === id) this.#in('loans').delete(loan);
      this.#in('readers').delete(id);
      return { status: 204 };
    }
    return this.#shown(method, reader, body);
  }

  #lend(readerId: string, body: Thing | undefined): Reaction {
    const given = this.#given(body);
    if (typeof given?.['title'] !== 'string') return refused('title');
    return this.#made('loans', { readerId: Number(readerId), weeks: 4, ...given });
  }

  #loan(method: string, id: string, readerId: string, body: Thing | undefined): Reaction {
    const loan = this.#in('loans').get(id);
    if (loan === undefined || String(loan['readerId']) !== readerId) return gone;
    if (method !== 'DELETE') return this.#shown(method, loan, body);
    this.#in('loans').delete(id);
    return { status: 204 };
  }

  #shown(method: string, thing: Thing, body: Thing | undefined): Reaction {
    const given = method === 'PATCH' ? this.#given(body) : {};
    if (given === undefined) return refused('result');
    Object.assign(thing, given);
    return written(200, { result: thing });
  }

  /** What is in the envelope; nothing where there is none, or an id in it is no whole number. */
  #given(body: Thing | undefined): Thing | undefined {
    const given = body?.['result'] as Thing | undefined;
    const ids = [given?.['guarantorId'] ?? 0, given?.['friendIds'] ?? []].flat();
    return ids.every((id) => Number.isSafeInteger(id)) ? given : undefined;
  }

  #made(collection: string, rest: Thing): Reaction {
    const id = this.#next ?? String(++this.#last);
    this.#next = undefined;
    const thing = { ...rest, id: Number.isSafeInteger(Number(id)) ? Number(id) : `${exact}${id}` };
    this.#in(collection).set(id, thing);
    return written(201, { result: thing });
  }

  #readers(query: URLSearchParams): Reaction {
    const [items, next] = this.#page('/readers', [...this.#in('readers').values()], query);
    const first = `<${this.#address('/readers', 0)}>; rel="first"`;
    return written(200, { items }, { link: next === undefined ? first : `${first}, <${next}>; rel="next"` });
  }

  #loans(readerId: string, query: URLSearchParams): Reaction {
    const all = [...this.#in('loans').values()].filter((loan) => String(loan['readerId']) === readerId);
    const [items, next] = this.#page(`/readers/${readerId}/loans`, all, query);
    return written(200, { items, links: next === undefined ? {} : { next } });
  }

  #page(path: string, all: readonly Thing[], query: URLSearchParams): readonly [readonly Thing[], string | undefined] {
    const from = Number(query.get('from') ?? 0);
    return [all.slice(from, from + size), from + size < all.length ? this.#address(path, from + size) : undefined];
  }

  #address(path: string, from: number): string {
    return `${this.#elsewhere?.origin ?? ''}${path}?from=${from}`;
  }
}

const refused = (error: string): Reaction => ({ status: 422, json: { error } });

/** Before a number that JavaScript has no exact one for. */
const exact = 'exactly ';

function written(status: number, json: Thing, headers: Record<string, string> = {}): Reaction {
  const text = JSON.stringify(json).replace(new RegExp(`"${exact}(\\d+)"`, 'g'), '$1');
  return { status, headers: { 'content-type': 'application/json', ...headers }, text };
}
