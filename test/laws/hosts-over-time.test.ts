import fc from 'fast-check';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlanOptions } from '@platform-sync/engine/api';
import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import type { Provider } from '@platform-sync/core/model/provider';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import type { Identity, RecordedResource } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import { PaperWorld, paperFolder, removeFolder } from '../harness/paper-world.js';
import { hostAddresses, hostBlocks, hostTypes, lives, neededBy } from './host-blocks.js';
import { lawRuns, lawTimeoutMs, toTheLast } from './runs.js';

/**
 * Worlds of all derived types and what they live in, over several runs: parts of plans and parts of those, answers that lag, objects of
 * another stack of the store, options that come and go, others who edit and delete between a plan and its apply. Nothing protected ends, nothing ends that no line names, nothing is made
 * twice, a part is a part of the whole, and once everything shows again the plan after an apply is empty.
 */

const picks = (most: number): fc.Arbitrary<readonly string[]> =>
  fc.uniqueArray(fc.constantFrom(...hostAddresses), { minLength: 1, maxLength: most });
const options = fc.record({ protect: fc.boolean(), retainOnDelete: fc.boolean() }, { requiredKeys: [] });
const some = (most: number): fc.Arbitrary<readonly number[]> => fc.array(fc.nat(99), { minLength: 1, maxLength: most });

const rarely = <T>(what: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(what, { nil: undefined, freq: 2 });

/** What a run makes shows nowhere, or in no list, until after the next one. */
const lag = fc.constantFrom('none', 'none', 'lists', 'all');

const turn = fc.record({
  /** What the file has of the story's blocks, with what they need. */
  has: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  /** Of those, what is as the other catalogue says. */
  others: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  options: fc.array(options, { minLength: 3, maxLength: 3 }),
  /** What left the file is let go of. */
  removed: fc.boolean(),
  part: fc.record({
    targets: rarely(some(2)),
    excludes: rarely(some(2)),
    replace: rarely(some(1)),
    noDelete: rarely(fc.constant(true)),
    mode: rarely(fc.constant('destroy' as const)),
  }),
  /** Everything is lifted. */
  isForced: fc.boolean(),
  /** What others do to objects between the plan and the apply. */
  byHand: fc.array(fc.record({ pick: fc.nat(99), deletes: fc.nat(3).map((rank) => rank === 0) }), { maxLength: 2 }),
  lag,
});
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

const story = fc.record({
  blocks: picks(5),
  /** Of the first file, which is applied as a whole. */
  before: fc.array(options, { minLength: 3, maxLength: 3 }),
  lag,
  turns: fc.array(turn, { minLength: 1, maxLength: 3 }),
  /** What another stack has in objects of this one. */
  theirs: fc.array(fc.record({ address: fc.constantFrom(...hostAddresses), protect: fc.boolean() }), { maxLength: 2 }),
});
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

let folder = '';
beforeAll(async () => {
  const guards = { maxDeletes: 1000, maxDeletePercent: 100 };
  const allow = ['emptyCatalogue', 'everythingGone', 'adopt', 'maxMissing'].map((guard) => ({ guard, reason: 'law' }));
  const stacks = { default: {}, next: {} };
  folder = await paperFolder({ all: { guards: { ...guards, allow }, stacks }, other: { guards, stacks } });
});
afterAll(() => removeFolder(folder));

const settling = { settleSeconds: 120 };

/** What is hidden shows in no list, or nowhere at all. */
class Lag {
  readonly lists = new Set<string>();
  readonly reads = new Set<string>();

  readonly calls = (inner: Provider): Partial<Provider> => {
    const isListed = ({ identity: { id } }: { readonly identity: Identity }): boolean => !this.lists.has(id);
    return {
      list: async (type, scope, how) => {
        const { objects } = await inner.list(type, scope, how);
        const shown = objects.filter(isListed);
        return { objects: shown, isComplete: true, total: shown.length };
      },
      read: async (type, identity, how) => (this.reads.has(identity.id) ? undefined : inner.read(type, identity, how)),
      find: async (type, scope, inputs, how) => (await inner.find(type, scope, inputs, how)).filter(isListed),
    };
  };

  begin(how: Turn['lag'], ids: Iterable<string>): void {
    this.end();
    if (how === 'none') return;
    for (const id of ids) this.lists.add(id);
    if (how === 'all') for (const id of ids) this.reads.add(id);
  }

  end(): void {
    this.lists.clear();
    this.reads.clear();
  }
}

interface Now {
  readonly world: PaperWorld;
  readonly lag: Lag;
  /** Objects that a plan said are let go of, by id. */
  readonly letGo: Set<string>;
  readonly seen: Seen;
}
interface Seen {
  blocked: number;
  along: number;
  ended: number;
  parts: number;
  lagging: number;
  byHand: number;
}

const cwd = (): string => join(folder, 'all');
const idsOf = ({ world }: Now): ReadonlySet<string> => new Set(world.platform.objects.keys());

async function tell({ blocks, before, lag, turns, theirs }: Story, seen: Seen): Promise<void> {
  const now: Now = { world: new PaperWorld(hostTypes), lag: new Lag(), letGo: new Set(), seen };
  now.world.calls = now.lag.calls;
  now.world.write(cwd(), { resources: hostBlocks(blocks, [], before) });
  await now.world.apply(cwd());
  now.lag.begin(lag, now.world.platform.objects.keys());
  if (theirs.length > 0) await othersMove(now, theirs);
  for (const one of turns) await take(now, blocks, one);
  now.lag.end();
  await settle(now);
}

/** Objects of another stack, which names what they live in by its id, as far as what they need is there; where their key is taken, they are not. */
async function othersMove({ world }: Now, theirs: Story['theirs']): Promise<void> {
  const { resources: records } = await world.store().read();
  const blocks = theirs.flatMap(({ address, protect }, at): [string, JsonObject][] => {
    const block = lives.first[address];
    if (records.has(address) || block === undefined || neededBy(block).length === 0) return [];
    if (neededBy(block).some((needed) => !records.has(needed))) return [];
    const text = JSON.stringify(block).replaceAll(/\$\{([\w-]+)\.id\}/g, (_, needed: string) => {
      return records.get(needed)?.identity.id ?? '';
    });
    return [[`theirs${at}`, { ...(JSON.parse(text) as JsonObject), options: { protect } }]];
  });
  if (blocks.length === 0) return;
  const other = join(folder, 'other');
  world.write(other, { resources: Object.fromEntries(blocks) });
  await world.open(
    other,
    async (project) => {
      const planned = await project.plan({});
      if (planned.plan !== undefined) await project.apply(planned);
    },
    { stack: 'next' },
  );
}

async function take(now: Now, blocks: readonly string[], one: Turn): Promise<void> {
  const { world, lag, seen } = now;
  const records = new Map((await world.store().read()).resources);
  const others = new Map((await world.storeOf('next').read()).resources);
  const file = hostBlocks(
    blocks.filter((_, at) => one.has[at] === true),
    one.others,
    one.options,
  );
  const left = [...records.keys()].filter((address) => file[address] === undefined);
  const removed = one.removed && left[0] !== undefined ? { removed: [left[0]] } : {};
  world.write(cwd(), { resources: file, ...removed });
  const { targets, excludes, replace, noDelete, mode } = one.part;
  const known = [...new Set([...records.keys(), ...(mode === undefined ? Object.keys(file) : [])])];
  const pick = (numbers: readonly number[], among = known): readonly string[] =>
    among.length === 0 ? [] : numbers.map((number) => among[number % among.length] ?? '');
  const base: PlanOptions = {
    ...(mode === undefined ? {} : { mode }),
    ...(replace === undefined || mode !== undefined ? {} : { replace: pick(replace, Object.keys(file)) }),
  };
  // Each a part of the one before.
  const parts: PlanOptions[] = [base];
  const narrower = (more: PlanOptions): void => void parts.push({ ...parts.at(-1), ...more });
  if (targets !== undefined) narrower({ targets: pick(targets) });
  if (excludes !== undefined) narrower({ excludes: pick(excludes) });
  if (noDelete !== undefined && mode === undefined) narrower({ noDelete: true });
  await world.open(
    cwd(),
    async (project) => {
      let whole: Plan | undefined;
      for (const part of parts) {
        const { plan } = await project.plan(part);
        // A part may be refused where the whole is not: it would cut what belongs together.
        if (plan === undefined) continue;
        if (whole !== undefined) {
          expect(stepsOf(whole)).toEqual(expect.arrayContaining([...stepsOf(plan)]));
          seen.parts += 1;
        }
        whole = plan;
      }
      const how = parts.at(-1) ?? base;
      const first = await project.plan(how);
      if (first.plan === undefined) return;
      const allow = one.isForced ? first.plan.guards.map(({ name }) => ({ guard: name, reason: 'law' })) : [];
      const planned = one.isForced ? await project.plan({ ...how, allow }) : first;
      const { plan } = planned;
      if (plan === undefined) return;
      for (const step of plan.steps) if (step.action === 'forget' && step.id !== undefined) now.letGo.add(step.id);
      const before = idsOf(now);
      const typesNow = new Map([...world.platform.objects].map(([id, { type }]) => [id, type.name]));
      const edited = othersEdit(now, one.byHand);
      const taken = [...before].filter((id) => !world.platform.objects.has(id));
      // What lags is what this run makes.
      const result = await project.apply(planned);
      const gone = [...before].filter((id) => !world.platform.objects.has(id) && !taken.includes(id));
      expectKept(now, plan, edited);
      if (result.status === 'blocked') {
        seen.blocked += 1;
        expect(gone).toEqual([]);
      }
      seen.ended += gone.length;
      if (!one.isForced) {
        const kept = new Set([...protectedIds(records), ...protectedIds(others), ...protectedNow(plan, file)]);
        expect(gone.filter((id) => kept.has(id))).toEqual([]);
        const managed = new Set([...records.values()].map(({ identity }) => identity.id));
        expect(gone.filter((id) => !managed.has(id))).toEqual([]);
      }
      seen.along += expectTold(plan, gone, { records, others, typesNow });
      const made = [...world.platform.objects.keys()].filter((id) => !before.has(id));
      seen.lagging += lag.lists.size;
      lag.begin(one.lag, made);
    },
    settling,
  );
  await expectKnown(now);
}

/** Gives what was edited: which field of which object. */
function othersEdit({ world: { platform }, seen }: Now, byHand: Turn['byHand']): ReadonlyMap<string, string> {
  const edited = new Map<string, string>();
  for (const { pick, deletes } of byHand) {
    const all = [...platform.objects.values()];
    const object = all[pick % Math.max(1, all.length)];
    if (object === undefined) continue;
    const { naturalKey, unique, fields } = object.type;
    const isText = ({ name, type, input, references, schema, ...rule }: FieldRule): boolean =>
      type === 'string' &&
      input &&
      references === undefined &&
      Object.keys(schema).every((key) => key === 'type' || key === 'description') &&
      rule.enum === undefined &&
      rule.onChange === 'update' &&
      !naturalKey.includes(name) &&
      !unique.flat().includes(name);
    const field = Object.values(fields).find(isText)?.name;
    if (deletes) platform.take(object.id);
    else if (field !== undefined) {
      platform.edit(object, { [field]: 'clicked' });
      edited.set(object.id, field);
    }
    seen.byHand += 1;
  }
  return edited;
}

/** What others edited, and the plan did not show, is as they left it. */
function expectKept({ world }: Now, { steps }: Plan, edited: ReadonlyMap<string, string>): void {
  const shown = new Set(steps.flatMap(({ id = '', fields }) => fields.map(({ field }) => `${id} ${field}`)));
  for (const [id, field] of edited) {
    const object = world.platform.objects.get(id);
    if (object !== undefined && !shown.has(`${id} ${field}`))
      expect([id, object.values[field]]).toEqual([id, 'clicked']);
  }
}

/** Every object is somebody's, or was let go of in plain sight. */
async function expectKnown({ world, letGo }: Now): Promise<void> {
  const states = [await world.store().read(), await world.storeOf('next').read()];
  const known = new Set(states.flatMap(({ resources }) => [...resources.values()].map(({ identity }) => identity.id)));
  const nobodys = [...world.platform.objects.keys()].filter((id) => !known.has(id) && !letGo.has(id));
  expect(nobodys).toEqual([]);
}

/** Once everything shows, one run with everything lifted makes it as the file says, and the next has nothing to do. */
async function settle(now: Now): Promise<void> {
  const { world } = now;
  await world.open(cwd(), async (project) => {
    const first = await project.plan({});
    if (first.plan === undefined) return;
    const allow = first.plan.guards.map(({ name }) => ({ guard: name, reason: 'law' }));
    const planned = await project.plan({ allow });
    if (planned.plan === undefined) return;
    for (const { action, id } of planned.plan.steps) if (action === 'forget' && id !== undefined) now.letGo.add(id);
    const { status } = await project.apply(planned);
    if (status !== 'done') return;
    const { plan } = await project.plan({ allow });
    expect(plan && stepsOf(plan)).toEqual([]);
  });
  await expectKnown(now);
}

const stepsOf = ({ steps }: Plan): readonly string[] =>
  steps.map(({ action, address, from }) => `${action} ${from ?? ''} ${address}`);

const isEnd = ({ action }: PlanStep): boolean => action === 'delete' || action === 'replace';

type Records = ReadonlyMap<string, RecordedResource>;

const protectedIds = (records: Records): readonly string[] =>
  [...records.values()].filter(({ protect }) => protect).map(({ identity }) => identity.id);

const protectedNow = ({ steps }: Plan, file: Record<string, JsonObject>): readonly string[] =>
  steps.flatMap(({ address, id }) =>
    id !== undefined && (file[address]?.['options'] as JsonObject | undefined)?.['protect'] === true ? [id] : [],
  );

/** Each object that is gone has a step, or is named or counted beside one; gives how many went along. */
function expectTold(
  { steps, guards }: Plan,
  gone: readonly string[],
  known: { readonly records: Records; readonly others: Records; readonly typesNow: ReadonlyMap<string, string> },
): number {
  const ended = new Set(steps.filter(isEnd).flatMap(({ id }) => id ?? []));
  const cascades = steps.flatMap(({ risks }) => risks.flatMap((risk) => (risk.kind === 'cascades' ? [risk.what] : [])));
  const addressOf = new Map(
    [...known.records.values(), ...known.others.values()].map(({ identity, address }) => [identity.id, address]),
  );
  const along = gone.filter((id) => !ended.has(id));
  const counts = new Map<string, number>();
  for (const id of along) {
    const address = addressOf.get(id);
    const name = known.typesNow.get(id) ?? '';
    if (address === undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    else
      expect(
        cascades.some((what) => what.startsWith(`${address}, which `)),
        `${address} in ${cascades.join('; ')}`,
      ).toBe(true);
  }
  // Of what was not looked for, no count is known: the types are named.
  const unread = guards.flatMap(({ name, summary }) => (name === 'goes-along' ? [summary] : []));
  for (const [name, count] of counts) {
    if (unread.some((summary) => summary.split(/[^\w]+/).includes(name))) continue;
    const told = cascades.map((what) => /^(\d+) unmanaged (\w+)$/.exec(what)).filter((match) => match?.[2] === name);
    expect(told.reduce((sum, match) => sum + Number(match?.[1]), 0)).toBe(count);
  }
  return along.length;
}

describe(`worlds of ${hostAddresses.length} blocks of derived types`, () => {
  it(
    'keep what is protected, name what ends, make nothing twice, and come to rest',
    async () => {
      const seen: Seen = { blocked: 0, along: 0, ended: 0, parts: 0, lagging: 0, byHand: 0 };
      await fc.assert(
        fc.asyncProperty(story, (one) => tell(one, seen)),
        { numRuns: lawRuns(600), ...toTheLast },
      );
      if (process.env['SYNC_LAW_PATH'] === undefined) expect(Math.min(...Object.values(seen))).toBeGreaterThan(2);
    },
    lawTimeoutMs,
  );
});
