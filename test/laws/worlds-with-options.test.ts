import fc from 'fast-check';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import type { GuardAllowance } from '@platform-sync/core/model/project';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { StackState } from '@platform-sync/core/model/state';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { shownForm } from '@platform-sync/core/value/equality';
import { foreignLabelPrefixes } from '@platform-sync/platform/wire';
import { paperTypes, type PaperPlatform } from '../harness/paper-platform.js';
import { PaperWorld, mustPlan, paperFolder, removeFolder } from '../harness/paper-world.js';
import { asResources, randomCatalogueOf } from './random-catalogue.js';
import { lawRuns, lawTimeoutMs, toTheLast } from './runs.js';

/** The laws over catalogues with options and null, on a platform that refuses every wrong order. */

const theirs = `${foreignLabelPrefixes[0] ?? ''}mark`;

const optionPaths = ['labels.alpha', 'description', 'attributes.beta', 'content', 'title'];

const someOptions = fc.record(
  {
    protect: fc.boolean(),
    retainOnDelete: fc.boolean(),
    deleteBeforeReplace: fc.constant(false),
    ignoreChanges: fc.subarray(optionPaths, { maxLength: 2 }),
    replaceOnChanges: fc.subarray(['description', 'content', 'status'], { maxLength: 1 }),
  },
  { requiredKeys: [] },
);

const twist = fc.record({
  options: someOptions,
  /** Puts null where a line would be left out. */
  nulls: fc.subarray(['description', 'labels', 'version', 'slug', 'status', 'attributes'], { maxLength: 2 }),
  /** Under another key than before by an alias, or without its record, which the import of its id brings back. */
  key: fc.constantFrom('same', 'same', 'same', 'alias', 'import'),
});
type Twist = typeof twist extends fc.Arbitrary<infer T> ? T : never;

const edit = fc.record({
  pick: fc.nat(50),
  kind: fc.constantFrom('delete', 'text', 'own label', 'other label', 'foreign label', 'cleared'),
});

const stage = fc.record({
  // Small ones: two that get into each other's way are enough, and many can be tried.
  catalogue: randomCatalogueOf({ apis: 2, products: 1 }),
  twists: fc.array(twist, { minLength: 7, maxLength: 7 }),
  edits: fc.array(edit, { maxLength: 3 }),
  exact: fc.boolean(),
});
type Stage = typeof stage extends fc.Arbitrary<infer T> ? T : never;

const guards = { maxDeletes: 1000, maxDeletePercent: 100 };

let folder = '';
beforeAll(async () => {
  folder = await paperFolder({ keys: { guards }, exact: { guards, labels: 'exact' } });
});
afterAll(() => removeFolder(folder));

describe('worlds with options', () => {
  it(
    'what is sent is what was shown, nothing is refused, and a plan after apply is empty',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(stage, { minLength: 2, maxLength: 2 }), async (stages) => {
          const world = new PaperWorld();
          for (const [at, one] of stages.entries()) await live(world, one, at);
        }),
        { numRuns: lawRuns(2000), ...toTheLast },
      );
    },
    lawTimeoutMs,
  );
});

async function live(world: PaperWorld, { catalogue, twists, edits, exact }: Stage, at: number): Promise<void> {
  const { resources, lost } = twisted(asResources(catalogue), twists, world, at);
  for (const address of lost) await world.forget(address);
  const state = world.state();
  const allow = guardsOf([...state.resources.keys(), ...addressesOf(resources)]);
  const cwd = join(folder, exact ? 'exact' : 'keys');
  world.write(cwd, { resources });
  world.platform.updates.length = 0;
  await world.open(cwd, async (project) => {
    const first = await mustPlan(project, { allow });
    const { plan } = first;
    expectProtected(plan, state);
    for (const { action, id } of plan.steps) if (action === 'forget') world.platform.released.add(id ?? '');
    const result = await project.apply(first);
    if (result.status !== 'done') throw new Error(JSON.stringify({ result, steps: plan.steps }, null, 1));
    expectShown(plan, world.platform);
    const { plan: again } = await mustPlan(project, { allow });
    expect(again.steps.filter((step) => !isLeftOver(step, plan))).toEqual([]);
  });
  // Somebody else takes away what was retained: its names would be taken.
  const managed = new Set([...world.state().resources.values()].map((record) => record.identity.id));
  for (const id of [...world.platform.objects.keys()]) if (!managed.has(id)) world.platform.take(id);
  for (const { pick, kind } of edits) editByHand(world.platform, pick, kind);
}

/** A difference that an adoption could not write over is what the next plan replaces, with all that follows. */
function isLeftOver({ address, reasons }: PlanStep, { guards }: Plan): boolean {
  const fixed = new Set(guards.flatMap(({ name, addresses }) => (name.startsWith('fixed:') ? addresses : [])));
  const because = reasons.flatMap((reason) => ('path' in reason ? reason.path : []));
  return fixed.has(address) || because.some((one) => fixed.has(one));
}

/** Everything that a guard could hold back is let go; whether it spoke up is looked at in the plan. */
function guardsOf(addresses: readonly string[]): readonly GuardAllowance[] {
  const names = [
    ...['emptyCatalogue', 'everythingGone', 'adopt'],
    ...[...new Set(addresses)].flatMap((one) => [`delete:${one}`, `replace:${one}`, `fixed:${one}`]),
  ];
  return names.map((guard) => ({ guard, reason: 'law' }));
}

function addressesOf(resources: Readonly<Record<string, JsonObject>>, above = ''): readonly string[] {
  return Object.entries(resources).flatMap(([key, { children = {} }]) => [
    `${above}${key}`,
    ...addressesOf(children as Record<string, JsonObject>, `${above}${key}/`),
  ]);
}

interface Twisting {
  readonly state: StackState;
  /** False for what was deleted by hand: it can't be imported. */
  readonly exists: (id: string) => boolean;
  readonly at: number;
  /** Text of the catalogue before it is twisted: what is referred to keeps its key. */
  readonly text: string;
  readonly next: () => Twist;
  /** Addresses whose records get lost, since the file names their objects by id. */
  readonly lost: string[];
}

/** Options and nulls on every resource; a new key says which old one it was, or an id which object it takes over. */
function twisted(
  resources: Record<string, JsonObject>,
  twists: readonly Twist[],
  world: PaperWorld,
  at: number,
): { readonly resources: Record<string, JsonObject>; readonly lost: readonly string[] } {
  let count = 0;
  const next = (): Twist => twists[count++ % twists.length] as Twist;
  const exists = (id: string): boolean => world.platform.objects.has(id);
  const twisting = { state: world.state(), exists, at, text: JSON.stringify(resources), next, lost: [] };
  return { resources: twistedLevel(resources, '', '', twisting), lost: twisting.lost };
}

/** `above` and `from`: the address that these resources lie below now, and the one where their records are. */
function twistedLevel(
  resources: Record<string, JsonObject>,
  above: string,
  from: string,
  twisting: Twisting,
): Record<string, JsonObject> {
  const { state, exists, at, text, next, lost } = twisting;
  const entries = Object.entries(resources).map(([key, resource]): [string, JsonObject] => {
    const { options, nulls, key: how } = next();
    const given = resource['properties'] as JsonObject;
    const fields = fieldsOf(String(resource['type']));
    const legal = nulls.filter((name) => fields[name]?.required === false && fields[name].clearing.by !== 'nothing');
    const cleared = Object.fromEntries(legal.map((name) => [name, null]));
    // A short name that is worked out of the title needs a title that nothing else has.
    const titled = 'slug' in cleared && 'title' in given ? { title: `${String(given['title'])} of ${key}` } : {};
    const properties = { ...given, ...titled, ...cleared };
    const used: JsonObject = { ...options, ...pathsIn(options, fields) } as JsonObject;
    // The key it has in state: its own, or the one that an earlier stage gave it.
    const before = [...state.resources.keys()].find(
      (address) => address === `${from}${key}` || new RegExp(`^${from}${key}_\\d$`).test(address),
    );
    const isReferred = text.includes(`\${${above}${key}`) || text.includes(`/${key}.id}`) || text.includes(`{${key}/`);
    const fresh = `${key}_${at}`;
    const kept = before === undefined || isReferred ? key : before.slice(from.length);
    const isRenamed = how === 'alias' && before !== undefined && !isReferred && before !== `${from}${fresh}`;
    const record = before === undefined ? undefined : state.resources.get(before);
    const isImported =
      how === 'import' && record !== undefined && exists(record.identity.id) && above === '' && kept === before;
    if (isImported && before !== undefined) lost.push(before);
    const own = isRenamed ? fresh : kept;
    const aliases = isRenamed ? { aliases: [before.slice(from.length)] } : {};
    const imports = isImported ? { import: record.identity.id } : {};
    const children = resource['children'] as Record<string, JsonObject> | undefined;
    const below =
      children === undefined
        ? {}
        : { children: twistedLevel(children, `${above}${own}/`, `${before ?? `${from}${own}`}/`, twisting) };
    return [own, { ...resource, properties, ...below, options: { ...used, ...aliases, ...imports } }];
  });
  return Object.fromEntries(entries);
}

const typesByName = new Map([...paperTypes.values()].map((type) => [type.shortToken, type]));

function fieldsOf(shortToken: string): ResourceType['fields'] {
  const type = typesByName.get(shortToken);
  if (type === undefined) throw new Error(`no type ${shortToken}`);
  return type.fields;
}

/** Only paths of fields that the type has. */
function pathsIn(
  { ignoreChanges = [], replaceOnChanges = [] }: Twist['options'],
  fields: ResourceType['fields'],
): JsonObject {
  const has = (path: string): boolean => (path.split('.')[0] ?? '') in fields;
  return { ignoreChanges: ignoreChanges.filter(has), replaceOnChanges: replaceOnChanges.filter(has) };
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
  step: PlanStep,
  { field, new: next }: PlanStep['fields'][number],
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
