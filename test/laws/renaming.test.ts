import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { platformPackage } from '@platform-sync/platform/package';
import { makeWorld, type World } from '../harness/world.js';
import { asResources, randomCatalogue, randomEdits } from './random-catalogue.js';
import { editBehindOurBack } from './edit-behind-our-back.js';
import { renamedPackage, renaming, type Renaming } from './renamed-package.js';
import { lawRuns, lawTimeoutMs } from './runs.js';

type Resources = Readonly<Record<string, JsonObject>>;

const settings =
  'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000, allow: [{guard: emptyCatalogue, reason: law}, {guard: everythingGone, reason: law}]}\n';

function renamedKeys(object: JsonObject, names: Renaming): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [names.field(name), value]));
}

function renamedResources(resources: Resources, names: Renaming): Resources {
  const token = (short: string): string => {
    const type = [...platformPackage.types.values()].find(({ shortToken }) => shortToken === short);
    return names.type(type?.token ?? '').replace(/^(\w+):.*:/, '$1:');
  };
  return Object.fromEntries(
    Object.entries(resources).map(([key, resource]) => {
      const { type, properties = {}, children = {} } = resource as Record<string, JsonObject>;
      return [
        key,
        {
          ...resource,
          type: token(String(type)),
          properties: renamedKeys(properties, names),
          children: renamedResources(children as Resources, names),
        },
      ];
    }),
  );
}

function renamedRecord(record: RecordedResource, names: Renaming): RecordedResource {
  return {
    ...record,
    type: names.type(record.type),
    identity: { id: record.identity.id, scope: renamedKeys(record.identity.scope, names) as Record<string, string> },
    inputs: renamedKeys(record.inputs, names),
    outputs: renamedKeys(record.outputs, names),
  };
}

/** What a plan says, in the original names and in an order that follows from no name of a type or field. */
function meaning(plan: Plan, { originalField, originalType }: Partial<Renaming>): unknown {
  const field = originalField ?? ((name: string) => name);
  const type = originalType ?? ((token: string) => token);
  const sorted = <T>(items: readonly T[]): readonly T[] =>
    [...items].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const meant = (step: PlanStep): unknown => {
    // A digest is of names, too.
    const { precondition, patch: _patch, effectDigest: _digest, ...rest } = step;
    return {
      ...rest,
      type: type(step.type),
      exists: precondition?.exists,
      fields: sorted(step.fields.map((change) => ({ ...change, field: field(change.field) }))),
      reasons: sorted(
        step.reasons.map((reason) => ('field' in reason ? { ...reason, field: field(reason.field) } : reason)),
      ),
      risks: sorted(step.risks.filter(({ kind }) => kind !== 'cascades')),
    };
  };
  return {
    steps: sorted(plan.steps.map(meant)),
    summary: plan.summary,
    // What is counted by types is told in their names.
    guards: plan.guards.map(({ summary, ...guard }) =>
      guard.name.startsWith('goes-along') ? guard : { ...guard, summary },
    ),
    notCompared: plan.notCompared.map(({ address }) => address),
    unmanaged: sorted(plan.unmanaged.map((found) => ({ ...found, type: type(found.type) }))),
    undeclared: sorted(plan.undeclaredChanges.map((change) => ({ ...change, field: field(change.field) }))),
  };
}

describe('law: no name of a type or field decides anything', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.close());

  const write = (resources: Resources): Promise<void> =>
    world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources } });

  async function planRenamed(records: readonly RecordedResource[], names: Renaming): Promise<Plan> {
    const database = new MemoryDatabase();
    const renamed = renamedPackage(platformPackage, names);
    return world.open(
      async (project) => {
        const store = await project.state();
        const lease = await store.acquire('test', { owner: 'test', waitMs: 0 });
        await store.commit(
          lease,
          records.map((record) => ({ kind: 'put', resource: renamedRecord(record, names) })),
        );
        await lease.release();
        const { plan, diagnostics } = await project.plan();
        if (plan === undefined) throw new Error(JSON.stringify(diagnostics));
        return plan;
      },
      {
        openState: ({ project, stack }) => Promise.resolve(memoryStateStore(project, stack, database)),
        packages: { names: ['platform'], load: () => Promise.resolve(renamed) },
      },
    );
  }

  it(
    'plans are equal up to names',
    async () => {
      const cases = fc.tuple(randomCatalogue, randomEdits, randomCatalogue, fc.nat(1000));
      await fc.assert(
        fc.asyncProperty(cases, async ([before, edits, after, number]) => {
          world.loseState();
          await world.call('POST', '/_sandbox/reset');
          await write(asResources(before));
          await world.apply();
          await editBehindOurBack(world, edits);
          await write(asResources(after));
          const plan = await world.plan();
          const state = await world.open(async (project) => (await project.state()).read());
          const names = renaming(platformPackage.types, number);
          await write(renamedResources(asResources(after), names));
          const renamed = await planRenamed([...state.resources.values()], names);
          expect(meaning(renamed, names)).toEqual(meaning(plan, {}));
        }),
        { numRuns: lawRuns(40) },
      );
    },
    lawTimeoutMs,
  );
});
