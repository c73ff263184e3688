import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Project } from '@platform-sync/engine/api';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { DriftResult } from '@platform-sync/core/model/drift';
import { StateStoreError } from '@platform-sync/core/model/state-store';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { tellDrift } from '@platform-sync/review/notify/tell-drift';
import { makeWorld, type World } from '../harness/world.js';
import { startReceiver, type Receiver } from './receiver.js';

/** What a receiver hears over several checks, whoever made them and whatever it answered. */

let world: World;
let receiver: Receiver;
let database: MemoryDatabase;
let id: string;
/** Shorter only for a receiver that hangs: no other may be given up on a busy machine. */
let timeoutMs: number;
beforeAll(async () => {
  [world, receiver] = await Promise.all([makeWorld(), startReceiver()]);
  const properties = { name: 'pets', version: 'v1', description: 'As it should be.' };
  await world.write({ 'catalogue/pets.yaml': { resources: { pets: { type: 'platform:Api', properties } } } });
});
afterAll(() => Promise.all([world.close(), receiver.close()]));
beforeEach(async () => {
  timeoutMs = 60_000;
  receiver.reset();
  await world.call('POST', '/_sandbox/reset');
  database = new MemoryDatabase();
  await open(async (project) => project.apply(await project.plan()));
  const list = (await world.call('GET', '/v3/apis')).body as { readonly data: readonly { readonly id: string }[] };
  id = list.data[0]?.id ?? '';
  // Whoever was told of a clean check hears of nothing.
  await told();
  expect(receiver.posts).toEqual([]);
});

const open = <T>(work: (project: Project) => Promise<T>, more: Parameters<World['open']>[1] = {}): Promise<T> =>
  world.open(work, { openState: async () => memoryStateStore('test', 'default', database), ...more });

const send = (project: Project, result: DriftResult, url = receiver.url): Promise<Diagnostic | undefined> =>
  project.tellDrift(result, url, (news) =>
    tellDrift(news, { url, format: 'generic', userAgent: 'test', pausesMs: [0, 0], timeoutMs }),
  );

/** A check, and its telling. */
async function told(url?: string): Promise<Diagnostic | undefined> {
  return open(async (project) => send(project, await project.drift(), url));
}

/** A check that somebody makes for themselves. */
const looked = (): Promise<DriftResult> => open((project) => project.drift());

const edit = (description: string): Promise<unknown> => world.call('PATCH', `/v3/apis/${id}`, { description });

interface Heard {
  readonly status: string;
  readonly recovered: boolean;
  readonly new: readonly { readonly new: string }[];
  readonly worse: readonly { readonly new: string }[];
  readonly resolved: readonly unknown[];
  readonly problems: readonly unknown[];
}

/** `new: a; resolved` of each message. */
function heard(): readonly string[] {
  return receiver.posts.map(({ body }) => {
    const { status, new: fresh, worse, resolved, recovered, problems } = body as Heard;
    const parts = [
      ...fresh.map((found) => `new ${found.new}`),
      ...worse.map((found) => `worse ${found.new}`),
      ...resolved.map(() => 'resolved'),
      ...(problems.length > 0 ? ['problems'] : []),
      ...(recovered ? ['recovered'] : []),
    ];
    return `${status}: ${parts.join(', ')}`;
  });
}

async function withoutPlatform<T>(work: () => Promise<T>): Promise<T> {
  const { env } = world;
  world.env = { ...env, PLATFORM_SERVER_URL: 'http://127.0.0.1:1' };
  try {
    return await work();
  } finally {
    world.env = env;
  }
}

describe('a receiver', () => {
  it('hears each change once, and of the end of all', async () => {
    await edit('one');
    for (let check = 0; check < 3; check += 1) await told();
    await edit('two');
    for (let check = 0; check < 2; check += 1) await told();
    await edit('As it should be.');
    for (let check = 0; check < 2; check += 1) await told();
    expect(heard()).toEqual(['drift: new one', 'drift: worse two', 'clean: resolved']);
  });

  it('hears of a failure once, and that it is over', async () => {
    await withoutPlatform(async () => {
      for (let check = 0; check < 3; check += 1) await told();
    });
    for (let check = 0; check < 2; check += 1) await told();
    expect(heard()).toEqual(['failed: problems', 'clean: recovered']);
  });

  it('hears of what somebody else looked at first, and of what came and went meanwhile', async () => {
    await edit('one');
    await looked();
    await looked();
    await told();
    await edit('As it should be.');
    await looked();
    await edit('three');
    await looked();
    await withoutPlatform(looked);
    await told();
    expect(heard()).toEqual(['drift: new one', 'drift: new three, resolved, problems, recovered']);
  });

  it.each([
    ['is down', ['hang'], 50],
    ['answers 500', [500], 60_000],
    ['refuses', [404], 60_000],
  ] as const)('that %s hears of it when it is back', async (_name, answers, enough) => {
    receiver.answer(...answers);
    timeoutMs = enough;
    await edit('one');
    expect(await told()).toMatchObject({ code: 'webhook-failed' });
    await edit('two');
    expect(await told()).toMatchObject({ code: 'webhook-failed' });
    // It asks again although nothing has changed since.
    expect(await told()).toMatchObject({ code: 'webhook-failed' });
    receiver.reset();
    timeoutMs = 60_000;
    expect(await told()).toBeUndefined();
    await told();
    expect(heard()).toEqual(['drift: new two']);
  });

  it('that is slow takes it once', async () => {
    receiver.answer(503, 503, 204);
    await edit('one');
    await told();
    await told();
    expect(heard()).toEqual(['drift: new one', 'drift: new one', 'drift: new one']);
  });

  it('hears once of what two checks see at the same time, and loses nothing of either', async () => {
    await edit('one');
    await Promise.all([told(), told(), told(), told()]);
    expect(heard()).toEqual(['drift: new one']);
  });

  it('hears from the check that is telling it what another one sees meanwhile', async () => {
    await edit('one');
    let checks = 0;
    await open(async (project) =>
      project.tellDrift(await project.drift(), receiver.url, async (news) => {
        checks += 1;
        if (checks === 1) {
          await edit('two');
          expect(await told()).toBeUndefined();
        }
        return tellDrift(news, { url: receiver.url, format: 'generic', userAgent: 'test' });
      }),
    );
    expect(heard()).toEqual(['drift: new one', 'drift: worse two']);
  });

  it('hears nothing of a check that a newer one overtook', async () => {
    await edit('one');
    await told();
    // The older one has read, and is held up before it is noted.
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const store = memoryStateStore('test', 'default', database);
    const slow = new Proxy(store, {
      get: (target, name) => {
        if (name === 'close') return async () => undefined;
        if (name === 'noteDrift')
          return async (note: Parameters<typeof store.noteDrift>[0]) => {
            begun();
            await held;
            return store.noteDrift(note);
          };
        const found = target[name as keyof typeof target];
        return typeof found === 'function' ? found.bind(target) : found;
      },
    });
    const older = open(async (project) => send(project, await project.drift()), { openState: async () => slow });
    await Promise.race([hasBegun, older]);
    await edit('As it should be.');
    await told();
    go();
    await older;
    await told();
    expect(heard()).toEqual(['drift: new one', 'clean: resolved']);
  });

  it('hears, with a new address, what is so now', async () => {
    await edit('one');
    await looked();
    await edit('two');
    await looked();
    await told(`${receiver.url}/second`);
    await told(`${receiver.url}/second`);
    expect(heard()).toEqual(['drift: new two']);
  });

  it('hears at each check where nobody can remember', async () => {
    const { env } = world;
    await edit('one');
    const refuse = (): Promise<never> => Promise.reject(new StateStoreError('read-only', 'it is only read', 'no'));
    const store = memoryStateStore('test', 'default', database);
    for (let check = 0; check < 2; check += 1) {
      await open(async (project) => send(project, await project.drift()), {
        openState: async () =>
          new Proxy(store, {
            get: (target, name) => {
              if (name === 'noteDrift' || name === 'takeNews') return refuse;
              const found = target[name as keyof typeof target];
              return typeof found === 'function' ? found.bind(target) : found;
            },
          }),
      });
    }
    world.env = env;
    expect(heard()).toEqual(['drift: new one', 'drift: new one']);
  });

  it('is told after the next check when the state goes away while it is told', async () => {
    await edit('one');
    const store = memoryStateStore('test', 'default', database);
    const trouble = await open(async (project) => send(project, await project.drift()), {
      openState: async () =>
        new Proxy(store, {
          get: (target, name) => {
            if (name === 'takeNews')
              return () => Promise.reject(new StateStoreError('unreachable', 'the database does not answer', 'Wait.'));
            const found = target[name as keyof typeof target];
            return typeof found === 'function' ? found.bind(target) : found;
          },
        }),
    });
    expect(trouble).toMatchObject({ code: 'news-kept', severity: 'warning' });
    await told();
    expect(heard()).toEqual(['drift: new one']);
  });
});
