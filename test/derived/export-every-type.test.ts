import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExportResult } from '@platform-sync/engine/api';
import { identityKey } from '@platform-sync/core/model/identity';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { makeWorld, type World } from '../harness/world.js';
import { life } from './all-types.js';

const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';
let world: World;
let made: readonly RecordedResource[];
let requests: Readonly<Record<string, number>>;
let exported: ExportResult;
let adopted: readonly RecordedResource[];

async function records(): Promise<readonly RecordedResource[]> {
  const { resources } = await world.open(async (project) => (await project.state()).read());
  return [...resources.values()];
}

beforeAll(async () => {
  world = await makeWorld({ shuffle: 11 });
  await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: life('first').resources } });
  await world.apply();
  made = await records();
  world.loseState();
  await world.resetRequests();
  exported = await world.open((project) => project.export());
  requests = (await world.requests()).byRoute;
  await rm(join(world.folder, 'catalogue'), { recursive: true });
  for (const { code, summary } of exported.diagnostics)
    if (code === 'export-secret-asked') world.env[/takes it from (\w+)\./.exec(summary)?.[1] ?? ''] = '0'.repeat(32);
  const files = [...exported.files].map(([name, text]) => [`catalogue/${name}`, text]);
  await world.write({ 'sync.yaml': settings, ...Object.fromEntries(files) });
});
afterAll(() => world.close());

const nameOf = (token: string): string => token.split(':').at(-1) ?? '';

describe('an export without --type', () => {
  it('says of every type of which an object is missing what was left out, and what to do', async () => {
    await world.apply({ mode: 'adopt' });
    adopted = await records();
    const there = new Set(adopted.map(({ type, identity }) => identityKey(type, identity)));
    const missing = made.filter(({ type, identity }) => !there.has(identityKey(type, identity)));
    const told = exported.diagnostics.map(({ summary, hint = '' }) => ({ summary, hint }));
    // What lives in an object that is left out goes with it, and settings as they are at first are no news.
    const along = ['AiGatewayCertificateSni', 'IntegrationInstanceAuthConfig'];
    const silent = missing
      .map(({ type }) => nameOf(type))
      .filter((name) => !along.includes(name) && !told.some(({ summary }) => summary.includes(name)));
    expect(silent).toEqual([]);
    expect(adopted.length).toBe(exported.objects);
    expect(exported.types.reduce((all, { written }) => all + written, 0)).toBe(exported.objects);
    const countedOut = new Set(
      exported.types.filter(({ leftOut }) => Object.keys(leftOut).length > 0).map(({ type }) => type),
    );
    expect(
      missing.map(({ type }) => nameOf(type)).filter((name) => !along.includes(name) && !countedOut.has(name)),
    ).toEqual([]);
    expect(new Set(adopted.map(({ type }) => type)).size).toBeGreaterThan(200);
    expect(exported.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('leaves nothing to do once it is adopted', async () => {
    const plan = await world.plan({ refresh: 'full' });
    expect(plan.notCompared.map(({ diagnostic }) => diagnostic.summary)).toEqual([]);
    // The values that were set are others than those of the objects: where answers show these, that alone is left.
    const asked = new Set(
      exported.diagnostics.flatMap(({ code, field }) => (code === 'export-secret-asked' ? [field ?? ''] : [])),
    );
    const left = plan.steps.filter(
      ({ fields }) =>
        fields.length === 0 || fields.some(({ field }) => ![...asked].some((path) => path.split('.')[0] === field)),
    );
    expect(left.map(({ action, address }) => `${action} ${address}`)).toEqual([]);
    expect(asked.size).toBeGreaterThan(15);
  });

  it('lists each place once, and reads alone only what lists do not show whole', () => {
    const reads = Object.entries(requests).filter(([route]) => !route.startsWith('GET '));
    expect(reads).toEqual([]);
    const places = made.length + exported.objects;
    expect(Math.max(...Object.values(requests))).toBeLessThan(places / 10);
  });

  it('has no ids in its keys, and numbers only where names do not tell objects of one type apart', () => {
    const keys = adopted.map(({ address }) => address.split('/').at(-1) ?? '');
    expect(keys.filter((key) => /[0-9a-f]{8}-[0-9a-f]{4}/.test(key))).toEqual([]);
    const siblings = new Map(adopted.map(({ address, type }) => [address, type]));
    const numbered = adopted.filter(({ address, type }) => {
      const first = siblings.get(address.replace(/-\d+$/, ''));
      return /-\d+$/.test(address) && first !== undefined && first !== type;
    });
    expect(numbered.map(({ address }) => address)).toEqual([]);
  });
});
