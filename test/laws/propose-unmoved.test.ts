import fc from 'fast-check';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type * as Untouched from '@platform-sync/engine/plan/propose-unmoved';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { PaperPlatform } from '../harness/paper-platform.js';
import { PaperWorld, mustPlan, paperFolder, removeFolder, type Planned } from '../harness/paper-world.js';
import { asResources, randomCatalogueOf } from './random-catalogue.js';
import { lawRuns, lawTimeoutMs } from './runs.js';

/** What is proposed at once for resources that nobody touched is what comparing them field by field comes to. */

const shortcut = vi.hoisted(() => ({ isOn: true, taken: 0 }));
vi.mock('@platform-sync/engine/plan/propose-unmoved', async (original) => {
  const real = await original<typeof Untouched>();
  return {
    proposeUnmoved: (...given: Parameters<typeof real.proposeUnmoved>) => {
      const step = shortcut.isOn ? real.proposeUnmoved(...given) : undefined;
      if (step !== undefined) shortcut.taken += 1;
      return step;
    },
  };
});

const twist = fc.record({
  options: fc.record(
    {
      protect: fc.boolean(),
      retainOnDelete: fc.boolean(),
      ignoreChanges: fc.subarray(['labels.alpha', 'description', 'content', '*'], { maxLength: 2 }),
      dependsOn: fc.constantFrom<readonly string[]>([], ['anchor']),
    },
    { requiredKeys: [] },
  ),
  /** What the description says in place of its words. */
  description: fc.constantFrom(
    ...['as it is', 'as it is', 'as it is'],
    ...[{ 'fn::secret': 'hush-hush' }, { 'fn::secret': 'hush' }, '${anchor.id}', '${anchor.description}', null],
  ),
});
type Twist = typeof twist extends fc.Arbitrary<infer T> ? T : never;

const click = fc.record({
  pick: fc.nat(50),
  field: fc.constantFrom('description', 'title', 'content', 'labels', 'status', 'version', 'deleted'),
});
type Click = typeof click extends fc.Arbitrary<infer T> ? T : never;

const seldom = fc.constantFrom(false, false, false, true);

const world = fc.record({
  before: randomCatalogueOf({ apis: 2, products: 1 }),
  /** Undefined: the resources stay, and only what is twisted differs. */
  after: fc.option(randomCatalogueOf({ apis: 2, products: 1 }), { nil: undefined, freq: 1 }),
  twists: fc.array(twist, { minLength: 5, maxLength: 5 }),
  /** How many of the twists are others in the second catalogue. */
  changed: fc.constantFrom(0, 0, 1, 2),
  anchor: fc.constantFrom(['first', 'first'], ['first', 'first'], ['first', 'second']),
  clicks: fc.array(click, { maxLength: 3 }),
  refresh: fc.constantFrom<'auto' | 'none'>('auto', 'none'),
  isReplaced: seldom,
});

const usual = 150;
const guards = { maxDeletes: 1000, maxDeletePercent: 100 };
let folder = '';
beforeAll(async () => void (folder = await paperFolder({ keys: { guards }, marked: { guards, ownership: 'label' } })));
afterAll(() => removeFolder(folder));

describe('untouched resources', () => {
  it(
    'a plan is the same, byte for byte, whether they are told at once or compared field by field',
    async () => {
      let worlds = 0;
      await fc.assert(
        fc.asyncProperty(world, seldom, async (given, isMarked) => {
          worlds += 1;
          const { before, after, twists, changed, anchor, clicks, refresh, isReplaced } = given;
          const [paper, cwd] = [new PaperWorld(), join(folder, isMarked ? 'marked' : 'keys')];
          const write = (catalogue: typeof before, how: readonly Twist[], words: string): void => {
            const resources = { ...twisted(asResources(catalogue), how), anchor: anchorOf(words) };
            paper.write(cwd, { resources });
          };
          write(before, twists, anchor[0]);
          await paper.apply(cwd);
          for (const one of clicks) edit(paper.platform, one);
          write(after ?? before, [...twists.slice(changed), ...twists.slice(0, changed)], anchor[1]);
          await paper.open(cwd, async (project) => {
            const named = isReplaced ? { replace: ['anchor'] } : {};
            const made = async (isOn: boolean): Promise<string> => {
              shortcut.isOn = isOn;
              return bytesOf(await mustPlan(project, { refresh, ...named }));
            };
            expect(await made(true)).toBe(await made(false));
          });
        }),
        { numRuns: lawRuns(usual) },
      );
      expect(shortcut.taken).toBeGreaterThan(worlds / 2);
    },
    lawTimeoutMs,
  );
});

/** All but when it was made, and after how many requests. */
function bytesOf({ plan: { meta, ...body }, diagnostics }: Planned): string {
  const { createdAt: _createdAt, requests: _requests, ...rest } = meta;
  return JSON.stringify({ body, rest, diagnostics });
}

function anchorOf(description: string): JsonObject {
  return { type: 'platform:Api', properties: { name: 'Anchor', version: '1.0.0', description } };
}

const ignorable: Readonly<Record<string, readonly string[]>> = {
  'platform:Api': ['labels.alpha', 'description'],
  'platform:ApiDocument': ['content'],
};

function twisted(
  resources: Readonly<Record<string, JsonObject>>,
  twists: readonly Twist[],
): Record<string, JsonObject> {
  let count = 0;
  const one = (resource: JsonObject): JsonObject => {
    const { options, description } = twists[count++ % twists.length] as Twist;
    const { properties, children, type } = resource as Record<string, JsonObject>;
    const ignored = options.ignoreChanges?.filter((path) => path === '*' || ignorable[String(type)]?.includes(path));
    const isDescribed = String(type) === 'platform:Api' && description !== 'as it is';
    const below = Object.entries(children ?? {}).map(([key, child]) => [key, one(child as JsonObject)]);
    return {
      ...resource,
      properties: { ...properties, ...(isDescribed ? { description } : {}) },
      options: { ...options, ...(ignored && { ignoreChanges: ignored }) } as unknown as JsonObject,
      ...(children === undefined ? {} : { children: Object.fromEntries(below) as JsonObject }),
    };
  };
  return Object.fromEntries(Object.entries(resources).map(([key, resource]) => [key, one(resource)]));
}

function edit(platform: PaperPlatform, { pick, field }: Click): void {
  const all = [...platform.objects.values()];
  const object = all[pick % Math.max(1, all.length)];
  if (object === undefined) return;
  if (field === 'deleted') platform.take(object.id);
  else if (field in object.type.fields)
    platform.edit(object, { [field]: field === 'labels' ? { alpha: 'clicked' } : `${field} clicked` });
}
