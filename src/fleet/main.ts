import type { ConsoleOptions, RunningConsole } from '@platform-sync/core/model/console';
import {
  type Job,
  type JobFound,
  type JobQueue,
  type QueuedJob,
  type StackNews,
  type Work,
} from '@platform-sync/core/model/fleet';
import { momentIn, type World } from '@platform-sync/core/model/world';
import { FleetRecord } from '@platform-sync/state/fleet-record';
import { sql, type Sql } from '@platform-sync/state/sql';
import { FleetNews } from './news.js';
import { FleetRequests } from './requests.js';
import { type JobRow, queuedJob, rowOf } from './job-rows.js';
import { inJobs, type Opened, opened, type Timing } from './opened.js';
import { Session } from './session.js';
import { standing } from './standing.js';
import { afterTick, tickOf } from './schedule.js';

export async function openQueue(url: string, world: World, timing: Partial<Timing> = {}): Promise<JobQueue> {
  return new PostgresQueue(await opened(url, world, timing));
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
  readonly #jobs: Sql;

  constructor(opened: Opened) {
    this.#opened = opened;
    this.#jobs = inJobs(opened, 'jobs');
    this.#news = new FleetNews(opened, this.#jobs, opened.timing.news);
    this.#requests = new FleetRequests(opened, this.#jobs, opened.timing.news.sentMs);
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
        from ${this.#jobs} where key is not null or locked_at is not null order by locked_at is null, attempts >= max_attempts, priority, run_at, id`);
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
        await new Session(this.#opened, work, this.#tasks(work)).ended();
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

  /** What is looked after again and again beside the jobs. */
  #tasks(work: Work): readonly (() => Promise<void>)[] {
    const { teller, tellRequest } = work;
    return [
      () => this.#look(work),
      ...(work.afterRound === undefined ? [] : [() => this.#afterRound(work)]),
      ...(teller === undefined ? [] : [() => this.#news.deliver(teller)]),
      ...(tellRequest === undefined ? [] : [() => this.#requests.deliver(tellRequest)]),
    ];
  }

  /** Puts in what has come due since anybody looked, once for all workers. What somebody has asked for stays as urgent as it is. */
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
      ${this.#adding(sql`(select value from given join fresh on job = value->>'key') as due
        where not exists (select from ${this.#jobs} where key = value->>'key' and locked_at is null
          and attempts < max_attempts and priority < cast(value->>'priority' as integer))`)}`);
  }

  /** By whoever comes first once the checks of a tick are done. */
  async #afterRound({ afterRound }: Work): Promise<void> {
    if (afterRound === undefined) return;
    const { database, tables, world } = this.#opened;
    const tick = afterTick(afterRound.everyMs, world.now());
    const ticks = tables.table('ticks');
    const taken = await database.first(sql`
      insert into ${ticks} (job, tick) select 'after round', cast(${tick} as bigint)
      where not exists (select from ${this.#jobs}
        where key like 'check %' and attempts < max_attempts and (locked_at is not null or run_at <= now()))
      on conflict (job) do update set tick = excluded.tick where ${ticks}.tick < excluded.tick returning job`);
    if (taken !== undefined) await afterRound.run();
  }

  #adding(jobs: Sql): Sql {
    return sql`select ${inJobs(this.#opened, 'add_job')}(value->>'kind', payload := value->'payload', queue_name := value->>'queue',
      job_key := value->>'key', priority := cast(value->>'priority' as integer), job_key_mode := value->>'mode',
      flags := array[value->>'lane'])
      from ${jobs}`;
  }

  async #known<T>(work: () => Promise<T>): Promise<T> {
    return work().catch((error: unknown) => {
      throw this.#opened.database.problem(error);
    });
  }
}
