import fc from 'fast-check';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PlanOptions } from '@platform-sync/engine/api';
import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import { paperTypes } from '../harness/paper-platform.js';
import { PaperWorld, mustPlan, paperFolder, removeFolder } from '../harness/paper-world.js';
import { asResources, randomCatalogueOf } from './random-catalogue.js';
import { lawRuns, lawTimeoutMs, toTheLast } from './runs.js';

/** What ends with a part of a plan, in worlds of protected, retained, released, unmanaged objects and those of another stack. */

const ends = fc.record({ protect: fc.boolean(), retainOnDelete: fc.boolean() }, { requiredKeys: [] });

const part = fc.record(
  {
    targets: fc.array(fc.nat(30), { minLength: 1, maxLength: 2 }),
    excludes: fc.array(fc.nat(30), { minLength: 1, maxLength: 2 }),
    replace: fc.array(fc.nat(30), { minLength: 1, maxLength: 2 }),
    noDelete: fc.constant(true),
    mode: fc.constant('destroy' as const),
  },
  { requiredKeys: [] },
);

const story = fc.record({
  before: randomCatalogueOf({ apis: 3, products: 1 }),
  options: fc.array(ends, { minLength: 5, maxLength: 5 }),
  /** Pages of nobody, and pages of the other stack, each in one of the APIs. */
  strangers: fc.array(fc.nat(9), { maxLength: 3 }),
  theirs: fc.array(fc.record({ pick: fc.nat(9), protect: fc.boolean() }), { maxLength: 2 }),
  after: randomCatalogueOf({ apis: 3, products: 1 }),
  later: fc.array(ends, { minLength: 5, maxLength: 5 }),
  removed: fc.array(fc.nat(30), { maxLength: 1 }),
  part,
});
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

let folder = '';
beforeAll(async () => {
  const guards = { maxDeletes: 1000, maxDeletePercent: 100 };
  const allow = ['emptyCatalogue', 'everythingGone', 'adopt'].map((guard) => ({ guard, reason: 'law' }));
  folder = await paperFolder({
    all: { guards: { ...guards, allow }, stacks: { default: {}, next: {} } },
    other: { stacks: { default: {}, next: {} } },
  });
});
afterAll(() => removeFolder(folder));

it(
  'nothing protected ends unasked, nothing ends that no line names or counts, and a part of a plan is a part of the whole',
  async () => {
    const seen = { blocked: 0, along: 0, ended: 0 };
    await fc.assert(
      fc.asyncProperty(story, async (one) => {
        const world = new PaperWorld();
        // The other stack names what it lives in by its id.
        world.platform.idOf = (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
        await prepare(world, one);
        await end(world, one, seen);
      }),
      { numRuns: lawRuns(600), ...toTheLast },
    );
    expect(Math.min(seen.blocked, seen.along, seen.ended)).toBeGreaterThan(10);
  },
  lawTimeoutMs,
);

/** Options go round the resources; `removed` are addresses of what is recorded. */
function withOptions(
  resources: Record<string, JsonObject>,
  options: readonly JsonObject[],
): Record<string, JsonObject> {
  let count = 0;
  const level = (blocks: Record<string, JsonObject>): Record<string, JsonObject> =>
    Object.fromEntries(
      Object.entries(blocks).map(([key, block]) => {
        const children = block['children'] as Record<string, JsonObject> | undefined;
        const own = options[count++ % options.length] ?? {};
        return [key, { ...block, options: own, ...(children === undefined ? {} : { children: level(children) }) }];
      }),
    );
  return level(resources);
}

async function prepare(world: PaperWorld, { before, options, strangers, theirs }: Story): Promise<void> {
  const cwd = join(folder, 'all');
  world.write(cwd, { resources: withOptions(asResources(before), options) });
  await world.apply(cwd);
  const apis = [...world.platform.objects.values()].filter(({ type }) => type.name === 'Api');
  const page = paperTypes.get('platform:index/apiDocument:ApiDocument');
  if (apis.length === 0 || page === undefined) return;
  const apiOf = (pick: number): string => apis[pick % apis.length]?.id ?? '';
  for (const [at, pick] of strangers.entries()) {
    const values = { apiId: apiOf(pick), title: `by hand ${at}`, slug: `by-hand-${at}`, content: 'x' };
    world.platform.objects.set(`hand-${at}`, { id: `hand-${at}`, type: page, values });
  }
  if (theirs.length === 0) return;
  const resources = Object.fromEntries(
    theirs.map(({ pick, protect }, at) => {
      const properties = { apiId: apiOf(pick), title: `theirs ${at}`, slug: `theirs-${at}`, content: 'x' };
      return [`theirs${at}`, { type: 'platform:ApiDocument', properties, options: { protect } }];
    }),
  );
  const other = join(folder, 'other');
  world.write(other, { resources });
  await world.apply(other, { open: { stack: 'next' } });
}

async function end(
  world: PaperWorld,
  { after, later, removed, part: chosen }: Story,
  seen: { blocked: number; along: number; ended: number },
): Promise<void> {
  const cwd = join(folder, 'all');
  const records = new Map((await world.store().read()).resources);
  const others = (await world.storeOf('next').read()).resources;
  const wanted = withOptions(asResources(after), later);
  const addresses = [...new Set([...records.keys(), ...addressesOf(wanted)])];
  const pick = (numbers: readonly number[]): readonly string[] =>
    addresses.length === 0 ? [] : numbers.map((number) => addresses[number % addresses.length] ?? '');
  const left = [...records.keys()].filter((address) => !addressesOf(wanted).includes(address));
  const letGo = left.length === 0 ? [] : removed.map((number) => left[number % left.length] ?? '');
  world.write(cwd, { resources: wanted, ...(letGo.length === 0 ? {} : { removed: letGo }) });

  const whole: PlanOptions = {
    ...(chosen.mode === undefined ? {} : { mode: chosen.mode }),
    ...(chosen.replace === undefined ? {} : { replace: pick(chosen.replace) }),
  };
  // Each is a part of the one before.
  const parts: PlanOptions[] = [whole];
  const narrower = (more: PlanOptions): void => void parts.push({ ...parts.at(-1), ...more });
  if (chosen.targets !== undefined) narrower({ targets: pick(chosen.targets) });
  if (chosen.excludes !== undefined) narrower({ excludes: pick(chosen.excludes) });
  if (chosen.noDelete !== undefined) narrower({ noDelete: true });
  const options = parts.at(-1) ?? whole;
  await world.open(cwd, async (project) => {
    let wider: Plan | undefined;
    for (const part of parts) {
      // A part may be refused: it would cut a move, or a name that changes hands.
      const { plan } = await project.plan(part);
      if (plan !== undefined && wider !== undefined)
        expect(stepsOf(wider)).toEqual(expect.arrayContaining([...stepsOf(plan)]));
      wider = plan ?? wider;
    }
  });
  const ids = new Set(world.platform.objects.keys());
  const typesNow = new Map([...world.platform.objects].map(([id, { type }]) => [id, type.name]));
  const vanished = (): readonly string[] => [...ids].filter((id) => !world.platform.objects.has(id));
  await world.open(cwd, async (project) => {
    const planned = await project.plan(options);
    const { plan } = planned;
    if (plan === undefined) return;
    const result = await project.apply(planned);
    const gone = vanished();
    if (result.status === 'blocked') {
      seen.blocked += 1;
      expect(gone).toEqual([]);
    }
    const kept = new Set([...protectedIds(records), ...protectedIds(others), ...protectedNow(plan, wanted)]);
    expect(gone.filter((id) => kept.has(id))).toEqual([]);
    const managed = new Set([...records.values()].map(({ identity }) => identity.id));
    expect(gone.filter((id) => !managed.has(id))).toEqual([]);
    expectTold(plan, gone, { records, others, typesNow, isDone: result.status === 'done' });
  });
  // The same with everything lifted: what ends then was named or counted.
  await world.open(cwd, async (project) => {
    const first = await project.plan(options);
    if (first.plan === undefined) return;
    const allow = first.plan.guards.map(({ name }) => ({ guard: name, reason: 'law' }));
    const before = new Map((await world.store().read()).resources);
    for (const id of vanished()) ids.delete(id);
    const planned = await mustPlan(project, { ...options, allow });
    const { status } = await project.apply(planned);
    const gone = vanished();
    seen.ended += gone.length;
    seen.along += expectTold(planned.plan, gone, { records: before, others, typesNow, isDone: status === 'done' });
  });
}

function addressesOf(resources: Readonly<Record<string, JsonObject>>, above = ''): readonly string[] {
  return Object.entries(resources).flatMap(([key, { children = {} }]) => [
    `${above}${key}`,
    ...addressesOf(children as Record<string, JsonObject>, `${above}${key}/`),
  ]);
}

const stepsOf = ({ steps }: Plan): readonly string[] =>
  steps.map(({ action, address, from }) => `${action} ${from ?? ''} ${address}`);

const isEnd = ({ action }: PlanStep): boolean => action === 'delete' || action === 'replace';

type Records = ReadonlyMap<string, RecordedResource>;

/** By its own mark, and by that of what it is nested in. */
function protectedIds(records: Records): readonly string[] {
  return [...records.values()]
    .filter(({ address }) =>
      address.split('/').some((_, at, keys) => records.get(keys.slice(0, at + 1).join('/'))?.protect === true),
    )
    .map(({ identity }) => identity.id);
}

/** What the file protects from now on. */
function protectedNow({ steps }: Plan, resources: Record<string, JsonObject>): readonly string[] {
  const isProtected = (address: string): boolean => {
    const [first = '', ...keys] = address.split('/');
    let block = resources[first];
    for (const key of keys) block = (block?.['children'] as Record<string, JsonObject> | undefined)?.[key];
    return (block?.['options'] as JsonObject | undefined)?.['protect'] === true;
  };
  return steps.flatMap(({ address, id }) => (id !== undefined && isProtected(address) ? [id] : []));
}

interface Told {
  readonly records: Records;
  readonly others: Records;
  readonly typesNow: ReadonlyMap<string, string>;
  readonly isDone: boolean;
}

/** Each object that is gone has a step, or is named or counted beside one; gives how many went along. */
function expectTold({ steps }: Plan, gone: readonly string[], { records, others, typesNow, isDone }: Told): number {
  const ended = new Set(steps.filter(isEnd).flatMap(({ id }) => id ?? []));
  const cascades = steps.flatMap(({ risks }) => risks.flatMap((risk) => (risk.kind === 'cascades' ? [risk.what] : [])));
  const addressOf = new Map(
    [...records.values(), ...others.values()].map(({ identity, address }) => [identity.id, address]),
  );
  const from = new Map(steps.flatMap(({ address, from: before }) => (before === undefined ? [] : [[before, address]])));
  const along = gone.filter((id) => !ended.has(id));
  const counts = new Map<string, number>();
  for (const id of along) {
    const address = addressOf.get(id);
    if (address === undefined) counts.set(typesNow.get(id) ?? '', (counts.get(typesNow.get(id) ?? '') ?? 0) + 1);
    else
      expect(
        cascades.some(
          (what) => what.startsWith(`${address}, which `) || what.startsWith(`${from.get(address) ?? ''}, which `),
        ),
        `${address} in ${cascades.join('; ')}`,
      ).toBe(true);
  }
  for (const [name, count] of counts) {
    const told = cascades.map((what) => /^(\d+) unmanaged (\w+)$/.exec(what)).filter((match) => match?.[2] === name);
    const most = told.reduce((sum, match) => sum + Number(match?.[1]), 0);
    // A home that the platform refused to delete keeps what was told to end with it.
    if (isDone) expect(most).toBe(count);
    else expect(most).toBeGreaterThanOrEqual(count);
  }
  return along.length;
}
