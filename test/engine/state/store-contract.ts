import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunQuestion } from '@platform-sync/core/model/run';
import type { StateChange } from '@platform-sync/core/model/state';
import { LeaseHeldError, LeaseLostError, type Lease, type StateStore } from '@platform-sync/core/model/state-store';
import type { TestBackend, TestDatabase } from './backends.js';
import { freshStores } from './fresh-stores.js';
import { FakeTime } from './fake-time.js';
import { fullResource, intent, resource } from './samples.js';

const me = { owner: 'me@here pid 1', waitMs: 0 };
const other = { owner: 'you@there pid 2', waitMs: 0 };

const put = (address: string, dependencies: string[] = []): StateChange => ({
  kind: 'put',
  resource: resource(address, { dependencies }),
});
const move = (from: string, to: string): StateChange => ({ kind: 'move', from, to });

/** What every store of a backend does. */
export function storeContract(start: () => Promise<TestBackend>): void {
  let backend: TestBackend;
  let database: TestDatabase;
  let store: StateStore;
  freshStores(start, (...made) => ([store, database, backend] = made));

  /** Addresses and what each depends on. */
  async function graph(): Promise<Record<string, readonly string[]>> {
    const { resources } = await store.read();
    return Object.fromEntries([...resources].map(([address, record]) => [address, record.dependencies]));
  }

  describe('a stack', () => {
    test('is born empty, with a lineage and a key of its own', async () => {
      const state = await store.read();
      expect(state).toMatchObject({ project: 'shop', stack: 'dev', serial: 0, targets: {}, outputs: {}, intents: [] });
      expect(state.resources.size).toBe(0);
      expect(state.fingerprintKey).toMatch(/^[0-9a-f]{64}$/);
      const prod = await (await database.open('shop', 'prod')).read();
      expect(prod.lineage).not.toBe(state.lineage);
      expect(prod.fingerprintKey).not.toBe(state.fingerprintKey);
      expect(await (await database.open()).read()).toEqual(state);
    });

    test('shares nothing with other stacks and projects in the database', async () => {
      for (const [project, stack] of [
        ['shop', 'dev'],
        ['shop', 'prod'],
        ['bank', 'dev'],
      ] as const) {
        const each = await database.open(project, stack);
        const lease = await each.acquire('apply', me);
        await each.begin(lease, intent('same', { run: `${project} ${stack}` }));
        await each.commit(lease, [
          { kind: 'put', resource: resource('same', { inputs: { of: `${project} ${stack}` } }) },
          { kind: 'outputs', outputs: { of: `${project} ${stack}` } },
        ]);
      }
      const lease = await (await database.open('shop', 'prod')).acquire('apply', me).catch((error: unknown) => error);
      expect(lease).toBeInstanceOf(LeaseHeldError);
      const bank = await database.open('bank', 'dev');
      expect((await bank.read()).resources.get('same')?.inputs).toEqual({ of: 'bank dev' });
      expect((await store.read()).intents.map(({ run }) => run)).toEqual(['shop dev']);
      const elsewhere = await store.managedElsewhere(['id-same', 'id-other']);
      expect(elsewhere.map(({ project, stack, address }) => [project, stack, address]).sort()).toEqual([
        ['bank', 'dev', 'same'],
        ['shop', 'prod', 'same'],
      ]);
      expect(elsewhere[0]).toMatchObject({ identity: { id: 'id-same', scope: {} }, targets: {} });
      expect(await store.managedElsewhere([])).toEqual([]);
      const mall = await database.open('mall', 'dev');
      const term = await mall.acquire('apply', me);
      const inside = resource('inside', {
        identity: { id: 'below', scope: { apiId: 'a"1', other: 'x' } },
        protect: true,
      });
      await mall.commit(term, [{ kind: 'put', resource: inside }]);
      expect(await store.recordedInside(new Set(['a"1']))).toEqual([
        { project: 'mall', stack: 'dev', record: inside, targets: {} },
      ]);
      expect(await store.recordedInside(new Set(['A"1', 'apiId']))).toEqual([]);
      // The object itself is told as well.
      expect((await store.recordedInside(new Set(['a"1', 'below']))).map(({ record }) => record)).toEqual([inside]);
      expect(await mall.recordedInside(new Set(['a"1']))).toEqual([]);
      const alike = async (values: readonly string[], field = 'of'): Promise<readonly string[]> =>
        (await store.recordedAlike({ type: 'platform:index/api:Api', field, values })).map(
          ({ project, stack }) => `${project} ${stack}`,
        );
      expect(await alike(['bank dev', 'shop dev'])).toEqual(['bank dev']);
      expect(await alike(['bank'])).toEqual([]);
      const many = Array.from({ length: 30 }, (_, nth) => `none ${String(nth)}`);
      expect(await alike([...many, 'bank dev', 'shop prod'])).toEqual(['bank dev', 'shop prod']);
      expect(await alike(['bank dev'], 'other')).toEqual([]);
      // What a run of another stack has begun to make may be there.
      await mall.begin(term, intent('begun', { record: resource('made', { inputs: { of: 'begun' }, outputs: {} }) }));
      const begun = resource('page', { identity: { id: '', scope: { apiId: 'home' } } });
      await mall.begin(term, intent('inside', { record: begun }));
      const page = { id: 'changed', scope: { apiId: 'home' } };
      await mall.begin(term, intent('changed', { action: 'update', identity: page, inputs: { of: 'changed' } }));
      expect((await store.recordedInside(new Set(['home']))).map(({ record }) => record.address)).toEqual(['page']);
      expect(await alike(['begun'])).toEqual(['mall dev']);
      expect(await alike(['changed'])).toEqual(['mall dev']);
      expect(await alike(['made'])).toEqual([]);
      expect(await alike([])).toEqual([]);
      expect(await bank.stacks()).toEqual(['dev']);
      expect(await store.stacks()).toEqual(['dev', 'prod']);
      expect(await store.outputsOf('prod')).toEqual({ of: 'shop prod' });
      expect(await store.outputsOf('none')).toBeUndefined();
      expect(await bank.outputsOf('prod')).toBeUndefined();
    });
  });

  test('tells what the stack has let go of since a moment, and of what it deleted when', async () => {
    const named = (address: string): StateChange => ({
      kind: 'put',
      resource: resource(address, { inputs: { of: 'one' } }),
    });
    const before = await store.acquire('apply', me);
    await store.commit(before, ['kept', 'forgotten', 'deleted', 'dropped'].map(named));
    const steps = (['forget forgotten', 'delete deleted'] as const).map((text) => {
      const [action = '', address = ''] = text.split(' ');
      return { address, action, fields: [] };
    });
    const gone = (address: string): StateChange => ({ kind: 'remove', address });
    await store.commit(before, ['forgotten', 'deleted'].map(gone), [
      { kind: 'plan', mode: 'apply', lifted: [], steps },
    ]);
    await before.release();
    const byHand = await store.acquire('state rm', me);
    await store.commit(byHand, [gone('dropped')]);
    await byHand.release();
    const letGo = async (since?: string): Promise<readonly string[]> => {
      const question = { type: 'platform:index/api:Api', field: 'of', values: ['one'] };
      const found = await store.recordedAlike(since === undefined ? question : { ...question, since });
      return found.map(({ record, deletedAt }) => (deletedAt === undefined ? record.address : `no ${record.address}`));
    };
    expect(await letGo('1970-01-01T00:00:00.000Z')).toEqual(['forgotten', 'no deleted', 'dropped']);
    expect(await letGo('2999-01-01T00:00:00.000Z')).toEqual([]);
    expect(await letGo()).toEqual([]);
  });

  test('takes over records of another stack at once, and nothing where one is not as it was seen', async () => {
    const prod = store.sibling('prod');
    const giving = await prod.acquire('apply', me);
    const targets = { platform: 'https://example.invalid' };
    await prod.commit(giving, [put('a'), put('b', ['a']), { kind: 'targets', targets }]);
    const lease = await store.acquire('apply', me);
    const take = (from: string, seen = resource(from)): Promise<void> =>
      store.takeOver(lease, { stack: 'prod', lease: giving }, [
        { from, seen, record: { ...seen, address: `my-${from}` } },
      ]);
    await expect(take('a', resource('a', { protect: true }))).rejects.toThrow('state-moved-on');
    await expect(take('gone')).rejects.toThrow('state-moved-on');
    await prod.begin(giving, intent('open', { address: 'a' }));
    const before = (await prod.read()).serial;
    await expect(take('a')).rejects.toThrow('not finished');
    expect([(await prod.read()).serial, (await store.read()).serial]).toEqual([before, 0]);
    await take('b', resource('b', { dependencies: ['a'] }));
    expect(await graph()).toEqual({ 'my-b': ['a'] });
    // What comes is where it was.
    expect((await store.read()).targets).toEqual(targets);
    expect([...(await prod.read()).resources.keys()]).toEqual(['a']);
    await giving.release();
    await expect(take('a')).rejects.toThrow(LeaseLostError);
    for (const each of [store, prod]) {
      expect(await each.verifyRuns()).toBeUndefined();
      const [row] = await each.runs({ kinds: ['move'], limit: 1 });
      expect([row?.address, row?.content]).toEqual(
        each === store ? ['my-b', { kind: 'move', from: 'prod:b' }] : ['dev:my-b', { kind: 'move', from: 'b' }],
      );
    }
    await lease.release();
  });

  describe('commit', () => {
    let lease: Lease;
    beforeEach(async () => {
      lease = await store.acquire('apply', me);
    });

    test('keeps every value as it was', async () => {
      const plain = resource('a');
      await store.commit(lease, [
        { kind: 'put', resource: fullResource },
        { kind: 'put', resource: plain },
        { kind: 'targets', targets: { platform: 'https://example.invalid' } },
        { kind: 'outputs', outputs: { url: 'x', list: [1, null] } },
      ]);
      const state = await (await database.open()).read();
      expect([...state.resources]).toStrictEqual([
        ['a', plain],
        [fullResource.address, fullResource],
      ]);
      expect(state.targets).toEqual({ platform: 'https://example.invalid' });
      expect(state.outputs).toEqual({ url: 'x', list: [1, null] });
    });

    test('keeps a record whose id no database can hold as it is', async () => {
      await store.commit(lease, [
        {
          kind: 'put',
          resource: resource('a', { identity: { id: 'half \ud800 a sign', scope: { apiId: '\udc00' } } }),
        },
        put('b'),
      ]);
      const { resources } = await store.read();
      expect([...resources.keys()]).toEqual(['a', 'b']);
      expect(resources.get('a')?.identity.id).toMatch(/^half . a sign$/u);
    });

    test('replaces a record as a whole', async () => {
      await store.commit(lease, [{ kind: 'put', resource: { ...fullResource, address: 'a' } }]);
      await store.commit(lease, [{ kind: 'put', resource: resource('a') }]);
      expect((await store.read()).resources.get('a')).toStrictEqual(resource('a'));
    });

    test('works through its changes in order', async () => {
      await store.commit(lease, [put('a'), put('b'), { kind: 'remove', address: 'a' }]);
      expect(Object.keys(await graph())).toEqual(['b']);
      await store.commit(lease, [
        { kind: 'remove', address: 'b' },
        put('b'),
        { kind: 'remove', address: 'never there' },
      ]);
      expect(Object.keys(await graph())).toEqual(['b']);
      await store.commit(lease, [put('c', ['b']), move('b', 'd'), put('b')]);
      expect(await graph()).toEqual({ b: [], c: ['d'], d: [] });
    });

    test('lists resources by code unit', async () => {
      const names = ['b', 'a', 'B', 'a-b', 'a_b', 'a/b', 'aB'];
      await store.commit(
        lease,
        names.map((name) => put(name)),
      );
      expect([...(await store.read()).resources.keys()]).toEqual([...names].sort());
    });

    test('counts: the serial grows by one with each begin and each commit', async () => {
      expect(await store.commit(lease, [put('a')])).toBe(1);
      await store.begin(lease, intent('i'));
      expect((await store.read()).serial).toBe(2);
      expect(await store.commit(lease, [])).toBe(3);
      await store.holder();
      expect((await store.read()).serial).toBe(3);
    });

    test('finishes an intent together with its result', async () => {
      const late = intent('1', { createdAt: '2026-01-02T03:04:06.000Z', record: fullResource });
      const early = intent('2', { action: 'delete', identity: { id: 'x', scope: { apiId: 'a' } } });
      await store.begin(lease, late);
      await store.begin(lease, early);
      expect((await store.read()).intents).toStrictEqual([early, late]);
      await store.commit(lease, [put('petstore'), { kind: 'close-intent', id: '2' }]);
      const state = await store.read();
      expect(state.intents).toStrictEqual([late]);
      expect([...state.resources.keys()]).toEqual(['petstore']);
    });

    test.each<{ name: string; moves: StateChange[]; after: Record<string, string[]> }>([
      { name: 'one', moves: [move('a', 'z')], after: { b: ['z'], c: ['b', 'z'], z: [] } },
      { name: 'two that swap', moves: [move('a', 'b'), move('b', 'a')], after: { a: ['b'], b: [], c: ['a', 'b'] } },
      { name: 'a chain', moves: [move('a', 'b'), move('b', 'd')], after: { b: [], c: ['b', 'd'], d: ['b'] } },
      {
        name: 'a chain, last first',
        moves: [move('b', 'd'), move('a', 'b')],
        after: { b: [], c: ['b', 'd'], d: ['b'] },
      },
      { name: 'one that stays', moves: [move('a', 'a')], after: { a: [], b: ['a'], c: ['a', 'b'] } },
    ])('moves records and what depends on them: $name', async ({ moves, after }) => {
      await store.commit(lease, [put('a'), put('b', ['a']), put('c', ['a', 'b'])]);
      await store.commit(lease, moves);
      expect(await graph()).toEqual(after);
      const { resources } = await store.read();
      expect([...resources].every(([address, record]) => record.address === address)).toBe(true);
    });

    test.each<{ name: string; moves: StateChange[]; code: string }>([
      { name: 'from nowhere', moves: [move('nowhere', 'x')], code: 'state-address-missing' },
      { name: 'of one record twice', moves: [move('a', 'x'), move('a', 'y')], code: 'state-address-missing' },
      { name: 'to a taken address', moves: [move('a', 'b')], code: 'state-address-taken' },
      { name: 'of two to one address', moves: [move('a', 'x'), move('b', 'x')], code: 'state-address-taken' },
    ])('refuses a move $name, and with it the whole commit', async ({ moves, code }) => {
      await store.commit(lease, [put('a'), put('b', ['a'])]);
      const refused = store.commit(lease, [put('c'), { kind: 'remove', address: 'b' }, put('b', ['c']), ...moves]);
      await expect(refused).rejects.toMatchObject({ diagnostics: [{ code, severity: 'error' }] });
      expect(await graph()).toEqual({ a: [], b: ['a'] });
      expect((await store.read()).serial).toBe(1);
    });

    test('takes many changes at once', async () => {
      const count = 2_500;
      const names = Array.from({ length: count }, (_, at) => `r${String(at)}`);
      await store.commit(
        lease,
        names.map((name, at) => put(name, at === 0 ? [] : [`r${String(at - 1)}`])),
      );
      await store.commit(
        lease,
        names.map((name) => move(name, `new-${name}`)),
      );
      const moved = await graph();
      expect(Object.keys(moved)).toHaveLength(count);
      expect(moved['new-r2499']).toEqual(['new-r2498']);
      await store.commit(
        lease,
        names.map((name) => ({ kind: 'remove', address: `new-${name}` })),
      );
      expect(await graph()).toEqual({});
    });

    test('lets many writers share transactions: each has its own serial, a refused one fails alone', async () => {
      const writes = Array.from({ length: 300 }, (_, at) => {
        if (at === 150) return store.commit(lease, [put('half done'), move('nowhere', 'x')]);
        if (at % 3 === 0) return store.begin(lease, intent(`i${String(at)}`));
        return store.commit(lease, [put(`r${String(at)}`), { kind: 'close-intent', id: `i${String(at - 1)}` }]);
      });
      const settled = await Promise.allSettled(writes);
      expect(settled.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))).toEqual([150]);
      const serials = settled.flatMap((one) =>
        one.status === 'fulfilled' && one.value !== undefined ? [one.value] : [],
      );
      expect(new Set(serials).size).toBe(200);
      const state = await store.read();
      expect(state.serial).toBe(299);
      expect(Math.max(...serials)).toBe(299);
      expect(state.resources.size).toBe(200);
      expect(await store.count()).toBe(200);
      expect(state.intents).toEqual([]);
    });

    test('is seen whole or not at all by a reader', async () => {
      const reader = await database.open();
      const pair = (n: number): StateChange[] =>
        ['a', 'b'].map((address) => ({ kind: 'put', resource: resource(address, { inputs: { n } }) }));
      await store.commit(lease, pair(-1));
      const writing = (async () => {
        for (let n = 0; n < 60; n++) await store.commit(lease, pair(n));
      })();
      for (let reads = 0; reads < 60; reads++) {
        const { serial, resources } = await reader.read();
        const seen = ['a', 'b'].map((address) => resources.get(address)?.inputs['n']);
        expect(seen).toEqual([serial - 2, serial - 2]);
      }
      await writing;
      expect((await reader.read()).resources.get('a')?.inputs).toEqual({ n: 59 });
    });
  });

  describe('a lease', () => {
    let time: FakeTime;
    let second: StateStore;
    beforeEach(async () => {
      time = new FakeTime();
      store = await database.open('shop', 'dev', time.timing);
      second = await database.open('shop', 'dev', time.timing);
    });

    test('keeps others out, and tells them who it is', async () => {
      const lease = await store.acquire('apply', me);
      expect(lease.holder).toEqual({
        id: lease.id,
        owner: 'me@here pid 1',
        purpose: 'apply',
        since: '2026-01-01T00:00:00.000Z',
        seen: '2026-01-01T00:00:00.000Z',
      });
      const refused: unknown = await second.acquire('import', other).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(LeaseHeldError);
      expect(refused).toMatchObject({ holder: lease.holder });
      expect(await second.holder()).toEqual(lease.holder);
    });

    test('goes to the next when it is given back, with a higher fencing number', async () => {
      const first = await store.acquire('apply', me);
      await first.release();
      expect(await store.holder()).toBeUndefined();
      const next = await second.acquire('apply', other);
      expect(next.token).toBeGreaterThan(first.token);
      await first.release();
      expect((await store.holder())?.id).toBe(next.id);
      expect(time.beating).toBe(1);
    });

    test('is waited for', async () => {
      const first = await store.acquire('apply', me);
      time.onSleep = async () => {
        if (time.slept.length === 3) await first.release();
      };
      const next = await second.acquire('apply', { ...other, waitMs: 60_000 });
      expect((await store.holder())?.id).toBe(next.id);
      expect(time.slept).toHaveLength(3);
    });

    test('is waited for no longer by who is to end, and is not given to them', async () => {
      const first = await store.acquire('apply', me);
      const end = new AbortController();
      time.onSleep = async () => {
        if (time.slept.length < 3) return;
        end.abort();
        await first.release();
      };
      const asked = { ...other, waitMs: 60_000, signal: end.signal };
      await expect(second.acquire('apply', asked)).rejects.toBeInstanceOf(LeaseHeldError);
      expect([time.slept.length, await store.holder()]).toEqual([3, undefined]);
      // It came before the answer.
      await expect(second.acquire('apply', asked)).rejects.toBeInstanceOf(LeaseHeldError);
      expect(await store.holder()).toBeUndefined();
    });

    test('is waited for no longer than asked', async () => {
      await store.acquire('apply', me);
      await expect(second.acquire('apply', { ...other, waitMs: 1_200 })).rejects.toBeInstanceOf(LeaseHeldError);
      expect(time.slept.reduce((sum, ms) => sum + ms, 0)).toBe(1_200);
    });

    test('lives as long as it shows signs of life', async () => {
      const lease = await store.acquire('apply', me);
      time.time += 29_000;
      time.beat();
      // The heartbeat may take a connection of its own.
      while ((await store.holder())?.seen !== '2026-01-01T00:00:29.000Z');
      time.time += 29_000;
      const holder = await second.holder();
      expect(holder).toEqual({ ...lease.holder, seen: '2026-01-01T00:00:29.000Z' });
      await store.commit(lease, [put('a')]);
    });

    test('ends by itself, and then nothing revives it', async () => {
      const lease = await store.acquire('apply', me);
      time.time += 30_000;
      expect(await second.holder()).toBeUndefined();
      time.beat();
      await expect(store.commit(lease, [put('a')])).rejects.toBeInstanceOf(LeaseLostError);
      await expect(store.begin(lease, intent('i'))).rejects.toBeInstanceOf(LeaseLostError);
      const next = await second.acquire('apply', other);
      await expect(store.commit(lease, [put('a')])).rejects.toBeInstanceOf(LeaseLostError);
      await second.commit(next, [put('b')]);
      expect(await graph()).toEqual({ b: [] });
    });

    test('can be broken by its id', async () => {
      const lease = await store.acquire('apply', me);
      expect(await second.unlock('another id')).toBe(false);
      expect(await second.unlock(lease.id)).toBe(true);
      expect(await second.unlock(lease.id)).toBe(false);
      await expect(store.commit(lease, [put('a')])).rejects.toBeInstanceOf(LeaseLostError);
      await expect(store.push(lease, await store.pull(), { force: true })).rejects.toBeInstanceOf(LeaseLostError);
      expect((await store.read()).serial).toBe(0);
    });

    test('must be the present one: no stale number writes', async () => {
      const lease = await store.acquire('apply', me);
      await expect(store.commit({ ...lease, token: lease.token - 1 }, [])).rejects.toBeInstanceOf(LeaseLostError);
    });

    test('is taken by one of many that want it', async () => {
      const wanted = await Promise.allSettled(
        Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? store : second).acquire('apply', me)),
      );
      expect(wanted.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    test('of a closed store beats no more', async () => {
      const closing = await database.open('shop', 'dev', time.timing);
      await closing.acquire('apply', me);
      expect(time.beating).toBe(1);
      await closing.close();
      expect(time.beating).toBe(0);
    });
  });

  describe('pull and push', () => {
    const schema = JSON.parse(readFileSync('schemas/state.schema.json', 'utf8')) as object;
    const valid = new Ajv2020({ strict: true, allErrors: true }).compile(schema);
    let lease: Lease;
    let elsewhere: TestDatabase;
    beforeEach(async () => {
      lease = await store.acquire('apply', me);
      elsewhere = await backend.database();
      await store.begin(lease, intent('i', { record: fullResource, identity: fullResource.identity }));
      await store.commit(lease, [
        { kind: 'put', resource: fullResource },
        put('a'),
        { kind: 'outputs', outputs: { o: 1 } },
        { kind: 'targets', targets: { platform: 'https://example.invalid' } },
      ]);
    });
    afterEach(() => elsewhere.close());

    test('move a stack to another database without changing it', async () => {
      const document = await store.pull();
      expect(valid(JSON.parse(document)), JSON.stringify(valid.errors)).toBe(true);
      const target = await elsewhere.open();
      await target.push(await target.acquire('push', me), document, { force: false });
      expect(await target.pull()).toBe(document);
      expect(await target.read()).toEqual(await store.read());
    });

    test('replace everything, and keep the lease', async () => {
      const before = await store.pull();
      await store.commit(lease, [{ kind: 'remove', address: 'a' }, put('new'), { kind: 'close-intent', id: 'i' }]);
      await store.push(lease, before, { force: true });
      const state = await store.read();
      expect([...state.resources.keys()]).toEqual(['a', fullResource.address]);
      expect(state.intents).toHaveLength(1);
      // Forced back to older content, but never to an older serial.
      expect(state.serial).toBe(4);
      expect(await store.commit(lease, [])).toBe(5);
    });

    test('let go of what the document does not have, and say so in the history', async () => {
      const before = await store.pull();
      await store.commit(lease, [put('new')]);
      await lease.release();
      lease = await store.acquire('state push', me);
      await store.push(lease, before, { force: true });
      const rows = await store.runs({ after: 0, limit: 100, run: lease.token });
      expect(rows.map(({ address = '', content }) => `${content.kind} ${address}`.trim())).toEqual([
        'begin',
        'replace',
        'record new',
      ]);
      const question = { type: 'platform:index/api:Api', field: 'name', values: ['new'], since: '2000-01-01' };
      expect((await store.recordedAlike(question)).map(({ record }) => record.address)).toEqual(['new']);
    });

    test('keep the question of what runs have left open since, and put no other record where one may get its own', async () => {
      const before = await store.pull();
      await store.begin(lease, intent('later', { address: 'made' }));
      await store.commit(lease, [{ kind: 'targets', targets: { later: 'http://127.0.0.1:9' } }]);
      await store.push(lease, before, { force: true });
      const pushed = await store.read();
      expect(pushed.intents.map(({ id }) => id)).toEqual(['i', 'later']);
      // What it may have made is where it was sent.
      expect(pushed.targets).toMatchObject({ later: 'http://127.0.0.1:9' });
      await store.begin(lease, intent('last', { address: 'a' }));
      await store.commit(lease, [{ kind: 'remove', address: 'a' }]);
      await expect(store.push(lease, before, { force: true })).rejects.toMatchObject({
        diagnostics: [{ code: 'state-unfinished' }],
      });
      await store.commit(lease, [{ kind: 'close-intent', id: 'last' }]);
      await store.begin(lease, intent('taken', { address: 'a', action: 'update' }));
      await expect(store.push(lease, before, { force: true })).rejects.toMatchObject({
        diagnostics: [{ code: 'state-unfinished' }],
      });
      const elsewhere = before.replace(/"lineage":"[^"]*"/, '"lineage":"other"');
      await store.push(lease, elsewhere, { force: true });
      expect((await store.read()).intents.map(({ id }) => id)).toEqual(['i']);
    });

    test('an edited document of the same serial becomes a new serial', async () => {
      const edited = (await store.pull()).replace('"o":1', '"o":2');
      await store.push(lease, edited, { force: false });
      expect(await store.read()).toMatchObject({ serial: 3, outputs: { o: 2 } });
    });

    test.each([
      { name: 'an older serial', edit: ['"serial":2', '"serial":1'], code: 'state-older-serial' },
      { name: 'another lineage', edit: [/"lineage":"[^"]*"/, '"lineage":"other"'], code: 'state-other-lineage' },
      { name: 'another stack', edit: ['"stack":"dev"', '"stack":"prod"'], code: 'state-other-stack' },
      { name: 'another project', edit: ['"project":"shop"', '"project":"bank"'], code: 'state-other-stack' },
    ] as const)('refuse $name unless forced', async ({ edit, code }) => {
      const before = await store.pull();
      const document = before.replace(edit[0], edit[1]);
      expect(document).not.toBe(before);
      await expect(store.push(lease, document, { force: false })).rejects.toMatchObject({ diagnostics: [{ code }] });
      expect(await store.pull()).toBe(before);
      await store.push(lease, document, { force: true });
      expect(await store.read()).toMatchObject({ project: 'shop', stack: 'dev', serial: 3 });
    });

    test('refuse what is not a state document, and change nothing', async () => {
      const before = await store.pull();
      const broken = before.replace('"protect":true', '"protect":"yes"');
      await expect(store.push(lease, broken, { force: true })).rejects.toMatchObject({
        diagnostics: [{ code: 'state-document-invalid' }],
      });
      expect(await store.pull()).toBe(before);
    });
  });

  describe('the history', () => {
    const kindsOf = async (question: Partial<RunQuestion> = {}): Promise<readonly string[]> =>
      (await store.runs({ after: 0, limit: 100, ...question })).map(({ run, address = '', content }) =>
        `${run} ${content.kind} ${address}`.trim(),
      );

    test('says who wrote, and what each record was before', async () => {
      const first = await store.acquire('apply', me);
      await store.commit(first, [put('a'), put('b')]);
      await first.release();
      const second = await store.acquire('refresh', other);
      await store.commit(second, [put('a', ['b']), put('b'), { kind: 'move', from: 'a', to: 'c' }]);
      await store.commit(second, [{ kind: 'remove', address: 'b' }]);
      await second.release();
      expect(await kindsOf()).toEqual([
        ...['1 begin', '1 record a', '1 record b'],
        // What is written as it was is no change.
        ...['2 begin', '2 record a', '2 move c', '2 record b'],
      ]);
      const [begin, before] = await store.runs({ run: 2, after: 0, limit: 2 });
      expect(begin?.content).toMatchObject({ command: 'refresh', owner: 'you@there pid 2' });
      expect(before?.content).toEqual({ kind: 'record', before: resource('a') });
      expect(await kindsOf({ address: 'b' })).toEqual(['1 record b', '2 record b']);
      expect(await kindsOf({ kinds: ['begin'], runs: [2] })).toEqual(['2 begin']);
      const { id } = resource('b').identity;
      expect(await kindsOf({ id })).toEqual(['2 record b']);
      expect(await kindsOf({ id: id.slice(0, -1) })).toEqual([]);
      const newest = await store.runs({ limit: 1 });
      expect(newest.map(({ number }) => number)).toEqual([7]);
      expect(await store.verifyRuns()).toBeUndefined();
      expect(await (await database.open('shop', 'prod')).runs({ limit: 9 })).toEqual([]);
    });

    test('says what other stacks are still to delete, and had recorded since a moment', async () => {
      const other = await database.open('shop', 'prod');
      const lease = await other.acquire('apply', me);
      const deposed = [{ identity: { id: 'old "one"', scope: {} }, outputs: {} }];
      await other.commit(lease, [put('here'), { kind: 'put', resource: resource('gone', { deposed }) }]);
      const replaced = await store.managedElsewhere(['old "one"', 'old']);
      expect(replaced.map(({ address, ends }) => [address, ends])).toEqual([['gone~old "one"', true]]);
      expect(await other.managedElsewhere(['old "one"'])).toEqual([]);
      await other.commit(lease, [{ kind: 'remove', address: 'gone' }]);
      const had = async (since?: string, from = store): Promise<readonly string[]> =>
        (await from.managedElsewhere(['id-here', 'id-gone', 'old "one"', 'id'], since)).map(
          ({ address, identity: { id }, had = false }) => `${address} ${id} ${String(had)}`,
        );
      const now = ['here id-here false'];
      expect(await had()).toEqual(now);
      expect(await had('2000-01-01')).toEqual(['gone id-gone true', 'gone old "one" true', ...now]);
      expect(await had('9000-01-01')).toEqual(now);
      expect(await had('2000-01-01', other)).toEqual([]);
      // What it is still to delete is its own as well.
      await other.commit(lease, [{ kind: 'put', resource: resource('here', { deposed }) }]);
      expect(await had()).toEqual(['here~old "one" old "one" false', ...now]);
    });

    test("takes a word of the run without another serial, and what a killed run began as that run's", async () => {
      const first = await store.acquire('apply', me);
      await store.begin(first, intent('i', { run: '1' }));
      await first.release();
      const lease = await store.acquire('apply', me);
      const { serial } = await store.read();
      const plan = { kind: 'plan', mode: 'apply', lifted: [], steps: [] } as const;
      await store.commit(lease, [], [plan]);
      expect((await store.read()).serial).toBe(serial);
      await store.commit(lease, [put('petstore'), { kind: 'close-intent', id: 'i' }]);
      await store.commit(lease, [], [{ kind: 'end', status: 'done', steps: [], requests: 3 }]);
      expect(await kindsOf()).toEqual(['2 begin', '2 plan', '1 record petstore', '2 end']);
      expect(await store.verifyRuns()).toBeUndefined();
    });

    test('tells each of two killed runs what it made at one address, and the run that forgets that itself', async () => {
      for (const run of ['1', '2']) {
        const killed = await store.acquire('apply', me);
        await store.begin(killed, intent(run, { run }));
        await killed.release();
      }
      const lease = await store.acquire('apply', me);
      await store.begin(lease, intent('later', { run: '1' }));
      await store.commit(lease, [
        ...[put('petstore'), { kind: 'close-intent', id: '1' } as const],
        ...[put('petstore', ['b']), { kind: 'close-intent', id: '2' } as const],
      ]);
      await lease.release();
      const last = await store.acquire('state rm', me);
      await store.commit(last, [
        { kind: 'close-intent', id: 'later' },
        { kind: 'remove', address: 'petstore' },
      ]);
      expect(await kindsOf({ kinds: ['record'] })).toEqual([1, 2, 4].map((run) => `${run} record petstore`));
    });

    test('keeps nothing of what was only sealed', async () => {
      const lease = await store.acquire('apply', me);
      await store.commit(lease, [put('a')]);
      const sealed = resource('a', { inputs: { name: { $secret: { expression: 'e', fingerprint: 'f' } } } });
      await store.commit(lease, [{ kind: 'put', resource: sealed, seals: true }, put('a', ['b'])]);
      const [last] = await store.runs({ limit: 1 });
      expect(last?.content).toEqual({ kind: 'record', before: sealed });
      expect(await store.runs({ limit: 9 })).toHaveLength(3);
    });

    test('is dropped as far as it is old, and says so', async () => {
      const time = new FakeTime();
      const timed = await database.open('shop', 'dev', time.timing);
      const lease = await timed.acquire('apply', me);
      await timed.commit(lease, [put('a')]);
      time.time += 1000;
      const cut = new Date(time.time).toISOString();
      await timed.commit(lease, [put('b')]);
      await timed.pruneRuns(lease, cut);
      const rows = await timed.runs({ after: 0, limit: 9 });
      expect(rows.map(({ number, content }) => `${number} ${content.kind}`)).toEqual([
        '3 record',
        '4 begin',
        '5 checkpoint',
      ]);
      expect(await timed.verifyRuns()).toBeUndefined();
      await timed.pruneRuns(lease, cut);
      expect(await timed.runs({ after: 0, limit: 9 })).toHaveLength(3);
    });
  });

  describe('a freeze', () => {
    const freeze = { id: 'f1', reason: 'release week', by: 'ann', since: '2026-01-01T00:00:00.000Z' };

    test('holds back every run but the one that names it, until it ends', async () => {
      const time = new FakeTime();
      const timed = await database.open('shop', 'dev', time.timing);
      const lease = await timed.acquire('state freeze', me);
      const until = new Date(time.time + 60_000).toISOString();
      await timed.freeze(lease, { ...freeze, until });
      await lease.release();
      await expect(timed.acquire('apply', me)).rejects.toMatchObject({ diagnostics: [{ code: 'state-frozen' }] });
      await expect(timed.acquire('apply', { ...me, frozen: 'other' })).rejects.toMatchObject({
        diagnostics: [{ summary: 'The stack is frozen by ann: release week' }],
      });
      const named = await timed.acquire('apply', { ...me, frozen: 'f1' });
      await timed.commit(named, [put('a')]);
      await named.release();
      time.time += 60_000;
      expect(await timed.frozen()).toBeUndefined();
      await (await timed.acquire('apply', me)).release();
      expect((await timed.runs({ kinds: ['freeze'], limit: 2 })).map(({ content }) => content)).toEqual([
        { kind: 'freeze', reason: 'release week', until },
      ]);
    });

    test('is lifted by whoever names it, and is of its stack alone', async () => {
      const lease = await store.acquire('state freeze', me);
      await store.freeze(lease, freeze);
      await lease.release();
      await (await (await database.open('shop', 'prod')).acquire('apply', me)).release();
      const named = await store.acquire('state thaw', { ...me, frozen: 'f1' });
      await store.freeze(named, undefined);
      await named.release();
      await (await store.acquire('apply', me)).release();
      expect(await store.frozen()).toBeUndefined();
    });
  });
}
