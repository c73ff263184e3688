import type { Plan, Step } from '../engine/model/plan.js';
import type { ResourceType } from '../engine/model/resource-type.js';
import type { Identity } from '../engine/model/state.js';
import type { Json, JsonObject } from '../engine/model/value.js';
import type { ConformanceCase, ConformanceService } from './conformance-row.js';
import { canonicalJson } from '../engine/model/canonical.js';
import { told, Unlike } from './trial-project.js';
import type { TrialProject } from './trial-project.js';

/** One life of an object, from nothing. */
export interface Walk {
  readonly name: string;
  readonly field?: string;
  readonly go: (stage: Stage) => Promise<void>;
}

/** Where a walk takes place. */
export interface Stage {
  readonly trial: TrialProject;
  readonly service: ConformanceService;
  readonly type: ResourceType;
}

const subject = 'subject';

/** All walks of a case: the same walk, in any order of any other, begins with an empty service. */
export function walksOf(row: ConformanceCase, cases: readonly ConformanceCase[]): readonly Walk[] {
  const each = <T>(
    name: string,
    rows: Readonly<Record<string, T>>,
    go: (stage: Stage, field: string, row: T) => Promise<void>,
  ): readonly Walk[] =>
    Object.entries(rows).map(([field, of]) => ({ name, field, go: (stage) => go(stage, field, of) }));
  return [
    { name: 'created', go: (stage) => created(stage, row) },
    ...each('changed', row.changes, (stage, field, change) => changed(stage, row, field, change)),
    ...each('removed', row.removals, (stage, field, expected) => removed(stage, row, field, expected)),
    ...each('drifted', row.drift, (stage, field, edit) => drifted(stage, row, field, edit)),
    { name: 'taken away', go: (stage) => takenAway(stage, row) },
    { name: 'imported', go: (stage) => imported(stage, row, cases) },
    { name: 'found by its key', go: (stage) => foundAgain(stage, row) },
    { name: 'deleted', go: (stage) => deleted(stage, row) },
    ...(row.another === undefined
      ? []
      : [{ name: 'many', go: (stage: Stage) => many(stage, row, row.another ?? (() => ({}))) }]),
  ];
}

async function write({ trial }: Stage, row: ConformanceCase, properties: JsonObject, needs = row.needs): Promise<void> {
  await trial.write({ ...needs, [subject]: { type: row.type, properties } });
}

async function begin(
  stage: Stage,
  row: ConformanceCase,
  properties = row.properties,
  needs = row.needs,
): Promise<Identity> {
  await write(stage, row, properties, needs);
  await stage.trial.apply();
  return identityOf(stage);
}

async function identityOf({ trial }: Stage, address = subject): Promise<Identity> {
  const identity = await trial.identityOf(address);
  if (identity === undefined) throw new Unlike(`nothing is recorded of ${address}`);
  return identity;
}

async function idOf(stage: Stage, address = subject): Promise<string> {
  return (await identityOf(stage, address)).id;
}

/** The one step that a plan should have. */
function onlyStep(plan: Plan): Step {
  const [step] = plan.steps;
  if (plan.steps.length !== 1 || step?.address !== subject) throw new Unlike(`the plan is: ${told(plan.steps)}`);
  return step;
}

function expectSame(what: string, actual: Json, expected: Json): void {
  if (canonicalJson(actual) !== canonicalJson(expected))
    throw new Unlike(`${what} is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}

function without(properties: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
}

async function created(stage: Stage, row: ConformanceCase): Promise<void> {
  await write(stage, row, row.properties);
  const plan = await stage.trial.plan();
  expectSame('the action', plan.steps.find(({ address }) => address === subject)?.action ?? null, 'create');
  await stage.trial.apply();
  const { id, scope } = await identityOf(stage);
  const stored = await stage.service.stored(row.collection, id, scope);
  if (stored === undefined) throw new Unlike('the service has no such object');
  for (const [member, value] of Object.entries(row.stored ?? {}))
    expectSame(`stored ${member}`, stored[member] ?? null, value);
  for (const name of row.secret ?? []) {
    const value = row.properties[name];
    if (typeof value !== 'string') continue;
    if (JSON.stringify(plan).includes(value)) throw new Unlike(`the plan shows the secret ${name}`);
    if ((await stage.trial.kept()).includes(value)) throw new Unlike(`the state shows the secret ${name}`);
  }
}

async function changed(
  stage: Stage,
  row: ConformanceCase,
  field: string,
  { to, action, without: left = [], with: otherwise = {}, untried }: ConformanceCase['changes'][string],
): Promise<void> {
  if (untried !== undefined)
    return expectSame(
      'what a change does',
      stage.type.fields[field]?.onChange === 'update' ? 'update' : 'replace',
      action,
    );
  const needs = { ...row.needs, ...row.others };
  const properties = { ...without(row.properties, left), ...otherwise };
  await begin(stage, row, properties, needs);
  const before = canonicalJson({ ...(await identityOf(stage)) });
  const group = stage.type.exactlyOne.find((names) => names.includes(field)) ?? [];
  await write(stage, row, { ...without(properties, group), [field]: to }, needs);
  const step = onlyStep(await stage.trial.plan());
  expectSame('the action', step.action, action);
  expectSame('the cause', step.cause ?? null, 'config');
  const fields = step.fields.map((change) => change.field).sort();
  expectSame('what differs', fields, field in properties || group.length === 0 ? [field] : [...group].sort());
  await stage.trial.apply();
  const isSame = canonicalJson({ ...(await identityOf(stage)) }) === before;
  expectSame('that the object is the same', isSame, action === 'update');
}

async function removed(
  stage: Stage,
  row: ConformanceCase,
  field: string,
  expected: ConformanceCase['removals'][string],
): Promise<void> {
  if (expected === 'untried') return;
  const { id, scope } = await begin(stage, row);
  const before = await stage.service.stored(row.collection, id, scope);
  await write(stage, row, without(row.properties, [field]));
  const step = onlyStep(await stage.trial.plan());
  expectSame('the action', step.action, 'update');
  expectSame(
    'what differs',
    step.fields.map((change) => change.field),
    [field],
  );
  if (expected === 'kept') expectSame('that it can not be cleared', step.fields[0]?.cannotClear ?? false, true);
  await stage.trial.apply();
  expectSame('the id', await idOf(stage), id);
  const after = await stage.service.stored(row.collection, id, scope);
  const member = (stage.service.memberOf ?? snakeCase)(field);
  expectSame(
    `stored ${member}`,
    after?.[member] ?? null,
    expected === 'kept' ? (before?.[member] ?? null) : expected.leaves,
  );
}

async function drifted(stage: Stage, row: ConformanceCase, field: string, edit: JsonObject): Promise<void> {
  const { id, scope } = await begin(stage, row);
  await stage.service.edit(row.collection, id, edit, scope);
  const step = onlyStep(await stage.trial.plan());
  expectSame('the cause', step.cause ?? null, 'drift');
  expectSame(
    'what differs',
    step.fields.map((change) => change.field),
    [field],
  );
  await stage.trial.apply();
}

async function takenAway(stage: Stage, row: ConformanceCase): Promise<void> {
  if (row.remains !== undefined) return;
  // Where everything is gone, a guard would ask first.
  const bystander = row.another === undefined ? {} : { bystander: { type: row.type, properties: row.another(0) } };
  const { id, scope } = await begin(stage, row, row.properties, { ...row.needs, ...bystander });
  await stage.service.remove(row.collection, id, scope);
  const step = onlyStep(await stage.trial.plan());
  expectSame('the action', step.action, 'create');
  expectSame(
    'the reason',
    step.reasons.map(({ kind }) => kind),
    ['gone'],
  );
  await stage.trial.apply();
}

async function imported(stage: Stage, row: ConformanceCase, cases: readonly ConformanceCase[]): Promise<void> {
  await begin(stage, row);
  const ids: Record<string, string> = { [subject]: await idOf(stage) };
  for (const key of Object.keys(row.needs)) ids[key] = await idOf(stage, key);
  stage.trial.loseState();
  for (const [address, type] of [
    ...Object.entries(row.needs).map(([key, need]) => [key, String(need['type'])]),
    [subject, row.type],
  ]) {
    const form = cases.find((candidate) => candidate.type === type);
    const id = ids[address ?? ''] ?? '';
    await stage.trial.import(address ?? '', form === undefined ? id : form.importId(id, ids));
  }
  const { steps } = await stage.trial.plan();
  if (steps.length > 0) throw new Unlike(`after the import there is still to do: ${told(steps)}`);
  expectSame('the imported id', await idOf(stage), ids[subject] ?? '');
}

async function foundAgain(stage: Stage, row: ConformanceCase): Promise<void> {
  const { id } = await begin(stage, row);
  stage.trial.loseState();
  await stage.trial.apply({ mode: 'adopt' });
  expectSame('the adopted id', await idOf(stage), id);
}

async function deleted(stage: Stage, row: ConformanceCase): Promise<void> {
  const { id, scope } = await begin(stage, row);
  await stage.trial.write(row.needs);
  expectSame('the action', onlyStep(await stage.trial.plan()).action, 'delete');
  await stage.trial.apply();
  const left = await stage.service.stored(row.collection, id, scope);
  if (row.remains === undefined && left !== undefined) throw new Unlike('the service still has the object');
  for (const [member, value] of Object.entries(row.remains ?? {}))
    expectSame(`what is left of ${member}`, left?.[member] ?? null, value);
}

/** More of them than one page holds, read together. */
async function many(stage: Stage, row: ConformanceCase, another: (nth: number) => JsonObject): Promise<void> {
  const resources = Object.fromEntries(
    Array.from({ length: 103 }, (_, nth) => [`one-${nth}`, { type: row.type, properties: another(nth) }]),
  );
  await stage.trial.write({ ...row.needs, ...resources });
  await stage.trial.apply();
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
