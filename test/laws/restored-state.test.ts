import fc from 'fast-check';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { JsonObject } from '@platform-sync/core/model/value';
import { partOf } from '../harness/part-of-table.js';
import type { PaperObject } from '../harness/paper-platform.js';
import { PaperWorld, paperFolder, removeFolder } from '../harness/paper-world.js';
import { hostAddresses, hostBlocks, hostNeeds, hostTypes } from './host-blocks.js';
import { lawRuns, lawTimeoutMs, toTheLast } from './runs.js';

/**
 * The store is restored from an older backup: the same lineage, a lower serial. What was made since then is made a second time only
 * where a guard says so and somebody lifts it, and nothing takes the stack for a new one.
 */

const bits = (most: number): fc.Arbitrary<readonly boolean[]> =>
  fc.array(fc.boolean(), { minLength: most, maxLength: most });
const story = fc.record({
  blocks: fc.uniqueArray(fc.constantFrom(...hostAddresses), { minLength: 1, maxLength: 5 }),
  before: bits(5),
  since: bits(5),
  after: bits(5),
  others: bits(3),
});
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

let folder = '';
beforeAll(async () => {
  folder = await paperFolder({ law: { guards: { maxDeletes: 1000, maxDeletePercent: 100 } } });
});
afterAll(() => removeFolder(folder));

/** What an object is to people: two alike are one too many. */
const likeness = ({ type, values: { createdAt: _made, updatedAt: _changed, ...values } }: PaperObject): string =>
  canonicalJson([type.token, values as JsonObject]);

async function tell(
  { blocks, before, since, after, others }: Story,
  seen: { blocked: number; made: number },
): Promise<void> {
  const cwd = join(folder, 'law');
  const world = new PaperWorld(hostTypes);
  const write = (has: readonly boolean[]): void =>
    world.write(cwd, {
      resources: hostBlocks(
        blocks.filter((_, at) => has[at] === true),
        others,
        [{}],
      ),
    });
  const everything = async (): Promise<void> => {
    const { plan } = await world.plan(cwd);
    await world.apply(cwd, { allow: plan.guards.map(({ name }) => ({ guard: name, reason: 'law' })) });
  };
  write(before);
  await everything();
  const backup = await world.store().pull();
  write(since);
  await everything();
  await world.restore(backup);
  const records = (await world.store().read()).resources.size;
  const there = new Map(world.platform.objects);
  write(after);
  await world.open(cwd, async (project) => {
    const planned = await project.plan({});
    // What it refuses it does not make.
    if (planned.plan === undefined) return;
    if (records > 0) expect(planned.plan.notices.map(({ code }) => code)).not.toContain('no-record');
    const result = await project.apply(planned);
    if (result.status === 'blocked') seen.blocked += 1;
    const made = [...world.platform.objects.values()].filter(({ id }) => !there.has(id));
    seen.made += made.length;
    const others = [...there.values()].filter(({ id }) => world.platform.objects.has(id)).map(likeness);
    expect(made.map(likeness).filter((one) => others.includes(one))).toEqual([]);
  });
}

it(
  'of a stack whose state is older than its objects nothing is made twice in silence',
  async () => {
    const seen = { blocked: 0, made: 0 };
    await fc.assert(
      fc.asyncProperty(story, (one) => tell(one, seen)),
      { numRuns: lawRuns(240), ...toTheLast },
    );
    if (process.env['SYNC_LAW_PATH'] === undefined) expect(Math.min(seen.blocked, seen.made)).toBeGreaterThan(2);
  },
  lawTimeoutMs,
);

it('what was made since then in the place of one that is gone is not made once more', async () => {
  const blocks = ['gatewaymtlsauth', 'aigateway', 'gatewayconfigstore-2', 'identityauthserver', 'gatewayjwt'];
  const only = [false, false, false, false, true];
  const story = { blocks, before: [false, true, true, false, true], since: only, after: only };
  const seen = { blocked: 0, made: 0 };
  await tell({ ...story, others: [false, false, true] }, seen);
  expect(seen).toEqual({ blocked: 1, made: 0 });
});

it.each(partOf(hostAddresses, 12))(
  'what was made since then is known by its name, or by what it holds: %s',
  async (address) => {
    const blocks = [...hostNeeds(address), address];
    const all = blocks.map(() => true);
    const story = { blocks, before: all.slice(0, -1), since: all, after: all, others: [false] };
    await tell(story, { blocked: 0, made: 0 });
  },
  lawTimeoutMs,
);
