import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { JsonObject } from '@platform-sync/core/model/value';
import { actionsOf, makeWorld, type World } from '../harness/world.js';
import { besides, fixedFields, hasSecond, keyOf, propertiesOf, types, valueOf, withNeeded } from './all-types.js';
import { describedAction } from './described-action.js';
import { editObjects, isOwnName } from './edit.js';
import { gatewayTypes } from './gateway.js';
import { changeable } from './samples.js';

/** Those that are called proven, of the plugins a few: they have one base. `npm run soak` walks every kind of plugin. */
const walksAll = process.env['SYNC_EVERY_FIELD'] === '1';
const isPlugin = ({ name }: ResourceType): boolean => name.startsWith('GatewayPlugin');
const walked = types.filter(
  (type) => walksAll || (type.proven === true && (!isPlugin(type) || gatewayTypes.includes(type.name))),
);

/** Each type's fields, one a round. */
const fieldsOf = new Map(walked.map((type) => [type, changeable(type, fixedFields(type))]));
const rounds = Math.max(...[...fieldsOf.values()].map((fields) => fields.length));
const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';

interface Walk {
  readonly address: string;
  readonly type: ResourceType;
  readonly field: FieldRule;
}

const needed = withNeeded(walked);

/** What lives in objects of a type, or can't move from them to others, is replaced with them. */
function boundTo(replaced: ReadonlySet<ResourceType>): ReadonlySet<ResourceType> {
  const bound = new Set<ResourceType>();
  const left = [...replaced];
  for (let above = left.pop(); above !== undefined; above = left.pop()) {
    const { token } = above;
    for (const type of needed) {
      if (bound.has(type)) continue;
      if (!Object.values(type.fields).some((rule) => rule.references === token && isBound(type, rule))) continue;
      bound.add(type);
      left.push(type);
    }
  }
  return bound;
}

function isBound({ updatable }: ResourceType, { required, onChange }: FieldRule): boolean {
  return required && (!updatable || onChange === 'replace');
}

/** Types of whose first objects, which others live in, a round replaces. */
function movedBy(walks: readonly Walk[]): ReadonlySet<ResourceType> {
  const moved = walks.filter(
    (walk) => walk.address === keyOf(walk.type) && describedAction(walk.type, walk.field) === 'replace',
  );
  return new Set(moved.map(({ type }) => type));
}

/** Address and action of every step that the walks of a round need. */
function wantedOf(walks: readonly Walk[]): readonly string[] {
  const actions = new Map(walks.map((walk) => [walk.address, describedAction(walk.type, walk.field)]));
  for (const type of boundTo(movedBy(walks)))
    for (const address of [keyOf(type), ...(fieldsOf.has(type) ? [subjectOf(type)] : [])])
      actions.set(address, 'replace');
  return [...actions].map(([address, action]) => `${action} ${address}`).sort();
}

/** What is walked is a second object where there can be one: others live in the first, and would be replaced with it. */
function subjectOf(type: ResourceType): string {
  return hasSecond(type) ? `${keyOf(type)}-2` : keyOf(type);
}

function baseOf(type: ResourceType): 'first' | 'second' {
  return hasSecond(type) ? 'second' : 'first';
}

function walksOf(round: number): readonly Walk[] {
  return [...fieldsOf].flatMap(([type, fields]) => {
    const field = fields[round];
    return field === undefined ? [] : [{ address: subjectOf(type), type, field }];
  });
}

let world: World;
beforeAll(async () => {
  world = await makeWorld({ shuffle: 5 });
});
afterAll(() => world.close());

/** All types, with what is required and the field of the round. */
async function write(round: number, isOther: boolean): Promise<void> {
  const resources: Record<string, JsonObject> = {};
  for (const type of needed)
    resources[keyOf(type)] = { type: type.shortToken, properties: propertiesOf(type, [], 'first') };
  for (const [type, fields] of fieldsOf) {
    const given = fields.slice(round, round + 1);
    const beside = hasSecond(type) ? besides(type) : {};
    const properties = { ...propertiesOf(type, given, isOther ? 'other' : baseOf(type), baseOf(type)), ...beside };
    resources[subjectOf(type)] = { type: type.shortToken, properties };
  }
  await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources } });
}

async function applied(): Promise<readonly string[]> {
  return world.open(async (project) => {
    const { steps } = await project.apply(await project.plan());
    return steps.flatMap(({ address, outcome, because, diagnostics = [] }) =>
      outcome === 'done' ? [] : [`${address} ${because ?? diagnostics.map(({ summary }) => summary).join(' ')}`],
    );
  });
}

async function mustBeAtRest(): Promise<void> {
  const plan = await world.plan();
  expect(plan.notCompared.map(({ diagnostic }) => diagnostic.summary)).toEqual([]);
  expect(actionsOf(plan)).toEqual([]);
}

// Each round begins where the one before has ended: the line of its field goes when the next one comes.
describe(`every field of ${walked.length} types`, { timeout: walksAll ? 3_600_000 : 300_000 }, () => {
  it.each(Array.from({ length: rounds }, (_, round) => [round + 1, round] as const))(
    'field %i: declared, changed by the right action, put right when it drifts, and given up',
    async (_, round) => {
      await write(round, false);
      expect(await applied()).toEqual([]);
      await mustBeAtRest();

      await write(round, true);
      const walks = walksOf(round);
      const wanted = wantedOf(walks);
      const plan = await world.plan();
      expect([...actionsOf(plan)].sort()).toEqual(wanted);
      const along = new Set([...boundTo(movedBy(walks))].map(subjectOf));
      for (const { address, field } of walks) {
        const fields = plan.steps.find((step) => step.address === address)?.fields.map((change) => change.field) ?? [];
        // What lives in an object that is replaced gets its new id, too.
        expect(along.has(address) ? fields.filter((name) => name === field.name) : fields).toEqual([field.name]);
      }
      expect(await applied()).toEqual([]);

      const known = await world.open(async (project) => (await (await project.state()).read()).resources);
      const edits = walks.flatMap(({ address, type, field }) => {
        const { identity } = known.get(address) ?? {};
        if (identity === undefined || isOwnName(type, field)) return [];
        return [{ address, type, field, identity, value: valueOf(type, field, baseOf(type)) }];
      });
      await editObjects(world, edits);
      const drift = await world.plan();
      expect(drift.notCompared.map(({ diagnostic }) => diagnostic.summary)).toEqual([]);
      expect([...actionsOf(drift)].sort()).toEqual(wantedOf(edits));
      // Of a secret record only the digest of all of it is kept: what of it changed, and in whose hands, can't be told.
      const isOpen = ({ field }: Walk): boolean => !(field.secret && field.equality === 'record');
      const open = new Set(
        edits.filter((edit) => isOpen(edit) && !along.has(edit.address)).map(({ address }) => address),
      );
      expect(drift.steps.filter(({ address, cause }) => open.has(address) && cause !== 'drift')).toEqual([]);
      expect(await applied()).toEqual([]);
    },
  );

  it('ends with nothing left to do', mustBeAtRest);
});
