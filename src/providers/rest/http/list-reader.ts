/** One page of a list. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** Items in the whole list, when the server says so. */
  readonly total?: number;
  /** It names another one. */
  readonly isFollowed?: boolean;
}

/** What is known after the first page. */
interface ListStart<T> {
  readonly items: readonly T[];
  /** Pages that are left to read. */
  readonly morePages: number;
}

export interface ListRequest<T> {
  /** Pages count from 1. */
  readonly fetchPage: (number: number) => Promise<ListPage<T>>;
  /** Tells items apart. */
  readonly keyOf: (item: T) => string;
  /** Says after the first page that the others need not be read. */
  readonly isEnough?: ((start: ListStart<T>) => boolean) | undefined;
}

export interface ReadList<T> {
  readonly items: readonly T[];
  /** True: these are all there are. False: the caller had enough, and what is not among them may exist. */
  readonly isComplete: boolean;
  /** Items in the whole list: counted, or as the first page said; 0 where the rest was not read and nothing says how many. */
  readonly total: number;
  /** Of one that the caller had enough of: reads on from there, and gives the whole. */
  readonly rest?: () => Promise<ReadList<T>>;
}

/** A list that did not add up, neither at first nor when it was read once more. */
export class UnsteadyList extends Error {
  /** `isMoving`: the service itself counts other numbers of items, so that others work on it meanwhile. */
  constructor(
    what: string,
    readonly isMoving = false,
  ) {
    super(what);
    this.name = 'UnsteadyList';
  }
}

/** Pages that are asked for side by side: few at first, since what the first page says of the others may be wrong. */
const window = { first: 8, most: 64 };
/** A list of more pages is taken for one without an end. */
const maxPages = 10_000;

/**
 * Reads a list to its end: as many items as the list says it has, none of them twice, and from every page something new.
 * When pages move meanwhile, it is read once more. Rejects with UnsteadyList when it does not add up then, either.
 */
export function readList<T>(request: ListRequest<T>): Promise<ReadList<T>> {
  return steady(request, readOnce(request));
}

function steady<T>(request: ListRequest<T>, begun: Promise<ReadList<T> | string>): Promise<ReadList<T>> {
  return begun.then((first) => (typeof first === 'string' ? readOnceMore(request, first) : first));
}

const moved = 'the number of its items changed while it was read';

async function readOnceMore<T>(request: ListRequest<T>, first: string): Promise<ReadList<T>> {
  const second = await readOnce(request);
  if (typeof second === 'string') throw new UnsteadyList(second, first === moved && second === moved);
  return second;
}

/** The list, or why it does not add up. */
async function readOnce<T>(request: ListRequest<T>): Promise<ReadList<T> | string> {
  const { fetchPage, keyOf, isEnough } = request;
  const start = await fetchPage(1);
  const list = new Gathering(start, keyOf);
  const { total } = start;
  if (list.wrong !== undefined) return list.wrong;
  // Most lists.
  if (list.isAll) return list.whole();
  if (isEnough?.({ items: start.items, morePages: list.pagesLeft() }) !== true)
    return await readRest(fetchPage, list, total);
  const rest = (): Promise<ReadList<T>> => steady({ fetchPage, keyOf }, readRest(fetchPage, list, total));
  return { items: start.items, isComplete: false, total: total ?? 0, rest };
}

/** All pages behind the first. */
async function readRest<T>(
  fetchPage: ListRequest<T>['fetchPage'],
  list: Gathering<T>,
  total: number | undefined,
): Promise<ReadList<T> | string> {
  let width = window.first;
  for (let next = 2; !list.isAll && list.wrong === undefined;) {
    if (next > maxPages) return `it has no end within ${maxPages} pages`;
    // Without a number of items only the page itself tells whether another one follows. None would go round for ever.
    const size = total === undefined ? 1 : Math.max(1, Math.min(width, list.pagesLeft()));
    const pages = await Promise.all(Array.from({ length: size }, (_, at) => fetchPage(next + at)));
    for (const page of pages) list.add(page);
    next += size;
    width = Math.min(window.most, width * 2);
  }
  return list.wrong ?? list.whole();
}

/** What came of a list so far. */
class Gathering<T> {
  /** Why it can't be the whole list; undefined as long as it can. */
  wrong: string | undefined;
  isAll = false;
  readonly #keyOf: (item: T) => string;
  readonly #total: number | undefined;
  readonly #pageSize: number;
  readonly #items: T[] = [];
  readonly #keys = new Set<string>();

  constructor(start: ListPage<T>, keyOf: (item: T) => string) {
    this.#keyOf = keyOf;
    this.#total = start.total;
    // As large as the first one came, whatever size was asked for or is said.
    this.#pageSize = Math.max(1, start.items.length);
    this.add(start);
  }

  whole(): ReadList<T> {
    return { items: this.#items, isComplete: true, total: this.#items.length };
  }

  pagesLeft(): number {
    return this.#total === undefined ? 1 : Math.ceil((this.#total - this.#keys.size) / this.#pageSize);
  }

  add({ items, total, isFollowed }: ListPage<T>): void {
    if (this.wrong !== undefined) return;
    const before = this.#keys.size;
    for (const item of items) {
      this.#items.push(item);
      this.#keys.add(this.#keyOf(item));
    }
    const { size } = this.#keys;
    if ((total === undefined) !== (this.#total === undefined))
      this.wrong = 'it changed whether it says a number of items';
    else if (total !== this.#total) this.wrong = moved;
    else if (size < before + items.length) this.wrong = 'an item stands in it twice';
    else if (total === undefined) this.isAll = items.length === 0 && isFollowed !== true;
    else if (size === total) this.isAll = true;
    else if (size > total || items.length === 0) this.wrong = `it says that it has ${total} items, and shows ${size}`;
  }
}
