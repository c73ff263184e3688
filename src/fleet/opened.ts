import { Logger, makeWorkerUtils, type WorkerUtils } from 'graphile-worker';
import type { World } from '@platform-sync/core/model/world';
import type { Database } from '@platform-sync/state/database';
import { fleetSchema, type FleetTables } from '@platform-sync/state/fleet-schema';
import { realTiming } from '@platform-sync/state/lease-term';
import { carefulPool, openPostgres } from '@platform-sync/state/postgres';
import { Sql } from '@platform-sync/state/sql';
import { usualNews } from './news.js';

/** Milliseconds. Replaced in tests. */
export interface Timing {
  /** A worker shows that it lives so often. */
  readonly beatMs: number;
  /** One that was not seen for so long is dead, and its jobs are anybody's. */
  readonly deadMs: number;
  /** Between two looks at the schedules. */
  readonly lookMs: number;
  /** So long after a broken session the next one begins. */
  readonly againMs: number;
  /** A job that heeds no stop is given up so long after it. */
  readonly partingMs: number;
  readonly news: typeof usualNews;
}

export interface Opened {
  readonly database: Database;
  readonly pool: ReturnType<typeof carefulPool>;
  readonly tables: FleetTables;
  /** The job engine's own. */
  readonly schema: string;
  readonly utils: WorkerUtils;
  readonly world: World;
  readonly timing: Timing;
}

/** What the engine says is told by those who hear of it. */
export const silent = new Logger(() => () => undefined);

/** What the job engine's schema has by this name. */
export function inJobs({ schema }: Pick<Opened, 'schema'>, name: string): Sql {
  return new Sql([`"${schema.replaceAll('"', '""')}".${name}`], []);
}

const usual: Timing = {
  beatMs: 3_000,
  deadMs: 20_000,
  lookMs: 5_000,
  againMs: 2_000,
  partingMs: 15_000,
  news: usualNews,
};
/** Longer than any connection or statement takes: one that swallows what is sent is given up. */
const answerMs = 10_000;

/** The database of a fleet with the tables of its jobs, made where needed. */
export async function opened(url: string, world: World, timing: Partial<Timing>): Promise<Opened> {
  const database = openPostgres(url, realTiming);
  const pool = carefulPool(url, { max: 12, query_timeout: answerMs }, answerMs);
  try {
    const tables = await fleetSchema(database);
    const schema = `${tables.name}_jobs`;
    const utils = await makeWorkerUtils({ pgPool: pool, schema, logger: silent, noPreparedStatements: true });
    await utils.migrate();
    return { database, pool, tables, schema, utils, world, timing: { ...usual, ...timing } };
  } catch (error) {
    await Promise.all([database.close(), pool.end()]);
    throw database.problem(error);
  }
}
