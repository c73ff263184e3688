import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PlanStep } from '@platform-sync/core/model/plan';
import type { JsonObject } from '@platform-sync/core/model/value';
import { makeWorld, type World } from '../harness/world.js';
import { editBehindOurBack } from './edit-behind-our-back.js';
import { liftedPlan } from './lifted-plan.js';
import { asResources, randomCatalogue, randomEdits } from './random-catalogue.js';
import { lawRuns, lawTimeoutMs } from './runs.js';

const settings =
  'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000, allow: [{guard: emptyCatalogue, reason: law}, {guard: everythingGone, reason: law}]}\n';

let world: World;
beforeAll(async () => {
  world = await makeWorld({ shuffle: 7 });
});
afterAll(() => world.close());

const write = (resources: Record<string, JsonObject>): Promise<void> =>
  world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources } });

/** Who waits for whom, and who sees it: what lives in a publication that is not taken back stays visible. */
function comparable({ dependsOn: _, risks, ...step }: PlanStep): Omit<PlanStep, 'dependsOn'> {
  return { ...step, risks: risks.filter(({ kind }) => kind !== 'publishes' && kind !== 'unpublishes') };
}

it(
  'a plan without deletes is the plan less what it names; it can be carried out, ends nothing, and leaves nothing else undone',
  async () => {
    let leftOut = 0;
    await fc.assert(
      fc.asyncProperty(randomCatalogue, randomEdits, randomCatalogue, async (before, edits, after) => {
        world.loseState();
        await world.call('POST', '/_sandbox/reset');
        await write(asResources(before));
        await world.apply();
        await editBehindOurBack(world, edits);
        await write(asResources(after));
        const whole = await world.plan();
        const plan = await world.plan({ noDelete: true });
        const steps = plan.steps.map(comparable);
        expect(steps.filter(({ action }) => action === 'delete' || action === 'replace')).toEqual([]);
        const all = whole.steps.map(comparable);
        expect(all).toEqual(expect.arrayContaining(steps));
        const named = (entries: readonly { readonly action: string; readonly address: string }[]): readonly string[] =>
          entries.map(({ action, address }) => `${action} ${address}`);
        expect([...named(steps), ...named(plan.leftOut ?? [])].sort()).toEqual([...named(all)].sort());
        leftOut += plan.leftOut?.length ?? 0;

        await world.resetRequests();
        await world.apply({ noDelete: true });
        const { byRoute } = await world.requests();
        expect(Object.keys(byRoute).filter((route) => route.startsWith('DELETE'))).toEqual([]);
        const again = await world.plan({ noDelete: true });
        expect(again.steps).toEqual([]);
        await world.open(async (project) => project.apply(await liftedPlan(project)));
        expect((await world.plan()).steps).toEqual([]);
      }),
      { numRuns: lawRuns(30) },
    );
    expect(leftOut).toBeGreaterThan(10);
  },
  lawTimeoutMs,
);
