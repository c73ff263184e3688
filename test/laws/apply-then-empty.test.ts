import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Event } from '@platform-sync/core/model/event';
import type { Plan } from '@platform-sync/core/model/plan';
import type { JsonObject } from '@platform-sync/core/model/value';
import { makeWorld, type World } from '../harness/world.js';
import { editBehindOurBack } from './edit-behind-our-back.js';
import {
  asResources,
  randomCatalogue,
  randomCatalogueWithPortals,
  randomEdits,
  type RandomCatalogue,
  type RandomEdit,
} from './random-catalogue.js';
import { liftedPlan } from './lifted-plan.js';
import { lawRuns, lawTimeoutMs } from './runs.js';

const runs = lawRuns(350);

/** A catalogue, and what others do after it was applied. */
type Stage = readonly [RandomCatalogue, readonly RandomEdit[]];

const named = (pick: number): RandomEdit => ({ pick, kind: 'name' });
const api: RandomCatalogue['apis'][number] = {
  ...{ version: '1.0.0', description: 'short', labels: {}, attributes: {}, slug: 'own', spec: null, service: false },
  ...{ versions: [], portals: [], documents: [] },
};
const versioned = (...paths: readonly number[]): RandomCatalogue['apis'][number] => ({
  ...api,
  versions: paths.map((path) => ({ path, spelt: 'yaml', called: false })),
});
const nothing: RandomCatalogue = { apis: [], products: [], fronts: [] };

/** Every case that the law ever failed on. */
const counterexamples: [string, readonly Stage[]][] = [
  [
    'others give two versions one name, and one of them changes its text',
    [
      [
        {
          ...nothing,
          apis: [
            {
              ...api,
              spec: 1,
              portals: [{ portal: 1, visibility: 'public', open: false }],
              documents: [{ under: 0, title: 0, content: 'one', status: 'published' }],
            },
            versioned(0, 1),
          ],
          products: [
            { name: 0, labels: {}, documents: 0 },
            { name: 0, labels: {}, documents: 0 },
          ],
        },
        [named(33), named(34)],
      ],
      [{ ...nothing, apis: [{ ...api, spec: 1 }, versioned(0, 0)] }, []],
      [nothing, []],
    ],
  ],
];

const settings =
  'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000, allow: [{guard: emptyCatalogue, reason: law}, {guard: everythingGone, reason: law}]}\n';

describe('laws', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld({ shuffle: 7 });
  });
  afterAll(() => world.close());

  async function applyAndCheck(resources: Record<string, JsonObject>): Promise<void> {
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources } });
    world.events.length = 0;
    await world.open(async (project) => {
      const planned = await liftedPlan(project);
      if (planned.plan === undefined) throw new Error(JSON.stringify(planned.diagnostics));
      const result = await project.apply(planned);
      if (result.status !== 'done') throw new Error(JSON.stringify(result, null, 1));
      expectOrder(planned.plan, world.events);
    });
    const again = await world.plan();
    expect(again.steps).toEqual([]);
  }

  async function tryStages(stages: readonly Stage[]): Promise<void> {
    world.loseState();
    await world.call('POST', '/_sandbox/reset');
    for (const [catalogue, edits] of stages) {
      await applyAndCheck(asResources(catalogue));
      await editBehindOurBack(world, edits);
    }
  }

  // Apart from the law, so that the path of a failure counts the law's own cases.
  it.each(counterexamples)('a plan after apply is empty where it once was not: %s', async (_name, stages) => {
    await tryStages(stages);
  });

  // Three catalogues in a row, with edits of others in between: over a thousand applies a run of the suite.
  it.each([
    ['APIs and products', randomCatalogue, runs],
    ['portals, pages and strategies', randomCatalogueWithPortals, lawRuns(60)],
  ])(
    'whatever the catalogue and whatever others do, a plan after apply is empty: %s',
    async (_name, catalogues, numRuns) => {
      const sequence = fc.array(fc.tuple(catalogues, randomEdits), { minLength: 3, maxLength: 3 });
      await fc.assert(fc.asyncProperty(sequence, tryStages), { numRuns });
    },
    lawTimeoutMs,
  );
});

/** What a step needs was done before it, by the order of the events. */
function expectOrder(plan: Plan, events: readonly Event[]): void {
  const doneAt = new Map<string, number>();
  const startedAt = new Map<string, number>();
  events.forEach((event, at) => {
    if (event.type === 'step-done') doneAt.set(event.address, at);
    if (event.type === 'step-started' && !startedAt.has(event.address)) startedAt.set(event.address, at);
  });
  const position = new Map(plan.steps.map((step, index) => [step.address, index]));
  for (const step of plan.steps) {
    for (const needed of step.dependsOn) {
      const both = plan.steps.find(({ address }) => address === needed);
      // A replacement is two calls, and the deletes run against the direction of the creates.
      if (step.action === 'replace' || both?.action === 'replace') continue;
      // What the platform deletes together with an object is deleted by that object's call.
      const before = step.action === 'delete' ? doneAt : startedAt;
      expect(doneAt.get(needed) ?? -1).toBeLessThan(before.get(step.address) ?? Infinity);
      expect(position.get(needed) ?? -1).toBeLessThan(position.get(step.address) ?? Infinity);
    }
  }
}
