import { describe, expect, it } from 'vitest';
import { isEmptyPlan } from '@platform-sync/core/model/plan';
import { freshWorlds } from '../harness/fresh-worlds.js';
import { actionsOf, type CatalogueData, type World } from '../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

const spec = (title: string): string => `openapi: 3.0.3\ninfo: {title: ${title}, version: "1.0"}\npaths: {}\n`;

const catalogue = (change: CatalogueData = {}): CatalogueData => ({
  resources: {
    petstore: {
      type: 'platform:Api',
      properties: {
        name: 'Petstore',
        version: '1.0',
        attributes: { domain: ['pets', 'animals'] },
        labels: { team: 'a' },
        specContent: spec('Pets'),
        ...change,
      },
      children: {
        guide: {
          type: 'platform:ApiDocument',
          properties: { title: 'Guide', content: '# Guide\n', status: 'published' },
          children: {
            intro: {
              type: 'platform:ApiDocument',
              properties: { title: 'Intro', content: 'Hello' },
              children: { deep: { type: 'platform:ApiDocument', properties: { title: 'Deep', content: 'Down here' } } },
            },
          },
        },
      },
    },
  },
  outputs: { id: '${petstore.id}' },
});

describe('the main job', () => {
  it('creates parents first, and then has nothing to do', async () => {
    await world.write({ 'catalogue/a.yaml': catalogue() });
    const plan = await world.plan();
    expect(actionsOf(plan)).toEqual([
      'create petstore',
      'create petstore/guide',
      'create petstore/guide/intro',
      'create petstore/guide/intro/deep',
    ]);
    const result = await world.apply();
    expect(result.outputs['id']).toMatch(/^[0-9a-f-]{36}$/);
    const second = await world.plan();
    expect(second.steps).toEqual([]);
    expect(isEmptyPlan(second)).toBe(true);
    expect(second.summary.unchanged).toBe(4);
  });

  it('replaces an API and everything below it when its specification changes, children last up and first down', async () => {
    await world.write({ 'catalogue/a.yaml': catalogue() });
    await world.apply();
    await world.write({ 'catalogue/a.yaml': catalogue({ specContent: spec('Cats') }) });
    const plan = await world.plan();
    expect(plan.steps.map((step) => [step.action, step.address, step.reasons])).toEqual([
      ['replace', 'petstore', [{ kind: 'field-forces-replacement', field: 'specContent' }]],
      ['replace', 'petstore/guide', [{ kind: 'parent-replaced', path: ['petstore'] }]],
      ['replace', 'petstore/guide/intro', expect.arrayContaining([{ kind: 'parent-replaced', path: ['petstore'] }])],
      [
        'replace',
        'petstore/guide/intro/deep',
        expect.arrayContaining([{ kind: 'parent-replaced', path: ['petstore'] }]),
      ],
    ]);
    expect(plan.guards.map(({ name }) => name)).toEqual(['maxDeletePercent']);
    await world.apply({ allow: [{ guard: 'maxDeletePercent', reason: 'the four of them are meant' }] });
    expect((await world.plan()).steps).toEqual([]);
  });

  it('finds a change made behind its back, and puts it right', async () => {
    await world.write({ 'catalogue/a.yaml': catalogue() });
    const { outputs } = await world.apply();
    const changed = await world.call('PATCH', `/v3/apis/${String(outputs['id'])}`, {
      description: 'clicked',
      labels: { team: 'b' },
    });
    expect(changed.status).toBe(200);
    const plan = await world.plan();
    expect(plan.steps.map((step) => [step.address, step.action, step.cause])).toEqual([
      ['petstore', 'update', 'drift'],
    ]);
    expect(plan.undeclaredChanges.map(({ field }) => field)).toEqual(['description']);
    await world.apply();
    const after = await world.call('GET', `/v3/apis/${String(outputs['id'])}`);
    expect(after.body).toMatchObject({ labels: { team: 'a' }, description: 'clicked' });
  });

  it('deletes everything on destroy: documents along with their API, each a step of its own, before it', async () => {
    await world.write({ 'catalogue/a.yaml': catalogue() });
    await world.apply();
    await world.resetRequests();
    const { steps } = await world.apply({ mode: 'destroy' });
    expect(steps.map(({ action, outcome }) => [action, outcome])).toEqual(steps.map(() => ['delete', 'done']));
    expect(steps.length).toBe(4);
    expect(steps.at(-1)?.address).toBe('petstore');
    const { byRoute } = await world.requests();
    expect(Object.entries(byRoute).filter(([route]) => route.startsWith('DELETE'))).toEqual([
      ['DELETE /v3/apis/{apiId}', 1],
    ]);
    expect((await world.call('GET', '/v3/apis')).body).toMatchObject({ data: [] });
  });
});
