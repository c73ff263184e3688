import { partOf } from '../harness/part-of-table.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApplyResult } from '@platform-sync/engine/api';
import type { Plan } from '@platform-sync/core/model/plan';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { itemPath } from '@platform-sync/rest/path';
import { platformPackage } from '@platform-sync/platform/package';
import { json, type Lie, type PlatformAnswer } from '../harness/lying-platform.js';
import { lyingWorld, type LyingWorld } from '../harness/lying-world.js';
import { life, types } from './all-types.js';
import { restOf } from './edit.js';

/** Whatever the look before it says, what is told as deleted is not there any more: over all derived types. */

const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';
let its: LyingWorld;
let platformWords: PlatformAnswer;
beforeAll(async () => {
  its = await lyingWorld();
  const { body } = await its.world.call('GET', '/v3/apis/00000000-0000-4000-8000-000000000000');
  platformWords = { ...json(body as Json, 404), type: 'application/problem+json' };
});
afterAll(() => its.close());

const write = (resources: Readonly<Record<string, JsonObject>>): Promise<void> =>
  its.world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources } });

/** Where each recorded object is read alone that a delete ends: what is always there is put back, or left. */
async function paths(): Promise<ReadonlyMap<string, string>> {
  const { resources } = await its.world.open(async (project) => (await project.state()).read());
  return new Map(
    [...resources.values()].flatMap(({ address, type: token, identity }) => {
      const type = platformPackage.types.get(token);
      if (type === undefined) throw new Error(`no type ${token}`);
      const rest = restOf(type);
      const isAlwaysThere = rest.definition.operations.delete === undefined || type.untouched !== undefined;
      return isAlwaysThere ? [] : [[address, itemPath(rest, rest.item, identity)]];
    }),
  );
}

/** How often reads of the nth object are denied. */
type Times = (nth: number) => number;

const howOften = partOf<readonly [string, Times]>(
  [
    ['every other one once, the others for ever', (nth) => (nth % 2 === 0 ? 1 : 1000)],
    ['once', () => 1],
    ['for ever', () => 1000],
  ],
  3,
);

function denied(all: Iterable<string>, answer: PlatformAnswer, times: Times): Lie {
  const left = new Map([...all].map((path, nth) => [path, times(nth)]));
  return (path) => {
    const more = left.get(path) ?? 0;
    left.set(path, more - 1);
    return more > 0 ? answer : undefined;
  };
}

interface Outcome {
  readonly plan: Plan;
  readonly result: ApplyResult;
}

/** Plans by what is true, and applies while reads deny what there is. */
async function applied(mode: 'apply' | 'destroy', answer: PlatformAnswer, times: Times): Promise<Outcome> {
  const known = await paths();
  return its.world.open(async (project) => {
    const planned = await project.plan({ mode });
    if (planned.plan === undefined) throw new Error(JSON.stringify(planned.diagnostics));
    its.platform.tell(denied(known.values(), answer, times));
    const result = await project.apply(planned);
    its.platform.tell();
    return { plan: planned.plan, result };
  });
}

/** Told as ended, and there all the same. */
async function leftBehind(known: ReadonlyMap<string, string>, { result, plan }: Outcome): Promise<readonly string[]> {
  const done = new Set(result.steps.filter(({ outcome }) => outcome === 'done').map(({ address }) => address));
  const now = new Set((await paths()).values());
  const left: string[] = [];
  for (const { address, action } of plan.steps) {
    const path = known.get(address);
    const isEnd = action === 'delete' || action === 'replace';
    // A new object in the place of the old one has its path where people choose what it is called.
    if (path === undefined || !isEnd || !done.has(address) || now.has(path)) continue;
    const { status } = await its.world.call('GET', path);
    if (status === 200) left.push(`${action} ${address}`);
  }
  return left;
}

const empty: PlatformAnswer = { status: 404, type: '', text: '' };

describe.each(
  partOf<readonly [string, () => PlatformAnswer]>(
    [
      ['in the words of the platform', () => platformWords],
      ['by an empty 404 of whatever stands before it', () => empty],
    ],
    2,
  ),
)(`what reads deny %s, of ${types.length} derived types`, (_how, answer) => {
  const first = life('first');
  beforeEach(async () => {
    its.platform.tell();
    its.world.loseState();
    await its.world.call('POST', '/_sandbox/reset');
    await write(first.resources);
    await its.world.apply();
  });

  it.each(howOften)('ends with the stack, denied %s', async (_times, times) => {
    const known = await paths();
    const outcome = await applied('destroy', answer(), times);
    expect(await leftBehind(known, outcome)).toEqual([]);
  });

  it.each(howOften)('ends alone, while all else stays, denied %s', async (_times, times) => {
    const known = await paths();
    const homes = new Set(types.flatMap(({ parent }) => parent?.type ?? []));
    const isHome = (address: string): boolean =>
      homes.has(platformPackage.types.get(String(first.resources[address]?.['type']))?.token ?? '');
    const referred = JSON.stringify(first.resources);
    const stays = Object.entries(first.resources).filter(
      ([address]) => isHome(address) || referred.includes(`\${${address}.id}`),
    );
    expect(stays.length).toBeLessThan(Object.keys(first.resources).length / 2);
    await write(Object.fromEntries(stays));
    const outcome = await applied('apply', answer(), times);
    expect(outcome.plan.summary.delete).toBeGreaterThan(100);
    expect(await leftBehind(known, outcome)).toEqual([]);
  });

  it.each(howOften)('ends where it is replaced, denied %s', async (_times, times) => {
    const known = await paths();
    const changed = Object.entries(life('other').resources).map(([address, block]): [string, JsonObject] => [
      address,
      { ...block, options: { replaceOnChanges: Object.keys((block['properties'] ?? {}) as JsonObject) } },
    ]);
    await write(Object.fromEntries(changed));
    const outcome = await applied('apply', answer(), times);
    expect(outcome.plan.summary.replace).toBeGreaterThan(50);
    expect(await leftBehind(known, outcome)).toEqual([]);
  });
});
