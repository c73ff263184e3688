import type { Value } from '@platform-sync/state/sql';
import { Constraint, type Cell, type Column, type Row, type Table } from './tables.js';

/** Carries a statement out; `write` changes one row, or takes it away. */
export type Statement = (
  values: readonly Value[],
  write: (table: Table, key: string, row: Row | undefined) => void,
) => { readonly rows: readonly Row[]; readonly changed: number };

/** The rows that an expression is about, one of each source, and those of the statement around it. */
interface Scope {
  readonly values: readonly Value[];
  readonly rows: readonly Row[];
  readonly around?: Scope;
}

type Expression = (scope: Scope) => Cell;

/** Where rows come from: a table, or the items of a list. */
interface Source {
  readonly name: string;
  readonly columns: ReadonlySet<string>;
  readonly all: (scope: Scope) => Iterable<Row>;
}

/** What a statement that reads gives: its cells, row by row. */
interface Select {
  readonly names: readonly string[];
  readonly from: (scope: Scope) => readonly (readonly Cell[])[];
}

interface Item {
  readonly name: string;
  readonly of: Expression;
}

/** What the program's statements are written in, as SQLite reads it; any other text is an error. */
export function statementOf(text: string, tables: Map<string, Table>): Statement {
  return new Reader(text, tables).statement();
}

const words = /\s*(?:([A-Za-z_]\w*)|(\d+)|'((?:[^']|'')*)'|(->>|<=|>=|!=|<>|\|\||[?(),.*=<>+-]))/y;

interface Word {
  readonly kind: 'name' | 'number' | 'text' | 'sign';
  readonly text: string;
}

const kinds = ['name', 'number', 'text', 'sign'] as const;

function wordsOf(text: string): readonly Word[] {
  const found: Word[] = [];
  words.lastIndex = 0;
  const trimmed = text.trimEnd();
  while (words.lastIndex < trimmed.length) {
    const at = words.lastIndex;
    const match = words.exec(trimmed);
    if (match === null) throw new Error(`no statement that is known: ${trimmed.slice(at)}`);
    const nth = match.slice(1).findIndex((part) => part !== undefined);
    found.push({ kind: kinds[nth] ?? 'sign', text: match[nth + 1] ?? '' });
  }
  return found;
}

class Reader {
  readonly #words: readonly Word[];
  readonly #tables: Map<string, Table>;
  #at = 0;
  #values = 0;
  #tablesRead = 0;
  /** Of each statement around this place. */
  readonly #sources: Source[][] = [];

  constructor(text: string, tables: Map<string, Table>) {
    this.#words = wordsOf(text);
    this.#tables = tables;
  }

  statement(): Statement {
    const made = this.#statement();
    if (this.#at < this.#words.length) throw new Error(`no statement that is known, from ${this.#rest()}`);
    return made;
  }

  #statement(): Statement {
    if (this.#is('select')) {
      const select = this.#select();
      return (values) => {
        const { names, from } = select;
        return { rows: from({ values, rows: [] }).map((cells) => named(names, cells)), changed: 0 };
      };
    }
    if (this.#took('insert')) return this.#insert();
    if (this.#took('update')) return this.#update();
    if (this.#took('delete')) return this.#delete();
    if (this.#took('create')) return this.#create();
    this.#must('alter');
    return this.#alter();
  }

  // Words.

  #rest(): string {
    return this.#words
      .slice(this.#at)
      .map(({ text }) => text)
      .join(' ');
  }

  #is(text: string, ahead = 0): boolean {
    const word = this.#words[this.#at + ahead];
    return word !== undefined && word.kind !== 'text' && word.text === text;
  }

  #took(...texts: readonly string[]): boolean {
    if (!texts.every((text, ahead) => this.#is(text, ahead))) return false;
    this.#at += texts.length;
    return true;
  }

  #must(...texts: readonly string[]): void {
    for (const text of texts) if (!this.#took(text)) throw new Error(`no "${text}" before ${this.#rest()}`);
  }

  #name(): string {
    const word = this.#words[this.#at];
    if (word?.kind !== 'name') throw new Error(`no name before ${this.#rest()}`);
    this.#at += 1;
    return word.text;
  }

  #listOf<T>(one: () => T): readonly T[] {
    const all = [one()];
    while (this.#took(',')) all.push(one());
    return all;
  }

  #inBrackets<T>(one: () => T): T {
    this.#must('(');
    const found = one();
    this.#must(')');
    return found;
  }

  #names(): readonly string[] {
    return this.#inBrackets(() => this.#listOf(() => this.#name()));
  }

  #table(): Table {
    const name = this.#name();
    this.#tablesRead += 1;
    const table = this.#tables.get(name);
    if (table === undefined) throw new Error(`no such table: ${name}`);
    return table;
  }

  // Tables.

  #create(): Statement {
    if (this.#took('index')) {
      this.#at = this.#words.length;
      return done;
    }
    this.#must('table');
    const ifNone = this.#took('if', 'not', 'exists');
    const table: Table = { name: this.#name(), columns: new Map(), key: [], rows: new Map() };
    this.#inBrackets(() =>
      this.#listOf(() => {
        if (this.#took('constraint')) {
          this.#name();
          this.#must('primary', 'key');
          table.key = this.#names();
        } else {
          const name = this.#name();
          table.columns.set(name, this.#column());
          if (this.#took('primary', 'key')) table.key = [name];
        }
      }),
    );
    return () => {
      if (!ifNone || !this.#tables.has(table.name)) this.#tables.set(table.name, { ...table, rows: new Map() });
      return nothing;
    };
  }

  #column(): Column {
    const isWhole = this.#name() !== 'text';
    const usual = this.#took('default') ? this.#constant() : null;
    return { isWhole, usual, isNeeded: this.#took('not', 'null') };
  }

  #constant(): Cell {
    return this.#first()({ values: [], rows: [] });
  }

  #alter(): Statement {
    this.#must('table');
    const table = this.#table();
    if (this.#took('rename', 'column')) {
      const from = this.#name();
      this.#must('to');
      const to = this.#name();
      return () => {
        const columns = [...table.columns].map(([name, column]) => [name === from ? to : name, column] as const);
        table.columns.clear();
        for (const [name, column] of columns) table.columns.set(name, column);
        for (const [key, { [from]: cell = null, ...row }] of table.rows) table.rows.set(key, { ...row, [to]: cell });
        return nothing;
      };
    }
    this.#must('add', 'column');
    const [name, column] = [this.#name(), this.#column()];
    return () => {
      table.columns.set(name, column);
      for (const [key, row] of table.rows) table.rows.set(key, { ...row, [name]: column.usual });
      return nothing;
    };
  }

  // What changes rows.

  #insert(): Statement {
    this.#must('into');
    const table = this.#table();
    const columns = this.#names();
    const given = this.#took('values')
      ? this.#listOf(() => this.#inBrackets(() => this.#listOf(() => this.#expression())))
      : undefined;
    const select = given === undefined ? this.#select() : undefined;
    const isKept = this.#took('on', 'conflict');
    if (isKept && this.#is('(')) this.#names();
    if (isKept) this.#must('do');
    const change = isKept && !this.#took('nothing') ? this.#changed(table) : undefined;
    const returned = this.#returning(table);
    return (values, write) => {
      const scope: Scope = { values, rows: [] };
      const cells =
        select === undefined ? (given ?? []).map((row) => row.map((cell) => cell(scope))) : select.from(scope);
      const changed: Row[] = [];
      for (const row of cells) {
        const made = rowOf(table, new Map(columns.map((name, nth) => [name, row[nth] ?? null])));
        const key = keyOf(table, made);
        const there = table.rows.get(key);
        if (there !== undefined && !isKept) throw new Constraint(`UNIQUE constraint failed: ${table.name}`);
        const next = there === undefined ? made : change?.({ values, rows: [there, made] });
        if (next === undefined) continue;
        write(table, key, next);
        changed.push(next);
      }
      return { rows: returned(values, changed), changed: changed.length };
    };
  }

  /** What becomes of a row that is there, before the one that was to come; undefined: nothing. */
  #changed(table: Table): (scope: Scope) => Row | undefined {
    this.#must('update', 'set');
    return this.#amid([sourceOf(table), { ...sourceOf(table), name: 'excluded' }], () => {
      const set = this.#assignments();
      const where = this.#where();
      return (scope) => (isTrue(where(scope)) ? withAll(table, scope.rows[0] ?? {}, set, scope) : undefined);
    });
  }

  #update(): Statement {
    const table = this.#table();
    this.#must('set');
    return this.#amid([sourceOf(table)], () => {
      const set = this.#assignments();
      const where = this.#where();
      const returned = this.#returning(table);
      return (values, write) => {
        const changed: Row[] = [];
        for (const [key, row] of [...table.rows]) {
          const scope: Scope = { values, rows: [row] };
          if (!isTrue(where(scope))) continue;
          const next = withAll(table, row, set, scope);
          write(table, key, next);
          changed.push(next);
        }
        return { rows: returned(values, changed), changed: changed.length };
      };
    });
  }

  #delete(): Statement {
    this.#must('from');
    const table = this.#table();
    return this.#amid([sourceOf(table)], () => {
      const where = this.#where();
      return (values, write) => {
        let changed = 0;
        for (const [key, row] of [...table.rows]) {
          if (!isTrue(where({ values, rows: [row] }))) continue;
          write(table, key, undefined);
          changed += 1;
        }
        return { rows: [], changed };
      };
    });
  }

  #assignments(): readonly Item[] {
    return this.#listOf(() => {
      const name = this.#name();
      this.#must('=');
      return { name, of: this.#expression() };
    });
  }

  #where(): Expression {
    return this.#took('where') ? this.#expression() : () => 1;
  }

  #returning(table: Table): (values: readonly Value[], rows: readonly Row[]) => readonly Row[] {
    if (!this.#took('returning')) return () => [];
    const items = this.#amid([sourceOf(table)], () => this.#items());
    const names = items.map(({ name }) => name);
    return (values, rows) =>
      rows.map((row) => {
        const scope: Scope = { values, rows: [row] };
        return named(
          names,
          items.map(({ of }) => of(scope)),
        );
      });
  }

  // What reads rows.

  #select(): Select {
    this.#must('select');
    const isDistinct = this.#took('distinct');
    const asked = this.#at;
    // Its sources stand behind what is asked of them.
    const given = this.#values;
    this.#skipTo('from');
    const inItems = this.#values - given;
    const sources = this.#took('from') ? this.#from() : [];
    const end = this.#at;
    return this.#amid(
      sources.map(({ source }) => source),
      () => {
        const behind = this.#values;
        [this.#at, this.#values] = [asked, given];
        const isCount = this.#is('count') && this.#is('(', 1);
        const items = isCount ? this.#counted() : this.#items();
        if (this.#values !== given + inItems) throw new Error('values were counted wrongly');
        [this.#at, this.#values] = [end, behind];
        const joined = sources.flatMap(({ on }) => on ?? []);
        const where = this.#where();
        const order = this.#took('order', 'by') ? this.#listOf(() => this.#ordered()) : [];
        const limit = this.#took('limit') ? this.#expression() : undefined;
        const wanted = [...joined, where];
        const isWanted = (found: Scope): boolean => wanted.every((on) => isTrue(on(found)));
        const from = (scope: Scope): readonly (readonly Cell[])[] => {
          const most = limit === undefined ? Infinity : Number(limit(scope));
          const seen = new Set<string>();
          const found: (readonly Cell[])[] = [];
          const rows = crossed(sources, scope, isWanted);
          for (const each of order.length === 0 ? rows : sorted(rows, order)) {
            if (found.length >= most) break;
            const row = items.map(({ of }) => of(each));
            if (isDistinct) {
              const key = JSON.stringify(row);
              if (seen.has(key)) continue;
              seen.add(key);
            }
            found.push(row);
          }
          return found;
        };
        const names = items.map(({ name }) => name);
        return { names, from: isCount ? (scope) => [[from(scope).length]] : from };
      },
    );
  }

  /** Passes over what stands before that word, in this statement itself. */
  #skipTo(text: string): void {
    for (let depth = 0; this.#at < this.#words.length; this.#at += 1) {
      if (depth === 0 && this.#is(text)) return;
      if (this.#is(')') && depth === 0) return;
      if (this.#is('(')) depth += 1;
      if (this.#is(')')) depth -= 1;
      if (this.#is('?')) this.#values += 1;
    }
  }

  #from(): readonly { readonly source: Source; readonly on?: Expression }[] {
    const first = this.#source();
    const found: { readonly source: Source; readonly on?: Expression }[] = [{ source: first }];
    while (this.#took('join')) {
      const source = this.#source();
      this.#must('on');
      const all = [...found.map((each) => each.source), source];
      found.push({ source, on: this.#amid(all, () => this.#expression()) });
    }
    return found;
  }

  #source(): Source {
    if (this.#took('json_each')) {
      const list = this.#inBrackets(() => this.#expression());
      return {
        name: 'json_each',
        columns: new Set(['value']),
        all: (scope) => (JSON.parse(String(list(scope))) as readonly Cell[]).map((value) => ({ value })),
      };
    }
    const source = sourceOf(this.#table());
    const next = this.#words[this.#at];
    const isNamed = next?.kind === 'name' && !['where', 'join', 'on', 'order', 'limit'].includes(next.text);
    return isNamed ? { ...source, name: this.#name() } : source;
  }

  #amid<T>(sources: readonly Source[], work: () => T): T {
    this.#sources.push([...sources]);
    try {
      return work();
    } finally {
      this.#sources.pop();
    }
  }

  #items(): readonly Item[] {
    return this.#listOf(() => {
      if (this.#took('*')) return this.#sources.at(-1)?.flatMap(({ columns }, nth) => itemsOf(columns, nth)) ?? [];
      const word = this.#words.slice(this.#at, this.#at + 3).map(({ text }) => text);
      const of = this.#expression();
      const name = this.#took('as') ? this.#name() : ((word[1] === '.' ? word[2] : word[0]) ?? '');
      return [{ name, of }];
    }).flat();
  }

  /** How many rows there are, and nothing else. */
  #counted(): readonly Item[] {
    this.#must('count', '(', '*', ')', 'as');
    return [{ name: this.#name(), of: () => 1 }];
  }

  #ordered(): { readonly of: Expression; readonly isDown: boolean } {
    const of = this.#expression();
    const isDown = this.#took('desc');
    if (!isDown) this.#took('asc');
    return { of, isDown };
  }

  // Expressions, from what binds least.

  #expression(): Expression {
    const all = [this.#all()];
    while (this.#took('or')) all.push(this.#all());
    const [only] = all;
    if (all.length === 1 && only !== undefined) return only;
    return (scope) => {
      let found: Cell = 0;
      for (const one of all) {
        const cell = one(scope);
        if (isTrue(cell)) return 1;
        if (cell === null) found = null;
      }
      return found;
    };
  }

  #all(): Expression {
    const all = [this.#denied()];
    while (this.#took('and')) all.push(this.#denied());
    const [only] = all;
    if (all.length === 1 && only !== undefined) return only;
    return (scope) => {
      let found: Cell = 1;
      for (const one of all) {
        const cell = one(scope);
        if (cell === null) found = null;
        else if (!isTrue(cell)) return 0;
      }
      return found;
    };
  }

  #denied(): Expression {
    if (!this.#took('not')) return this.#compared();
    const one = this.#denied();
    return (scope) => {
      const cell = one(scope);
      return cell === null ? null : Number(!isTrue(cell));
    };
  }

  #compared(): Expression {
    const one = this.#sum();
    if (this.#took('is')) {
      const isNot = this.#took('not');
      this.#must('null');
      return (scope) => Number((one(scope) === null) !== isNot);
    }
    const isOut = this.#took('not', 'in');
    if (isOut || this.#took('in')) return this.#among(one, isOut);
    for (const [sign, holds] of Object.entries(comparisons))
      if (this.#took(sign)) {
        const other = this.#sum();
        return (scope) => {
          const order = ordered(one(scope), other(scope));
          return order === null ? null : Number(holds(order));
        };
      }
    return one;
  }

  #among(one: Expression, isOut: boolean): Expression {
    const read = this.#tablesRead;
    const all = this.#inBrackets((): ((scope: Scope) => Iterable<Cell>) => {
      if (!this.#is('select')) {
        const given = this.#listOf(() => this.#expression());
        return (scope) => given.map((each) => each(scope));
      }
      const select = this.#select();
      return (scope) => select.from(below(scope)).map(([cell = null]) => cell);
    });
    if (this.#tablesRead > read) return (scope) => Number([...all(scope)].includes(one(scope)) !== isOut);
    // A list of the statement's own is made once for all its rows.
    const made = new WeakMap<readonly Value[], ReadonlySet<Cell>>();
    return (scope) => {
      const cell = one(scope);
      if (cell === null) return null;
      const known = made.get(scope.values) ?? new Set(all(scope));
      made.set(scope.values, known);
      return Number(known.has(cell) !== isOut);
    };
  }

  #sum(): Expression {
    const one = this.#part();
    for (const [sign, work] of Object.entries(sums))
      if (this.#took(sign)) {
        const other = this.#sum();
        return (scope) => {
          const [left, right] = [one(scope), other(scope)];
          return left === null || right === null ? null : work(left, right);
        };
      }
    return one;
  }

  #part(): Expression {
    const one = this.#first();
    if (!this.#took('->>')) return one;
    const at = this.#first();
    return (scope) => {
      const list = one(scope);
      const item = Array.isArray(list) ? (list as readonly unknown[])[Number(at(scope))] : undefined;
      if (item === undefined || item === null) return null;
      return typeof item === 'object'
        ? JSON.stringify(item)
        : typeof item === 'boolean'
          ? Number(item)
          : (item as Cell);
    };
  }

  #first(): Expression {
    const word = this.#words[this.#at];
    if (word === undefined) throw new Error('a statement ends too soon');
    if (word.kind === 'number' || word.kind === 'text') {
      this.#at += 1;
      const cell = word.kind === 'number' ? Number(word.text) : word.text.replaceAll("''", "'");
      return () => cell;
    }
    if (this.#took('?')) {
      const nth = this.#values;
      this.#values += 1;
      return ({ values }) => values[nth] ?? null;
    }
    if (this.#is('(')) return this.#bracketed();
    if (this.#took('null')) return () => null;
    if (this.#took('true')) return () => 1;
    if (this.#took('exists')) {
      const select = this.#inBrackets(() => this.#select());
      return (scope) => Number(select.from(below(scope)).length > 0);
    }
    if (this.#took('case')) return this.#case();
    if (this.#took('cast')) return this.#cast();
    if (this.#is('(', 1)) return this.#call();
    return this.#columnOf();
  }

  #bracketed(): Expression {
    return this.#inBrackets(() => {
      if (this.#is('select')) {
        const select = this.#select();
        return (scope) => select.from(below(scope))[0]?.[0] ?? null;
      }
      const all = this.#listOf(() => this.#expression());
      const [only] = all;
      return all.length === 1 && only !== undefined ? only : (scope) => all.map((each) => each(scope));
    });
  }

  #case(): Expression {
    this.#must('when');
    const when = this.#expression();
    this.#must('then');
    const then = this.#expression();
    this.#must('else');
    const or = this.#expression();
    this.#must('end');
    return (scope) => (isTrue(when(scope)) ? then(scope) : or(scope));
  }

  #cast(): Expression {
    return this.#inBrackets(() => {
      const one = this.#expression();
      this.#must('as');
      const isWhole = this.#name() !== 'text';
      return (scope) => {
        const cell = one(scope);
        return cell === null ? null : isWhole ? Number(cell) : String(cell);
      };
    });
  }

  #call(): Expression {
    const work = calls[this.#name()];
    const given = this.#inBrackets(() => this.#listOf(() => this.#expression()));
    if (work === undefined) throw new Error(`no such call before ${this.#rest()}`);
    return (scope) => work(given.map((each) => each(scope)));
  }

  #columnOf(): Expression {
    const word = this.#name();
    const of = this.#took('.') ? word : undefined;
    const name = of === undefined ? word : this.#name();
    for (let above = 0; above < this.#sources.length; above += 1) {
      const sources = this.#sources.at(-1 - above) ?? [];
      const nth = sources.findIndex((each) => (of === undefined || each.name === of) && each.columns.has(name));
      if (nth === -1) continue;
      if (above === 0) return ({ rows }) => rows[nth]?.[name] ?? null;
      return (scope) => {
        let found: Scope | undefined = scope;
        for (let left = above; left > 0; left -= 1) found = found?.around;
        return found?.rows[nth]?.[name] ?? null;
      };
    }
    throw new Error(`no such column: ${of === undefined ? '' : `${of}.`}${name}`);
  }
}

const nothing = { rows: [], changed: 0 };
const done: Statement = () => nothing;

function sourceOf({ name, columns, rows }: Table): Source {
  return { name, columns: new Set(columns.keys()), all: () => rows.values() };
}

function itemsOf(columns: Iterable<string>, nth: number): readonly Item[] {
  return [...columns].map((name) => ({ name, of: ({ rows }) => rows[nth]?.[name] ?? null }));
}

function named(names: readonly string[], cells: readonly Cell[]): Row {
  const row: Record<string, Cell> = {};
  for (let nth = 0; nth < names.length; nth += 1) row[names[nth] ?? ''] = cells[nth] ?? null;
  return row;
}

/** As a statement inside of another one sees it. */
function below(scope: Scope): Scope {
  return { values: scope.values, rows: [], around: scope };
}

function rowOf({ name: table, columns }: Table, given: ReadonlyMap<string, Cell>): Row {
  const row: Record<string, Cell> = {};
  for (const [name, column] of columns) {
    const cell = kept(column, given.has(name) ? (given.get(name) ?? null) : column.usual);
    if (cell === null && column.isNeeded) throw new Constraint(`NOT NULL constraint failed: ${table}.${name}`);
    row[name] = cell;
  }
  return row;
}

function withAll({ name: table, columns }: Table, row: Row, set: readonly Item[], scope: Scope): Row {
  const next: Record<string, Cell> = { ...row };
  for (const { name, of } of set) {
    const column = columns.get(name);
    if (column === undefined) throw new Error(`no such column: ${name}`);
    next[name] = kept(column, of(scope));
    if (next[name] === null && column.isNeeded) throw new Constraint(`NOT NULL constraint failed: ${table}.${name}`);
  }
  return next;
}

/** A column makes of a value what it is to be, where that goes. */
function kept({ isWhole }: Column, cell: Cell): Cell {
  if (cell === null) return null;
  if (!isWhole) return typeof cell === 'string' ? cell : String(cell);
  return typeof cell === 'string' && /^-?\d+$/.test(cell) ? Number(cell) : cell;
}

function keyOf({ key }: Table, row: Row): string {
  return key.map((name) => String(row[name])).join('\0');
}

/** Each row of each source with each of the others. */
function crossed(
  sources: readonly { readonly source: Source }[],
  { values, around }: Scope,
  isWanted: (scope: Scope) => boolean,
): Scope[] {
  const scope = (rows: readonly Row[]): Scope => (around === undefined ? { values, rows } : { values, rows, around });
  let all: (readonly Row[])[] = [[]];
  for (const { source } of sources) {
    const rows = [...source.all(scope([]))];
    all = all.flatMap((found) => rows.map((row) => [...found, row]));
  }
  const found: Scope[] = [];
  for (const rows of all) {
    const each = scope(rows);
    if (isWanted(each)) found.push(each);
  }
  return found;
}

function sorted(
  rows: Scope[],
  order: readonly { readonly of: Expression; readonly isDown: boolean }[],
): readonly Scope[] {
  return rows.sort((one, other) => {
    for (const { of, isDown } of order) {
      const way = ordered(of(one), of(other)) ?? 0;
      if (way !== 0) return isDown ? -way : way;
    }
    return 0;
  });
}

/** Null: one of them is. Numbers stand before texts. */
function ordered(one: Cell, other: Cell): number | null {
  if (one === null || other === null) return null;
  if (Array.isArray(one) && Array.isArray(other)) {
    for (const [nth, cell] of (one as readonly Cell[]).entries()) {
      const way = ordered(cell, (other as readonly Cell[])[nth] ?? null);
      if (way !== 0) return way;
    }
    return 0;
  }
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<>': (order) => order !== 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '>': (order) => order > 0,
};

const sums: Readonly<Record<string, (one: Cell, other: Cell) => Cell>> = {
  '+': (one, other) => Number(one) + Number(other),
  '-': (one, other) => Number(one) - Number(other),
  '||': (one, other) => `${String(one)}${String(other)}`,
};

const calls: Readonly<Record<string, (given: readonly Cell[]) => Cell>> = {
  coalesce: (given) => given.find((cell) => cell !== null) ?? null,
  replace: (given) => {
    const [text = '', from = '', to = ''] = given.map(String);
    return given.includes(null) ? null : from === '' ? text : text.replaceAll(from, () => to);
  },
};

/** A text that is no number counts as none. */
function isTrue(cell: Cell): boolean {
  return typeof cell === 'number' ? cell !== 0 : cell !== null && Number.parseFloat(String(cell)) > 0;
}
