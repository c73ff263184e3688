import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { cloudPackage } from '@platform-sync/cloud/package';
import { platformPackage } from '@platform-sync/platform/package';
import { hurried, makeWorld, type CatalogueData, type World } from '../harness/world.js';
import { partOf } from '../harness/part-of-table.js';
import { rows } from './rows.js';
import { neverGone, sandboxPlace, type ConformanceRow } from './row.js';

/** Derived types have lives of their own, in test/derived. */
const types: readonly ResourceType[] = [...platformPackage.types.values(), ...cloudPackage.types.values()].filter(
  ({ derived }) => derived !== true,
);

const typeOf = (row: ConformanceRow): ResourceType => {
  const type = types.find(({ shortToken }) => shortToken === row.type);
  if (type === undefined) throw new Error(row.type);
  return type;
};

describe('the table', () => {
  it('has a row for every resource type', () => {
    expect(rows.map(({ type }) => type).sort()).toEqual(types.map(({ shortToken }) => shortToken).sort());
  });

  it.each(rows)('says of every input of $type how it changes, clears and drifts', (row) => {
    const inputs = Object.values(typeOf(row).fields).filter(({ input }) => input);
    const parent = typeOf(row).parent?.field;
    const oneOf = typeOf(row).exactlyOne.flat();
    const clearable = inputs.filter(({ name, required }) => !required && name !== parent && !oneOf.includes(name));
    expect(Object.keys(row.changes).sort()).toEqual(inputs.map(({ name }) => name).sort());
    expect(Object.keys(row.removals).sort()).toEqual(clearable.map(({ name }) => name).sort());
    expect([...Object.keys(row.drift), ...Object.keys(row.driftless)].sort()).toEqual(
      inputs.map(({ name }) => name).sort(),
    );
  });
});

// The platform promises no order of lists and attribute values, so the same must hold in any.
describe.each(partOf([undefined, 1], 2, 1))('conformance with shuffle %s', (shuffle) => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(shuffle === undefined ? {} : { shuffle }, hurried);
  });
  beforeEach(async () => {
    world.loseState();
    await world.call('POST', '/_sandbox/reset');
  });
  afterAll(() => world.close());

  const write = (row: ConformanceRow, properties: JsonObject, needs: ConformanceRow['needs'] = row.needs) =>
    world.write({
      'sync.yaml': projectFile(row.guards),
      'catalogue/all.yaml': { resources: { ...needs, subject: { type: row.type, properties } } },
    });

  const projectFile = (guards: readonly string[] = []): CatalogueData => ({
    project: 'test',
    guards: { maxDeletePercent: 100, allow: guards.map((guard) => ({ guard, reason: 'test' })) },
  });
  /** Applies, and insists that nothing is left to do. */
  async function applyAll(): Promise<void> {
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
  }

  const subjectOf = (plan: Plan): PlanStep | undefined => plan.steps.find(({ address }) => address === 'subject');

  async function identityOf(address: string): Promise<Identity> {
    return world.open(async (project) => {
      const record = (await (await project.state()).read()).resources.get(address);
      if (record === undefined) throw new Error(`no record of ${address}`);
      return record.identity;
    });
  }

  async function idOf(address: string): Promise<string> {
    return (await identityOf(address)).id;
  }

  const placeOf = async (row: ConformanceRow): Promise<string> => sandboxPlace(row, await identityOf('subject'));

  async function onPlatform(row: ConformanceRow): Promise<JsonObject> {
    const { status, body } = await world.call('GET', await placeOf(row));
    expect(status).toBe(200);
    return body as JsonObject;
  }

  /** A second object of the same kind, for fields that point at a sibling. */
  const needsWithOther = (row: ConformanceRow): ConformanceRow['needs'] => {
    const top = row.needs['top'] as { type: string; properties: JsonObject } | undefined;
    if (top === undefined) return row.needs;
    return {
      ...row.needs,
      other: {
        ...top,
        properties: { ...top.properties, title: 'Other', ...('slug' in top.properties ? { slug: 'other' } : {}) },
      },
    };
  };

  describe.each(rows)('$type', (row) => {
    it('is created, and then there is nothing to do', async () => {
      await write(row, row.properties);
      const plan = await world.plan();
      expect(subjectOf(plan)?.action).toBe('create');
      await applyAll();
    });

    it.each(Object.entries(row.changes))(
      '%s changed: exactly the right action, and nothing left after it',
      async (field, { to, action, without = [], with: otherwise = {}, untried }) => {
        if (untried !== undefined) return expect(typeOf(row).fields[field]?.onChange).toBe(action);
        const needs = needsWithOther(row);
        const properties = {
          ...Object.fromEntries(Object.entries(row.properties).filter(([name]) => !without.includes(name))),
          ...otherwise,
        };
        await write(row, properties, needs);
        await applyAll();
        const before = canonicalJson({ ...(await identityOf('subject')) });
        const group = typeOf(row).exactlyOne.find((names) => names.includes(field)) ?? [];
        const rest = Object.fromEntries(Object.entries(properties).filter(([name]) => !group.includes(name)));
        await write(row, { ...rest, [field]: to }, needs);
        const plan = await world.plan();
        expect(plan.steps.map(({ address }) => address)).toEqual(['subject']);
        const step = subjectOf(plan);
        expect(step?.action).toBe(action);
        expect(step?.cause).toBe('config');
        expect(step?.fields.map((change) => change.field).sort()).toEqual(
          field in properties || group.length === 0 ? [field] : [...group].sort(),
        );
        if (action === 'replace') expect(step?.reasons).toContainEqual({ kind: 'field-forces-replacement', field });
        else expect(step?.reasons).toEqual([{ kind: 'field-changed', field }]);
        await applyAll();
        // What a place has one of is known by the place alone.
        const isPlaced = typeOf(row).collection.listed === false && row.collection.startsWith('portal-');
        if (action === 'update' || !isPlaced || field === 'portalId')
          expect(canonicalJson({ ...(await identityOf('subject')) }) === before).toBe(action === 'update');
      },
    );

    it.each(Object.entries(row.removals))(
      '%s removed from the file: back to the default of the platform',
      async (field, expected) => {
        if (expected === 'untried') return;
        await write(row, row.properties);
        await applyAll();
        const id = await idOf('subject');
        const rest = Object.fromEntries(Object.entries(row.properties).filter(([name]) => name !== field));
        await write(row, rest);
        const plan = await world.plan();
        expect(subjectOf(plan)?.action).toBe('update');
        expect(subjectOf(plan)?.fields.map((change) => change.field)).toEqual([field]);
        if (expected === 'kept') {
          expect(subjectOf(plan)?.fields[0]?.cannotClear).toBe(true);
          expect(plan.notices.map(({ code }) => code)).toEqual(['cannot-clear']);
        }
        const before = await onPlatform(row);
        await applyAll();
        expect(await idOf('subject')).toBe(id);
        const after = await onPlatform(row);
        const wire = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        expect(after[wire] ?? null).toEqual(expected === 'kept' ? (before[wire] ?? null) : expected.leaves);
      },
    );

    it.each(Object.entries(row.drift))(
      '%s changed behind our back: found, named as drift, and put right',
      async (field, edit) => {
        await write(row, row.properties);
        await applyAll();
        expect((await world.call('POST', await placeOf(row), edit)).status).toBe(200);
        const plan = await world.plan();
        expect(plan.steps.map(({ address }) => address)).toEqual(['subject']);
        expect(subjectOf(plan)?.cause).toBe('drift');
        expect(subjectOf(plan)?.fields.map((change) => change.field)).toEqual([field]);
        await applyAll();
      },
    );

    it.skipIf(row.remains !== undefined)(
      `deleted behind our back: found, and made again${neverGone(row)}`,
      async () => {
        await write(row, row.properties, {
          ...row.needs,
          bystander: { type: 'platform:Api', properties: { name: 'Bystander' } },
        });
        await applyAll();
        await world.call('POST', await placeOf(row), row.gone ?? { $delete: true });
        const plan = await world.plan();
        expect(plan.steps.map(({ address, action, reasons }) => [address, action, reasons])).toEqual([
          ['subject', 'create', [{ kind: 'gone' }]],
        ]);
        await applyAll();
      },
    );

    it('is imported by its documented id into an empty state, and then there is nothing to do', async () => {
      await write(row, row.properties);
      await applyAll();
      const ids: Record<string, string> = { subject: await idOf('subject') };
      for (const key of Object.keys(row.needs)) ids[key] = await idOf(key);
      world.loseState();
      await importAll(row, ids);
      expect((await world.plan()).steps).toEqual([]);
    });

    it('is deleted when its block goes, and nothing of it is left', async () => {
      await write(row, row.properties);
      await applyAll();
      const place = await placeOf(row);
      await world.write({
        'sync.yaml': projectFile(['emptyCatalogue', ...(row.guards ?? [])]),
        'catalogue/all.yaml': { resources: { ...row.needs } },
      });
      const plan = await world.plan();
      expect(plan.steps.map(({ address, action }) => [address, action])).toEqual([['subject', 'delete']]);
      await applyAll();
      const { status, body } = await world.call('GET', place);
      expect(status).toBe(row.gone === undefined && row.remains === undefined ? 404 : 200);
      if (row.remains !== undefined) expect(body).toMatchObject(row.remains);
      if (row.gone !== undefined) expect(JSON.stringify(body)).not.toMatch(/"(?:bindings|auditConfigs)":\[\{/);
    });
  });

  async function importAll(row: ConformanceRow, ids: Readonly<Record<string, string>>): Promise<void> {
    const all: readonly (readonly [string, string, string])[] = [
      ...Object.entries(row.needs).map(([key, need]) => [key, String(need['type']), ids[key] ?? ''] as const),
      ['subject', row.type, ids['subject'] ?? ''],
    ];
    for (const [address, type, id] of all) {
      const form = rows.find((candidate) => candidate.type === type);
      const importId: Json = form === undefined ? id : form.importId(id, ids);
      const result = await world.open((project) => project.importResource(address, importId));
      expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(result.id).toBe(id);
    }
  }
});
