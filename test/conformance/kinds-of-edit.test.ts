import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diffLines } from 'diff';
import { describe, expect, it } from 'vitest';
import type { DriftResult } from '@platform-sync/core/model/drift';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';
import { rows } from './rows.js';
import { sandboxPlace, type ConformanceRow } from './row.js';
import { freshWorlds } from '../harness/fresh-worlds.js';
import { hurried, type World } from '../harness/world.js';

/** Every way a map or a list can be edited, for every field that holds one; one edit a field is elsewhere. */

type Edit = readonly [name: string, wire: Json | ((now: Json) => Json)];

const mapEdits: readonly Edit[] = [
  ['a key added', { added: 'x' }],
  ['a value changed', (now) => ({ [firstKey(now)]: 'clicked' })],
  ['a key removed', (now) => ({ [firstKey(now)]: null })],
  ['every key removed', (now) => Object.fromEntries(Object.keys(now as JsonObject).map((key) => [key, null]))],
  ['a key exchanged for another', (now) => ({ [firstKey(now)]: null, exchanged: 'x' })],
];
const listEdits: readonly Edit[] = [
  ['an item removed', (now) => (now as readonly Json[]).slice(1)],
  ['every item removed', []],
];
/** Attributes: a map whose values are lists. */
const listMapEdits: readonly Edit[] = [
  ['a key added', { added: ['x'] }],
  ['an item added', (now) => ({ [firstKey(now)]: [...itemsOf(now), 'clicked'] })],
  ['an item removed', (now) => ({ [firstKey(now)]: itemsOf(now).slice(1) })],
  ['a key removed', (now) => ({ [firstKey(now)]: null })],
];

const firstKey = (map: Json): string => Object.keys(map as JsonObject)[0] ?? '';
const itemsOf = (map: Json): readonly Json[] => (map as Record<string, readonly Json[]>)[firstKey(map)] ?? [];
const wireName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function editsOf(value: Json | undefined): readonly Edit[] {
  if (Array.isArray(value)) return listEdits;
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).every((part) => Array.isArray(part)) ? listMapEdits : mapEdits;
}

/** Fields of which the catalogue may hold a map or a list. What has members of its own is edited as a whole elsewhere. */
const cases = rows.flatMap((row) => {
  const type = [...platformPackage.types.values()].find(({ shortToken }) => shortToken === row.type);
  const fields = Object.values(type?.fields ?? {}).filter(
    ({ input, name, equality }) => input && name !== 'serviceReference' && equality !== 'record',
  );
  return fields.flatMap(({ name }) =>
    editsOf(row.properties[name]).map(([edit, wire]) => [row.type, name, edit, wire, row] as const),
  );
});

describe('an edit outside', () => {
  let world: World;
  freshWorlds((made) => (world = made), hurried);

  const drift = (): Promise<DriftResult> => world.open((project) => project.drift());

  async function apply(row: Pick<ConformanceRow, 'type' | 'needs' | 'properties'>): Promise<void> {
    const needs = Object.entries(row.needs).map(([key, need]) => `  ${key}: ${JSON.stringify(need)}\n`);
    const lines = Object.entries(row.properties).map(
      ([name, value]) => `      ${name}: ${JSON.stringify(value)} # about ${name}\n`,
    );
    const subject = `  subject:\n    type: ${row.type}\n    properties:\n${lines.join('')}`;
    await world.write({
      'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100}\n',
      'catalogue/all.yaml': `resources:\n${needs.join('')}${subject}`,
    });
    await world.apply();
  }

  async function pathOf(row: ConformanceRow): Promise<string> {
    const state = await world.open(async (project) => (await project.state()).read());
    return sandboxPlace(row, state.resources.get('subject')?.identity ?? { id: '', scope: {} });
  }

  async function edit(row: ConformanceRow, field: string, wire: Json | ((now: Json) => Json)): Promise<void> {
    const path = await pathOf(row);
    const now = ((await world.call('GET', path)).body as JsonObject)[wireName(field)] ?? null;
    const value = typeof wire === 'function' ? wire(now) : wire;
    expect((await world.call('POST', path, { [wireName(field)]: value })).status).toBe(200);
  }

  it('is tried on every map and list of every type', () => {
    const tried = new Set(cases.map(([type, field]) => `${type}.${field}`));
    expect([...tried].sort()).toEqual([
      'platform:Api.attributes',
      'platform:Api.labels',
      'platform:ApiProduct.labels',
      'platform:ApiProduct.portalIds',
      'platform:ApiProduct.publicLabels',
      'platform:ApiProductDocument.metadata',
      'platform:ApplicationAuthStrategy.labels',
      'platform:Portal.labels',
      'platform:PortalAuth.oidcScopes',
    ]);
  });

  it.each(cases)('of %s, %s, %s: found, and gone after revert', async (_type, field, name, wire, row) => {
    await apply(row);
    await edit(row, field, wire);
    const { findings } = await drift();
    // A key of a map that nobody declared is not ours; all the same it was not there before.
    const kind = name === 'a key added' ? 'undeclared-changed' : 'modified';
    expect(findings).toMatchObject([{ address: 'subject', class: kind, field }]);
    await world.open(async (project) => {
      const planned = await project.revertDrift([findings[0]?.id ?? '']);
      expect((await project.apply(planned)).status).toBe('done');
    });
    expect(await drift()).toMatchObject({ status: 'clean', findings: [] });
    expect((await world.plan()).steps).toEqual([]);
  });

  it.each(cases)('of %s, %s, %s: accepted, in its own line only', async (_type, field, _name, wire, row) => {
    await apply(row);
    const before = await readFile(join(world.folder, 'catalogue/all.yaml'), 'utf8');
    await edit(row, field, wire);
    const id = (await drift()).findings[0]?.id ?? '';
    expect((await world.open((project) => project.acceptDrift([id]))).skipped).toEqual([]);
    const after = await readFile(join(world.folder, 'catalogue/all.yaml'), 'utf8');
    const changed = diffLines(before, after).filter(({ added, removed }) => added || removed);
    expect(
      changed.every(({ value }) => value.includes(`# about ${field}\n`) && value.trim().split('\n').length === 1),
    ).toBe(true);
    expect(changed.length).toBeGreaterThan(0);
    expect((await world.plan()).steps).toEqual([]);
  });

  it('of the one of two references that the table does not declare is found, too, and gone after revert', async () => {
    const row = rows.find(({ type }) => type === 'platform:ApiImplementation');
    if (row === undefined) throw new Error('no row');
    const { apiId } = row.properties;
    const declared = row.changes['controlPlaneReference']?.to;
    await apply({ ...row, properties: { apiId: apiId ?? null, controlPlaneReference: declared ?? null } });
    const path = await pathOf(row);
    const other = '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0a02';
    expect((await world.call('POST', path, { control_plane: { control_plane_id: other } })).status).toBe(200);
    const { findings } = await drift();
    expect(findings).toMatchObject([{ address: 'subject', class: 'modified', field: 'controlPlaneReference' }]);
    await world.open(async (project) => {
      const planned = await project.revertDrift([findings[0]?.id ?? '']);
      expect((await project.apply(planned)).status).toBe('done');
    });
    expect(await drift()).toMatchObject({ status: 'clean', findings: [] });
  });
});
