import { LeaseHeldError, StateStoreError } from '@platform-sync/core/model/state-store';
import type { Database, Statements } from './database.js';
import { sql, type Sql } from './sql.js';
import { holderOf, type HolderRow } from './rows.js';
import type { SchemaRow } from './tables.js';

/**
 * What checks had to tell, and who was told how far. An older program notes checks without telling what is new in them: the
 * column that it names has another name from now on, so that the database refuses it.
 */
const createNewsTables = [
  sql`alter table sync_checks rename column status to outcome`,
  sql`alter table sync_checks add column number bigint default 0 not null`,
  sql`create table sync_news (
    project text not null, stack text not null, number bigint not null, checked_at text not null,
    body text not null,
    constraint sync_news_key primary key (project, stack, number)
  )`,
  sql`create table sync_receivers (
    project text not null, stack text not null, receiver text not null, told bigint, teller text,
    teller_until bigint,
    constraint sync_receivers_key primary key (project, stack, receiver)
  )`,
];

/** News of runs lie beside those of checks, and a finding knows how often it came back soon after it had gone. */
const addRunNews = [
  sql`alter table sync_news add column about text default 'drift' not null`,
  sql`alter table sync_findings add column came bigint default 1 not null`,
];

/** What changes the tables, and what must hold before. */
interface Migration {
  readonly check?: (trx: Statements, database: Database) => Promise<void>;
  readonly statements: readonly Sql[];
}

const createTables = [
  sql`create table sync_stacks (
    project text not null, stack text not null, lineage text not null, serial bigint not null,
    fingerprint_key text not null, targets text not null, outputs text not null,
    lease_token bigint default 0 not null, lease_id text, lease_owner text, lease_purpose text, lease_since bigint,
    lease_seen bigint, lease_expires bigint,
    constraint sync_stacks_key primary key (project, stack)
  )`,
  sql`create table sync_resources (
    project text not null, stack text not null, address text not null, type text not null, id text not null,
    scope text not null, dependencies text not null, body text not null,
    constraint sync_resources_key primary key (project, stack, address)
  )`,
  sql`create table sync_intents (
    project text not null, stack text not null, id text not null, created_at text not null, body text not null,
    constraint sync_intents_key primary key (project, stack, id)
  )`,
];

const createDriftTables = [
  sql`create table sync_findings (
    project text not null, stack text not null, id text not null, address text not null, field text,
    class text not null, severity text not null, digest text not null, first_seen text not null,
    last_seen text not null, resolved_at text,
    constraint sync_findings_key primary key (project, stack, id)
  )`,
  sql`create table sync_checks (
    project text not null, stack text not null, checked_at text not null, status text not null, succeeded_at text,
    constraint sync_checks_key primary key (project, stack)
  )`,
];

/**
 * Every statement by which an older program takes a lease, or writes under one, names the column that has another name from
 * now on: the database itself refuses it, also when that program was started before.
 */
const fenceLeases = [
  sql`alter table sync_stacks rename column lease_token to lease_fence`,
  sql`alter table sync_stacks add column lease_process text`,
  sql`alter table sync_stacks add column lease_revoked bigint default 0 not null`,
];

/** Rows are bound one to the next, and the last one to the stack, so that none is missing or changed unnoticed. */
const createRunTables = [
  sql`alter table sync_stacks add column run_number bigint default 0 not null`,
  sql`alter table sync_stacks add column run_digest text`,
  sql`alter table sync_stacks add column frozen text`,
  sql`create table sync_runs (
    project text not null, stack text not null, number bigint not null, run bigint not null, at text not null,
    kind text not null, address text, body text not null, digest text not null,
    constraint sync_runs_key primary key (project, stack, number)
  )`,
  sql`create index sync_runs_of_run on sync_runs (project, stack, run, kind, number)`,
  sql`create index sync_runs_of_address on sync_runs (project, stack, address, number)`,
  sql`create index sync_runs_of_kind on sync_runs (project, stack, kind, number)`,
];

/** What is asked of other stacks names ids and places, or a moment, and no stack. */
const indexWhatOthersHave = [
  sql`create index sync_resources_of_id on sync_resources (id)`,
  sql`create index sync_resources_of_scope on sync_resources (scope)`,
  sql`create index sync_runs_of_moment on sync_runs (at)`,
];

/** In order; the version of a database is how many of them it has seen. Never edit one that was released. */
const migrations: readonly Migration[] = [
  { statements: createTables },
  { statements: createDriftTables },
  { check: noLease, statements: fenceLeases },
  { statements: createNewsTables },
  // What an older program wrote on would be missing in the history.
  { check: noLease, statements: [...addRunNews, ...createRunTables] },
  { statements: indexWhatOthersHave },
];

/** The version that this program works with. */
export const currentVersion = migrations.length;

/** Brings the tables to this program's version. One query when they are; a newer database is left untouched. */
export async function migrate(database: Database): Promise<void> {
  if ((await schemaVersion(database)) === currentVersion) return;
  await database.transaction(async (trx) => {
    await database.lockSchema(trx);
    await trx.run(sql`create table if not exists sync_schema (id integer primary key, version integer not null)`);
    await trx.run(sql`insert into sync_schema (id, version) values (1, 0) on conflict do nothing`);
    // Another process may have been faster.
    const seen = (await trx.first<SchemaRow>(sql`select version from sync_schema`))?.version;
    for (const { check, statements } of migrations.slice(seen)) {
      await check?.(trx, database);
      for (const statement of statements) await trx.run(statement);
    }
    await trx.run(sql`update sync_schema set version = ${currentVersion}`);
  });
}

/** The version of a database; 0: it has no tables yet. Rejects for one that is newer than this program. */
export async function schemaVersion(database: Database): Promise<number> {
  let version: number;
  try {
    version = (await database.first<SchemaRow>(sql`select version from sync_schema`))?.version ?? 0;
  } catch (error) {
    if (isMissingTable(error)) return 0;
    throw error;
  }
  if (version > currentVersion) {
    throw new StateStoreError(
      'newer-version',
      `the state in ${database.location} has version ${String(version)}, this program knows ${String(currentVersion)}`,
      'Use the version of this program that wrote it, or a newer one.',
    );
  }
  return version;
}

function isMissingTable(error: unknown): boolean {
  return error instanceof Error && (error.message.startsWith('no such table') || hasCode(error, '42P01'));
}

function hasCode(error: Error, code: string): boolean {
  return 'code' in error && error.code === code;
}

async function noLease(trx: Statements, { now }: Database): Promise<void> {
  const held = await trx.first<HolderRow>(sql`select lease_id, lease_owner, lease_purpose, lease_since, lease_seen
    from sync_stacks where lease_expires > ${now()}`);
  const holder = held && holderOf(held);
  if (holder !== undefined) throw new LeaseHeldError(holder);
}
