import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { makeWorld, type World } from '../harness/world.js';
import { asResources, randomCatalogue } from './random-catalogue.js';
import { lawRuns, lawTimeoutMs } from './runs.js';

const runs = lawRuns(60);
const settings =
  'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000, allow: [{guard: emptyCatalogue, reason: law}]}\n';

describe('same input, same bytes', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld({ shuffle: 3 });
  });
  afterAll(() => world.close());

  it(
    'a plan does not depend on the order of files, keys, answers, or on concurrency',
    async () => {
      await fc.assert(
        fc.asyncProperty(randomCatalogue, randomCatalogue, fc.nat(), async (first, second, seed) => {
          world.loseState();
          await world.call('POST', '/_sandbox/reset');
          await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: asResources(first) } });
          await world.apply();
          const resources = Object.entries(asResources(second));
          await world.write({
            'sync.yaml': settings,
            'catalogue/all.yaml': { resources: Object.fromEntries(resources) },
          });
          const straight = await bytes(world, 16);
          const shuffled = shuffle(resources, seed);
          const half = Math.floor(shuffled.length / 2);
          await world.write({
            'sync.yaml': settings,
            'catalogue/z.yaml': { resources: mixed(Object.fromEntries(shuffled.slice(0, half)), seed) },
            'catalogue/a/b.yml': { resources: mixed(Object.fromEntries(shuffled.slice(half)), seed) },
          });
          expect(await bytes(world, 1)).toBe(straight);
        }),
        { numRuns: runs },
      );
    },
    lawTimeoutMs,
  );
});

/** Everything but `meta`, which says when, where and on which line. */
async function bytes(world: World, concurrency: number): Promise<string> {
  const result = await world.open((project) => project.plan(), { concurrency });
  if (result.plan === undefined) throw new Error(JSON.stringify(result.diagnostics));
  const { meta: _meta, ...body } = result.plan;
  return canonicalJson(body as unknown as Json);
}

function shuffle<T>(items: readonly T[], seed: number): T[] {
  return items
    .map((item, index) => [((index + 1) * 7919 * (seed + 1)) % 104_729, item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** The same object with its keys in another order, all the way down. */
function mixed(value: Json, seed: number): JsonObject {
  const visit = (part: Json): Json => {
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(
      shuffle(Object.entries(part as JsonObject), seed).map(([key, member]) => [key, visit(member)]),
    );
  };
  return visit(value) as JsonObject;
}
