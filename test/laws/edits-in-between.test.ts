import fc from 'fast-check';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Provider } from '@platform-sync/core/model/provider';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import type { Plan } from '@platform-sync/core/model/plan';
import type { PaperObject } from '../harness/paper-platform.js';
import { mustPlan, paperFolder, PaperWorld, removeFolder } from '../harness/paper-world.js';
import { asResources, randomCatalogueOf } from './random-catalogue.js';
import { lawRuns, lawTimeoutMs, toTheLast } from './runs.js';

/**
 * Others edit and delete objects while a run reads, after its plan was made, and while it applies; names change hands. What
 * the plan did not show stays as they left it, nothing ends that no line names, nothing is made twice, and once they are done a
 * few runs make all as the file says.
 */
const edit = fc.record({
  pick: fc.nat(50),
  kind: fc.constantFrom('text', 'text', 'label', 'delete'),
  /** Before this many questions, from the first of the plan on; of those that are left, after the plan. */
  before: fc.nat(40),
});
const stage = fc.record({
  catalogue: randomCatalogueOf({ apis: 2, products: 2 }),
  exchanges: fc.boolean(),
  edits: fc.array(edit, { maxLength: 4 }),
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;
type Resources = Record<string, JsonObject>;

const guards = { maxDeletes: 1000, maxDeletePercent: 100 };
let cwd = '';
let folder = '';
beforeAll(async () => {
  folder = await paperFolder({ law: { guards } });
  cwd = join(folder, 'law');
});
afterAll(() => removeFolder(folder));

/** The first two products, which nothing else names, give each other their names. */
function exchanged(resources: Resources): Resources {
  const products = Object.keys(resources).filter((key) => resources[key]?.['type'] === 'platform:ApiProduct');
  const [one, other] = products;
  if (one === undefined || other === undefined) return resources;
  const nameOf = (key: string): Json => (resources[key]?.['properties'] as JsonObject)['name'] ?? key;
  const named = (key: string, name: Json): JsonObject => ({
    ...resources[key],
    properties: { ...(resources[key]?.['properties'] as JsonObject), name },
  });
  return { ...resources, [one]: named(one, nameOf(other)), [other]: named(other, nameOf(one)) };
}

/** What others did to which object: its values from then on, or that it is gone. */
type Doings = Map<string, JsonObject | 'deleted'>;

function change(world: PaperWorld, { pick, kind }: Edit, doings: Doings): void {
  const all = [...world.platform.objects.values()];
  const object = all[pick % Math.max(1, all.length)];
  if (object === undefined) return;
  if (kind === 'delete') {
    world.platform.take(object.id);
    for (const { id } of all) if (!world.platform.objects.has(id)) doings.set(id, 'deleted');
    return;
  }
  const values = kind === 'text' ? textOf(object) : labelOf(object);
  world.platform.edit(object, values);
  doings.set(object.id, { ...(doings.get(object.id) as JsonObject | undefined), ...values });
}

function textOf({ type: { fields } }: PaperObject): JsonObject {
  return 'content' in fields ? { content: 'clicked' } : 'description' in fields ? { description: 'clicked' } : {};
}

function labelOf({ type: { fields }, values }: PaperObject): JsonObject {
  return 'labels' in fields ? { labels: { ...(values['labels'] as JsonObject | undefined), zeta: 'clicked' } } : {};
}

/** Others act before the questions that they were given. */
function edited(world: PaperWorld, waiting: readonly Edit[], doings: Doings): (inner: Provider) => Partial<Provider> {
  let asked = 0;
  const left = new Set(waiting);
  const others = (): void => {
    asked += 1;
    for (const each of left) {
      if (each.before >= asked) continue;
      left.delete(each);
      change(world, each, doings);
    }
  };
  return (inner) => ({
    list: (...call) => (others(), inner.list(...call)),
    read: (...call) => (others(), inner.read(...call)),
    find: (...call) => (others(), inner.find(...call)),
  });
}

/** Whatever is at an id and was not shown in the plan is as others left it, and what is gone was theirs or has a line. */
function expectKept(before: ReadonlyMap<string, JsonObject>, plan: Plan, world: PaperWorld, doings: Doings): void {
  const ended = new Set(
    plan.steps.filter(({ action }) => action === 'delete' || action === 'replace').map(({ id }) => id),
  );
  const shown = new Map(plan.steps.map(({ id = '', fields }) => [id, new Set(fields.map(({ field }) => field))]));
  for (const [id, values] of before) {
    const theirs = doings.get(id);
    const now = world.platform.objects.get(id);
    if (now === undefined) {
      if (theirs !== 'deleted' && !isInside(values, ended))
        expect([id, [...ended]]).toEqual([id, expect.arrayContaining([id])]);
      continue;
    }
    for (const [field, value] of Object.entries(theirs === 'deleted' ? {} : (theirs ?? {})))
      if (shown.get(id)?.has(field) !== true) expect([id, field, now.values[field]]).toEqual([id, field, value]);
  }
}

/** It lives in, or points at, something that ends. */
function isInside(values: JsonObject, ended: ReadonlySet<string | undefined>): boolean {
  return Object.values(values).some((value) => typeof value === 'string' && ended.has(value));
}

describe('while others edit', () => {
  it(
    'what no line shows stays as they left it, nothing is made twice, and in the end all is as the file says',
    async () => {
      const seen = { edited: 0, stopped: 0, exchanged: 0 };
      await fc.assert(
        fc.asyncProperty(fc.array(stage, { minLength: 2, maxLength: 3 }), async (stages) => {
          const world = new PaperWorld();
          for (const { catalogue, exchanges, edits } of stages) {
            const resources = asResources(catalogue);
            world.write(cwd, { resources: exchanges ? exchanged(resources) : resources });
            const doings: Doings = new Map();
            world.calls = edited(world, edits, doings);
            const allow = await lifted(world, resources);
            await world.open(cwd, async (project) => {
              const planned = await project.plan({ allow });
              if (planned.plan === undefined) return;
              const before = new Map([...world.platform.objects].map(([id, { values }]) => [id, values]));
              const { steps } = await project.apply(planned);
              if (doings.size > 0) seen.edited += 1;
              if (steps.some(({ outcome }) => outcome !== 'done')) seen.stopped += 1;
              if (planned.plan.steps.some(({ risks }) => risks.some(({ kind }) => kind === 'steps-aside')))
                seen.exchanged += 1;
              expectKept(before, planned.plan, world, doings);
            });
            world.calls = () => ({});
            for (let run = 0; run < 3; run += 1) await again(world, await lifted(world, resources));
            const { plan } = await world.open(cwd, async (project) =>
              mustPlan(project, { allow: await lifted(world, resources) }),
            );
            expect(plan.steps.map(({ action, address }) => `${action} ${address}`)).toEqual([]);
            const known = [...world.state().resources.values()].map(({ identity }) => identity.id);
            expect([...world.platform.objects.keys()].filter((id) => !known.includes(id))).toEqual([]);
            expect(new Set(known).size).toBe(known.length);
          }
        }),
        { numRuns: lawRuns(360), ...toTheLast },
      );
      // Worlds in which nobody gets in the way would show nothing.
      expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
    },
    lawTimeoutMs,
  );
});

async function again(world: PaperWorld, allow: Awaited<ReturnType<typeof lifted>>): Promise<void> {
  await world.open(cwd, async (project) => {
    const planned = await project.plan({ allow });
    if (planned.plan !== undefined) await project.apply(planned);
  });
}

/** All guards that these worlds can run into. */
async function lifted(
  world: PaperWorld,
  resources: Resources,
): Promise<readonly { readonly guard: string; readonly reason: string }[]> {
  const all = [...world.state().resources.keys(), ...Object.keys(resources)];
  return [
    ...['emptyCatalogue', 'everythingGone', 'adopt', 'maxMissing'],
    ...[...new Set(all)].flatMap((one) => [`delete:${one}`, `replace:${one}`, `goes-along:${one}`, `same-name:${one}`]),
  ].map((guard) => ({ guard, reason: 'law' }));
}
