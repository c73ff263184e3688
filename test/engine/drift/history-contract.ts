import { expect, it } from 'vitest';
import type { DriftNote } from '@platform-sync/core/model/drift';
import type { StateStore } from '@platform-sync/core/model/state-store';
import type { TestBackend, TestDatabase } from '../state/backends.js';
import { freshStores } from '../state/fresh-stores.js';

type Seen = DriftNote['seen'][number];

const day = (number: number): string => new Date(Date.UTC(2030, 0, number)).toISOString();
export const seen = (id: string, more: Partial<Seen> = {}): Seen => ({
  ...{ id, address: 'pets', field: 'version', class: 'modified', severity: 'low', digest: 'a' },
  ...more,
});
export const note = (at: number, ...found: Seen[]): DriftNote => ({
  ...{ at: day(at), status: found.length === 0 ? 'clean' : 'drift', seen: found, resolved: [] },
});

/** The history of drift, as a store of a backend keeps it. */
export function historyContract(start: () => Promise<TestBackend>): void {
  let database: TestDatabase;
  let store: StateStore;
  freshStores(start, (...made) => ([store, database] = made));

  it('is empty before the first check', async () => {
    expect(await store.driftHistory()).toEqual({ findings: [], number: 0 });
  });

  it('keeps since when and until when something was seen', async () => {
    await store.noteDrift(note(1, seen('b'), seen('a', { class: 'deleted' })));
    await store.noteDrift(note(3, seen('b', { severity: 'high', digest: 'c' })));
    expect(await store.driftHistory()).toEqual({
      findings: [
        { ...seen('a', { class: 'deleted' }), firstSeen: day(1), lastSeen: day(1) },
        { ...seen('b', { severity: 'high', digest: 'c' }), firstSeen: day(1), lastSeen: day(3) },
      ],
      number: 2,
      lastCheck: { at: day(3), status: 'drift' },
      lastSuccess: day(3),
    });
  });

  it('starts anew when something resolved comes back', async () => {
    await store.noteDrift(note(1, seen('a')));
    await store.noteDrift({ ...note(2), resolved: ['a', 'never-seen'] });
    expect((await store.driftHistory()).findings).toMatchObject([{ id: 'a', lastSeen: day(1), resolvedAt: day(2) }]);
    await store.noteDrift(note(5, seen('a')));
    expect((await store.driftHistory()).findings).toEqual([{ ...seen('a'), firstSeen: day(5), lastSeen: day(5) }]);
  });

  it('keeps how often something came, until it is quiet', async () => {
    await store.noteDrift(note(1, seen('a', { came: 3 })));
    await store.noteDrift({ ...note(2), resolved: ['a'] });
    expect((await store.driftHistory()).findings).toMatchObject([{ id: 'a', came: 3 }]);
    await store.noteDrift({ ...note(3), quiet: ['a'] });
    expect((await store.driftHistory()).findings).toEqual([expect.not.objectContaining({ came: 3 })]);
  });

  it('forgets what was resolved long ago, and nothing else', async () => {
    await store.noteDrift(note(1, seen('a'), seen('b'), seen('c')));
    await store.noteDrift({ ...note(2, seen('b'), seen('c')), resolved: ['a'] });
    await store.noteDrift({ ...note(50, seen('b')), resolved: ['c'] });
    await store.noteDrift(note(93, seen('b')));
    expect((await store.driftHistory()).findings.map(({ id }) => id)).toEqual(['b', 'c']);
  });

  it('knows the last success while checks fail', async () => {
    await store.noteDrift(note(1));
    await store.noteDrift({ ...note(2), status: 'failed' });
    await store.noteDrift({ ...note(3), status: 'incomplete' });
    expect(await store.driftHistory()).toMatchObject({
      number: 3,
      lastCheck: { at: day(3), status: 'incomplete' },
      lastSuccess: day(1),
    });
  });

  it('needs no lease, leaves the serial alone, and is no part of the document', async () => {
    const lease = await store.acquire('apply', { owner: 'me', waitMs: 0 });
    const before = await store.pull();
    await (await database.open()).noteDrift(note(1, seen('a')));
    expect(await store.pull()).toBe(before);
    await store.push(lease, before, { force: false });
    expect((await store.driftHistory()).findings).toHaveLength(1);
    await lease.release();
  });

  it('is each stack’s own', async () => {
    await store.noteDrift(note(1, seen('a')));
    expect((await (await database.open('shop', 'prod')).driftHistory()).findings).toEqual([]);
  });

  it('takes thousands of findings', async () => {
    const many = Array.from({ length: 1201 }, (_, at) => seen(String(at).padStart(5, '0')));
    await store.noteDrift(note(1, ...many));
    await store.noteDrift({ ...note(2), resolved: many.map(({ id }) => id) });
    const { findings } = await store.driftHistory();
    expect(findings).toHaveLength(1201);
    expect(findings.every(({ resolvedAt }) => resolvedAt === day(2))).toBe(true);
  });
}
