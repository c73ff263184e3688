import { describe, expect, it } from 'vitest';
import type { ApplyResult, PlanResult } from '@platform-sync/engine/api';
import type { JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../harness/fresh-worlds.js';
import type { World } from '../harness/world.js';

/** Of a type whose names are not unique, a second object of a name is made only where somebody says so. */

let world: World;
freshWorlds((made) => (world = made));

const write = () =>
  world.write({
    'sync.yaml': 'project: test\n',
    'catalogue/all.yaml': {
      resources: { p: { type: 'platform:ApiProduct', properties: { name: 'P', portalIds: [] } } },
    },
  });
const byHand = () => world.call('POST', '/v2/api-products', { name: 'P', portal_ids: [] });

async function products(): Promise<number> {
  const { body } = await world.call('GET', '/v2/api-products');
  return (body as { readonly data: readonly JsonObject[] }).data.length;
}

const guardsOf = ({ plan }: PlanResult): readonly string[] => (plan?.guards ?? []).map(({ name }) => name);

describe('an object of the same name that this stack has no record of', () => {
  it('holds the plan back until the guard is lifted by name', async () => {
    await write();
    await byHand();
    const [status, guards] = await world.open(async (project) => {
      const planned = await project.plan();
      return [(await project.apply(planned)).status, guardsOf(planned)] as const;
    });
    expect([status, guards, await products()]).toEqual(['blocked', ['same-name:p'], 1]);
    const lifted = await world.open(async (project) => {
      const allow = [{ guard: 'same-name:p', reason: 'a second one is meant' }];
      return project.apply(await project.plan({ allow }));
    });
    expect([lifted.status, await products()]).toEqual(['done', 2]);
  });

  it('makes the reviewed plan another one when it was made after the review', async () => {
    await write();
    const reviewed = await world.plan();
    await byHand();
    const result: ApplyResult = await world.open((project) => project.applyReviewed(reviewed));
    expect([result.status, result.mismatches?.map(({ what }) => what), await products()]).toEqual([
      'stale',
      ['guards'],
      1,
    ]);
  });

  it('holds back what becomes one of another type', async () => {
    await world.write({
      'sync.yaml': 'project: test\n',
      'catalogue/all.yaml': { resources: { p: { type: 'platform:Portal', properties: { name: 'P' } } } },
    });
    expect((await world.apply()).status).toBe('done');
    await byHand();
    await write();
    const guards = await world.open(async (project) => guardsOf(await project.plan()));
    expect(guards).toContain('same-name:p');
  });

  it('holds back what an older state makes once more', async () => {
    await write();
    await world.apply();
    world.loseState();
    const status = await world.open(async (project) => (await project.apply(await project.plan())).status);
    expect([status, await products()]).toEqual(['blocked', 1]);
  });
});

describe('an object of the same name that this stack manages under another address', () => {
  const product: JsonObject = { type: 'platform:ApiProduct', properties: { name: 'P', portalIds: [] } };
  const apply = async (resources: JsonObject): Promise<ApplyResult> => {
    await world.write({ 'sync.yaml': 'project: test\n', 'catalogue/all.yaml': { resources } });
    const allow = [{ guard: 'emptyCatalogue', reason: 'meant' }];
    return world.open(async (project) => project.apply(await project.plan({ allow })));
  };

  it('holds back an undo that would make it again', async () => {
    await apply({ p: product });
    expect((await apply({})).status).toBe('done');
    expect((await apply({ q: product })).status).toBe('done');
    const [status, guards] = await world.open(async (project) => {
      const planned = await project.undo(2, []);
      return [(await project.apply(planned)).status, planned.plan?.guards] as const;
    });
    expect([status, await products()]).toEqual(['blocked', 1]);
    expect(guards?.map(({ name, summary }) => [name, summary])).toEqual([
      [
        'same-name:p',
        expect.stringMatching(
          /^p would be created beside the object \S+, which this stack manages as q: .*move it: sync state mv q p$/,
        ),
      ],
    ]);
  });
});
