import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApplyOptions, ApplyResult, OpenOptions, PackageSource } from '@platform-sync/engine/api';
import type { Event } from '@platform-sync/core/model/event';
import type { Provider } from '@platform-sync/core/model/provider';
import { StateStoreError, type StateStore } from '@platform-sync/core/model/state-store';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import type { Timing } from '@platform-sync/state/lease-term';
import { FakeTime } from '../engine/state/fake-time.js';
import { providerPackages } from '@platform-sync/sdk/registry';
import { api, document, everyType, product, spec } from './catalogues.js';
import { hurriedPackages, lenient, makeFaultWorld, type FaultWorld } from './fault-world.js';
import type { Dump, Resources } from './inventory.js';

let faulty: FaultWorld;
let database: MemoryDatabase;
beforeAll(async () => {
  faulty = await makeFaultWorld();
});
beforeEach(async () => {
  await faulty.reset();
  database = new MemoryDatabase();
});
afterAll(() => faulty.world.close());

type Wrap = (store: StateStore) => StateStore;

/** A store that does something else in some of its methods. */
function changed(store: StateStore, methods: Partial<StateStore>): StateStore {
  return new Proxy(store, {
    get: (target, name) => {
      const own: unknown = Reflect.get(methods, name);
      const member: unknown = own ?? Reflect.get(target, name);
      return own === undefined && typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

async function run(
  options: ApplyOptions = {},
  open: Partial<OpenOptions> = {},
  wrap: Wrap = (s) => s,
  timing: Partial<Timing> = {},
): Promise<ApplyResult> {
  return faulty.run(options, {
    openState: ({ project, stack }) => Promise.resolve(wrap(memoryStateStore(project, stack, database, timing))),
    ...open,
  });
}

async function expectNextRunToConverge(resources: Resources): Promise<void> {
  await faulty.fault();
  expect((await run()).status).toBe('done');
  await faulty.expectConverged(resources, memoryOf(database));
}

const memoryOf = (kept: MemoryDatabase): Partial<OpenOptions> => ({
  openState: ({ project, stack }) => Promise.resolve(memoryStateStore(project, stack, kept)),
});

const oneAtATime: Partial<OpenOptions> = { concurrency: 1 };
const codesOf = (result: ApplyResult): readonly string[] => result.diagnostics.map(({ code }) => code);
const outcomes = (result: ApplyResult): Readonly<Record<string, string>> =>
  Object.fromEntries(result.steps.map(({ address, outcome, because }) => [address, because ?? outcome]));

const three: Resources = {
  pets: api('Pets', {}, { guide: document('guide') }),
  cats: api('Cats'),
  shop: product('Shop'),
};

const created = (dump: Dump): number => (dump['apis']?.length ?? 0) + (dump['products']?.length ?? 0);

/** A drain or stop that fires at an event. */
function abortedAt(when: (event: Event) => boolean): { signal: AbortSignal; onEvent: (event: Event) => void } {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    onEvent: (event) => {
      if (when(event)) controller.abort();
    },
  };
}

describe('a step that fails', () => {
  it('is told in the words of the platform with the line of the file; what needs it is skipped, the rest is done', async () => {
    const refusal = {
      detail: 'Invalid parameters',
      invalid_parameters: [{ field: 'description', reason: 'too rude' }],
    };
    const file = [
      'resources:',
      '  pets:',
      '    type: platform:Api',
      '    properties:',
      '      name: Pets',
      '      description: Rude',
      '    children:',
      '      guide: {type: platform:ApiDocument, properties: {title: Guide, content: x}}',
      '  shop: {type: platform:ApiProduct, properties: {name: Shop, portalIds: []}}',
    ];
    await faulty.world.write({ 'sync.yaml': lenient, 'catalogue/all.yaml': file.join('\n') });
    await faulty.fault({ match: { method: 'POST', route: '/v3/apis' }, action: { status: 400, problem: refusal } });
    const result = await run();
    expect(result.status).toBe('partly');
    expect(outcomes(result)).toEqual({ pets: 'failed', 'pets/guide': 'pets', shop: 'done' });
    const [diagnostic] = result.steps.find(({ address }) => address === 'pets')?.diagnostics ?? [];
    expect(diagnostic).toMatchObject({
      code: 'rejected-value',
      field: 'description',
      place: { file: 'catalogue/all.yaml', line: 6 },
    });
    expect(diagnostic?.summary).toContain('too rude');
    // The next run does only what is left.
    await faulty.fault();
    expect(outcomes(await run())).toEqual({ pets: 'done', 'pets/guide': 'done' });
  });

  it('ends the run with fail-fast: nothing more is started, and each step left says which one it was', async () => {
    await faulty.write(three);
    await faulty.fault({ match: { method: 'POST', route: '/v3/apis' }, nth: 1, action: { status: 403 } });
    const result = await run({ failFast: true }, oneAtATime);
    const failed = result.steps.find(({ outcome }) => outcome === 'failed')?.address;
    expect(result.steps.filter(({ outcome }) => outcome === 'skipped').map(({ because }) => because)).toEqual([
      failed,
      failed,
      failed,
    ]);
    await expectNextRunToConverge(three);
  });
});

describe('a run that is told to stop', () => {
  it('finishes what is in flight, starts nothing new, and is finished by the next one', async () => {
    await faulty.write(three);
    const { signal, onEvent } = abortedAt((event) => event.type === 'step-done');
    const result = await run({ drain: signal }, { ...oneAtATime, onEvent });
    expect(result.status).toBe('interrupted');
    expect(Object.values(outcomes(result)).sort()).toEqual(['done', 'interrupted', 'interrupted', 'interrupted']);
    expect(await faulty.posts()).toBe(1);
    await expectNextRunToConverge(three);
  });

  it('sends no write that was not on the wire, and leaves no write open that was not sent', async () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`api${at}`, api(`Api ${at}`)]));
    await faulty.write(many);
    await faulty.fault({ match: { method: 'POST' }, action: { delayMs: 60_000, when: 'after-commit' } });
    const drain = new AbortController();
    const running = run({ drain: drain.signal }, { concurrency: 2, packages: providerPackages });
    await expect.poll(async () => created(await faulty.dump())).toBe(2);
    drain.abort();
    // Answers the two that are held.
    await faulty.fault();
    const result = await running;
    expect(result.status).toBe('interrupted');
    const ends = Object.values(outcomes(result)).sort();
    expect(ends).toEqual([...Array<string>(2).fill('done'), ...Array<string>(10).fill('interrupted')]);
    expect(created(await faulty.dump())).toBe(2);
    const { intents } = await memoryStateStore('test', 'default', database).read();
    expect(intents).toEqual([]);
    await expectNextRunToConverge(many);
  });

  it('drops what the platform refuses for now and only waits: one word is enough', async () => {
    await faulty.write(three);
    await faulty.fault({ match: { method: 'POST' }, action: { status: 429, retryAfter: 500 } });
    // Waits are as long as they are: nothing but the word ends them.
    const { signal, onEvent } = abortedAt(
      ({ type, ...event }) => type === 'waiting' && 'reason' in event && event.reason.includes('429'),
    );
    const result = await run({ drain: signal }, { onEvent, packages: providerPackages });
    expect(result.status).toBe('interrupted');
    expect(new Set(Object.values(outcomes(result)))).toEqual(new Set(['interrupted']));
    expect(created(await faulty.dump())).toBe(0);
    await expectNextRunToConverge(three);
  });

  it('at once leaves the calls it cut off to the next one, which finds out what became of them', async () => {
    await faulty.write(three);
    await faulty.fault({ match: { method: 'POST' }, action: { delayMs: 60_000, when: 'after-commit' } });
    const drain = new AbortController();
    const stop = new AbortController();
    const running = run({ drain: drain.signal, signal: stop.signal });
    // All three are made, and their answers are on the way.
    await expect.poll(async () => created(await faulty.dump())).toBe(3);
    drain.abort();
    stop.abort();
    const result = await running;
    expect(result.status).toBe('interrupted');
    const codes = result.steps.flatMap((step) => step.diagnostics ?? []).map(({ code }) => code);
    expect(codes).toEqual(['interrupted', 'interrupted', 'interrupted']);
    await expectNextRunToConverge(three);
  });
});

describe('a run whose state fails it', () => {
  it('starts nothing more when it loses its lease, writes nothing, and says so', async () => {
    await faulty.write(three);
    let begun = 0;
    const time = new FakeTime();
    const losing = (store: StateStore): StateStore =>
      changed(store, {
        begin: async (lease, intent) => {
          begun += 1;
          if (begun === 2) {
            await store.unlock(lease.id);
            time.beat();
            await nextTurn();
          }
          await store.begin(lease, intent);
        },
      });
    const result = await run({}, oneAtATime, losing, time.timing);
    expect([result.status, codesOf(result)]).toEqual(['partly', ['lease-refused']]);
    expect(await faulty.posts()).toBe(1);
    expect(result.steps.map(({ outcome }) => outcome).sort()).toEqual(['done', 'skipped', 'skipped', 'skipped']);
    await expectNextRunToConverge(three);
  });

  it('stops when the disk is full; what was created meanwhile is found by the next run', async () => {
    await faulty.write(everyType);
    let commits = 0;
    const full = new StateStoreError('full', 'the state file cannot grow', 'Make room.');
    const result = await run({}, {}, (store) =>
      changed(store, {
        commit: (lease, changes) => {
          commits += 1;
          return commits > 3 ? Promise.reject(full) : store.commit(lease, changes);
        },
      }),
    );
    expect([result.status, codesOf(result)]).toEqual(['partly', ['state-full']]);
    const failed = result.steps.filter(({ outcome }) => outcome === 'failed');
    expect(new Set(failed.flatMap((step) => step.diagnostics ?? []).map(({ code }) => code))).toEqual(
      new Set(['state-full']),
    );
    await expectNextRunToConverge(everyType);
  });

  it('says nothing of what was settled before the state has it', async () => {
    await faulty.write(three);
    await faulty.fault({ match: { method: 'POST' }, nth: 1, action: { delayMs: 600_000, when: 'after-commit' } });
    const stop = new AbortController();
    const first = run({ signal: stop.signal });
    await expect.poll(async () => created(await faulty.dump())).toBeGreaterThan(0);
    stop.abort();
    expect((await first).status).toBe('interrupted');
    await faulty.fault();

    const events: Event[] = [];
    const onEvent = (event: Event): void => void events.push(event);
    const settled = (): readonly string[] =>
      events.flatMap((event) => (event.type === 'recovered' ? [event.address] : []));
    const full = new StateStoreError('full', 'the state file cannot grow', 'Make room.');
    const refused = await run({}, { onEvent }, (store) => changed(store, { commit: () => Promise.reject(full) }));
    expect([codesOf(refused), settled()]).toEqual([['state-full'], []]);
    expect((await run({}, { onEvent })).status).toBe('done');
    expect(settled().length).toBeGreaterThan(0);
    await faulty.expectConverged(three, memoryOf(database));
  });

  it('waits for a database that is away for a moment', async () => {
    await faulty.write(three);
    const events: Event[] = [];
    let refusals = 2;
    const away = new StateStoreError('unreachable', 'the database does not answer', 'Wait.');
    const result = await run({}, { onEvent: (event) => events.push(event) }, (store) =>
      changed(store, {
        begin: (lease, intent) => (refusals-- > 0 ? Promise.reject(away) : store.begin(lease, intent)),
      }),
    );
    expect(result.status).toBe('done');
    expect(events.filter(({ type }) => type === 'waiting')).toHaveLength(2);
    await faulty.expectConverged(three, memoryOf(database));
  });

  it.each(['plan', 'apply', 'refresh', 'import'] as const)(
    '%s says it with diagnostics, not with an exception',
    async (use) => {
      await faulty.write(three);
      const broken = new StateStoreError('corrupt', 'the state file is damaged', 'Restore a copy.');
      const openState = async (): Promise<StateStore> =>
        changed(memoryStateStore('test', 'default', database), {
          read: () => Promise.reject(broken),
          acquire: () => Promise.reject(broken),
        });
      const diagnostics = await faulty.world.open(
        async (project) => {
          if (use === 'plan') return (await project.plan()).diagnostics;
          if (use === 'apply') return (await project.apply(await project.plan())).diagnostics;
          if (use === 'refresh') return (await project.refresh()).diagnostics;
          return (await project.importResource('pets', 'x')).diagnostics;
        },
        { openState },
      );
      expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([['state-corrupt', 'Restore a copy.']]);
    },
  );
});

describe('two runs at once', () => {
  const holding = async (work: (release: () => Promise<void>) => Promise<void>): Promise<void> => {
    const store = memoryStateStore('test', 'default', database);
    const lease = await store.acquire('apply', { owner: 'ann@box pid 7', waitMs: 0 });
    try {
      await work(() => lease.release());
    } finally {
      await store.close();
    }
  };

  it('the second one says who holds the stack, and does nothing', () =>
    holding(async () => {
      await faulty.write(three);
      const result = await run();
      expect([result.status, codesOf(result), result.steps]).toEqual(['failed', ['state-lease-held'], []]);
      expect(result.diagnostics[0]?.summary).toContain('ann@box pid 7');
      expect(await faulty.posts()).toBe(0);
    }));

  it('or waits until the first one is done, if it is told to', () =>
    holding(async (release) => {
      await faulty.write(three);
      const onEvent = ({ type }: Event): void => {
        if (type === 'waiting') void release();
      };
      const soon: Partial<Timing> = { pollMs: 10 };
      expect((await run({ lockTimeoutMs: 60_000 }, { onEvent }, (store) => store, soon)).status).toBe('done');
      await faulty.expectConverged(three, memoryOf(database));
    }));
});

describe('a bug', () => {
  it('comes out only after what was in flight has ended and is saved, and the lease is given back', async () => {
    await faulty.write({ pets: api('Pets', { specContent: spec('Pets') }), shop: product('Shop') });
    await faulty.fault({ match: { method: 'POST', route: '/v3/apis' }, action: { delayMs: 200 } });
    const base = hurriedPackages();
    const buggy = (provider: Provider): Provider => ({
      ...provider,
      create: async (type, ...rest) => {
        if (type.name === 'ApiProduct') throw new TypeError('undefined is not an object');
        return provider.create(type, ...rest);
      },
    });
    const packages: PackageSource = {
      names: base.names,
      load: async (name) => {
        const loaded = await base.load(name);
        return { ...loaded, start: async (context) => buggy(await loaded.start(context)) };
      },
    };
    await expect(run({}, { packages })).rejects.toThrow('undefined is not an object');
    const store = memoryStateStore('test', 'default', database);
    expect([...(await store.read()).resources.keys()]).toEqual(['pets']);
    expect(await store.holder()).toBeUndefined();
    await expectNextRunToConverge({ pets: api('Pets', { specContent: spec('Pets') }), shop: product('Shop') });
  });
});
