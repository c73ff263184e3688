import { expect, it } from 'vitest';
import type { Listing, Provider, RemoteObject } from '@platform-sync/core/model/provider';
import type { AbsenceRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { refresh } from '@platform-sync/engine/refresh/refresh';
import { sameValue } from '@platform-sync/core/value/equality';
import { readsOf, productType, recorded, remote, stubProvider } from '../engine/apply/stubs.js';

function typed(absence: AbsenceRule | undefined): ResourceType {
  const { absence: _, ...rest } = productType;
  return absence === undefined ? rest : { ...rest, absence };
}

const listing = (...objects: readonly RemoteObject[]): Listing => ({
  objects,
  isComplete: true,
  total: objects.length,
});

async function kinds(type: ResourceType, calls: Partial<Provider>): Promise<readonly string[]> {
  const state = new Map(['shop', 'cafe'].map((name) => [name, recorded(name, name)]));
  const { readings } = await refresh({
    mode: 'auto',
    recorded: state,
    desired: new Map(),
    typeOf: () => type,
    reads: readsOf(stubProvider(calls)),
    concurrency: 4,
    maxMissing: 10,
    same: sameValue,
  });
  return ['shop', 'cafe'].map((address) => readings.get(address)?.kind ?? '');
}

it('a type that cannot be read alone: two complete lists must lack the object', async () => {
  const shop = remote('shop', {});
  const twice = { list: () => Promise.resolve(listing(shop)) };
  expect(await kinds(typed('two-lists'), twice)).toEqual(['found', 'gone']);
  let nth = 0;
  const back = { list: () => Promise.resolve((nth += 1) === 1 ? listing(shop) : listing(shop, remote('cafe', {}))) };
  expect(await kinds(typed('two-lists'), back)).toEqual(['found', 'failed']);
});

it('a partial listing proves presence, never absence', async () => {
  const partly = {
    list: () => Promise.resolve({ objects: [remote('shop', {})], isComplete: false, total: 200 }),
    read: () => Promise.resolve(remote('cafe', {})),
  };
  expect(await kinds(typed('problem-404'), partly)).toEqual(['found', 'found']);
});
