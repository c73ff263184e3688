import { runTaskList, type Task, type WorkerPool } from 'graphile-worker';
import { jobKinds, type Work } from '@platform-sync/core/model/fleet';
import { patientPool } from '@platform-sync/state/patient-pool';
import { jobIn } from './job-rows.js';
import { lookingAgain } from './looks.js';
import { type Opened, silent } from './opened.js';
import { placesIn } from './places.js';
import { SignsOfLife } from './signs-of-life.js';
import { tracedJob } from './telemetry.js';

/** One life of the job engine in a worker: what the database says that it holds, it does, or it ends. */
export class Session {
  readonly #opened: Opened;
  readonly #work: Work;
  readonly #tasks: readonly (() => Promise<void>)[];
  readonly #life: SignsOfLife;
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
    this.#life = new SignsOfLife(opened);
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
      await this.#life.gone([workers.id]).catch(onProblem);
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
      if ((await this.#isDone(id, payload)) && (await this.#life.holds(workers.id, id))) return;
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
    const held = await this.#life.beat(id);
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
}
