import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Project } from '@platform-sync/engine/api';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { RunNews } from '@platform-sync/core/model/run-news';
import { StateStoreError, type StateStore } from '@platform-sync/core/model/state-store';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { tellRun } from '@platform-sync/review/notify/tell-run';
import { makeWorld, type World } from '../harness/world.js';
import { startReceiver, type Receiver } from './receiver.js';

/** What a receiver hears of runs, whoever ended how and whatever it answered. */

let world: World;
let receiver: Receiver;
let database: MemoryDatabase;
let now: number;
beforeAll(async () => {
  [world, receiver] = await Promise.all([makeWorld(), startReceiver()]);
  await world.write({ 'catalogue/none.yaml': { resources: {} } });
});
afterAll(() => Promise.all([world.close(), receiver.close()]));
beforeEach(() => {
  receiver.reset();
  database = new MemoryDatabase();
  now = 1_000_000;
});

const store = (): StateStore => memoryStateStore('test', 'default', database, { now: () => now });

const open = <T>(work: (project: Project) => Promise<T>, more: Parameters<World['open']>[1] = {}): Promise<T> =>
  world.open(work, { openState: async () => store(), ...more });

const end = (status: RunNews['status'], ...names: readonly string[]): RunNews => ({
  ...{ project: 'test', stack: 'default', command: 'apply', at: '2030-01-01T00:00:00.000Z', status },
  about: names.map((name) => ({ name, summary: 'it failed' })),
  counts: { done: 1, failed: names.length, skipped: 0 },
  problems: [],
});

const send = (news: RunNews): Promise<Diagnostic | undefined> =>
  tellRun(news, { url: receiver.url, format: 'generic', userAgent: 'test', pausesMs: [0, 0] });

const ended = (news: RunNews | undefined): Promise<Diagnostic | undefined> =>
  open((project) => project.tellRuns(news, receiver.url, send));

interface Heard {
  readonly status: string;
  readonly about: readonly { readonly name: string }[];
}

const heard = (): readonly string[] =>
  receiver.posts.map(({ body }) => {
    const { status, about } = body as Heard;
    return [status, ...about.map(({ name }) => name)].join(' ');
  });

it('each trouble is told once, and that it is over', async () => {
  await ended(end('done'));
  await ended(end('failed', 'pets'));
  await ended(end('failed', 'pets'));
  await ended(end('blocked', 'maxDeletes'));
  await ended(end('failed', 'pets'));
  await ended(end('failed', 'pets', 'cats'));
  await ended(end('done'));
  await ended(end('done'));
  await ended(end('failed', 'pets'));
  expect(heard()).toEqual(['failed pets', 'blocked maxDeletes', 'failed pets cats', 'done', 'failed pets']);
  expect(receiver.posts.map(({ headers }) => headers['x-sync-event'])).toEqual(Array<string>(5).fill('run'));
});

it('a receiver that was down hears of all of it, in order and once', async () => {
  await ended(end('failed', 'pets'));
  receiver.answer(500);
  expect(await ended(end('partly', 'cats'))).toMatchObject({ code: 'webhook-failed' });
  expect(await ended(end('done'))).toMatchObject({ code: 'webhook-failed' });
  receiver.reset();
  // Whoever looks next, a check for drift too, tells it.
  expect(await ended(undefined)).toBeUndefined();
  await ended(undefined);
  expect(heard()).toEqual(['partly cats', 'done']);
});

it('a receiver that took the first of two messages only hears the second one again', async () => {
  await ended(end('failed', 'pets'));
  receiver.answer(500);
  await ended(end('partly', 'cats'));
  receiver.reset();
  receiver.answer(204, 500);
  await ended(end('done'));
  receiver.reset();
  await ended(undefined);
  expect(heard()).toEqual(['done']);
});

it('two runs that end alike at once are told once', async () => {
  await Promise.all([1, 2, 3, 4].map(() => ended(end('failed', 'pets'))));
  expect(heard()).toEqual(['failed pets']);
});

it('who is killed between the answer and its record leaves no more than one message told twice', async () => {
  const dying = new Proxy(store(), {
    get: (target, name) => {
      if (name === 'closeNews') return () => Promise.reject(new StateStoreError('unreachable', 'it is gone', 'Wait.'));
      const found = target[name as keyof typeof target];
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
  await open((project) => project.tellRuns(end('failed', 'pets'), receiver.url, send), {
    openState: async () => dying,
  });
  // Its right to tell runs out.
  await ended(undefined);
  expect(heard()).toEqual(['failed pets']);
  now += 1_000_000;
  await ended(undefined);
  await ended(undefined);
  expect(heard()).toEqual(['failed pets', 'failed pets']);
});

it('a run that died is told once by whoever comes next, with what it may have sent', async () => {
  const dead = store();
  const lease = await dead.acquire('apply', { owner: 'ci@runner pid 7', waitMs: 0 });
  await dead.begin(lease, {
    ...{ id: 'one', address: 'pets', type: 'platform:index/api:Api', action: 'create', scope: {}, inputs: {} },
    ...{ run: lease.id, createdAt: '2030-01-01T00:00:00.000Z' },
  });
  await ended(undefined);
  expect(heard()).toEqual([]);
  now += 1_000_000;
  await ended(undefined);
  await ended(undefined);
  await open((project) => project.noteLostRun());
  await ended(end('failed', 'cats'));
  expect(heard()).toEqual(['unknown pets', 'failed cats']);
  expect(JSON.stringify(receiver.posts[0]?.body)).toContain('Apply of ci@runner pid 7 left no result');
  await dead.close();
});

it('where nobody can remember, a trouble is told each time and its end never', async () => {
  const refuse = (): Promise<never> => Promise.reject(new StateStoreError('read-only', 'it is only read', 'no'));
  const forgetful = new Proxy(store(), {
    get: (target, name) => {
      if (name === 'noteRun') return refuse;
      const found = target[name as keyof typeof target];
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
  for (const one of [end('failed', 'pets'), end('failed', 'pets'), end('done')])
    await open((project) => project.tellRuns(one, receiver.url, send), { openState: async () => forgetful });
  expect(heard()).toEqual(['failed pets', 'failed pets']);
});

it('a channel reads who, what and what next, and no name is markup', async () => {
  const news = { ...end('blocked', '<!channel> `x`'), problems: [{ code: 'a', summary: 'see @here' }] };
  await tellRun(news, { url: receiver.url, format: 'slack', userAgent: 'test', link: 'https://ci.example/7' });
  expect(receiver.posts[0]?.body).toMatchSnapshot();
});
