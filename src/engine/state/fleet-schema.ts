import { StateStoreError } from '@platform-sync/core/model/state-store';
import type { Database } from './database.js';
import { sql, Sql } from './sql.js';

/** Gives the statements of one step, for a schema by its name. */
export type SchemaStep = (schema: string) => readonly string[];

/**
 * In order; never edit one that was released. Each only adds, so that programs of the version before go on meanwhile. What is in these
 * tables may be thrown away: it is of runs, not of objects.
 */
export const fleetSteps: readonly SchemaStep[] = [
  (schema) => [
    `create table ${schema}.rates (caller text primary key, ledger jsonb not null)`,
    `create table ${schema}.workers (id text primary key, seen bigint not null)`,
    `create table ${schema}.ticks (job text primary key, tick bigint not null)`,
  ],
  (schema) => [
    // What a receiver is to hear of each stack, has heard, or is to hear the end of; and messages that it has not taken.
    `create table ${schema}.causes (receiver text not null, stack text not null, item text not null, kind text not null,
      cause text not null, state text not null, at bigint not null, primary key (receiver, stack, item))`,
    `create table ${schema}.messages (number bigserial primary key, id text not null, receiver text not null,
      causes jsonb not null, until bigint not null, tries integer not null)`,
  ],
  (schema) => [
    // How the last job of each kind left a stack, and what was planned for it, by effect.
    `create table ${schema}.found (project text not null, stack text not null, kind text not null, at text not null,
      body text not null, primary key (project, stack, kind))`,
    `create table ${schema}.plans (project text not null, stack text not null, effect text not null, at text not null,
      authors jsonb not null, made_of text, body text not null, primary key (project, stack, effect))`,
  ],
  (schema) => [
    // What came of findings that somebody wanted settled.
    `create table ${schema}.settled (project text not null, stack text not null, id text not null, at text not null,
      body text not null, primary key (project, stack, id))`,
    // Left out: the version before wrote it.
    `alter table ${schema}.plans add column steps integer`,
    // Commits that requests propose, in the order in which they came, who had brought any of them by then, how far each was told, and
    // what stacks say of it.
    `create table ${schema}.proposals (nth bigserial primary key, platform text not null, project text not null, number bigint not null,
      made_of text not null, at text not null, authors jsonb not null, told text not null, until bigint not null,
      tries integer not null)`,
    `create index proposals_of_request on ${schema}.proposals (platform, project, number)`,
    `create table ${schema}.answers (nth bigint not null references ${schema}.proposals on delete cascade, job text not null,
      project text not null, stack text not null, body text, primary key (nth, job))`,
  ],
];

/**
 * The schema of what stacks share beside their state: the one that the state's tables are in, with `_fleet` behind its name. Made
 * and upgraded where needed.
 */
export async function fleetSchema(database: Database, steps = fleetSteps): Promise<FleetTables> {
  const state = (await database.first<{ readonly name: string | null }>(sql`select current_schema() as name`))?.name;
  // A name has 63 characters at most, and the queue's is made of this one.
  const name = `${(state ?? 'public').slice(0, 48)}_fleet`;
  const tables = new FleetTables(name);
  const seen = await database.first<VersionRow>(versionIn(tables.schema)).catch(() => undefined);
  if (seen?.version !== steps.length) await upgradeSchema(database, tables.schema, steps, 'what runs share');
  return tables;
}

interface VersionRow {
  readonly version: number;
}

/** Names in statements. */
export class FleetTables {
  /** Unquoted. */
  readonly name: string;
  readonly schema: string;

  constructor(name: string) {
    this.name = name;
    this.schema = `"${name.replaceAll('"', '""')}"`;
  }

  /** The table as a part of a statement. */
  table(
    name:
      | ('rates' | 'workers' | 'ticks' | 'causes' | 'messages')
      | ('found' | 'plans' | 'settled' | 'proposals' | 'answers'),
  ): Sql {
    return new Sql([`${this.schema}.${name}`], []);
  }
}

function versionIn(schema: string): Sql {
  return new Sql([`select version from ${schema}.version`], []);
}

/** Brings a schema to the version of these steps. One that is a version ahead stays so: machines are upgraded one after the other. */
export async function upgradeSchema(
  database: Database,
  schema: string,
  steps: readonly SchemaStep[],
  what: string,
): Promise<void> {
  await database.transaction(async (trx) => {
    const run = (text: string): Promise<number> => trx.run(new Sql([text], []));
    await database.lockSchema(trx);
    await run(`create schema if not exists ${schema}`);
    await run(`create table if not exists ${schema}.version (id integer primary key, version integer not null)`);
    await run(`insert into ${schema}.version (id, version) values (1, 0) on conflict do nothing`);
    const seen = (await trx.first<VersionRow>(versionIn(schema)))?.version ?? 0;
    if (seen > steps.length + 1)
      throw new StateStoreError(
        'newer-version',
        `${what} in ${database.location} has version ${String(seen)}, this program knows ${String(steps.length)}`,
        'Use the version of this program that wrote it, or the one before it.',
      );
    if (seen >= steps.length) return;
    for (const statements of steps.slice(seen)) for (const text of statements(schema)) await run(text);
    await run(`update ${schema}.version set version = ${String(steps.length)}`);
  });
}
