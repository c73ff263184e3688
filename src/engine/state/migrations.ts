import { sql, type Kysely, type Transaction } from 'kysely';
import { LeaseHeldError, StateStoreError } from '../model/state-store.js';
import type { Database } from './database.js';
import { holderOf } from './sql-lease.js';
import { createNewsTables } from './news-tables.js';
import type { Tables } from './tables.js';

type Migration = (trx: Transaction<Tables>, database: Database) => Promise<void>;

/** In order; the version of a database is how many of them it has seen. Never edit one that was released. */
const migrations: readonly Migration[] = [createTables, createDriftTables, fenceLeases, createNewsTables];

/** The version that this program works with. */
export const currentVersion = migrations.length;

/** The version of a database; 0: it has no tables yet. Rejects for one that is newer than this program. */
export function schemaVersion(database: Database): Promise<number> {
  return versionOf(database.db, database);
}

/** Brings the tables to this program's version. One query when they are; a newer database is left untouched. */
export async function migrate(database: Database): Promise<void> {
  const { db } = database;
  if ((await versionOf(db, database)) === migrations.length) return;
  await db.transaction().execute(async (trx) => {
    await database.lockSchema(trx);
    await trx.schema
      .createTable('sync_schema')
      .ifNotExists()
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute();
    await trx
      .insertInto('sync_schema')
      .values({ id: 1, version: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Another process may have been faster.
    const { version } = await trx.selectFrom('sync_schema').select('version').executeTakeFirstOrThrow();
    for (const migration of migrations.slice(version)) await migration(trx, database);
    await trx.updateTable('sync_schema').set({ version: migrations.length }).execute();
  });
}

async function versionOf(db: Kysely<Tables>, database: Database): Promise<number> {
  let version: number;
  try {
    version = (await db.selectFrom('sync_schema').select('version').executeTakeFirst())?.version ?? 0;
  } catch (error) {
    if (isMissingTable(error)) return 0;
    throw error;
  }
  if (version > migrations.length) {
    throw new StateStoreError(
      'newer-version',
      `the state in ${database.location} has version ${String(version)}, this program knows ${String(migrations.length)}`,
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

async function createTables(trx: Transaction<Tables>): Promise<void> {
  await trx.schema
    .createTable('sync_stacks')
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('stack', 'text', (column) => column.notNull())
    .addColumn('lineage', 'text', (column) => column.notNull())
    .addColumn('serial', 'bigint', (column) => column.notNull())
    .addColumn('fingerprint_key', 'text', (column) => column.notNull())
    .addColumn('targets', 'text', (column) => column.notNull())
    .addColumn('outputs', 'text', (column) => column.notNull())
    .addColumn('lease_token', 'bigint', (column) => column.notNull().defaultTo(sql`0`))
    .addColumn('lease_id', 'text')
    .addColumn('lease_owner', 'text')
    .addColumn('lease_purpose', 'text')
    .addColumn('lease_since', 'bigint')
    .addColumn('lease_seen', 'bigint')
    .addColumn('lease_expires', 'bigint')
    .addPrimaryKeyConstraint('sync_stacks_key', ['project', 'stack'])
    .execute();
  await trx.schema
    .createTable('sync_resources')
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('stack', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('dependencies', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('sync_resources_key', ['project', 'stack', 'address'])
    .execute();
  await trx.schema
    .createTable('sync_intents')
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('stack', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('sync_intents_key', ['project', 'stack', 'id'])
    .execute();
}

async function createDriftTables(trx: Transaction<Tables>): Promise<void> {
  await trx.schema
    .createTable('sync_findings')
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('stack', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('field', 'text')
    .addColumn('class', 'text', (column) => column.notNull())
    .addColumn('severity', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('first_seen', 'text', (column) => column.notNull())
    .addColumn('last_seen', 'text', (column) => column.notNull())
    .addColumn('resolved_at', 'text')
    .addPrimaryKeyConstraint('sync_findings_key', ['project', 'stack', 'id'])
    .execute();
  await trx.schema
    .createTable('sync_checks')
    .addColumn('project', 'text', (column) => column.notNull())
    .addColumn('stack', 'text', (column) => column.notNull())
    .addColumn('checked_at', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('succeeded_at', 'text')
    .addPrimaryKeyConstraint('sync_checks_key', ['project', 'stack'])
    .execute();
}

/**
 * Every statement by which an older program takes a lease, or writes under one, names the column that has another name from
 * now on: the database itself refuses it, also when that program was started before.
 */
async function fenceLeases(trx: Transaction<Tables>, { now }: Database): Promise<void> {
  const held = await trx
    .selectFrom('sync_stacks')
    .select(['lease_id', 'lease_owner', 'lease_purpose', 'lease_since', 'lease_seen'])
    .where('lease_expires', '>', now())
    .executeTakeFirst();
  const holder = held === undefined ? undefined : holderOf(held);
  if (holder !== undefined) throw new LeaseHeldError(holder);
  // As texts: the types know the tables as they are afterwards.
  await sql`alter table sync_stacks rename column lease_token to lease_fence`.execute(trx);
  await trx.schema.alterTable('sync_stacks').addColumn('lease_process', 'text').execute();
  await trx.schema
    .alterTable('sync_stacks')
    .addColumn('lease_revoked', 'bigint', (column) => column.notNull().defaultTo(sql`0`))
    .execute();
}
