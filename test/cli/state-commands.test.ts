import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { FakeTime } from '../engine/state/fake-time.js';
import { fakeProgram, type Recorder } from './fake-host.js';

function record(address: string, dependencies: readonly string[] = []): RecordedResource {
  return {
    address,
    type: 'platform:index/api:Api',
    identity: { id: `id-of-${address}`, scope: {} },
    inputs: { token: { $secret: { expression: '!env KEY', fingerprint: 'hmac-sha256:00' } } },
    outputs: {},
    dependencies,
    protect: false,
    retainOnDelete: false,
    deposed: [],
  };
}

let store: StateStore;
let program: Recorder;

beforeEach(async () => {
  // An unlock waits until the last bytes of the other run are cut off: the clock is the test's.
  store = memoryStateStore('payments', 'default', new MemoryDatabase(), new FakeTime().timing);
  const lease = await store.acquire('test', { owner: 'test', waitMs: 0 });
  const resources = [record('pets'), record('pets/guide', ['pets']), record('petstore', ['pets'])];
  await store.commit(
    lease,
    resources.map((resource) => ({ kind: 'put', resource })),
  );
  await lease.release();
  program = fakeProgram({ project: { state: async () => store } });
});

const addresses = async (): Promise<readonly string[]> => [...(await store.read()).resources.keys()].sort();

describe('sync history', () => {
  const freeze = async (): Promise<string> => {
    const { out } = await program.run('state', 'freeze', '--reason', 'release week', '--until', '2999-01-31');
    return /^frozen (\S+)$/m.exec(out)?.[1] ?? '';
  };

  it('lists runs, of an address or all, and shows one with what records were before', async () => {
    expect((await program.run('state', 'mv', 'petstore', 'store')).code).toBe(0);
    expect((await program.run('history')).out).toMatch(/^2 .* state mv .*\n1 .* test .*\n$/);
    expect((await program.run('history', 'pets/guide')).out).toMatch(/^1 .*\n$/);
    expect((await program.run('history', '--before', '2', '--limit', '1')).out).toMatch(/^1 /);
    expect((await program.run('history', 'show', '2')).out).toContain('record  store came from petstore');
    const lines = (await program.run('history', 'show', '1', '--format', 'jsonl')).out.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { content: { kind: string } }).content.kind)).toEqual([
      'begin',
      ...Array.from({ length: 3 }, () => 'record'),
    ]);
    expect((await program.run('history', 'show', '9')).code).toBe(64);
    expect((await program.run('history', 'show', 'nine')).code).toBe(64);
    expect((await program.run('history', 'verify')).out).toContain('as it was written');
  });

  it('drops what is old, and stays whole', async () => {
    expect((await program.run('history', 'prune', '--keep-days', '10')).code).toBe(0);
    expect((await program.run('history')).out).toContain('history prune');
    expect((await program.run('history', 'verify')).code).toBe(0);
    expect((await program.run('history', 'prune', '--keep-days', 'x')).code).toBe(64);
  });

  it('is frozen and thawed, and says so to whoever writes meanwhile', async () => {
    const id = await freeze();
    const refused = await program.run('state', 'rm', 'petstore');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`state-frozen`)]);
    expect(refused.err).toContain(`--frozen ${id}`);
    expect(await freeze()).not.toBe(id);
    expect((await program.run('state', 'thaw')).out).toContain('release week');
    expect((await program.run('state', 'thaw')).out).toContain('not frozen');
    expect((await program.run('state', 'rm', 'petstore')).code).toBe(0);
    for (const wrong of ['tomorrow', '2001-01-01'])
      expect((await program.run('state', 'freeze', '--reason', 'r', '--until', wrong)).code).toBe(64);
  });
});

describe('sync state', () => {
  it('lists all, or one and what is below it', async () => {
    expect((await program.run('state', 'list')).out).toBe(
      'pets        platform:Api  id-of-pets\npets/guide  platform:Api  id-of-pets/guide\npetstore    platform:Api  id-of-petstore\n',
    );
    const { out } = await program.run('state', 'list', 'pets', '--format', 'json');
    expect(JSON.parse(out)).toMatchObject([{ address: 'pets' }, { address: 'pets/guide' }]);
  });

  it('shows one record, its secrets sealed', async () => {
    expect(JSON.parse((await program.run('state', 'show', 'pets/guide')).out)).toEqual(record('pets/guide', ['pets']));
  });

  it.each(['show', 'rm'])('%s of what is not there names the nearest', async (verb) => {
    const { code, err } = await program.run('state', verb, 'petstroe');
    expect(code).toBe(1);
    expect(err).toContain('state-address-unknown  State has no petstroe.\n  hint: did you mean petstore?');
  });

  it('mv takes what is nested along, rewrites dependencies and leaves look-alikes alone', async () => {
    expect(await program.run('state', 'mv', 'pets', 'animals')).toMatchObject({
      code: 0,
      out: 'moved pets to animals\nmoved pets/guide to animals/guide\n',
    });
    expect(await addresses()).toEqual(['animals', 'animals/guide', 'petstore']);
    expect((await store.read()).resources.get('petstore')?.dependencies).toEqual(['animals']);
  });

  it('mv never overwrites', async () => {
    expect(await program.run('state', 'mv', 'pets', 'petstore')).toMatchObject({
      code: 1,
      err: expect.stringContaining('state-address-taken'),
    });
    expect(await addresses()).toEqual(['pets', 'pets/guide', 'petstore']);
  });

  it('rm forgets several, with what is below them', async () => {
    expect((await program.run('state', 'rm', 'pets', 'petstore')).out).toBe(
      'forgot pets\nforgot pets/guide\nforgot petstore\n',
    );
    expect(await addresses()).toEqual([]);
  });

  it('rm forgets writes that were cut short, also where nothing else is recorded yet', async () => {
    const lease = await store.acquire('test', { owner: 'test', waitMs: 0 });
    const open = { type: 'platform:index/api:Api', scope: {}, inputs: {}, run: 'earlier', createdAt: '2026-01-01' };
    await store.begin(lease, { ...open, id: '1', address: 'cafe', action: 'create' });
    await store.begin(lease, { ...open, id: '2', address: 'pets', action: 'delete' });
    await store.begin(lease, { ...open, id: '3', address: 'petstore', action: 'update' });
    await lease.release();
    expect((await program.run('state', 'rm', 'cafe', 'pets')).out).toBe(
      'forgot pets\nforgot pets/guide\nforgot the unfinished create of cafe\nforgot the unfinished delete of pets\n',
    );
    expect((await store.read()).intents.map(({ address }) => address)).toEqual(['petstore']);
    expect(await addresses()).toEqual(['petstore']);
  });

  it.each([
    ['rm', 'cafe'],
    ['rm', 'pets'],
    ['mv', 'pets', 'animals'],
    ['mv', 'petstore', 'cafe'],
  ])('%s %s %s leaves alone what may have been made, or called so, and need not show yet', async (...words) => {
    const lease = await store.acquire('test', { owner: 'test', waitMs: 0 });
    const open = { type: 'platform:index/api:Api', scope: {}, inputs: {}, run: 'earlier' };
    const createdAt = new Date().toISOString();
    await store.begin(lease, { ...open, createdAt, id: '1', address: 'cafe', action: 'create' });
    await store.begin(lease, { ...open, createdAt, id: '2', address: 'pets/guide', action: 'delete' });
    await store.begin(lease, { ...open, createdAt, id: '3', address: 'pets', action: 'update' });
    await lease.release();
    expect(await program.run('state', ...words)).toMatchObject({
      code: 1,
      err: expect.stringContaining('state-unfinished'),
    });
    expect((await store.read()).intents).toHaveLength(3);
    expect(await addresses()).toHaveLength(3);
  });

  it('pull and push move a stack as one document', async () => {
    const { out } = await program.run('state', 'pull');
    writeFileSync(join(program.folder, 'backup.json'), out);
    await program.run('state', 'rm', 'petstore');
    expect(await program.run('state', 'push', 'backup.json')).toMatchObject({ code: 1 });
    const forced = await program.run('state', 'push', 'backup.json', '--force');
    expect(forced.code).toBe(0);
    expect(forced.out).toMatch(/^State is now at serial \d+ with 3 objects\.\n$/);
    expect(await addresses()).toHaveLength(3);
  });

  it('gives the lease back, also when it refuses', async () => {
    await program.run('state', 'mv', 'pets', 'petstore');
    await program.run('state', 'rm', 'pets');
    expect(await store.holder()).toBeUndefined();
  });

  it('unlock breaks a lease by its id, and only that', async () => {
    const lease = await store.acquire('apply', { owner: 'ann@ci pid 7', waitMs: 0 });
    expect(await program.run('state', 'unlock', 'other')).toMatchObject({
      code: 64,
      err: expect.stringContaining(`locked by ann@ci pid 7 with lease ${lease.holder.id}`),
    });
    expect(await program.run('state', 'rm', 'pets')).toMatchObject({
      code: 1,
      err: expect.stringContaining(`sync state unlock ${lease.holder.id}`),
    });
    expect((await program.run('state', 'unlock', lease.holder.id)).code).toBe(0);
    expect(await store.holder()).toBeUndefined();
  });
});
