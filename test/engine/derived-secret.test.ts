import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serializePlan } from '@platform-sync/engine/plan/saved-plan';
import { makeWorld, type World } from '../harness/world.js';

describe('what the platform makes out of a secret', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.close());

  const catalogue = (description: string) => ({
    resources: {
      hidden: { type: 'platform:Api', properties: { name: { 'fn::env': 'NAME' }, description } },
      other: { type: 'platform:Api', properties: { description: 'see ${hidden.slug}' } },
    },
    outputs: { slug: '${hidden.slug}' },
  });

  const everything = async (): Promise<string> => {
    const state = await world.open(async (project) => (await project.state()).pull());
    const plan = serializePlan(await world.plan());
    return `${state}\n${plan}\n${JSON.stringify(world.events)}`;
  };

  it('is a secret, too: in state, in plans and where it is referred to', async () => {
    world.env = { ...world.env, NAME: 'zebracrossing' };
    await world.write({ 'catalogue/all.yaml': catalogue('one') });
    const { outputs } = await world.apply();
    expect(outputs['slug']).toBe('(secret)');
    expect(await everything()).not.toContain('zebracrossing');
    expect((await world.plan()).steps).toEqual([]);
    await world.write({ 'catalogue/all.yaml': catalogue('two') });
    expect((await world.plan()).steps.map(({ address }) => address)).toEqual(['hidden']);
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
    const id = await world.open(
      async (project) => (await (await project.state()).read()).resources.get('hidden')?.identity.id ?? '',
    );
    await world.call('POST', `/_sandbox/objects/apis/${id}`, { slug: 'zebracrossing-2' });
    const plan = await world.plan();
    expect(plan.undeclaredChanges.map(({ field }) => field)).toEqual(['slug']);
    expect(await everything()).not.toContain('zebracrossing');
  });
});
