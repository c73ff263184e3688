import type { Address } from '@platform-sync/core/model/address';
import { canonicalJson, sha256 } from '@platform-sync/core/model/canonical';
import { defined } from '@platform-sync/core/model/value';
import type { RunContent, RunEntry, RunQuestion } from '@platform-sync/core/model/run';
import type { Intent, StateChange } from '@platform-sync/core/model/state';
import type { Lease, RecordedElsewhere } from '@platform-sync/core/model/state-store';
import type { Database, Statements } from './database.js';
import { chunks, ofStack, parsed, resourceOf, type StackKey, type StoredResource } from './rows.js';
import { list, sql, type Sql } from './sql.js';
import type { Content } from './sql-write.js';
import type { RunRow, StackRow } from './tables.js';

/** The last row of a history. */
export interface RunHead {
  readonly number: number;
  readonly digest: string;
}

/** A row that is still to be numbered. */
export type RunDraft = Pick<RunEntry, 'run' | 'address' | 'content'>;

/** What binds a row to the one before it: over the very text that is stored. */
function runDigest(before: string, { number, run, at, kind, address, body }: Omit<RunRow, 'digest'>): string {
  return sha256(JSON.stringify([before, Number(number), Number(run), at, kind, address, body]));
}

/** Adds rows behind the last one. The stack's row is locked by whoever asks. */
export async function appendRuns(
  trx: Statements,
  key: StackKey,
  head: RunHead,
  at: string,
  drafts: readonly RunDraft[],
  each: Database['each'],
): Promise<void> {
  let { number, digest } = head;
  const rows = drafts.map(({ run, address = null, content }) => {
    number += 1;
    const { kind } = content;
    const body = JSON.stringify(content);
    digest = runDigest(digest, { number, run, at, kind, address, body });
    return [String(number), String(run), at, kind, address, body, digest];
  });
  for (const part of chunks(rows))
    await trx.run(sql`insert into sync_runs (project, stack, number, run, at, kind, address, body, digest)
      select ${key.project}, ${key.stack}, cast(value ->> 0 as bigint), cast(value ->> 1 as bigint), value ->> 2,
        value ->> 3, value ->> 4, value ->> 5, value ->> 6
      from ${each(JSON.stringify(part))} where true`);
  await trx.run(sql`update sync_stacks set run_number = ${number}, run_digest = ${digest} where ${ofStack(key)}`);
}

/**
 * What some writes change of records, with what these were before; asked before anything is written. `isOwn`: of an intent, that this run began it.
 */
export async function recordDrafts(
  trx: Statements,
  key: StackKey,
  lease: Pick<Lease, 'token'>,
  isOwn: (intent: string) => boolean,
  contents: readonly Content[],
  each: Database['each'],
): Promise<readonly RunDraft[]> {
  const changes = contents.flatMap((content) => content.changes);
  const known = await recordsAt(trx, key, new Set(changes.flatMap(addressesOf)), each);
  // Only of what another run left open it has to be found out whose it was.
  const others = new Set(changes.flatMap(closed).filter((id) => !isOwn(id)));
  const begun = await intentsOf(trx, key, others, each);
  const drafts: RunDraft[] = [];
  for (const content of contents) {
    const runs = runsOf(content.changes, { begun, isOwn }, lease.token);
    for (const [at, change] of content.changes.entries()) {
      const run = runs[at] ?? lease.token;
      if (change.kind === 'put') {
        const { address } = change.resource;
        const before = known.get(address) ?? null;
        known.set(address, change.resource);
        if (change.seals === true || (before !== null && canonicalJson(before) === canonicalJson(change.resource)))
          continue;
        drafts.push({ run, address, content: { kind: 'record', before } });
      } else if (change.kind === 'remove') {
        const before = known.get(change.address);
        if (before === undefined) continue;
        known.delete(change.address);
        drafts.push({ run, address: change.address, content: { kind: 'record', before, removed: true } });
      } else if (change.kind === 'move') {
        const { from, to } = change;
        const moved = known.get(from);
        known.delete(from);
        if (moved !== undefined) known.set(to, { ...moved, address: to });
        drafts.push({ run: lease.token, address: to, content: { kind: 'move', from } });
      }
    }
  }
  return drafts;
}

function addressesOf(change: StateChange): readonly Address[] {
  if (change.kind === 'put') return [change.resource.address];
  if (change.kind === 'remove') return [change.address];
  return change.kind === 'move' ? [change.from] : [];
}

function closed(change: StateChange): readonly string[] {
  return change.kind === 'close-intent' ? [change.id] : [];
}

/**
 * Whose each change is: what a killed run began and a later one finds out was done by the first; not what it did itself, and settles that
 * one by. What an intent has led to comes before its end.
 */
function runsOf(
  changes: readonly StateChange[],
  { begun, isOwn }: { readonly begun: ReadonlyMap<string, Intent>; readonly isOwn: (intent: string) => boolean },
  own: number,
): readonly number[] {
  const runs = new Map<Address, number>();
  const isSettledByOwn = changes.flatMap(closed).some(isOwn);
  const backwards = [...changes].reverse().map((change) => {
    const intent = change.kind === 'close-intent' && !isSettledByOwn ? begun.get(change.id) : undefined;
    if (intent !== undefined) runs.set(intent.address, /^\d{1,15}$/.test(intent.run) ? Number(intent.run) : own);
    const address = change.kind === 'put' ? change.resource.address : change.kind === 'remove' ? change.address : '';
    return runs.get(address) ?? own;
  });
  return backwards.reverse();
}

async function recordsAt(
  trx: Statements,
  key: StackKey,
  addresses: ReadonlySet<Address>,
  each: Database['each'],
): Promise<Map<Address, ReturnType<typeof resourceOf>>> {
  const found = new Map<Address, ReturnType<typeof resourceOf>>();
  for (const part of chunks(addresses))
    for (const row of await trx.rows<StoredResource>(sql`
      select address, type, id, scope, dependencies, body from sync_resources
      where ${ofStack(key)} and address in (${textsIn(part, each)})`))
      found.set(row.address, resourceOf(row));
  return found;
}

async function intentsOf(
  trx: Statements,
  key: StackKey,
  ids: ReadonlySet<string>,
  each: Database['each'],
): Promise<ReadonlyMap<string, Intent>> {
  const found = new Map<string, Intent>();
  for (const part of chunks(ids))
    for (const { id, body } of await trx.rows<{ readonly id: string; readonly body: string }>(sql`
      select id, body from sync_intents where ${ofStack(key)} and id in (${textsIn(part, each)})`))
      found.set(id, parsed<Intent>(body, `the intent ${id}`));
  return found;
}

function textsIn(values: readonly string[], each: Database['each']): Sql {
  return sql`select value ->> 0 from ${each(JSON.stringify(values.map((value) => [value])))}`;
}

/** Rows that a question means. */
export async function readRuns(
  database: Statements,
  key: StackKey,
  question: RunQuestion,
): Promise<readonly RunEntry[]> {
  return (await rowsOf(database, key, question)).map(entryOf);
}

async function rowsOf(
  database: Statements,
  key: StackKey,
  { run, runs, kinds, address, id, before, after, limit }: RunQuestion,
): Promise<readonly RunRow[]> {
  // Of a run all rows are few: nobody looks for them in the order of the whole history.
  const nth = run === undefined && runs === undefined ? sql`number` : sql`(number + 0)`;
  const only = [
    run === undefined ? [] : [sql`and run = ${run}`],
    runs === undefined ? [] : [runs.length === 0 ? sql`and 1 = 0` : sql`and run in (${list(runs)})`],
    kinds === undefined ? [] : [sql`and kind in (${list(kinds)})`],
    address === undefined ? [] : [sql`and address = ${address}`],
    id === undefined ? [] : [sql`and replace(body, ${`"id":${JSON.stringify(id)}`}, '') != body`],
    before === undefined ? [] : [sql`and ${nth} < ${before}`],
    after === undefined ? [] : [sql`and ${nth} > ${after}`],
  ].flat();
  const where = only.reduce((all, part) => sql`${all} ${part}`, ofStack(key));
  const order = after === undefined ? sql`desc` : sql`asc`;
  return database.rows<RunRow>(sql`
    select number, run, at, kind, address, body, digest from sync_runs
    where ${where} order by ${nth} ${order} limit ${limit}`);
}

function entryOf({ number, run, at, address, body, digest }: RunRow): RunEntry {
  const content = parsed<RunContent>(body, `row ${number} of the history`);
  return {
    number: Number(number),
    run: Number(run),
    at,
    ...defined({ address: address ?? undefined }),
    content,
    digest,
  };
}

/** Where a history is not what was written: at a row, or behind the last one. */
export type RunFault = { readonly number: number; readonly what: 'changed' | 'missing' };

/** Reads all of a history, each row against the one before it, and says where it is not what was written. */
export async function verifyRuns(database: Statements, key: StackKey): Promise<RunFault | undefined> {
  const head = await runHead(database, key);
  let last: RunRow | undefined;
  for (;;) {
    const page = await rowsOf(database, key, { after: Number(last?.number ?? 0), limit: 2000 });
    if (page.length === 0) break;
    for (const row of page) {
      const number = Number(row.number);
      const before = last?.digest ?? (await startOf(database, key, number));
      if (before === undefined || (last !== undefined && number !== Number(last.number) + 1))
        return { number: Number(last?.number ?? number - 2) + 1, what: 'missing' };
      if (runDigest(before, row) !== row.digest) return { number, what: 'changed' };
      last = row;
    }
  }
  const end = Number(last?.number ?? 0);
  if (end !== head.number) return { number: end + 1, what: 'missing' };
  return head.digest === (last?.digest ?? '') ? undefined : { number: end, what: 'changed' };
}

/** What the first row there is follows: nothing, or what a checkpoint says was dropped. */
async function startOf(database: Statements, key: StackKey, number: number): Promise<string | undefined> {
  if (number === 1) return '';
  const [found] = await readRuns(database, key, { kinds: ['checkpoint'], limit: 1 });
  const content = found?.content;
  return content?.kind === 'checkpoint' && content.upTo === number - 1 ? content.digest : undefined;
}

async function runHead(database: Statements, key: StackKey): Promise<RunHead> {
  const row = await database.first<{ readonly run_number: number; readonly run_digest: string | null }>(
    sql`select run_number, run_digest from sync_stacks where ${ofStack(key)}`,
  );
  return { number: Number(row?.run_number ?? 0), digest: row?.run_digest ?? '' };
}

/** Drops whole rows older than a moment, and gives the row that says so; undefined where there are none. */
export async function pruneRuns(
  trx: Statements,
  key: StackKey,
  before: string,
): Promise<Extract<RunContent, { readonly kind: 'checkpoint' }> | undefined> {
  // From the oldest on: what is looked at is what is dropped, however long the rest is.
  const first = await trx.first<Pick<RunRow, 'number'>>(sql`
    select number from sync_runs where ${ofStack(key)} and at >= ${before} order by number limit 1`);
  const behind = first === undefined ? sql`` : sql`and number < ${first.number}`;
  const last = await trx.first<Pick<RunRow, 'number' | 'digest'>>(sql`
    select number, digest from sync_runs where ${ofStack(key)} ${behind} order by number desc limit 1`);
  if (last === undefined) return undefined;
  await trx.run(sql`delete from sync_runs where ${ofStack(key)} and number <= ${last.number}`);
  return { kind: 'checkpoint', upTo: Number(last.number), digest: last.digest };
}

/** What lets go of records. */
const byHand: ReadonlySet<string> = new Set(['state rm', 'state push']);

/** Records that the stack has dropped since then: forgotten by a plan or by hand, so that their objects live, or deleted with them. */
export async function readLetGo(
  database: Statements,
  key: StackKey,
  since: string,
  hasText: Sql,
): Promise<readonly RecordedElsewhere[]> {
  const head = await database.first<Pick<RunRow, 'at'> & Pick<StackRow, 'targets'>>(sql`select at, targets
    from sync_stacks s join sync_runs r on r.project = s.project and r.stack = s.stack and r.number = s.run_number
    where s.project = ${key.project} and s.stack = ${key.stack}`);
  // Most plans come long after the last run.
  if (head === undefined || head.at <= since) return [];
  const rows = await database.rows<Pick<RunRow, 'run' | 'at' | 'body'>>(sql`select run, at, body from sync_runs r
    where ${ofStack(key)} and kind = 'record' and at > ${since} and replace(body, '"removed":true', '') != body ${hasText}`);
  if (rows.length === 0) return [];
  const told = await database.rows<Pick<RunRow, 'run' | 'body'>>(sql`select run, body from sync_runs
    where ${ofStack(key)} and kind in ('begin', 'plan') and run in (${list([...new Set(rows.map(({ run }) => Number(run)))])})`);
  const contents = told.map(
    ({ run, body }) => [Number(run), parsed<RunContent>(body, 'a row of the history')] as const,
  );
  return rows.flatMap(({ run, at, body }): readonly RecordedElsewhere[] => {
    const row = parsed<Extract<RunContent, { kind: 'record' }>>(body, 'a row of the history');
    const record = row.before;
    if (record === null || row.removed !== true) return [];
    const ends = contents.flatMap(([of, content]) => {
      if (of !== Number(run)) return [];
      if (content.kind === 'begin') return byHand.has(content.command) ? ['forget'] : [];
      const steps = content.kind === 'plan' ? content.steps : [];
      return steps.flatMap(({ address, action }) => (address === record.address ? [action] : []));
    });
    const found = {
      ...key,
      record,
      targets: parsed<RecordedElsewhere['targets']>(head.targets, 'the list of targets'),
    };
    if (ends.includes('forget')) return [found];
    return ends.includes('delete') ? [{ ...found, deletedAt: at }] : [];
  });
}
