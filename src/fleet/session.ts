import { Logger, runTaskList, type Task, type WorkerPool, type WorkerUtils } from 'graphile-worker';
import { jobKinds, type Work } from '@platform-sync/core/model/fleet';
import type { World } from '@platform-sync/core/model/world';
import type { Database } from '@platform-sync/state/database';
import type { FleetTables } from '@platform-sync/state/fleet-schema';
import { patientPool } from '@platform-sync/state/patient-pool';
import type { carefulPool } from '@platform-sync/state/postgres';
import { sql, Sql } from '@platform-sync/state/sql';
import { jobIn } from './job-rows.js';
import { lookingAgain } from './looks.js';
import type { usualNews } from './news.js';
import { placesIn } from './places.js';
import { tracedJob } from './telemetry.js';

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

/** One life of the job engine in a worker: what the database says that it holds, it does, or it ends. */
export class Session {
  readonly #opened: Opened;
  readonly #work: Work;
  readonly #tasks: readonly (() => Promise<void>)[];
  readonly #jobs: Sql;
  /** Of a session that breaks, too: another one begins what it leaves, and waits for nobody. */
  readonly #over = new AbortController();
  readonly #handedOver: string[] = [];
  readonly #givenUp = new Set<() => void>();
  readonly #running = new Map<string, Promise<unknown>>();
  /** What runs, and what has ended while that was still to be written. */
  readonly #known = new Set<string>();
  #unknown: readonly string[] = [];
  #isEnding = false;

  constructor(opened: Opened, work: Work, tasks: readonly (() => Promise<void>)[]) {
    this.#opened = opened;
    this.#work = work;
    this.#tasks = tasks;
    this.#jobs = inJobs(opened, 'jobs');
  }

  /** Takes jobs until it is stopped, or holds one that it knows nothing of. Rejects when the engine gives up. */
  async ended(): Promise<void> {
    const { utils, world, timing } = this.#opened;
    const { stop, onProblem } = this.#work;
    const workers = this.#begun();
    const end = (): void => {
      this.#isEnding = true;
      void Promise.resolve(workers.gracefulShutdown()).catch(onProblem);
      world.after(timing.partingMs, () => this.#givenUp.forEach((giveUp) => giveUp()), { ref: false });
    };
    const every = [
      this.#again(timing.beatMs, async () => {
        if (await this.#holdsUnknown(workers.id)) end();
      }),
      ...this.#tasks.map((task) => this.#again(timing.lookMs, task)),
    ];
    stop.addEventListener('abort', end);
    try {
      await workers.promise;
    } finally {
      stop.removeEventListener('abort', end);
      every.forEach((cease) => cease());
      this.#over.abort();
      await Promise.race([Promise.all(this.#running.values()), world.sleep(timing.partingMs, stop)]);
      await this.#gone([workers.id]).catch(onProblem);
      // It counts as failed, and would wait; freed before that is written, it does not.
      if (this.#handedOver.length > 0) await utils.rescheduleJobs(this.#handedOver, { runAt: new Date(world.now()) });
    }
  }

  #begun(): WorkerPool {
    const { pool, schema, world, timing } = this.#opened;
    const { atOnce, onProblem, stop } = this.#work;
    const pgPool = patientPool(pool, async (error) => {
      onProblem(this.#opened.database.problem(error));
      await world.sleep(timing.againMs, stop);
      return !stop.aborted;
    });
    const task: Task = async (payload, { job: { id } }) => {
      // The engine takes a job away by its number alone, whoever holds it by now.
      if ((await this.#isDone(id, payload)) && (await this.#holds(workers.id, id))) return;
      this.#handedOver.push(id);
      throw new Error('handed over to another worker');
    };
    const events = lookingAgain(world);
    const workers = runTaskList(
      {
        ...{ pgPool, schema, logger: silent, events, ...placesIn(events, atOnce) },
        // Their names are as long as the schema's, and a pooler keeps none.
        ...{ noHandleSignals: true, noPreparedStatements: true },
      },
      Object.fromEntries(jobKinds.map((kind) => [kind, task])),
      pgPool,
    );
    return workers;
  }

  /** False: it was given up, or stopped, or was given when the end had begun. */
  async #isDone(id: string, payload: unknown): Promise<boolean> {
    if (this.#isEnding) return false;
    const stop = AbortSignal.any([this.#work.stop, this.#over.signal]);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => resolve(false);
      this.#givenUp.add(giveUp);
      const job = jobIn(payload);
      const run = tracedJob(job, payload, this.#opened.world, () => this.#work.run(job, stop)).then(resolve, reject);
      this.#running.set(id, run);
      this.#known.add(id);
      void run.finally(() => {
        this.#givenUp.delete(giveUp);
        this.#running.delete(id);
      });
    });
  }

  /** A job was given to it, and the answer was lost: two signs of life in a row say so. */
  async #holdsUnknown(id: string): Promise<boolean> {
    const before = this.#unknown;
    const held = await this.#beat(id);
    for (const job of this.#known) if (!held.includes(job) && !this.#running.has(job)) this.#known.delete(job);
    this.#unknown = held.filter((job) => !this.#known.has(job));
    return this.#unknown.some((job) => before.includes(job));
  }

  /** Now and again and again; one that takes long is waited for. */
  #again(ms: number, task: () => Promise<void>): () => void {
    let isBusy = false;
    const once = (): void => {
      if (isBusy) return;
      isBusy = true;
      void task()
        .catch((error: unknown) => this.#work.onProblem(this.#opened.database.problem(error)))
        .finally(() => (isBusy = false));
    };
    once();
    return this.#opened.world.every(ms, once);
  }

  /** Shows that this worker lives, and takes from those that don't what they hold. Gives the jobs that it holds itself. */
  async #beat(id: string): Promise<readonly string[]> {
    const { database, tables, timing } = this.#opened;
    const { deadMs } = timing;
    const workers = tables.table('workers');
    const now = database.now();
    await database.run(sql`insert into ${workers} (id, seen) values (${id}, ${now})
      on conflict (id) do update set seen = excluded.seen`);
    // One that died before its first sign of life is known by its job alone.
    const dead = await database.rows<{ readonly id: string }>(sql`
      select id from ${workers} where seen < ${now} - ${deadMs}
      union select locked_by as id from ${this.#jobs}
      where locked_by not in (select id from ${workers})
        and extract(epoch from locked_at) * 1000 < ${now} - ${deadMs}`);
    if (dead.length > 0) await this.#gone(dead.map((one) => one.id));
    const held = await database.rows<{ readonly id: string }>(sql`
      select cast(id as text) as id from ${this.#jobs} where locked_by = ${id}`);
    return held.map((one) => one.id);
  }

  /** No longer, when this worker was taken for dead. */
  #holds(worker: string, job: string): Promise<boolean> {
    const { database } = this.#opened;
    const held = sql`select from ${this.#jobs} where id = cast(${job} as bigint) and locked_by = ${worker}`;
    return database.first(held).then(
      (row) => row !== undefined,
      () => true,
    );
  }

  /** Frees what workers hold that are no more, before they are forgotten. */
  async #gone(ids: readonly string[]): Promise<void> {
    const { database, tables, utils } = this.#opened;
    await utils.forceUnlockWorkers([...ids]);
    await database.run(sql`delete from ${tables.table('workers')}
      where id in (select cast(value as text) from json_array_elements_text(cast(${JSON.stringify(ids)} as json)))`);
  }
}
