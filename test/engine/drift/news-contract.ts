import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type DriftNews, type DriftNote, type NewsClaim, summaryOf } from '@platform-sync/core/model/drift';
import type { RunNews, RunNote } from '@platform-sync/core/model/run-news';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { driftResult } from '../../report/drift-builder.js';
import type { TestBackend, TestDatabase } from '../state/backends.js';

const day = (number: number): string => new Date(Date.UTC(2030, 0, number)).toISOString();
const news = (at: number): DriftNews => ({
  check: summaryOf(driftResult({ checkedAt: day(at) })),
  changes: [{ kind: 'recovered' }],
});
const note = (at: number, more: Partial<DriftNote> = {}): DriftNote => ({
  ...{ at: day(at), status: 'clean', seen: [], resolved: [], news: news(at) },
  ...more,
});
const quiet = (at: number): DriftNote => {
  const { news: _none, ...rest } = note(at);
  return rest;
};
const ann: NewsClaim<'drift'> = { receiver: 'ann', by: 'one', about: 'drift' };

/** News of drift, as a store of the backend `name` keeps and hands them out. */
export function newsContract(name: string, start: () => Promise<TestBackend>): void {
  let backend: TestBackend;
  let database: TestDatabase;
  let store: StateStore;
  let now = 0;
  const other = (): Promise<StateStore> => database.open('shop', 'dev', { now: () => now });
  const numbers = async (claim = ann): Promise<readonly number[] | undefined> =>
    (await store.takeNews(claim, 1000))?.news.map(({ number }) => number);
  beforeAll(async () => {
    backend = await start();
  });
  afterAll(() => backend.stop());
  beforeEach(async () => {
    now = 1_000_000;
    database = await backend.database();
    store = await other();
  });
  afterEach(() => database.close());

  it('are numbered with their checks, and a check that follows another than it thinks is not added', async () => {
    expect(await store.noteDrift(note(1, { after: 0 }))).toBe(1);
    expect(await store.noteDrift(note(2, { after: 0 }))).toBeUndefined();
    expect(await store.noteDrift(note(2, { after: 1 }))).toBe(2);
    expect(await store.noteDrift(quiet(3))).toBe(3);
    expect(await store.driftHistory()).toMatchObject({ number: 3, lastCheck: { at: day(3), status: 'clean' } });
  });

  // Connections of one process to a SQLite file wait for each other for ever: only other processes write at the same time.
  it.skipIf(name.startsWith('sqlite'))('go to one of several that follow the same check at the same time', async () => {
    const stores = await Promise.all([other(), other(), other(), other()]);
    const given = await Promise.all(stores.map((one, at) => one.noteDrift(note(at + 1, { after: 0 }))));
    expect(given.filter((number) => number !== undefined)).toEqual([1]);
  });

  it('are told from where the receiver has taken them, each until it is taken', async () => {
    await store.noteDrift(note(1));
    expect(await store.takeNews(ann, 1000)).toEqual({ isKnown: false, news: [] });
    await store.closeNews(ann, 1);
    await store.noteDrift(note(2));
    await store.noteDrift(quiet(3));
    await store.noteDrift(note(4));
    expect(await store.takeNews(ann, 1000)).toEqual({
      isKnown: true,
      news: [
        { ...news(2), number: 2 },
        { ...news(4), number: 4 },
      ],
    });
    // It did not take them.
    await store.closeNews(ann, undefined);
    expect(await numbers()).toEqual([2, 4]);
    await store.closeNews(ann, 4);
    expect(await numbers()).toBeUndefined();
  });

  it('are one teller’s at a time, who hears of what came meanwhile before the right is gone', async () => {
    const two = { ...ann, by: 'two' };
    await store.takeNews(ann, 1000);
    await store.noteDrift(note(1));
    expect(await numbers(two)).toBeUndefined();
    await store.closeNews(two, 1);
    await store.closeNews(ann, 0);
    expect(await numbers()).toEqual([1]);
    await store.closeNews(ann, 1);
    expect(await numbers()).toBeUndefined();
    await store.noteDrift(note(2));
    expect(await numbers(two)).toEqual([2]);
  });

  it('are for another teller when the first one died', async () => {
    const two = { ...ann, by: 'two' };
    await store.takeNews(ann, 1000);
    now += 999;
    expect(await store.takeNews(two, 1000)).toBeUndefined();
    now += 1;
    expect(await store.takeNews(two, 1000)).toEqual({ isKnown: false, news: [] });
    await store.closeNews(ann, 9);
    await store.closeNews(two, undefined);
    expect(await store.takeNews(ann, 1000)).toEqual({ isKnown: false, news: [] });
  });

  it('are each receiver’s and each stack’s own', async () => {
    await store.noteDrift(note(1));
    await store.takeNews(ann, 1000);
    await store.closeNews(ann, 1);
    expect(await store.takeNews({ ...ann, receiver: 'bob' }, 1000)).toEqual({ isKnown: false, news: [] });
    const elsewhere = await database.open('shop', 'prod', { now: () => now });
    expect(await elsewhere.takeNews(ann, 1000)).toEqual({ isKnown: false, news: [] });
  });

  const run = (at: number, status: RunNews['status'], more: Partial<RunNews> = {}): RunNote => {
    const about = [{ name: 'maxDeletes', summary: 'nine' }];
    const end: RunNews = { project: 'shop', stack: 'dev', command: 'apply', at: day(at), status, about, problems: [] };
    return { news: { ...end, ...more }, key: status };
  };
  const ofRuns: NewsClaim<'run'> = { receiver: 'ann', by: 'one', about: 'run' };
  const statuses = async (claim = ofRuns): Promise<readonly string[] | undefined> =>
    (await store.takeNews(claim, 1000))?.news.map(({ status }) => status);

  it('of runs are kept beside those of checks, each trouble once until one ends well', async () => {
    await store.noteRun(run(1, 'done'));
    expect(await statuses()).toBeUndefined();
    await store.noteRun(run(1, 'blocked'));
    // Who was never told anything hears of the last one.
    expect(await store.takeNews(ofRuns, 1000)).toMatchObject({ isKnown: false, news: [{ status: 'blocked' }] });
    await store.closeNews(ofRuns, (await store.takeNews(ofRuns, 1000))?.news.at(-1)?.number);
    await store.noteRun(run(2, 'failed'));
    await store.noteRun(run(2, 'blocked'));
    await store.noteRun(run(3, 'failed'));
    await store.noteRun(run(3, 'done'));
    await store.noteRun(run(3, 'done'));
    await store.noteRun(run(4, 'failed'));
    expect(await statuses()).toEqual(['failed', 'done', 'failed']);
    expect(await numbers()).toEqual([]);
    expect((await store.driftHistory()).lastCheck).toBeUndefined();
    expect(await store.noteDrift(note(5, { after: (await store.driftHistory()).number }))).toBeGreaterThan(0);
  });

  it.skipIf(name.startsWith('sqlite'))('of two runs that end alike at the same time are one', async () => {
    const stores = await Promise.all([other(), other(), other(), other()]);
    await Promise.all(stores.map((one) => one.noteRun(run(1, 'failed'))));
    await store.closeNews(ofRuns, undefined);
    expect(await statuses()).toEqual(['failed']);
    await store.closeNews(ofRuns, 0);
    expect(await statuses()).toEqual(['failed']);
  });

  it('tell which run had the stack and died', async () => {
    expect(await store.lostRun()).toBeUndefined();
    const lease = await store.acquire('apply', { owner: 'ann', waitMs: 0 });
    expect(await store.lostRun()).toBeUndefined();
    now += 10_000_000;
    expect(await store.lostRun()).toMatchObject({ id: lease.id, owner: 'ann', purpose: 'apply' });
    const next = await store.acquire('apply', { owner: 'bob', waitMs: 0 });
    await next.release();
    expect(await store.lostRun()).toBeUndefined();
  });

  it('are forgotten after ninety days', async () => {
    await store.takeNews(ann, 1000);
    await store.closeNews(ann, 0);
    for (const at of [1, 2, 92]) await store.noteDrift(note(at));
    expect(await numbers()).toEqual([2, 3]);
  });
}
