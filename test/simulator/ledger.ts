import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { RunContent } from '@platform-sync/core/model/run';
import type { Intent, RecordedResource } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { IntentRow, ResourceRow, RunRow, StackRow } from '@platform-sync/state/tables';

/** A row of the history, as the tables have it. */
export type HistoryRow = RunRow & Pick<StackRow, 'stack'>;

/** A record before and after something was stored. */
export interface RecordChange {
  readonly before: ResourceRow | undefined;
  readonly now: ResourceRow | undefined;
}

interface Known {
  readonly number: number;
  readonly serial: number;
  readonly outputs: string;
  readonly records: ReadonlyMap<string, ResourceRow>;
  /** Open writes, with the run that began each. */
  readonly open: ReadonlyMap<string, string>;
}

/** The rows of one stack in all tables. */
export interface StackTables {
  readonly stack: StackRow;
  readonly resources: readonly ResourceRow[];
  readonly intents: readonly IntentRow[];
  readonly history: readonly HistoryRow[];
}

/**
 * Records as their history tells them, worked out here once more: what was stored is told by rows, each of which says what was there
 * before, and whose it is; what no row tells has not changed.
 */
export class Ledger {
  readonly #blame: (what: string) => void;
  readonly #known = new Map<string, Known>();

  constructor(blame: (what: string) => void) {
    this.#blame = blame;
  }

  /** What one transaction has stored of a stack. */
  stored(name: string, { stack: row, resources, intents, history }: StackTables, at: string): readonly RecordChange[] {
    const { stack } = row;
    const before = this.#known.get(stack) ?? {
      number: 0,
      serial: 0,
      outputs: '{}',
      records: new Map(),
      open: new Map(),
    };
    const records = new Map(resources.flatMap((each) => (each.stack === stack ? [[each.address, each] as const] : [])));
    const open = new Map(
      intents.flatMap((each) =>
        each.stack === stack ? [[each.id, before.open.get(each.id) ?? bodyOf<Intent>(each).run] as const] : [],
      ),
    );
    const { serial, outputs } = row;
    this.#known.set(stack, { number: Number(row.run_number), serial, outputs, records, open });
    const rows: HistoryRow[] = [];
    for (let nth = history.length - 1; nth >= 0; nth -= 1) {
      const each = history[nth] as HistoryRow;
      if (each.stack !== stack) continue;
      if (Number(each.number) <= before.number) break;
      rows.unshift(each);
    }
    const what = `${name} stores of ${stack}`;
    for (const [id, run] of open)
      if (!before.open.has(id) && run !== String(row.lease_fence) && !rows.some(({ kind }) => kind === 'replace'))
        this.#blame(`${what} the write ${id} as one of the run ${run}`);
    this.#areWhose(what, row, rows, before.open, open, at);
    const changes = [...new Set([...before.records.keys(), ...records.keys()])].flatMap((address) => {
      const [was, is] = [before.records.get(address), records.get(address)];
      return was === is ? [] : [{ before: was, now: is }];
    });
    const isOther =
      changes.length > 0 || outputs !== before.outputs || [...open.keys()].some((id) => !before.open.has(id));
    if (isOther && serial <= before.serial)
      this.#blame(`${what} another content, and leaves it the serial ${String(serial)}`);
    if (rows.some(({ kind }) => kind === 'replace')) this.#letsGo(what, changes, rows);
    else if (changes.length > 0 || rows.length > 0) this.#followsFrom(what, before.records, rows, records);
    // What moved was recorded before where it stood then.
    const stood = new Map([...before.records.values()].map((one) => [`${one.type} ${one.id}`, one] as const));
    return changes.map(({ before: was, now }) => ({ before: stood.get(`${now?.type} ${now?.id}`) ?? was, now }));
  }

  /** The first row of a run says whose it is, and each is of this run, or of one whose open write it settles. */
  #areWhose(
    what: string,
    { lease_fence: fence, lease_owner: by, lease_purpose: command, lease_since: since }: StackRow,
    rows: readonly HistoryRow[],
    before: Known['open'],
    open: Known['open'],
    at: string,
  ): void {
    const settled = new Set([...before].flatMap(([id, run]) => (open.has(id) ? [] : [run])));
    for (const row of rows) {
      if (row.at !== at) this.#blame(`${what} a row of another moment: ${row.at}`);
      if (Number(row.run) !== fence && !(row.kind === 'record' && settled.has(String(row.run))))
        this.#blame(`${what} a row of the run ${String(row.run)}`);
      if (row.kind !== 'begin') continue;
      const said = JSON.parse(row.body) as Extract<RunContent, { kind: 'begin' }>;
      if (said.command !== command || said.owner !== by || Date.parse(said.since) !== Number(since))
        this.#blame(`${what} that ${said.command} of ${said.owner} began at ${said.since}`);
    }
  }

  /** Of each object that a document does not have where it was, a row says that it is let go of. */
  #letsGo(what: string, changes: readonly RecordChange[], rows: readonly HistoryRow[]): void {
    for (const { before, now } of changes)
      if (before !== undefined && before.id !== now?.id && !rows.some((row) => isEndOf(row, before)))
        this.#blame(`${what} a document without ${before.id}, and its history does not say that it lets go of that`);
  }

  #followsFrom(what: string, before: Known['records'], rows: readonly HistoryRow[], records: Known['records']): void {
    // What a row tells to be another one, without saying which.
    const said = new Map<string, ResourceRow | 'another'>(before);
    const moved = new Map<string, string>();
    for (let nth = 0; nth < rows.length; nth += 1) {
      const { kind, address, body, number } = rows[nth] as HistoryRow;
      if (address === null) continue;
      if (kind === 'record') {
        const content = JSON.parse(body) as Extract<RunContent, { kind: 'record' }>;
        const known = said.get(address);
        if (known !== 'another' && moved.size === 0 && !isSame(known, content.before))
          this.#blame(`${what} in row ${String(number)} that ${address} was ${textOf(content.before)}`);
        if (content.removed === true) said.delete(address);
        else said.set(address, 'another');
      }
      if (kind !== 'move') continue;
      // Those that stand next to each other happen at the same time.
      const moves: { readonly from: string; readonly to: string }[] = [];
      for (let row = rows[nth]; row?.kind === 'move'; row = rows[nth + moves.length])
        moves.push({ from: (JSON.parse(row.body) as { readonly from: string }).from, to: row.address ?? '' });
      nth += moves.length - 1;
      const taken = moves.map(({ from }) => said.get(from));
      for (const { from } of moves) said.delete(from);
      for (const [at, { from, to }] of moves.entries()) {
        if (to.includes(':')) continue;
        const record = from.includes(':') ? 'another' : taken[at];
        if (record === undefined) this.#blame(`${what} that ${from} has moved, which was not there`);
        else said.set(to, record);
        moved.set(from, to);
      }
    }
    for (const address of new Set([...said.keys(), ...records.keys()])) {
      const [wanted, now] = [said.get(address), records.get(address)];
      if (wanted === now && moved.size === 0) continue;
      if (wanted === 'another' && now !== undefined) continue;
      if (
        wanted === undefined ||
        wanted === 'another' ||
        now === undefined ||
        contentOf(wanted, moved) !== contentOf(now)
      )
        this.#blame(`${what} another record of ${address}, of which its history tells nothing`);
    }
  }
}

function isEndOf({ kind, address, body }: HistoryRow, row: ResourceRow): boolean {
  if (kind !== 'record' || address !== row.address) return false;
  const content = JSON.parse(body) as Extract<RunContent, { kind: 'record' }>;
  return content.removed === true && isSame(row, content.before);
}

/** What a record says, wherever it stands. */
function contentOf({ type, id, scope, dependencies, body }: ResourceRow, moved?: ReadonlyMap<string, string>): string {
  const needed = (JSON.parse(dependencies) as readonly string[]).map((each) => moved?.get(each) ?? each);
  return [type, id, scope, needed.sort().join(), canonicalJson(JSON.parse(body) as JsonObject)].join(' ');
}

function isSame(row: ResourceRow | undefined, before: RecordedResource | null): boolean {
  if (row === undefined || before === null) return row === undefined && before === null;
  return textOf(recordIn(row)) === textOf(before);
}

function textOf(record: RecordedResource | null): string {
  return record === null ? 'not there' : canonicalJson(record as unknown as JsonObject);
}

/** A row is written anew, and never changed: what it says is read once. */
const bodies = new WeakMap<object, unknown>();

export function bodyOf<Body>(row: { readonly body: string }): Body {
  let body = bodies.get(row);
  if (body === undefined) {
    body = JSON.parse(row.body);
    bodies.set(row, body);
  }
  return body as Body;
}

/** A record as whoever wrote it had it. */
export function recordIn(row: ResourceRow): RecordedResource {
  const { address, type, id, scope, dependencies } = row;
  return {
    ...bodyOf<RecordedResource>(row),
    ...{ address, type, identity: { id, scope: JSON.parse(scope) as Record<string, string> } },
    dependencies: JSON.parse(dependencies) as readonly string[],
  };
}
