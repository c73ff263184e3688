import { compareText } from '@platform-sync/core/model/address';
import type { DriftStatus, SeenFinding } from '@platform-sync/core/model/drift';
import type { DriftHistory, DriftNote } from '@platform-sync/core/model/drift-history';
import type { Statements } from './database.js';
import { forgottenBefore, isSuccess } from './drift-history.js';
import { chunks, ofStack, type StackKey } from './rows.js';
import { list, sql } from './sql.js';
import { writeNews } from './sql-news.js';
import type { CheckRow, FindingRow } from './tables.js';

/** What drift checks of a stack saw. */
export async function readDriftHistory(database: Statements, key: StackKey): Promise<DriftHistory> {
  const rows = await database.rows<FindingRow>(sql`select * from sync_findings where ${ofStack(key)}`);
  const check = await database.first<CheckRow>(sql`select * from sync_checks where ${ofStack(key)}`);
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
