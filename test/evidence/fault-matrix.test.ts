import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { Lie } from '../harness/lying-platform.js';
import { commands, type CommandName, type Outcome } from './commands.js';
import { collections, evidenceWorld, type CollectionName } from './evidence-world.js';
import type { LyingWorld } from '../harness/lying-world.js';
import { lies } from './lies.js';
import { partOf } from '../harness/part-of-table.js';

const collectionNames: readonly string[] = Object.keys(collections);

/**
 * Wrong answers that can't be told from right ones: a tree of documents says no total, so where no record and no other
 * answer speaks against it, a shorter tree is a tree. A total in it means nothing. Nothing is written all the same.
 */
const credible: readonly (readonly [CollectionName, RegExp, readonly CommandName[]])[] = [
  ...(['ApiDocument', 'PortalPage'] as const).flatMap((tree): typeof credible => [
    [tree, /^no items$|^half/, ['adopt', 'export']],
    [tree, /total|more items|same page/, ['apply', 'plan --refresh full', 'refresh', 'drift', 'adopt', 'export']],
  ]),
  // What is managed or adopted stands on the first page, and only what was seen is believed (what is adopted, when a read
  // of its own says the same): the others are not asked for.
  ...(
    [
      ...(['Api', 'ApiVersion', 'ApiPublication', 'ApiImplementation', 'ApiProduct', 'ApiProductDocument'] as const),
      ...(['Portal', 'PortalSnippet', 'PortalTeam', 'ApplicationAuthStrategy'] as const),
    ] as const
  ).map((name) => [name, /same page/, ['apply', 'plan --refresh full', 'refresh', 'drift', 'adopt']] as const),
  // Items of publications have no ids that could be wrong, and one that is adopted is read by itself: its place is known.
  ['ApiPublication', /ids$/, ['apply', 'plan --refresh full', 'refresh', 'drift', 'adopt', 'export']],
  ['ApiPublication', /^half/, ['adopt']],
  // Nothing that an export reads beside them leads to implementations, nor to strategies that no publication names.
  ['ApiImplementation', /other ids/, ['export']],
  ['ApplicationAuthStrategy', /other ids/, ['export']],
];

function isCredible(collection: CollectionName, lie: string, command: CommandName): boolean {
  return credible.some(([of, which, names]) => of === collection && which.test(lie) && names.includes(command));
}

const told = (collection: CollectionName, name: string): Lie => {
  const make = lies[name];
  if (make === undefined) throw new Error(`no lie ${name}`);
  return (path, _query, right) =>
    collections[collection].test(path) ? make(JSON.parse(right.text) as { data: JsonObject[] }) : undefined;
};

describe('one wrong answer to one list', () => {
  let its: LyingWorld;
  const healthy = new Map<string, Outcome>();
  beforeAll(async () => {
    its = await evidenceWorld();
    for (const [name, run] of Object.entries(commands)) healthy.set(name, await run(its.world));
  });
  afterAll(() => its.close());
  beforeEach(() => its.platform.tell());

  it('the healthy twin knows everything and has nothing to do', () => {
    expect([...healthy].map(([name, { admits }]) => [name, admits])).toEqual(
      Object.keys(commands).map((name) => [name, false]),
    );
    expect(healthy.get('apply')?.steps).toEqual([]);
    expect(healthy.get('adopt')?.steps).toHaveLength(27);
  });

  describe.each(Object.keys(collections) as CollectionName[])('%s', (collection) => {
    it.each(partOf(Object.keys(lies), 9, collectionNames.indexOf(collection)))('%s', async (lie) => {
      const state = await its.world.open(async (project) => (await project.state()).pull());
      for (const [name, run] of Object.entries(commands) as [CommandName, (typeof commands)[CommandName]][]) {
        its.platform.tell(told(collection, lie));
        const { steps, admits } = await run(its.world);
        const isSilent = isCredible(collection, lie, name);
        // A command that never asked was not lied to.
        if (its.platform.told() > 0 && !isSilent) expect([name, admits]).toEqual([name, true]);
        if (!admits && isSilent && name === 'export') continue;
        const twin = new Set(healthy.get(name)?.steps);
        expect([name, steps.filter((step) => !twin.has(step))]).toEqual([name, []]);
        expect([name, its.platform.writes()]).toEqual([name, []]);
        // It ends: how many lists are under way before the first one is found wrong is up to the scheduler.
        expect([name, its.platform.told() < 500]).toEqual([name, true]);
      }
      expect(await its.world.open(async (project) => (await project.state()).pull())).toBe(state);
    });
  });
});
