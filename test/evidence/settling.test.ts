import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PlanOptions, PlanResult } from '@platform-sync/engine/api';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { type Lie, type PlatformAnswer, json } from '../harness/lying-platform.js';
import type { LyingWorld } from '../harness/lying-world.js';
import { collections, evidenceWorld } from './evidence-world.js';

/** What this stack wrote within the settling time of the platform is not gone, whatever lists and reads say. */

let its: LyingWorld;
let denial: PlatformAnswer;
beforeAll(async () => {
  its = await evidenceWorld();
  const { body } = await its.world.call('GET', '/v3/apis/00000000-0000-4000-8000-000000000000');
  denial = { ...json(body as Json, 404), type: 'application/problem+json' };
});
afterAll(() => its.close());
beforeEach(() => its.platform.tell());

const isCollection = (path: string): boolean => Object.values(collections).some((pattern) => pattern.test(path));

/** Lists that show nothing of what was made. */
const emptyLists: Lie = (path, _query, right) => {
  if (!isCollection(path) || right.status !== 200) return undefined;
  const { meta } = JSON.parse(right.text) as JsonObject;
  return json(meta === undefined ? { data: [] } : { data: [], meta: { page: { total: 0, size: 100, number: 1 } } });
};
const deniedReads: Lie = (path) => (isCollection(path) ? undefined : denial);
const both: Lie = (...asked) => emptyLists(...asked) ?? deniedReads(...asked);
/** Lists of what lies in an object that does not show are not found, either. */
const everything: Lie = (path, query, right) =>
  path.split('/').length > 3 ? denial : (emptyLists(path, query, right) ?? denial);

const allow = ['maxMissing', 'emptyCatalogue', 'everythingGone'].map((guard) => ({ guard, reason: 'test' }));

const planned = (options: PlanOptions, settleSeconds: number): Promise<PlanResult> =>
  its.world.open((project) => project.plan({ allow, ...options }), { settleSeconds });

const lags = { emptyLists, deniedReads, both, everything };

describe.each(Object.entries(lags))('a second run while the platform lags: %s', (_name, lag) => {
  it.each<[string, PlanOptions]>([
    ['an apply', {}],
    ['an apply that reads everything', { refresh: 'full' }],
    ['a destroy', { mode: 'destroy' }],
  ])('%s makes nothing twice and forgets nothing', async (_what, options) => {
    const before = await its.world.open(async (project) => (await project.state()).pull());
    its.platform.tell(lag);
    const { plan } = await planned(options, 120);
    const made = (plan?.steps ?? []).filter(({ action }) => action !== 'delete');
    expect(made).toEqual([]);
    if (options.mode === undefined) {
      await its.world.open(async (project) => project.apply(await project.plan({ allow, ...options })), {
        settleSeconds: 120,
      });
      expect(its.platform.writes()).toEqual([]);
    }
    expect(await its.world.open(async (project) => (await project.state()).pull())).toBe(before);
  });
});

describe('what is not visible yet', () => {
  it('is told as that by every command, and is no finding of a drift check', async () => {
    its.platform.tell(both);
    const { plan } = await planned({}, 120);
    const codes = new Set(plan?.notCompared.map(({ diagnostic }) => diagnostic.code));
    expect([...codes]).toEqual(['not-visible-yet']);
    await its.world.open(
      async (project) => {
        const { gone, notCompared } = await project.refresh();
        expect([gone, notCompared]).toEqual([[], 27]);
        const drift = await project.drift({ remember: false });
        expect(drift.findings).toEqual([]);
      },
      { settleSeconds: 120 },
    );
  });

  it('is gone once the time is over', async () => {
    its.platform.tell(both);
    const { plan } = await planned({}, 0);
    expect(plan?.summary.create).toBeGreaterThan(10);
  });

  it('keeps others from being made beside it', async () => {
    const shop: JsonObject = { type: 'platform:ApiProduct', properties: { name: 'Shop', portalIds: [] } };
    await its.world.write({ 'catalogue/all.yaml': { resources: { again: shop } } });
    its.platform.tell(both);
    const { plan } = await planned({}, 120);
    expect(plan?.steps.filter(({ action }) => action !== 'delete').map(({ address }) => address)).toEqual([]);
    await its.world.open(async (project) => project.apply(await project.plan({ allow })), { settleSeconds: 120 });
    expect(its.platform.writes().filter((write) => write.startsWith('POST'))).toEqual([]);
  });
});
