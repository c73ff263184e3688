import { sql, type Kysely, type Transaction } from 'kysely';
import { compareText } from '../model/address.js';
import type { DriftStatus } from '../model/drift.js';
import type { DriftHistory, DriftNote, DriftObservation, SeenFinding } from '../model/drift-history.js';
import { forgottenBefore, isSuccess } from './drift-history.js';
import type { StackKey } from './rows.js';
import { writeNews } from './sql-news.js';
import type { FindingRow, Tables } from './tables.js';

/** Rows a statement: far below both databases' limits on parameters. */
const chunkSize = 500;

/** What drift checks of a stack saw. */
export async function readDriftHistory(db: Kysely<Tables>, key: StackKey): Promise<DriftHistory> {
  const rows = await db
    .selectFrom('sync_findings')
    .selectAll()
    .where('project', '=', key.project)
    .where('stack', '=', key.stack)
    .execute();
  const check = await db
    .selectFrom('sync_checks')
    .select(['checked_at', 'outcome', 'succeeded_at', 'number'])
    .where('project', '=', key.project)
    .where('stack', '=', key.stack)
    .executeTakeFirst();
  return {
    findings: rows.map(findingOf).sort((a, b) => compareText(a.id, b.id)),
    ...(check === undefined
      ? {}
      : { lastCheck: { at: check.checked_at, status: check.outcome as DriftStatus, number: check.number } }),
    ...(check?.succeeded_at === null || check === undefined ? {} : { lastSuccess: check.succeeded_at }),
  };
}

/** Adds one check to the history; of two that follow the same check, the second writes nothing. Gives its number. */
export async function writeDriftNote(
  trx: Transaction<Tables>,
  key: StackKey,
  note: DriftNote,
): Promise<number | undefined> {
  const number = await writeCheck(trx, key, note);
  if (number === undefined) return undefined;
  for (const part of chunks(note.resolved)) {
    await trx
      .updateTable('sync_findings')
      .set({ resolved_at: note.at })
      .where('project', '=', key.project)
      .where('stack', '=', key.stack)
      .where('id', 'in', part)
      .where('resolved_at', 'is', null)
      .execute();
  }
  for (const part of chunks(note.seen)) await writeSeen(trx, key, part, note.at);
  await trx
    .deleteFrom('sync_findings')
    .where('project', '=', key.project)
    .where('stack', '=', key.stack)
    .where('resolved_at', '<', forgottenBefore(note.at))
    .execute();
  await writeNews(trx, key, number, note);
  return number;
}

/** The row is locked until the transaction ends: checks are numbered one after the other. */
async function writeCheck(trx: Transaction<Tables>, key: StackKey, note: DriftNote): Promise<number | undefined> {
  const success = isSuccess(note.status);
  const { after } = note;
  const written = await trx
    .insertInto('sync_checks')
    .values({ ...key, checked_at: note.at, outcome: note.status, succeeded_at: success ? note.at : null, number: 1 })
    .onConflict((conflict) => {
      const update = conflict.columns(['project', 'stack']).doUpdateSet((row) => ({
        checked_at: row.ref('excluded.checked_at'),
        outcome: row.ref('excluded.outcome'),
        ...(success ? { succeeded_at: row.ref('excluded.succeeded_at') } : {}),
        number: sql<number>`sync_checks.number + 1`,
      }));
      return after === undefined ? update : update.where('sync_checks.number', '=', after);
    })
    .returning('number')
    .executeTakeFirst();
  return written?.number;
}

async function writeSeen(
  trx: Transaction<Tables>,
  key: StackKey,
  seen: readonly DriftObservation[],
  at: string,
): Promise<void> {
  await trx
    .insertInto('sync_findings')
    .values(seen.map((observation) => rowOf(key, observation, at)))
    .onConflict((conflict) =>
      conflict.columns(['project', 'stack', 'id']).doUpdateSet((row) => ({
        severity: row.ref('excluded.severity'),
        digest: row.ref('excluded.digest'),
        last_seen: row.ref('excluded.last_seen'),
        // One that comes back starts anew.
        first_seen: sql<string>`case when sync_findings.resolved_at is null then sync_findings.first_seen else excluded.first_seen end`,
        resolved_at: null,
      })),
    )
    .execute();
}

function rowOf(key: StackKey, observation: DriftObservation, at: string): FindingRow {
  const { id, address, field, severity, digest } = observation;
  return {
    ...{ ...key, id, address, field: field ?? null, class: observation.class, severity, digest },
    ...{ first_seen: at, last_seen: at, resolved_at: null },
  };
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
  };
}

function chunks<T>(items: readonly T[]): readonly (readonly T[])[] {
  const parts: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += chunkSize) parts.push(items.slice(at, at + chunkSize));
  return parts;
}
