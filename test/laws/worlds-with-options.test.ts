import fc from 'fast-check';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProject } from '../../src/engine/engine.js';
import type { PlanOptions, Project } from '../../src/engine/api.js';
import type { Plan, Step } from '../../src/engine/model/plan.js';
import type { StackState } from '../../src/engine/model/state.js';
import type { Json, JsonObject } from '../../src/engine/model/value.js';
import { MemoryDatabase, memoryStateStore } from '../../src/engine/state/memory.js';
import { shownForm } from '../../src/engine/value/equality.js';
import { foreignLabelPrefixes } from '../../src/providers/platform/wire.js';
import { PaperPlatform } from '../harness/paper-platform.js';
import { asResources, randomCatalogue } from './random-catalogue.js';
import { lawRuns, lawTimeoutMs } from './runs.js';

/** The laws over catalogues with options and null, on a platform that refuses every wrong order. */

const theirs = `${foreignLabelPrefixes[0] ?? ''}mark`;

const someOptions = fc.record(
  {
    protect: fc.boolean(),
    retainOnDelete: fc.boolean(),
    deleteBeforeReplace: fc.constant(false),
    ignoreChanges: fc.subarray(['labels.alpha', 'description', 'content', 'attributes.beta', 'title'], {
      maxLength: 2,
    }),
    replaceOnChanges: fc.subarray(['description', 'content'], { maxLength: 1 }),
  },
  { requiredKeys: [] },
);

const twist = fc.record({
  options: someOptions,
  /** Puts null where a line would be left out. */
  nulls: fc.subarray(['description', 'labels', 'version', 'slug', 'status', 'attributes'], { maxLength: 2 }),
  /** Under another key than before, with an alias or not. */
  key: fc.constantFrom('same', 'same', 'same', 'alias', 'import'),
});
type Twist = typeof twist extends fc.Arbitrary<infer T> ? T : never;

const edit = fc.record({
  pick: fc.nat(50),
  kind: fc.constantFrom('delete', 'text', 'own label', 'other label', 'foreign label', 'cleared'),
});

const stage = fc.record({
  catalogue: randomCatalogue,
  twists: fc.array(twist, { minLength: 6, maxLength: 6 }),
  edits: fc.array(edit, { maxLength: 3 }),
  exact: fc.boolean(),
});
type Stage = typeof stage extends fc.Arbitrary<infer T> ? T : never;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-paper-'));
  await mkdir(join(folder, 'catalogue'));
  await writeFile(join(folder, 'sync.yaml'), 'project: test\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

class PaperWorld {
  readonly platform = new PaperPlatform();
  readonly #database = new MemoryDatabase();
  readonly #sources = { names: ['platform'], load: () => Promise.resolve(this.platform.package) };

  async open<T>(work: (project: Project) => Promise<T>): Promise<T> {
    const { project, diagnostics } = await openProject({
      ...{ cwd: folder, env: {}, purpose: 'law', packages: this.#sources },
      openState: (config) => Promise.resolve(memoryStateStore(config.project, config.stack, this.#database)),
    });
    if (project === undefined) throw new Error(JSON.stringify(diagnostics));
    try {
      return await work(project);
    } finally {
      await project.close();
    }
  }

  state(): Promise<StackState> {
    return this.open(async (project) => (await project.state()).read());
  }

  async plan(options: PlanOptions = {}): Promise<Plan> {
    const { plan, diagnostics } = await this.open((project) => project.plan(options));
    if (plan === undefined) throw new Error(JSON.stringify(diagnostics, null, 1));
    return plan;
  }
}

describe('worlds with options', () => {
  it(
    'what is sent is what was shown, nothing is refused, and a plan after apply is empty',
    async () => {
      const runs = lawRuns(400);
      await fc.assert(
        fc.asyncProperty(fc.array(stage, { minLength: 2, maxLength: 2 }), async (stages) => {
          const world = new PaperWorld();
          for (const [at, one] of stages.entries()) await live(world, one, at);
        }),
        { numRuns: runs },
      );
    },
    lawTimeoutMs,
  );
});

async function live(world: PaperWorld, { catalogue, twists, edits, exact }: Stage, at: number): Promise<void> {
  const state = await world.state();
  const resources = twisted(asResources(catalogue), twists, state, at);
  const guards =
    '{maxDeletes: 1000, maxDeletePercent: 100, allow: [{guard: emptyCatalogue, reason: law}, {guard: everythingGone, reason: law}]}';
  await writeFile(join(folder, 'sync.yaml'), `project: test\nguards: ${guards}\n${exact ? 'labels: exact\n' : ''}`);
  await writeFile(join(folder, 'catalogue/all.yaml'), JSON.stringify({ resources }));
  const blocked = await world.plan();
  expectProtected(blocked, state);
  const allow = blocked.guards.map(({ name }) => ({ guard: name, reason: 'law' }));
  world.platform.updates.length = 0;
  const plan = await world.open(async (project) => {
    const planned = await project.plan({ allow });
    if (planned.plan === undefined) throw new Error(JSON.stringify(planned.diagnostics));
    const result = await project.apply(planned);
    if (result.status !== 'done') throw new Error(JSON.stringify({ result, steps: planned.plan.steps }, null, 1));
    return planned.plan;
  });
  expectShown(plan, world.platform);
  const again = await world.plan();
  // A difference that an adoption could not write over is what the next plan replaces.
  const left = again.steps.filter((step) => !allow.some(({ guard }) => guard === `fixed:${step.address}`));
  expect(left).toEqual([]);
  // Somebody else takes away what was retained: its names would be taken.
  const managed = new Set([...(await world.state()).resources.values()].map((record) => record.identity.id));
  for (const id of [...world.platform.objects.keys()]) if (!managed.has(id)) world.platform.take(id);
  for (const { pick, kind } of edits) editByHand(world.platform, pick, kind);
}

/** Options and nulls on top-level resources; a new key says which old one it was, or which object it takes over. */
function twisted(
  resources: Record<string, JsonObject>,
  twists: readonly Twist[],
  state: StackState,
  at: number,
): Record<string, JsonObject> {
  const entries = Object.entries(resources).map(([key, resource], index): [string, JsonObject] => {
    const { options, nulls, key: how } = twists[index % twists.length] as Twist;
    const type = String(resource['type']);
    const given = resource['properties'] as JsonObject;
    const legal =
      type === 'platform:Api' ? ['description', 'labels', 'version', 'slug', 'attributes'] : ['description', 'labels'];
    const properties = {
      ...given,
      ...Object.fromEntries(nulls.filter((name) => legal.includes(name)).map((name) => [name, null])),
    };
    const paths = ['labels.alpha', 'description', 'attributes.beta'];
    const ignoreChanges = (options.ignoreChanges ?? []).filter(
      (path) => paths.includes(path) && (type === 'platform:Api' || !path.startsWith('attributes')),
    );
    const replaceOnChanges = (options.replaceOnChanges ?? []).filter((path) => path === 'description');
    const used = { ...options, ignoreChanges, replaceOnChanges };
    const before = [...state.resources.keys()].find(
      (address) => address === key || (address.startsWith(`${key}_`) && !address.includes('/')),
    );
    const fresh = `${key}_${at}`;
    const renamed =
      how === 'alias' &&
      before !== undefined &&
      resource['children'] !== undefined &&
      !JSON.stringify(resource).includes('${');
    if (renamed && before !== undefined && before !== fresh)
      return [fresh, { ...resource, properties, options: { ...used, aliases: [before] } }];
    const kept = before !== undefined && before !== key && !JSON.stringify(resource).includes('${') ? before : key;
    return [kept, { ...resource, properties, options: used }];
  });
  return Object.fromEntries(entries);
}

/** Nothing protected ends without a guard, be it by its own mark or by that of what it lives in. */
function expectProtected(plan: Plan, state: StackState): void {
  const names = new Set(plan.guards.map(({ name }) => name));
  for (const step of plan.steps) {
    if (step.action !== 'delete' && step.action !== 'replace') continue;
    const old = step.from ?? step.address;
    const above = old.split('/').map((_, depth, keys) => keys.slice(0, depth + 1).join('/'));
    if (above.some((address) => state.resources.get(address)?.protect === true))
      expect([...names]).toContain(`${step.action}:${step.address}`);
  }
}

/** Bodies sent = patch shown: as many updates as steps that change fields, each with those fields and values. */
function expectShown(plan: Plan, { updates, package: { types } }: PaperPlatform): void {
  const passing = ({ request }: (typeof updates)[number]): boolean =>
    Object.values(request.set).some((value) => String(value).startsWith('moving-'));
  const sent = new Map(updates.filter((one) => !passing(one)).map(({ id, request }) => [id, request]));
  for (const step of plan.steps.filter(({ action }) => action === 'update' || action === 'adopt')) {
    const fields = step.fields.filter(({ rule, cannotClear }) => rule === 'update' && cannotClear !== true);
    const request = sent.get(step.id ?? '');
    sent.delete(step.id ?? '');
    const names = [...Object.keys(request?.set ?? {}), ...(request?.clear ?? [])];
    const certain = fields.filter((field) => !isUnknown(field.new)).map(({ field }) => field);
    expect(names).toEqual(expect.arrayContaining(certain));
    expect(fields.map(({ field }) => field)).toEqual(expect.arrayContaining(names));
    for (const field of fields) expectValue(step, field, request?.set ?? {}, types);
  }
  expect([...sent.keys()]).toEqual([]);
}

function expectValue(
  step: Step,
  { field, new: next }: Step['fields'][number],
  set: JsonObject,
  types: PaperPlatform['package']['types'],
): void {
  const rule = types.get(step.type)?.fields[field];
  if (rule === undefined || isUnknown(next) || !(field in set)) return;
  expect(shownForm(rule, set[field] ?? null)).toEqual(next);
}

function isUnknown(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && '$unknown' in value;
}

function editByHand(platform: PaperPlatform, pick: number, kind: string): void {
  const all = [...platform.objects.values()];
  const object = all[pick % Math.max(1, all.length)];
  if (object === undefined) return;
  const { fields } = object.type;
  const labels = (object.values['labels'] ?? {}) as JsonObject;
  if (kind === 'delete') platform.take(object.id);
  else if (kind === 'text') platform.edit(object, 'content' in fields ? { content: 'clicked' } : {});
  else if (kind === 'cleared') platform.edit(object, 'description' in fields ? { description: null } : {});
  else if (!('labels' in fields)) return;
  else if (kind === 'own label')
    platform.edit(object, { labels: Object.fromEntries(Object.keys(labels).map((key) => [key, 'clicked'])) });
  else platform.edit(object, { labels: { ...labels, [kind === 'other label' ? 'zeta' : theirs]: 'clicked' } });
}
