import { Logger, makeWorkerUtils, runTaskList, type Task, type WorkerUtils } from 'graphile-worker';
import type { ConsoleOptions, RunningConsole } from '@platform-sync/core/model/console';
import {
  type Job,
  type JobFound,
  jobKinds,
  type JobQueue,
  type QueuedJob,
  type StackNews,
  type Work,
} from '@platform-sync/core/model/fleet';
import { momentIn, type World } from '@platform-sync/core/model/world';
import type { Database } from '@platform-sync/state/database';
import { FleetRecord } from '@platform-sync/state/fleet-record';
import { fleetSchema, type FleetTables } from '@platform-sync/state/fleet-schema';
import { realTiming } from '@platform-sync/state/lease-term';
import { patientPool } from '@platform-sync/state/patient-pool';
import { carefulPool, openPostgres } from '@platform-sync/state/postgres';
import { sql, Sql } from '@platform-sync/state/sql';
import { FleetNews, usualNews } from './news.js';
import { FleetRequests } from './requests.js';
import { jobIn, type JobRow, queuedJob, rowOf } from './job-rows.js';
import { lookingAgain } from './looks.js';
import { standing } from './standing.js';
import { afterTick, tickOf } from './schedule.js';
import { tracedJob } from './telemetry.js';

/** Milliseconds. Replaced in tests. */
interface Timing {
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

type Pool = ReturnType<typeof carefulPool>;
export async function openQueue(url: string, world: World, timing: Partial<Timing> = {}): Promise<JobQueue> {
  const database = openPostgres(url, realTiming);
  const pool = carefulPool(url, { max: 12, query_timeout: answerMs }, answerMs);
  try {
    const tables = await fleetSchema(database);
    const schema = `${tables.name}_jobs`;
    const utils = await makeWorkerUtils({ pgPool: pool, schema, logger: silent, noPreparedStatements: true });
    await utils.migrate();
    return new PostgresQueue({ database, pool, tables, schema, utils, world, timing: { ...usual, ...timing } });
  } catch (error) {
    await Promise.all([database.close(), pool.end()]);
    throw database.problem(error);
  }
}

/** What the engine says is told by those who hear of it. */
const silent = new Logger(() => () => undefined);

interface Opened {
  readonly database: Database;
  readonly pool: Pool;
  readonly tables: FleetTables;
  /** The job engine's own. */
  readonly schema: string;
  readonly utils: WorkerUtils;
  readonly world: World;
  readonly timing: Timing;
}

/** Who only wants the queue loads no server. */
export async function openConsole(options: ConsoleOptions): Promise<RunningConsole> {
  const [{ serveConsole }, queue] = await Promise.all([
    import('./console/server.js'),
    openQueue(options.database, options.world),
  ]);
  return serveConsole(options, queue);
}

class PostgresQueue implements JobQueue {
  readonly #opened: Opened;
  readonly #news: FleetNews;
  readonly #requests: FleetRequests;

  constructor(opened: Opened) {
    this.#opened = opened;
    this.#news = new FleetNews(opened, this.#of('jobs'), opened.timing.news);
    this.#requests = new FleetRequests(opened, this.#of('jobs'), opened.timing.news.sentMs);
  }

  async add(jobs: readonly Job[]): Promise<void> {
    const { database } = this.#opened;
    await this.#known(() =>
      database.transaction(async (trx) => {
        const begun = await this.#requests.begin(trx, jobs);
        await trx.rows(this.#adding(database.each(JSON.stringify(begun.map(rowOf)))));
      }),
    );
  }

  list(): Promise<readonly QueuedJob[]> {
    return this.#known(async () => {
      const { database } = this.#opened;
      // What was asked for again while it ran has lost its key to the job that comes after it, and is over when it ends, however it ends.
      const rows = await database.rows<JobRow>(sql`
        select coalesce(key, task_identifier || ' ' || queue_name) as key, attempts, last_error as error, attempts >= max_attempts as "isOver",
          locked_at is not null as "isRunning",
          cast(extract(epoch from coalesce(locked_at, run_at)) * 1000 as bigint) as at
        from ${this.#of('jobs')} where key is not null or locked_at is not null order by locked_at is null, attempts >= max_attempts, priority, run_at, id`);
      return rows.map(queuedJob);
    });
  }

  standings(): ReturnType<JobQueue['standings']> {
    const { database, tables } = this.#opened;
    return this.#known(async () => {
      const known = await new FleetRecord(database, tables).stacks();
      return new Map([...known].map(([name, stack]) => [name, standing(stack)]));
    });
  }

  note(job: Job, found: JobFound): Promise<void> {
    const { database, tables, world } = this.#opened;
    return this.#known(async () => {
      await new FleetRecord(database, tables).note(job, found, momentIn(world));
      await this.#requests.answer(job, found);
    });
  }

  tell(receiver: string, news: readonly StackNews[]): Promise<void> {
    return this.#known(() => this.#news.keep(receiver, news));
  }

  async work(work: Work): Promise<void> {
    const { world, timing } = this.#opened;
    while (!work.stop.aborted) {
      try {
        await this.#session(work);
      } catch (error) {
        work.onProblem(this.#opened.database.problem(error));
      }
      await world.sleep(timing.againMs, work.stop);
    }
  }

  async close(): Promise<void> {
    const { utils, pool, database } = this.#opened;
    await utils.release();
    await Promise.all([pool.end(), database.close()]);
  }

  /** Takes jobs until it is stopped, or holds one that it knows nothing of. Rejects when the engine gives up. */
  async #session(work: Work): Promise<void> {
    const { pool, schema, utils, world, timing } = this.#opened;
    const pgPool = patientPool(pool, async (error) => {
      work.onProblem(this.#opened.database.problem(error));
      await world.sleep(timing.againMs, work.stop);
      return !work.stop.aborted;
    });
    const { teller, tellRequest } = work;
    const handedOver: string[] = [];
    const givenUp = new Set<() => void>();
    const running = new Map<string, Promise<unknown>>();
    const known = new Set<string>();
    // Of a session that breaks, too: another one begins what it leaves, and waits for nobody.
    const over = new AbortController();
    const stop = AbortSignal.any([work.stop, over.signal]);
    const task: Task = async (payload, { job: { id } }) => {
      const isDone = new Promise<boolean>((resolve, reject) => {
        const giveUp = (): void => resolve(false);
        givenUp.add(giveUp);
        const job = jobIn(payload);
        const run = tracedJob(job, payload, world, () => work.run(job, stop)).then(resolve, reject);
        running.set(id, run);
        known.add(id);
        void run.finally(() => {
          givenUp.delete(giveUp);
          running.delete(id);
        });
      });
      // The engine takes a job away by its number alone, whoever holds it by now.
      if ((await isDone) && (await this.#holds(workers.id, id))) return;
      handedOver.push(id);
      throw new Error('handed over to another worker');
    };
    const workers = runTaskList(
      {
        ...{ pgPool, schema, logger: silent, concurrency: work.atOnce, events: lookingAgain(world) },
        // Their names are as long as the schema's, and a pooler keeps none.
        ...{ noHandleSignals: true, noPreparedStatements: true },
      },
      Object.fromEntries(jobKinds.map((kind) => [kind, task])),
      pgPool,
    );
    const end = (): void => {
      void Promise.resolve(workers.gracefulShutdown()).catch(work.onProblem);
      world.after(timing.partingMs, () => givenUp.forEach((giveUp) => giveUp()), { ref: false });
    };
    let unknown: readonly string[] = [];
    const every = [
      this.#again(timing.beatMs, work, async () => {
        const before = unknown;
        const held = await this.#beat(workers.id);
        // Of one that has ended this is still to be written.
        for (const id of known) if (!held.includes(id) && !running.has(id)) known.delete(id);
        unknown = held.filter((id) => !known.has(id));
        // Else it was given, and the answer was lost.
        if (unknown.some((id) => before.includes(id))) end();
      }),
      this.#again(timing.lookMs, work, () => this.#look(work)),
      ...(work.afterRound === undefined ? [] : [this.#again(timing.lookMs, work, () => this.#afterRound(work))]),
      ...(teller === undefined ? [] : [this.#again(timing.lookMs, work, () => this.#news.deliver(teller))]),
      ...(tellRequest === undefined
        ? []
        : [this.#again(timing.lookMs, work, () => this.#requests.deliver(tellRequest))]),
    ];
    work.stop.addEventListener('abort', end);
    try {
      await workers.promise;
    } finally {
      work.stop.removeEventListener('abort', end);
      every.forEach((cease) => cease());
      over.abort();
      await Promise.race([Promise.all(running.values()), world.sleep(timing.partingMs, work.stop)]);
      await this.#gone([workers.id]).catch(work.onProblem);
      // It counts as failed, and would wait; freed before that is written, it does not.
      if (handedOver.length > 0) await utils.rescheduleJobs(handedOver, { runAt: new Date(world.now()) });
    }
  }

  /** Now and again and again; one that takes long is waited for. */
  #again(ms: number, { onProblem }: Work, task: () => Promise<void>): () => void {
    let isBusy = false;
    const once = (): void => {
      if (isBusy) return;
      isBusy = true;
      void task()
        .catch((error: unknown) => onProblem(this.#opened.database.problem(error)))
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
      union select locked_by as id from ${this.#of('jobs')}
      where locked_by not in (select id from ${workers})
        and extract(epoch from locked_at) * 1000 < ${now} - ${deadMs}`);
    if (dead.length > 0) await this.#gone(dead.map((one) => one.id));
    const held = await database.rows<{ readonly id: string }>(sql`
      select cast(id as text) as id from ${this.#of('jobs')} where locked_by = ${id}`);
    return held.map((one) => one.id);
  }

  /** No longer, when this worker was taken for dead. */
  #holds(worker: string, job: string): Promise<boolean> {
    const { database } = this.#opened;
    const held = sql`select from ${this.#of('jobs')} where id = cast(${job} as bigint) and locked_by = ${worker}`;
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

  /** Puts in what has come due since anybody looked, once for all workers. */
  async #look({ schedules }: Work): Promise<void> {
    const { database, tables, world } = this.#opened;
    const now = world.now();
    const due = (await schedules()).map((schedule) => {
      const tick = tickOf(schedule, now);
      return { ...rowOf({ ...schedule.job, round: `${schedule.job.kind} ${String(tick)}` }), tick };
    });
    const ticks = tables.table('ticks');
    // Ticks and jobs come about together, or neither does.
    await database.rows(sql`
      with given as (select value from ${database.each(JSON.stringify(due))}),
      fresh as (
        insert into ${ticks} (job, tick)
        select value->>'key', cast(value->>'tick' as bigint) from given
        where not exists (
          select from ${ticks} where job = value->>'key' and tick >= cast(value->>'tick' as bigint))
        on conflict (job) do update set tick = excluded.tick where ${ticks}.tick < excluded.tick
        returning job)
      ${this.#adding(sql`(select value from given join fresh on job = value->>'key') as due`)}`);
  }

  /** By whoever comes first once the checks of a tick are done. */
  async #afterRound({ afterRound }: Work): Promise<void> {
    if (afterRound === undefined) return;
    const { database, tables, world } = this.#opened;
    const tick = afterTick(afterRound.everyMs, world.now());
    const ticks = tables.table('ticks');
    const taken = await database.first(sql`
      insert into ${ticks} (job, tick) select 'after round', cast(${tick} as bigint)
      where not exists (select from ${this.#of('jobs')}
        where key like 'check %' and attempts < max_attempts and (locked_at is not null or run_at <= now()))
      on conflict (job) do update set tick = excluded.tick where ${ticks}.tick < excluded.tick returning job`);
    if (taken !== undefined) await afterRound.run();
  }

  #adding(jobs: Sql): Sql {
    return sql`select ${this.#of('add_job')}(value->>'kind', payload := value->'payload', queue_name := value->>'queue',
      job_key := value->>'key', priority := cast(value->>'priority' as integer), job_key_mode := value->>'mode')
      from ${jobs}`;
  }

  #of(name: string): Sql {
    return new Sql([`"${this.#opened.schema.replaceAll('"', '""')}".${name}`], []);
  }

  async #known<T>(work: () => Promise<T>): Promise<T> {
    return work().catch((error: unknown) => {
      throw this.#opened.database.problem(error);
    });
  }
}
