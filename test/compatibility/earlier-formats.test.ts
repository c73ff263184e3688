import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parsePlan } from '@platform-sync/engine/plan/saved-plan';
import { planReports } from '@platform-sync/report/reports';
import { readDocument, writeDocument } from '@platform-sync/state/document';
import { currentVersion } from '@platform-sync/state/migrations';
import { realTiming } from '@platform-sync/state/lease-term';
import { drivers, openBy } from '../engine/state/backends.js';
import { resource } from '../engine/state/samples.js';

const root = fileURLToPath(new URL('../../fixtures/compatibility/', import.meta.url));
const versions = readdirSync(root).filter((name) => /^\d+$/.test(name));
const shop = { project: 'shop', stack: 'default' };
/** Long after the fixtures were made: no lease in them is alive, whatever this machine's clock says. */
const timing = { ...realTiming, now: () => Date.parse('2027-06-01T00:00:00Z') };

const read = (version: string, name: string): string => readFileSync(join(root, version, name), 'utf8');

/** A copy, which may be changed. */
function copied(version: string, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sync-earlier-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const end of ['', '-wal']) {
    const from = join(root, version, `${name}${end}`);
    if (existsSync(from)) copyFileSync(from, join(folder, `state.db${end}`));
  }
  return join(folder, 'state.db');
}

it('there is a fixture of each version of the tables but the present one', () => {
  expect(versions.map(Number)).toEqual(Array.from({ length: currentVersion - 1 }, (_, at) => at + 1));
});

describe.each(versions)('what a program with tables of version %s wrote', (version) => {
  describe.each(Object.entries(drivers))('%s', (_name, driver) => {
    it('a state is read, all of it, and gone on with', async () => {
      const path = copied(version, 'state.db');
      const store = await openBy(driver, path, shop, timing);
      expect(writeDocument(await store.read())).toBe(read(version, 'state.json'));
      const lease = await store.acquire('apply', { owner: 'me', waitMs: 0 });
      await store.commit(lease, [{ kind: 'put', resource: resource('more') }]);
      await lease.release();
      await store.close();
      const again = await openBy(driver, path, shop, timing);
      expect([...(await again.read()).resources.keys()]).toEqual(['guide', 'more', 'pets']);
      await again.close();
    });

    it('a run that was killed left its intent, which is found again, and no lease that holds for ever', async () => {
      const store = await openBy(driver, copied(version, 'killed.db'), shop, timing);
      const { intents, resources } = await store.read();
      expect([...resources.keys()]).toEqual(['guide', 'pets']);
      expect(intents).toMatchObject([{ address: 'pets', action: 'update', inputs: { description: 'All the pets' } }]);
      const lease = await store.acquire('apply', { owner: 'me', waitMs: 0 });
      await store.commit(lease, [{ kind: 'close-intent', id: intents[0]?.id ?? '' }]);
      expect((await store.read()).intents).toEqual([]);
      await store.close();
    });
  });

  it('a document that was pulled is one that can be pushed', () => {
    const text = read(version, 'state.json');
    expect(writeDocument(readDocument(text))).toBe(text);
  });

  it('a plan is shown in every form, or refused as one of an earlier program, never as damaged', () => {
    const found = parsePlan(read(version, 'plan.json'));
    if ('reason' in found) return expect(found.reason).toBe('outdated');
    const reports = [...planReports(found.plan)];
    expect(reports.length).toBeGreaterThan(5);
    for (const name of ['plan.txt', 'plan.md', 'plan.html'])
      expect(reports.find(([each]) => each === name)?.[1], name).toContain('description');
  });
});
