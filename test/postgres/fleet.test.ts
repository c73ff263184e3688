import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import type { FleetMessage, Job, JobQueue, Schedule, StackNews, Work } from '@platform-sync/core/model/fleet';
import { realWorld, type World } from '@platform-sync/core/model/world';
import { SharedRates } from '@platform-sync/state/sql-rates';
import { openQueue } from 'platform-sync-fleet/main';
import { startPostgres, type PostgresServer } from './server.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const quick = { beatMs: 50, deadMs: 1_000, lookMs: 50, againMs: 50, partingMs: 200 };

/** A queue with a worker whose jobs are done when the test says so. */
class Rig {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, (isDone: boolean) => void>();
  readonly #stop = new AbortController();
  readonly #work: Promise<void>;

  constructor(queue: JobQueue, schedules: readonly Schedule[] = [], atOnce = 4) {
    const run: Work['run'] = (job, stop) =>
      new Promise((resolve) => {
        const name = `${job.kind} ${job.project}`;
        this.begun.push(name);
        this.#ends.set(name, resolve);
        stop.addEventListener('abort', () => resolve(false));
      });
    this.#work = queue.work({
      ...{ atOnce, run, stop: this.#stop.signal, schedules: async () => schedules },
      onProblem: (error) => void this.begun.push(String(error)),
    });
  }

  end(name: string): void {
    this.#ends.get(name)?.(true);
  }

  stop(): Promise<void> {
    this.#stop.abort();
    return this.#work;
  }
}

const job = (kind: Job['kind'], project: string): Job => ({ kind, project, stack: 'default' });

const lost = JSON.stringify(job('check', 'b'));

async function listed(queue: JobQueue): Promise<readonly string[]> {
  return (await queue.list()).map(({ state, kind, project }) => `${state} ${kind} ${project}`);
}

describe('jobs of a fleet', () => {
  it('wait once each, are begun by urgency, one at a time a stack, and go to another worker when one stops', async () => {
    const url = await server.createDatabase();
    const [queue, other] = await Promise.all([openQueue(url, realWorld, quick), openQueue(url, realWorld, quick)]);
    const rigs: Rig[] = [];
    const rigAt = (of: JobQueue): Rig => {
      const rig = new Rig(of);
      rigs.push(rig);
      return rig;
    };
    try {
      await queue.add([job('check', 'a'), job('plan', 'b'), job('apply', 'a'), job('check', 'a'), job('plan', 'a')]);
      expect(await listed(queue)).toEqual(['apply a', 'plan b', 'plan a', 'check a'].map((name) => `waiting ${name}`));
      const first = rigAt(queue);
      // Both are looked for at once, and answered in any order.
      await expect.poll(() => [...first.begun].sort()).toEqual(['apply a', 'plan b']);
      first.end('plan b');
      await expect.poll(() => listed(queue)).toEqual(['running apply a', 'waiting plan a', 'waiting check a']);
      // Asked for again while it runs, it comes once more, and the first is no job that failed.
      await queue.add([job('apply', 'a')]);
      expect(await listed(queue)).toEqual(['running apply a', 'waiting apply a', 'waiting plan a', 'waiting check a']);
      await first.stop();
      expect(await listed(queue)).toEqual(['waiting apply a', 'waiting plan a', 'waiting check a']);
      const second = rigAt(other);
      for (const name of ['apply a', 'plan a', 'check a']) {
        await expect.poll(() => second.begun.at(-1)).toBe(name);
        second.end(name);
      }
      await expect.poll(() => listed(queue)).toEqual([]);
    } finally {
      await Promise.all(rigs.map((rig) => rig.stop()));
      await Promise.all([queue.close(), other.close()]);
    }
  });

  it.each([1, 2])(
    'that look for drift take no place of what somebody waits for, with %i at once, nor the other way',
    async (atOnce) => {
      const queue = await openQueue(await server.createDatabase(), realWorld, quick);
      const of = (kind: Job['kind']): readonly Job[] => ['a', 'b', 'c'].map((each) => job(kind, `${kind}-${each}`));
      const commit = '1'.repeat(40);
      const asked = [...of('apply'), ...of('plan').map((each) => ({ ...each, commit }))];
      const scheduled = of('plan').map(({ kind, stack }, nth) => ({ kind, stack, project: `round-${String(nth)}` }));
      const rig = new Rig(
        queue,
        scheduled.map((each) => ({ job: each, everyMs: 900_000 })),
        atOnce,
      );
      const running = async (): Promise<readonly string[]> =>
        (await queue.list()).flatMap(({ state, kind, project }) => (state === 'running' ? [`${kind} ${project}`] : []));
      const first = (names: readonly string[]): string[] => names.slice(0, atOnce);
      try {
        // All that this worker does is held until the test ends it.
        await queue.add(of('check'));
        await expect.poll(() => rig.begun).toHaveLength(atOnce);
        const looking = [...rig.begun];
        await queue.add(asked);
        const applies = ['apply apply-a', 'apply apply-b', 'apply apply-c'];
        const plans = ['plan plan-a', 'plan plan-b', 'plan plan-c'];
        const all = [...applies, ...plans];
        for (const [nth, name] of all.entries()) {
          const begun = [...looking, ...all.slice(0, nth + atOnce)];
          await expect.poll(() => [...rig.begun].sort()).toEqual(begun.sort());
          rig.end(name);
        }
        await expect.poll(async () => [...(await running())].sort()).toEqual([...looking].sort());
        // While somebody's applies take long, what was left of the checks goes on.
        await queue.add(of('apply'));
        await expect.poll(running).toEqual(expect.arrayContaining(first(applies)));
        const known = new Set<string>();
        while (known.size < 6) {
          const held = (await running()).filter((name) => !name.startsWith('apply '));
          held.forEach((name) => known.add(name));
          held.forEach((name) => rig.end(name));
        }
        expect(await running()).toEqual(expect.arrayContaining(first(applies)));
        expect([...known].sort()).toEqual(
          [...of('check'), ...scheduled].map(({ kind, project }) => `${kind} ${project}`).sort(),
        );
      } finally {
        await rig.stop();
        await queue.close();
      }
    },
  );

  it('stay as urgent as somebody wants them when a schedule wants them, too', async () => {
    const url = await server.createDatabase();
    const [queue, client] = [await openQueue(url, realWorld, quick), new pg.Client({ connectionString: url })];
    await client.connect();
    await queue.add([job('apply', 'a'), job('plan', 'b')]);
    const schedules = ['b', 'c'].map((project) => ({ job: job('plan', project), everyMs: 900_000 }));
    const rig = new Rig(queue, schedules, 1);
    try {
      await expect.poll(() => [...rig.begun].sort()).toEqual(['apply a', 'plan c']);
      const waiting = `select priority, flags from "${await schemaOf(client)}_fleet_jobs".jobs where locked_at is null`;
      expect((await client.query(waiting)).rows).toEqual([{ priority: 20, flags: { asked: true } }]);
      rig.end('apply a');
      await expect.poll(() => rig.begun.at(-1)).toBe('plan b');
    } finally {
      await rig.stop();
      await Promise.all([queue.close(), client.end()]);
    }
  });

  it('are due once after an outage, however often they were missed, and whoever looks', async () => {
    const url = await server.createDatabase();
    let now = Date.UTC(2030, 0, 1);
    const world: World = { ...realWorld, now: () => now };
    const [queue, other] = await Promise.all([openQueue(url, world, quick), openQueue(url, world, quick)]);
    const schedules = ['a', 'b'].map((project) => ({ job: job('check', project), everyMs: 900_000 }));
    const rigs = [new Rig(queue, schedules), new Rig(other, schedules)];
    try {
      const begun = (): readonly string[] => rigs.flatMap((rig) => rig.begun).sort();
      await expect.poll(begun).toEqual(['check a', 'check b']);
      for (const rig of rigs) ['check a', 'check b'].forEach((name) => rig.end(name));
      await expect.poll(() => listed(queue)).toEqual([]);
      now += 20 * 900_000;
      await expect.poll(begun).toEqual(['check a', 'check a', 'check b', 'check b']);
      await Promise.all(rigs.map((rig) => rig.stop()));
      expect(await listed(queue)).toEqual(['waiting check a', 'waiting check b']);
    } finally {
      await Promise.all(rigs.map((rig) => rig.stop()));
      await Promise.all([queue.close(), other.close()]);
    }
  });
});

describe('a worker of a fleet', () => {
  it('outlives what the database does not take of an end, begins what it holds without knowing, and ends nothing that another holds', async () => {
    const url = await server.createDatabase();
    const queue = await openQueue(url, realWorld, quick);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const schema = await schemaOf(client);
    const jobs = `"${schema}_fleet_jobs"._private_jobs`;
    const refusal = `create function refused() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '57P01'; end $$;
      create trigger refusal before delete on ${jobs} execute function refused()`;
    const worker = new Rig(queue);
    try {
      await client.query(refusal);
      await queue.add([job('check', 'a')]);
      await expect.poll(() => worker.begun).toEqual(['check a']);
      worker.end('check a');
      await expect.poll(() => worker.begun.at(-1)).toContain('57P01');
      await client.query(`drop trigger refusal on ${jobs}`);
      await expect.poll(() => listed(queue)).toEqual([]);
      // As when it was given a job and never heard so.
      const names = `(select min(id) from "${schema}_fleet".workers)`;
      await client.query('begin');
      await client.query(`select "${schema}_fleet_jobs".add_job('check', '${lost}', job_key := 'check b/default')`);
      await client.query(`update ${jobs} set locked_at = now(), locked_by = ${names}`);
      await client.query('commit');
      await expect.poll(() => worker.begun.at(-1)).toBe('check b');
      worker.end('check b');
      await expect.poll(() => listed(queue)).toEqual([]);
      // As when it was taken for dead: what it has done by then counts for nothing, and takes nothing from who holds it now.
      await queue.add([job('check', 'c')]);
      await expect.poll(() => worker.begun.at(-1)).toBe('check c');
      for (const table of [jobs, jobs.replace('jobs"._private_jobs', 'jobs"._private_job_queues')])
        await client.query(`update ${table} set locked_by = 'another' where locked_by is not null`);
      worker.end('check c');
      await expect.poll(() => worker.begun.filter((name) => name === 'check c')).toHaveLength(2);
      worker.end('check c');
      await expect.poll(() => listed(queue)).toEqual([]);
    } finally {
      await worker.stop();
      await Promise.all([queue.close(), client.end()]);
    }
  });

  it('begins nothing that it is given once it ends: another does it', async () => {
    const url = await server.createDatabase();
    const [queue, client] = [await openQueue(url, realWorld, quick), new pg.Client({ connectionString: url })];
    await client.connect();
    const schema = `"${await schemaOf(client)}_fleet_jobs"`;
    const worker = new Rig(queue);
    try {
      await queue.add([job('check', 'a')]);
      await expect.poll(() => worker.begun).toEqual(['check a']);
      worker.end('check a');
      await expect.poll(() => listed(queue)).toEqual([]);
      await client.query(`begin; lock table ${schema}._private_jobs in access exclusive mode`);
      await client.query(`select ${schema}.add_job('check', '${lost}', job_key := 'check b/default')`);
      // All its places have asked for a job, and wait for the answer.
      const looking = `select from pg_locks where not granted and relation = '${schema}._private_jobs'::regclass`;
      await expect.poll(async () => (await client.query(looking)).rows.length).toBeGreaterThanOrEqual(8);
      const stopped = worker.stop();
      await client.query('commit');
      await stopped;
      expect(worker.begun).toEqual(['check a']);
      expect(await listed(queue)).toEqual(['waiting check b']);
    } finally {
      await Promise.all([queue.close(), client.end()]);
    }
  });
});

describe('news of a fleet', () => {
  it('are told once a cause, whichever worker saw it in whichever stack, and once again when it is over', async () => {
    const url = await server.createDatabase();
    const news = { gatherMs: 0, roundMs: 60_000, sentMs: 300 };
    const queues = await Promise.all([1, 2, 3].map(() => openQueue(url, realWorld, { ...quick, news })));
    const got: FleetMessage[] = [];
    let isAway = false;
    const refused: string[] = [];
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const stop = new AbortController();
    const stacks = Array.from({ length: 41 }, (_, at) => `team${String(at).padStart(2, '0')}/prod`);
    const seen = (kind: StackNews['kind'], stack: string): StackNews => ({
      ...{ kind, stack, cause: 'Api.labels.team removed', item: `finding of ${stack}` },
    });
    const tell = (kind: StackNews['kind'], all: readonly string[]): Promise<unknown> =>
      Promise.all(all.map((stack, at) => queues[at % queues.length]?.tell('receiver', [seen(kind, stack)])));
    try {
      await tell('new', stacks);
      const works = queues.map((queue, at) =>
        queue.work({
          ...{ atOnce: 1, run: async () => true, stop: stop.signal, schedules: async () => [] },
          // A database that is slow to answer is asked again.
          onProblem: () => undefined,
          teller: {
            ...{ receiver: 'receiver', isQuiet: async () => false },
            send: async (message) => {
              if (isAway) {
                refused.push(message.id);
                return false;
              }
              got.push(message);
              // The first that sends dies then, as far as others know.
              if (at === 0 || got.length > 1) return true;
              return new Promise(() => undefined);
            },
          },
        }),
      );
      const ids = (): readonly string[] => [...new Set(got.map(({ id }) => id))];
      await expect.poll(() => ids()).toHaveLength(1);
      expect(got[0]?.causes).toEqual([{ kind: 'new', cause: 'Api.labels.team removed', stacks }]);
      // Seen again, and by one stack more: nothing that anybody does not know.
      await tell('new', [...stacks, 'late/prod']);
      await tell('resolved', stacks);
      await tell('resolved', ['late/prod']);
      await expect.poll(() => ids()).toHaveLength(2);
      const [last] = got.at(-1)?.causes ?? [];
      expect(last).toMatchObject({ kind: 'resolved', cause: 'Api.labels.team removed' });
      expect(last?.stacks.filter((stack) => stack !== 'late/prod')).toEqual(stacks);
      // A receiver that is away for a day hears of all that it missed, in order, each message once.
      const heard = got.length;
      isAway = true;
      await tell('new', ['first/prod']);
      await expect.poll(() => refused.length).toBe(1);
      await tell('resolved', ['first/prod']);
      const messages = `"${await schemaOf(client)}_fleet".messages`;
      const waiting = (): Promise<number> => client.query(`select from ${messages}`).then(({ rows }) => rows.length);
      await expect.poll(waiting).toBe(2);
      const later = `update ${messages} set until = 0 where until > extract(epoch from clock_timestamp()) * 1000 + 16000`;
      while (refused.length < 4) await client.query(later);
      isAway = false;
      await expect.poll(() => client.query(later).then(waiting)).toBe(0);
      const late = new Map(got.slice(heard).map(({ id, causes }) => [id, causes.map(({ kind }) => kind)]));
      expect([...late.values()]).toEqual([['new'], ['resolved']]);
      expect(got[heard]?.id).toBe(refused[0]);
      stop.abort();
      await Promise.all(works);
    } finally {
      stop.abort();
      await Promise.all([...queues.map((queue) => queue.close()), client.end()]);
    }
  });
});

describe('requests of a forge', () => {
  it('hear that plans wait and what came of them, once each, of the newest commit alone, however long their forge is away', async () => {
    const url = await server.createDatabase();
    const news = { gatherMs: 0, roundMs: 60_000, sentMs: 15_000 };
    const queues = await Promise.all([1, 2].map(() => openQueue(url, realWorld, { ...quick, news })));
    const queue = queues[0] ?? expect.fail();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const schema = await schemaOf(client);
    const told: string[] = [];
    const problems = new Set<string>();
    let isAway = false;
    let asked = 0;
    const stop = new AbortController();
    const at = (minute: number): string => `2030-01-01T00:0${minute}:00.000Z`;
    const plans = (commit: string, minute: number, teams = ['a', 'b']): readonly Job[] =>
      teams.map((team) => ({
        ...job('plan', team),
        ...{ commit: commit.repeat(40), request: '7', authors: [`author of ${commit}`] },
        from: { platform: 'github', project: 'acme/shop', at: at(minute) },
      }));
    const found = { found: { state: 'clean', cause: '' } } as const;
    const answer = (one: Job | undefined): Promise<void> | undefined =>
      one && queue.note(one, { ...found, comment: 'x' });
    try {
      const works = queues.map((one) =>
        one.work({
          // Jobs are answered by the test.
          ...{
            atOnce: 1,
            run: (_job, ended) => new Promise((end) => ended.addEventListener('abort', () => end(false))),
          },
          ...{ stop: stop.signal, schedules: async () => [], onProblem: (error) => problems.add(String(error)) },
          tellRequest: async ({ platform, project, number, commit, state, newest, answers }) => {
            asked += 1;
            if (isAway) return Promise.reject(new Error('away'));
            const ended = answers.map(({ project: of, found: known }) => `${of} ${known?.state ?? 'unknown'}`);
            const name = `${platform} ${project} ${number} ${commit[0] ?? ''}`;
            told.push(`${name} ${state} ${newest[0] ?? ''}: ${state === 'done' ? ended.join(', ') : ''}`);
            return true;
          },
        }),
      );
      await queue.add(plans('1', 1));
      await expect.poll(() => told).toEqual(['github acme/shop 7 1 waiting 1: ']);
      // What was not begun would be replaced by the next commit.
      await expect.poll(async () => (await listed(queue)).filter((one) => one.startsWith('running'))).toHaveLength(2);
      await answer(plans('1', 1)[0]);
      isAway = true;
      await queue.add(plans('2', 2));
      // What the forge says of an older commit comes too late.
      await queue.add(plans('1', 1));
      // A request of another repository has the same number.
      const from = { platform: 'github', project: 'acme/pets', at: at(1) } as const;
      await queue.add(plans('3', 1, ['a']).map((one) => ({ ...one, from })));
      const waiting = (await queue.list()).filter(({ state }) => state === 'waiting');
      const requests = waiting.flatMap(({ request }) => request ?? []).sort();
      expect(requests).toEqual(['acme/pets#7', 'acme/shop#7', 'acme/shop#7']);
      // Whoever pushed first has not become an outsider by the push of another.
      const { rows } = await client.query<{ readonly authors: string }>(
        `select distinct payload->>'authors' as authors from "${schema}_fleet_jobs"._private_jobs where key like 'plan %' order by 1`,
      );
      expect(rows.map(({ authors }) => authors)).toEqual(['["author of 2","author of 1"]', '["author of 3"]']);
      await expect.poll(() => asked).toBeGreaterThan(2);
      await answer(plans('2', 2)[0]);
      // The second one is begun no more.
      await client.query(
        `update "${schema}_fleet_jobs"._private_jobs set attempts = max_attempts where key like 'plan b/%'`,
      );
      isAway = false;
      // A day later; not of one that is being told now.
      const later = `update "${schema}_fleet".proposals set until = 0 where until > extract(epoch from clock_timestamp()) * 1000 + 16000`;
      await expect
        .poll(() => client.query(later).then(() => [...told].sort()))
        .toEqual([
          'github acme/pets 7 3 waiting 3: ',
          'github acme/shop 7 1 superseded 2: ',
          'github acme/shop 7 1 waiting 1: ',
          'github acme/shop 7 2 done 2: a clean, b unknown',
        ]);
      // The same commit once more: its plans are made anew.
      await queue.add(plans('2', 3));
      await expect.poll(() => told.slice(4)).toEqual(['github acme/shop 7 2 waiting 2: ']);
      for (const one of plans('2', 3)) await answer(one);
      await expect.poll(() => told.slice(5)).toEqual(['github acme/shop 7 2 done 2: a clean, b clean']);
      stop.abort();
      await Promise.all(works);
      expect(told).toHaveLength(6);
      expect([...problems]).toEqual([]);
    } finally {
      stop.abort();
      await Promise.all([...queues.map((one) => one.close()), client.end()]);
    }
  });
});

describe('the rate of one server and token', () => {
  it('is one for all that share the database, which knows no token', async () => {
    const url = await server.createDatabase();
    const rates = [new SharedRates(url), new SharedRates(url)];
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const ask = { perMinute: 6, urgency: 'asked' } as const;
      const grants = await Promise.all(
        rates.map((rate, at) => rate.of('https://x Bearer secret-token', { ...ask, asker: `stack${at}` }).take(3)),
      );
      // One begins at once; the other has to wait for a moment of its own.
      expect(grants.map(({ count }) => count).sort()).toEqual([0, 1]);
      const free = await rates[1]?.of('https://x Bearer other', { ...ask, asker: 'stack1' }).take(1);
      expect(free).toMatchObject({ count: 1, inMs: 0 });
      const { rows } = await client.query(`select * from "${await schemaOf(client)}_fleet".rates`);
      expect(rows).toHaveLength(2);
      expect(JSON.stringify(rows)).not.toMatch(/secret|Bearer|https/);
    } finally {
      await Promise.all([...rates.map((rate) => rate.close()), client.end()]);
    }
  });
});

async function schemaOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ readonly name: string }>('select current_schema() as name');
  return rows[0]?.name ?? '';
}
