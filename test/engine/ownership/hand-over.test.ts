import { describe, expect, it } from 'vitest';
import { handOver } from '@platform-sync/cli/state/hand-over';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { RecordedResource, StateChange } from '@platform-sync/core/model/state';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { intent, resource } from '../state/samples.js';

const me = { owner: 'test', waitMs: 0 };

async function commit(store: StateStore, changes: readonly StateChange[]): Promise<void> {
  const lease = await store.acquire('test', me);
  await store.commit(lease, changes);
  await lease.release();
}

const put = (record: RecordedResource): StateChange => ({ kind: 'put', resource: record });

async function twoStacks(): Promise<readonly [StateStore, StateStore]> {
  const database = new MemoryDatabase();
  const source = memoryStateStore('shop', 'default', database);
  await commit(source, [
    { kind: 'targets', targets: { platform: 'https://one.example' } },
    put(resource('pets')),
    put(resource('pets/guide', { dependencies: ['pets', 'team'] })),
    put(resource('petstore')),
  ]);
  return [source, memoryStateStore('shop', 'next', database)];
}

const addresses = async (store: StateStore): Promise<readonly string[]> => [...(await store.read()).resources.keys()];

describe('handing an object to another stack', () => {
  it('takes what is nested along, and where it lives', async () => {
    const [source, target] = await twoStacks();
    expect(await handOver(source, target, { from: 'pets', to: 'animals' }, 0)).toEqual([
      ['pets', 'animals'],
      ['pets/guide', 'animals/guide'],
    ]);
    expect(await addresses(source)).toEqual(['petstore']);
    const { resources, targets } = await target.read();
    expect(targets).toEqual({ platform: 'https://one.example' });
    expect(resources.get('animals/guide')).toMatchObject({
      identity: { id: 'id-pets/guide' },
      dependencies: ['animals'],
    });
  });

  it('can be repeated after it was cut short', async () => {
    const [source, target] = await twoStacks();
    await commit(target, [put(resource('pets')), put(resource('pets/guide'))]);
    await handOver(source, target, { from: 'pets', to: 'pets' }, 0);
    expect(await addresses(source)).toEqual(['petstore']);
    expect(await addresses(target)).toEqual(['pets', 'pets/guide']);
  });

  const refusals: readonly (readonly [string, string, (source: StateStore, target: StateStore) => Promise<void>])[] = [
    [
      'an address that is taken',
      'state-address-taken',
      (_, target) => commit(target, [put({ ...resource('other'), address: 'pets' })]),
    ],
    [
      'an object that is there already, under another address',
      'state-address-taken',
      (_, target) => commit(target, [put({ ...resource('pets/guide'), address: 'guide' })]),
    ],
    [
      'a stack at another server',
      'state-other-target',
      (_, target) => commit(target, [{ kind: 'targets', targets: { platform: 'https://two.example' } }]),
    ],
    [
      'a write that was not finished',
      'state-unfinished',
      async (source) => {
        const lease = await source.acquire('test', me);
        await source.begin(lease, intent('open', { address: 'pets' }));
        await lease.release();
      },
    ],
    [
      'a create that was not finished where it arrives',
      'state-unfinished',
      async (_, target) => {
        const lease = await target.acquire('test', me);
        await target.begin(lease, intent('open', { address: 'pets' }));
        await lease.release();
      },
    ],
    [
      'an adoption that was not finished where it arrives: its record may be kept on another machine',
      'state-unfinished',
      async (_, target) => {
        const lease = await target.acquire('test', me);
        await target.begin(lease, intent('open', { address: 'pets', action: 'update' }));
        await lease.release();
      },
    ],
  ];
  it.each(refusals)('is refused for %s, and nothing moves', async (_name, code, prepare) => {
    const [source, target] = await twoStacks();
    await prepare(source, target);
    const before = await addresses(target);
    const error = await handOver(source, target, { from: 'pets', to: 'pets' }, 0).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DiagnosticError);
    expect((error as DiagnosticError).diagnostics.map((found) => found.code)).toEqual([code]);
    expect(await addresses(source)).toHaveLength(3);
    expect(await addresses(target)).toEqual(before);
  });
});
