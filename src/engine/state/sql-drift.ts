import { compareText } from '@platform-sync/core/model/address';
import type {
  DriftHistory,
  DriftNote,
  DriftStatus,
  NewsClaim,
  NewsOf,
  SeenFinding,
  TakenNews,
} from '@platform-sync/core/model/drift';
import type { Database, Statements } from './database.js';
import { forgottenBefore, isSuccess } from './drift-history.js';
import { chunks, ofStack, type StackKey } from './rows.js';
import { list, sql } from './sql.js';
import type { CheckRow, FindingRow, NewsRow, ReceiverRow } from './tables.js';
import type { RunNews, RunNote } from '@platform-sync/core/model/run-news';

/** What drift checks of a stack saw. */
export async function readDriftHistory(database: Statements, key: StackKey): Promise<DriftHistory> {
  // The number comes first: what a check notes in between, its number tells.
  const check = await database.first<CheckRow>(sql`select * from sync_checks where ${ofStack(key)}`);
  const rows = await database.rows<FindingRow>(sql`select * from sync_findings where ${ofStack(key)}`);
  return historyOf(rows, check);
}

/** Of the rows of one stack. */
export function historyOf(rows: readonly FindingRow[], check: CheckRow | undefined): DriftHistory {
  return {
    findings: rows.map(findingOf).sort((a, b) => compareText(a.id, b.id)),
    number: check?.number ?? 0,
    ...(check === undefined || check.outcome === ''
      ? {}
      : { lastCheck: { at: check.checked_at, status: check.outcome as DriftStatus } }),
    ...(check?.succeeded_at === null || check === undefined ? {} : { lastSuccess: check.succeeded_at }),
  };
}

/** Adds one check to the history; of two that follow the same check, the second writes nothing. Gives its number. */
export async function writeDriftNote(trx: Statements, key: StackKey, note: DriftNote): Promise<number | undefined> {
  const number = await writeCheck(trx, key, note);
  if (number === undefined) return undefined;
  for (const part of chunks(note.resolved))
    await trx.run(sql`update sync_findings set resolved_at = ${note.at}
      where ${ofStack(key)} and id in (${list(part)}) and resolved_at is null`);
  for (const part of chunks(note.quiet ?? []))
    await trx.run(sql`update sync_findings set came = 1 where ${ofStack(key)} and id in (${list(part)})`);
  for (const part of chunks(note.seen)) await writeSeen(trx, key, part, note.at);
  await trx.run(sql`delete from sync_findings where ${ofStack(key)} and resolved_at < ${forgottenBefore(note.at)}`);
  await writeNews(trx, key, number, note);
  return number;
}

/** The row is locked until the transaction ends: checks are numbered one after the other. */
async function writeCheck(trx: Statements, key: StackKey, note: DriftNote): Promise<number | undefined> {
  const { at, status, after } = note;
  const succeeded = isSuccess(status) ? at : null;
  const written = await trx.first<{ number: number }>(sql`
    insert into sync_checks (project, stack, checked_at, outcome, succeeded_at, number)
    values (${key.project}, ${key.stack}, ${at}, ${status}, ${succeeded}, 1)
    on conflict (project, stack) do update set checked_at = excluded.checked_at, outcome = excluded.outcome,
      succeeded_at = coalesce(excluded.succeeded_at, sync_checks.succeeded_at), number = sync_checks.number + 1
    ${after === undefined ? sql`` : sql`where sync_checks.number = ${after}`} returning number`);
  return written?.number;
}

/** One that comes back starts anew. */
async function writeSeen(
  trx: Statements,
  { project, stack }: StackKey,
  seen: DriftNote['seen'],
  at: string,
): Promise<void> {
  const rows = seen.map(
    ({ id, address, field, class: kind, severity, digest, came = 1 }) =>
      sql`(${project}, ${stack}, ${id}, ${address}, ${field ?? null}, ${kind}, ${severity}, ${digest}, ${at}, ${at}, null, ${came})`,
  );
  await trx.run(sql`insert into sync_findings
      (project, stack, id, address, field, class, severity, digest, first_seen, last_seen, resolved_at, came)
    values ${list(rows)}
    on conflict (project, stack, id) do update set severity = excluded.severity, digest = excluded.digest,
      last_seen = excluded.last_seen, resolved_at = null, came = excluded.came, first_seen = case when sync_findings.resolved_at is null
        then sync_findings.first_seen else excluded.first_seen end`);
}

function findingOf(row: FindingRow): SeenFinding {
  return {
    id: row.id,
    address: row.address,
    ...(row.field === null ? {} : { field: row.field }),
    class: row.class,
    severity: row.severity,
    digest: row.digest,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    ...(row.resolved_at === null ? {} : { resolvedAt: row.resolved_at }),
    ...(row.came === 1 ? {} : { came: row.came }),
  };
}

/** Keeps what a check has to tell; what nobody took for ninety days is forgotten. */
async function writeNews(trx: Statements, key: StackKey, number: number, { at, news }: DriftNote): Promise<void> {
  await trx.run(sql`delete from sync_news where ${ofStack(key)} and checked_at < ${forgottenBefore(at)}`);
  if (news === undefined) return;
  await trx.run(sql`insert into sync_news (project, stack, number, checked_at, body)
    values (${key.project}, ${key.stack}, ${number}, ${at}, ${JSON.stringify(news)})`);
}

/** See `StateStore.noteRun`. The row of the stack's numbers is locked: of two equal ends at the same time one is kept. */
export async function writeRunNews(trx: Statements, key: StackKey, { news, key: same }: RunNote): Promise<void> {
  const numbered = await trx.first<{ number: number }>(sql`
    insert into sync_checks (project, stack, checked_at, outcome, succeeded_at, number)
    values (${key.project}, ${key.stack}, '', '', null, 1)
    on conflict (project, stack) do update set number = sync_checks.number + 1 returning number`);
  await trx.run(sql`delete from sync_news where ${ofStack(key)} and checked_at < ${forgottenBefore(news.at)}`);
  const rows = await trx.rows<Pick<NewsRow, 'body'>>(
    sql`select body from sync_news where ${ofStack(key)} and about = 'run' order by number desc`,
  );
  // Written by this program only.
  const told = rows.map(({ body }): RunNews & Pick<RunNote, 'key'> => JSON.parse(body));
  const wellAt = told.findIndex(({ status }) => status === 'done');
  const troubles = wellAt === -1 ? told : told.slice(0, wellAt);
  const isNews = news.status === 'done' ? troubles.length > 0 : troubles.every((note) => note.key !== same);
  if (!isNews) return;
  await trx.run(sql`insert into sync_news (project, stack, number, about, checked_at, body)
    values (${key.project}, ${key.stack}, ${numbered?.number ?? 1}, 'run', ${news.at}, ${JSON.stringify({ ...news, key: same })})`);
}

/** See `StateStore.takeNews`. The receiver's row is locked until the right is taken or given back. */
export function takeNews<About extends keyof NewsOf>(
  database: Database,
  key: StackKey,
  claim: NewsClaim<About>,
  forMs: number,
): Promise<TakenNews<About> | undefined> {
  return database.transaction(async (trx) => {
    const { by, about } = claim;
    const receiver = rowOf(claim);
    const now = database.now();
    await trx.run(sql`insert into sync_receivers (project, stack, receiver)
      values (${key.project}, ${key.stack}, ${receiver}) on conflict do nothing`);
    const taken = await trx.first<Pick<ReceiverRow, 'told'>>(sql`
      update sync_receivers set teller = ${by}, teller_until = ${now} + cast(${forMs} as bigint)
      where ${ofStack(key)} and receiver = ${receiver}
        and (teller is null or teller = ${by} or teller_until <= ${now}) returning told`);
    if (taken === undefined) return undefined;
    if (taken.told === null && about === 'drift') return { isKnown: false, news: [] };
    const all = await newsAfter(trx, key, about, taken.told ?? 0);
    const news = taken.told === null ? all.slice(-1) : all;
    if (news.length > 0) return { isKnown: taken.told !== null, news };
    await closeNews(trx, key, claim, undefined);
    return undefined;
  });
}

/** See `StateStore.closeNews`. Who has lost the right closes nothing. */
export async function closeNews(
  database: Statements,
  key: StackKey,
  claim: NewsClaim,
  told: number | undefined,
): Promise<void> {
  await database.run(sql`update sync_receivers
    set ${told === undefined ? sql`teller = null, teller_until = null` : sql`told = ${told}`}
    where ${ofStack(key)} and receiver = ${rowOf(claim)} and teller = ${claim.by}`);
}

/** One receiver is told of drift up to here and of runs up to there. */
function rowOf({ receiver, about }: NewsClaim): string {
  return about === 'drift' ? receiver : `${receiver} ${about}`;
}

async function newsAfter<About extends keyof NewsOf>(
  trx: Statements,
  key: StackKey,
  about: About,
  told: number,
): Promise<readonly NewsOf[About][]> {
  const rows = await trx.rows<Pick<NewsRow, 'number' | 'body'>>(
    sql`select number, body from sync_news where ${ofStack(key)} and about = ${about} and number > ${told} order by number`,
  );
  // Written by this program only.
  return rows.map(({ number, body }) => ({ ...(JSON.parse(body) as NewsOf[About]), number }));
}
