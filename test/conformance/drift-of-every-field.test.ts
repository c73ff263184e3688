import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diffLines } from 'diff';
import { describe, expect, it } from 'vitest';
import type { DriftResult, Finding } from '@platform-sync/core/model/drift';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { neverGone, sandboxPlace, type ConformanceRow } from './row.js';
import { partOf } from '../harness/part-of-table.js';
import { rows } from './rows.js';
import { freshWorlds } from '../harness/fresh-worlds.js';
import { hurried, type World } from '../harness/world.js';

/** Fields that the rows declare by reference: their values can't be accepted. */
const references = new Set(['parentDocumentId', 'parentPageId']);

const syncYaml = 'project: test\nguards: {maxDeletePercent: 100}\n';

/** A catalogue as people write one: block style, with a comment at every value that must survive. */
function yamlOf(resources: Readonly<Record<string, unknown>>): string {
  const lines = ['# head', 'resources:'];
  for (const [key, resource] of Object.entries(resources)) {
    const { type, properties } = resource as { type: string; properties: JsonObject };
    lines.push(`  ${key}: # the ${key}`, `    type: ${type}`, '    properties:', '      # all of it');
    for (const [name, value] of Object.entries(properties))
      lines.push(`      ${name}: ${JSON.stringify(value)} # about ${name}`);
  }
  return `${lines.join('\n')}\n# foot\n`;
}

function lineChanges(before: string, after: string): { readonly added: number; readonly removed: number } {
  const parts = diffLines(before, after);
  const count = (kind: 'added' | 'removed'): number =>
    parts.filter((part) => part[kind]).reduce((sum, part) => sum + part.count, 0);
  return { added: count('added'), removed: count('removed') };
}

describe('a change outside', () => {
  let world: World;
  freshWorlds((made) => (world = made), hurried);

  const catalogue = (row: ConformanceRow, properties: JsonObject = row.properties): string =>
    yamlOf({ ...row.needs, subject: { type: row.type, properties } });

  const write = (text: string): Promise<void> => world.write({ 'sync.yaml': syncYaml, 'catalogue/all.yaml': text });
  const drift = (): Promise<DriftResult> => world.open((project) => project.drift());

  async function pathOf(row: ConformanceRow): Promise<string> {
    return world.open(async (project) => {
      const record = (await (await project.state()).read()).resources.get('subject');
      return sandboxPlace(row, record?.identity ?? { id: '', scope: {} });
    });
  }

  async function edit(row: ConformanceRow, body: JsonObject, status = 200): Promise<void> {
    expect((await world.call('POST', await pathOf(row), body)).status).toBe(status);
  }

  /** The wire value that an edit is about. */
  async function valueOf(row: ConformanceRow, body: JsonObject): Promise<Json> {
    const object = (await world.call('GET', await pathOf(row))).body as JsonObject;
    return object[Object.keys(body)[0] ?? ''] ?? null;
  }

  async function revert(finding: Finding): Promise<void> {
    await world.open(async (project) => {
      const planned = await project.revertDrift([finding.id]);
      expect(planned.plan?.steps.map(({ address }) => address)).toEqual([finding.address]);
      const { status } = await project.apply(planned);
      expect(status).toBe('done');
    });
  }

  describe.each(partOf(rows, 3))('of $type', (row) => {
    it('that did not happen is not found', async () => {
      await write(catalogue(row));
      await world.apply();
      expect(await drift()).toMatchObject({ status: 'clean', findings: [], unapplied: [], converged: [] });
    });

    it.each(Object.entries(row.drift))('in %s is found as modified, and gone after revert', async (field, body) => {
      await write(catalogue(row));
      await world.apply();
      await edit(row, body);
      const found = await drift();
      expect(found.status).toBe('drift');
      expect(found.unapplied).toEqual([]);
      expect(found.findings).toMatchObject([{ address: 'subject', class: 'modified', field, trend: 'new' }]);
      const [finding] = found.findings;
      if (finding === undefined) return;
      expect(finding.source).toMatch(/^catalogue\/all\.yaml:\d+:7$/);
      expect(finding.verbs).toContain('revert');
      await revert(finding);
      const after = await drift();
      expect(after).toMatchObject({ status: 'clean', findings: [] });
      expect(after.resolved).toMatchObject([{ id: finding.id, by: 'settled' }]);
      expect((await world.plan()).steps).toEqual([]);
    });

    it.each(Object.entries(row.drift))(
      'in %s is accepted: the plan is empty, one value is edited',
      async (field, body) => {
        const before = catalogue(row);
        await write(before);
        await world.apply();
        await edit(row, body);
        const [finding] = (await drift()).findings;
        const result = await world.open((project) => project.acceptDrift([finding?.id ?? '']));
        const after = await readFile(join(world.folder, 'catalogue/all.yaml'), 'utf8');
        if (references.has(field)) {
          expect(result.skipped).toMatchObject([{ finding: { field } }]);
          expect(result.skipped[0]?.why).toContain('reference');
          expect(after).toBe(before);
          return;
        }
        expect(result.skipped).toEqual([]);
        expect(result.files).toEqual(['catalogue/all.yaml']);
        expect((await world.plan()).steps).toEqual([]);
        const { added, removed } = lineChanges(before, after);
        expect(removed).toBe(1);
        expect(added).toBeLessThanOrEqual(1);
        if (added === 1) expect(after).toContain(` # about ${field}\n`);
        expect((await drift()).findings).toEqual([]);
      },
    );

    it.each(Object.entries(row.drift))('in %s is recorded, until it moves again', async (field, body) => {
      await write(catalogue(row));
      await world.apply();
      await edit(row, body);
      const recorded = await world.open((project) => project.recordDrift(['subject']));
      expect(recorded.recorded).toMatchObject([{ field }]);
      const found = await drift();
      expect(found.findings).toEqual([]);
      // The catalogue still says otherwise.
      expect(found.unapplied).toMatchObject([{ address: 'subject', fields: [field] }]);
    });

    // A name that is left out is the resource's own key: declared all the same.
    const silent = Object.entries(row.drift).filter(([field]) => field in row.removals && field !== 'name');
    it.each(silent)(
      'in %s, which the catalogue does not mention, is found, and gone after revert',
      async (field, body) => {
        const rest = Object.fromEntries(Object.entries(row.properties).filter(([name]) => name !== field));
        await write(catalogue(row, rest));
        await world.apply();
        const before = await valueOf(row, body);
        await edit(row, body);
        const found = await drift();
        if (JSON.stringify(await valueOf(row, body)) === JSON.stringify(before))
          return expect(found).toMatchObject({ status: 'clean', findings: [] });
        expect(found.findings).toMatchObject([{ address: 'subject', class: 'undeclared-changed', field }]);
        const [finding] = found.findings;
        if (finding === undefined) return;
        if (!finding.verbs.includes('revert')) {
          expect([row.removals[field], finding.old ?? null]).toEqual(['kept', null]);
          return;
        }
        await revert(finding);
        expect(await drift()).toMatchObject({ status: 'clean', unapplied: [] });
        expect((await world.plan()).steps).toEqual([]);
      },
    );

    it.skipIf(row.remains !== undefined)(
      `that deletes it is found, and gone after revert${neverGone(row)}`,
      async () => {
        const bystander = { type: 'platform:Api', properties: { name: 'Bystander' } };
        await write(catalogue({ ...row, needs: { ...row.needs, bystander } }));
        await world.apply();
        await edit(row, row.gone ?? { $delete: true }, row.gone === undefined ? 204 : 200);
        const found = await drift();
        expect(found.findings).toMatchObject([{ address: 'subject', class: 'deleted', severity: 'high' }]);
        const [finding] = found.findings;
        if (finding !== undefined) await revert(finding);
        expect(await drift()).toMatchObject({ status: 'clean', unapplied: [] });
      },
    );
  });
});
