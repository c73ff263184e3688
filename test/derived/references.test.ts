import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';
import { isPlace } from '@platform-sync/rest/rest-type';
import { actionsOf, makeWorld, type World } from '../harness/world.js';
import { fixedFields, keyOf, propertiesOf, types, valueOf, withNeeded } from './all-types.js';
import { describedAction } from './described-action.js';
import { editObjects, restOf } from './edit.js';
import { gatewayTypes } from './gateway.js';
import { sampleOf } from './samples.js';

/** As in fields.test.ts: `npm run soak` walks all, and every kind of plugin. */
const walksAll = process.env['SYNC_EVERY_FIELD'] === '1';
const isPlugin = ({ name }: ResourceType): boolean => name.startsWith('GatewayPlugin');
const walked = types.filter((type) =>
  isPlugin(type) ? walksAll || gatewayTypes.includes(type.name) : walksAll || type.proven === true,
);
const byToken = new Map([...platformPackage.types.values()].map((type) => [type.token, type]));
const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';

/** A field with the type whose id it holds, or one that is sent and never shown. */
interface Walk {
  readonly type: ResourceType;
  readonly field: FieldRule;
  readonly target?: ResourceType;
}

function targetOf({ references }: FieldRule): ResourceType | undefined {
  return references === undefined ? undefined : byToken.get(references);
}

function walksOf(type: ResourceType): readonly Walk[] {
  const fixed = fixedFields(type);
  const isScope = (name: string): boolean => type.collection.scope.includes(name);
  return Object.values(type.fields).flatMap((field): readonly Walk[] => {
    const target = targetOf(field);
    if (!field.input || (fixed.has(field.name) && !isScope(field.name))) return [];
    if (target !== undefined) return [{ type, field, target }];
    const isSame = JSON.stringify(sampleOf(field.schema)) === JSON.stringify(sampleOf(field.schema, 'other'));
    return field.writeOnly && !isSame ? [{ type, field }] : [];
  });
}

const walks = walked.map(walksOf);
const rounds = Math.max(...walks.map(({ length }) => length));
const roundOf = (round: number): readonly Walk[] => walks.flatMap((own) => own.slice(round, round + 1));

/** What subjects refer to: of each type a first object, a second beside it, and one that lives in what is second. */
const targets = withNeeded([
  ...walks.flat().flatMap(({ target }) => target ?? []),
  ...walked.flatMap((type) =>
    Object.values(type.fields).flatMap((rule) => (rule.required ? (targetOf(rule) ?? []) : [])),
  ),
]);
const addressOf = (type: ResourceType): string => `${keyOf(type)}-subject`;
const idOf = (type: ResourceType, which: '' | '-2' | '-away'): string => `\${${keyOf(type)}${which}.id}`;

/** Fields above an object that hold the id of what it lives in. */
function parents(type: ResourceType): readonly (readonly [field: string, target: ResourceType])[] {
  return type.collection.scope.flatMap((field) => {
    const rule = type.fields[field];
    const target = rule && targetOf(rule);
    return target === undefined ? [] : [[field, target] as const];
  });
}

/** What lives in an object that is second is another one; `moved`: the field that leads there. */
function movedAlong(type: ResourceType, moved: string): JsonObject {
  const others = Object.values(type.fields).flatMap((rule): [string, Json][] => {
    const target = rule.required && rule.name !== moved ? targetOf(rule) : undefined;
    const livesThere = target?.collection.scope.includes(moved) === true;
    return target !== undefined && livesThere ? [[rule.name, idOf(target, '-away')]] : [];
  });
  return Object.fromEntries(others);
}

/** Texts that tell an object from the first and the second of its type. */
function ownNames(type: ResourceType, properties: JsonObject): JsonObject {
  const named = type.naturalKey.flatMap((field): [string, Json][] => {
    const rule = type.fields[field];
    const value = properties[field];
    // What is chosen for a type is chosen with care.
    const isSample = rule !== undefined && value === sampleOf(rule.schema, 'second', field);
    const isText = rule?.type === 'string' && rule.enum === undefined && rule.references === undefined;
    return isText && isSample ? [[field, sampleOf(rule.schema, 'second', `${field}3`)]] : [];
  });
  return { ...properties, ...Object.fromEntries(named) };
}

function block(type: ResourceType, properties: JsonObject): JsonObject {
  return { type: type.shortToken, properties };
}

function targetBlocks(): Record<string, JsonObject> {
  const resources: Record<string, JsonObject> = {};
  for (const type of targets) {
    resources[keyOf(type)] = block(type, propertiesOf(type, [], 'first'));
    const second = propertiesOf(type, [], 'second');
    resources[`${keyOf(type)}-2`] = block(type, second);
    const [above] = parents(type);
    if (above !== undefined && parents(type).length === 1)
      resources[`${keyOf(type)}-away`] = block(type, { ...second, [above[0]]: idOf(above[1], '-2') });
  }
  return resources;
}

/** A subject with the field of the round: at first, or changed. */
function subject({ type, field, target }: Walk, isChanged: boolean): JsonObject {
  const given = propertiesOf(type, [field], isChanged ? 'other' : 'first', 'second');
  const value = target === undefined ? given[field.name] : idOf(target, isChanged ? '-2' : '');
  const properties = {
    ...given,
    [field.name]: field.type === 'array' && target !== undefined ? [value ?? null] : (value ?? null),
  };
  return block(type, { ...ownNames(type, properties), ...(isChanged ? movedAlong(type, field.name) : {}) });
}

let world: World;
beforeAll(async () => {
  world = await makeWorld({ shuffle: 13 });
});
afterAll(() => world.close());

async function write(round: readonly Walk[], isChanged: boolean): Promise<void> {
  const subjects = round.map((walk) => [addressOf(walk.type), subject(walk, isChanged)]);
  const resources = { ...targetBlocks(), ...Object.fromEntries(subjects) };
  await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources } });
}

async function applied(): Promise<readonly string[]> {
  return world.open(async (project) => {
    const planned = await project.plan();
    const guards = planned.plan?.guards.filter(({ lifted }) => lifted === undefined) ?? [];
    const result = await project.apply(planned);
    const refused = result.diagnostics.filter(({ severity }) => severity === 'error');
    const failed = result.steps.flatMap(({ address, outcome, because, diagnostics = [] }) =>
      outcome === 'done' ? [] : [`${address} ${because ?? diagnostics.map(({ summary }) => summary).join(' ')}`],
    );
    return [...guards.map(({ summary }) => summary), ...refused.map(({ summary }) => summary), ...failed];
  });
}

async function mustBeAtRest(): Promise<void> {
  const plan = await world.plan();
  expect(plan.notCompared.map(({ diagnostic }) => diagnostic.summary)).toEqual([]);
  expect(actionsOf(plan)).toEqual([]);
}

const wantedOf = (round: readonly Walk[]): readonly string[] =>
  round.map(({ type, field }) => `${describedAction(type, field)} ${addressOf(type)}`).sort();

// Each round begins where the one before has ended: its subjects go when those of the next one come.
describe(
  `every reference and every field that is never shown, of ${walked.length} types`,
  {
    timeout: walksAll ? 3_600_000 : 240_000,
  },
  () => {
    it.each(Array.from({ length: rounds }, (_, round) => [round + 1, round] as const))(
      'field %i: led elsewhere by the right action, put right when it drifts, and not told of where nothing shows it',
      async (_, at) => {
        const round = roundOf(at);
        await write([], false);
        expect(await applied()).toEqual([]);
        await write(round, false);
        expect(await applied()).toEqual([]);
        await mustBeAtRest();

        await write(round, true);
        const plan = await world.plan();
        expect([...actionsOf(plan)].sort()).toEqual(wantedOf(round));
        for (const { type, field } of round) {
          const { fields = [] } = plan.steps.find(({ address }) => address === addressOf(type)) ?? {};
          expect(fields.map((change) => change.field)).toContain(field.name);
        }
        expect(await applied()).toEqual([]);
        await mustBeAtRest();

        const known = await world.open(async (project) => (await (await project.state()).read()).resources);
        const edited = round.filter(({ type, field }) => !isPlace(restOf(type), field.name));
        await editObjects(
          world,
          edited.flatMap(({ type, field, target }) => {
            const { identity } = known.get(addressOf(type)) ?? {};
            if (identity === undefined) return [];
            const first = target === undefined ? undefined : (known.get(keyOf(target))?.identity.id ?? null);
            const value =
              first === undefined ? valueOf(type, field, 'second') : field.type === 'array' ? [first] : first;
            return [{ type, identity, field, value }];
          }),
        );
        const drift = await world.plan();
        expect(drift.notCompared.map(({ diagnostic }) => diagnostic.summary)).toEqual([]);
        expect([...actionsOf(drift)].sort()).toEqual(wantedOf(edited.filter(({ field }) => !field.writeOnly)));
        expect(drift.steps.filter(({ cause }) => cause !== 'drift')).toEqual([]);
        expect(await applied()).toEqual([]);
        await mustBeAtRest();
      },
    );
  },
);
