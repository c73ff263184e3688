import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlanOptions } from '@platform-sync/engine/api';
import { importIdText } from '@platform-sync/core/model/import-id';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';
import type { LyingPlatform } from '../harness/lying-platform.js';
import { lyingWorld, type LyingWorld } from '../harness/lying-world.js';
import { actionsOf, type World } from '../harness/world.js';
import { life, types, valueOf } from './all-types.js';
import { editObjects, isOwnName } from './edit.js';
import { inAnyOrder, wrongLists } from './wrong-lists.js';

const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';
let world: World;
let platform: LyingPlatform;
let close: LyingWorld['close'];
beforeAll(async () => void ({ world, platform, close } = await lyingWorld({ shuffle: 11 })));
afterAll(() => close());

const write = (resources: Readonly<Record<string, JsonObject>>): Promise<void> =>
  world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources } });

/** Everything is done, or the test tells what was not and why. */
async function mustApply(options: PlanOptions = {}): Promise<void> {
  const { steps, diagnostics } = await world.open(async (project) => project.apply(await project.plan(options)));
  const failed = steps.flatMap(({ address, outcome, because, diagnostics: why = [] }) =>
    outcome === 'done' ? [] : [`${address} ${because ?? why.map(({ summary }) => summary).join(' ')}`],
  );
  expect([...failed, ...diagnostics.filter(({ severity }) => severity === 'error')]).toEqual([]);
}

/** Everything was compared, and nothing is left to do. */
async function mustBeAtRest(): Promise<void> {
  const plan = await world.plan();
  expect(plan.notCompared.map(({ diagnostic }) => diagnostic.summary)).toEqual([]);
  expect(actionsOf(plan)).toEqual([]);
}

async function records(): Promise<ReadonlyMap<string, RecordedResource>> {
  return world.open(async (project) => (await (await project.state()).read()).resources);
}

/**
 * They can't be read alone and their list has no number of items: what two lists lack under a group that exists is gone,
 * and a service that leaves it out of both is believed. To add a member once more does no harm.
 */
const believedGone: readonly string[] = [
  'create aigatewayconsumergroupmember',
  'create gatewayconsumergroupmember',
  'create gatewaycontrolplanemembership',
];

// One life in one world: each step begins where the one before has ended.
describe(`a life of all ${types.length} derived types`, () => {
  const first = life('first');
  const other = life('other');
  const wanted = [...other.changed].map(([address, { action }]) => `${action} ${address}`).sort();

  it('is made, and nothing is left to do', async () => {
    await write(first.resources);
    await mustApply();
    await mustBeAtRest();
  });

  it('knows no order of lists', async () => {
    platform.tell(inAnyOrder());
    await mustBeAtRest();
    expect(platform.told()).toBeGreaterThan(100);
  });

  it.each(Object.entries(wrongLists))('does nothing about lists that %s', async (_, lie) => {
    platform.tell(lie());
    // Every object that the lists lack is asked for by itself.
    const plan = await world.plan({ allow: [{ guard: 'maxMissing', reason: 'the lists are wrong' }] });
    platform.tell();
    expect(actionsOf(plan).filter((step) => !believedGone.includes(step))).toEqual([]);
  });

  it('is changed behind our back: found, named as drift, and put right', async () => {
    const known = await records();
    const edits = [...other.changed].flatMap(([address, { action, type, field }]) => {
      const { identity } = known.get(address) ?? {};
      // With another name in its path it is another object.
      if (identity === undefined || isOwnName(type, field)) return [];
      return [{ address, action, type, field, identity, value: valueOf(type, field, 'other') }];
    });
    await editObjects(world, edits);
    const plan = await world.plan();
    expect(plan.notCompared.map(({ diagnostic }) => diagnostic.summary)).toEqual([]);
    expect([...actionsOf(plan)].sort()).toEqual(edits.map(({ action, address }) => `${action} ${address}`).sort());
    // Of a secret record only the digest of all of it is kept: whose change it is can't be told.
    const told = new Set(
      edits.filter(({ field }) => !field.secret || field.equality !== 'record').map(({ address }) => address),
    );
    expect(plan.steps.filter(({ address, cause }) => told.has(address) && cause !== 'drift')).toEqual([]);
    await mustApply();
    await mustBeAtRest();
  });

  it('changes by the right action', async () => {
    await write(other.resources);
    const plan = await world.plan();
    expect([...actionsOf(plan)].sort()).toEqual(wanted);
    await mustApply();
    await mustBeAtRest();
  });

  it('is imported by its id into an empty state', async () => {
    const known = await records();
    world.loseState();
    await write(
      Object.fromEntries(
        Object.entries(other.resources).map(([address, block]) => {
          const record = known.get(address);
          const type = platformPackage.types.get(record?.type ?? '');
          if (record === undefined || type === undefined) throw new Error(`no record of ${address}`);
          return [address, { ...block, options: { import: importIdText(type.importId, record.identity) } }];
        }),
      ),
    );
    await mustApply();
    const now = await records();
    expect([...known].filter(([address, { identity }]) => now.get(address)?.identity.id !== identity.id)).toEqual([]);
    await write(other.resources);
    await mustBeAtRest();
  });

  it('is deleted, and nothing is left', async () => {
    await write({});
    await mustApply({ mode: 'destroy' });
    expect((await records()).size).toBe(0);
  });
});
