import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { makeWorld, type World } from '../harness/world.js';
import { platformPackage } from '@platform-sync/platform/package';
import { life } from './all-types.js';

/** What nobody manages ends with what it lives in: of every type that lists show, and that lives in another. */

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';
const nameOf = (token: string): string => token.split(':').at(-1) ?? '';

/** Records of objects that live in another, that lists show, and that nothing else is about. */
function leaves(records: readonly RecordedResource[]): readonly RecordedResource[] {
  const needed = new Set(records.flatMap(({ dependencies }) => dependencies));
  return records.filter(({ type: token, address }) => {
    const type = platformPackage.types.get(token);
    return type?.parent !== undefined && type.collection.listed !== false && !needed.has(address);
  });
}

it('is counted by its type in the guard of its home, and is none where everything has its record', async () => {
  await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: life('first').resources } });
  await world.apply();
  const whole = await world.plan({ mode: 'destroy' });
  expect(whole.guards).toEqual([]);
  const forgotten = await world.open(async (project) => {
    const store = await project.state();
    const lost = leaves([...(await store.read()).resources.values()]);
    const lease = await store.acquire('test', { owner: 'test', waitMs: 0 });
    await store.commit(
      lease,
      lost.map(({ address }) => ({ kind: 'remove', address })),
    );
    await lease.release();
    return lost;
  });
  expect(forgotten.length).toBeGreaterThan(100);
  const plan = await world.plan({ mode: 'destroy' });
  const told = plan.guards.flatMap(({ name, summary }) => {
    expect(name).toMatch(/^goes-along:/);
    const counts = summary.slice(summary.lastIndexOf(': ') + 2).split(', ');
    return counts.flatMap((text) => Array.from({ length: Number.parseInt(text) }, () => text.split(' ')[1]));
  });
  expect(told.sort()).toEqual(forgotten.map(({ type }) => nameOf(type)).sort());
});
