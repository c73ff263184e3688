import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { Identity } from '@platform-sync/core/model/state';
import { type Json, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import type { ConformanceCase } from './conformance-row.js';
import {
  begin,
  expectSame,
  identityOf,
  idOf,
  onlyStep,
  type Stage,
  subject,
  without,
  write,
} from './conformance-stage.js';
import { told, Unlike } from './trial-project.js';

/** One life of an object, from nothing. */
interface Walk {
  readonly name: string;
  readonly field?: string;
  readonly go: (stage: Stage) => Promise<void>;
}

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
    ...(row.numbered === true ? [{ name: 'numbered exactly', go: (stage: Stage) => exactlyNumbered(stage, row) }] : []),
    ...(row.another === undefined ? [] : [{ name: 'many', go: (stage: Stage) => many(stage, row) }]),
  ];
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
    const value = ownMember(row.properties, name);
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
  const identity = await identityOf(stage);
  const before = canonicalJson({ ...identity });
  const kept = action === 'update' ? await storedOf(stage, row) : undefined;
  const group = stage.type.exactlyOne.find((names) => names.includes(field)) ?? [];
  await write(stage, row, { ...without(properties, group), [field]: to }, needs);
  const step = onlyStep(await stage.trial.plan());
  expectSame('the action', step.action, action);
  expectSame('the cause', step.cause ?? null, 'config');
  const fields = step.fields.map((change) => change.field).sort();
  expectSame('what differs', fields, field in properties || group.length === 0 ? [field] : [...group].sort());
  await stage.trial.apply();
  const after = await identityOf(stage);
  if (action === 'update' || !isKnownByPlace(identity, after))
    expectSame('that the object is the same', canonicalJson({ ...after }) === before, action === 'update');
  if (kept !== undefined) await expectLeftAlone(stage, row, kept, { field, to });
}

/** What a place has one of has no other id than its place's: a new one there looks the same. */
function isKnownByPlace({ id, scope }: Identity, after: Identity): boolean {
  return Object.values(scope).includes(id) && canonicalJson({ ...after.scope }) === canonicalJson({ ...scope });
}

async function storedOf(stage: Stage, row: ConformanceCase): Promise<JsonObject> {
  const { id, scope } = await identityOf(stage);
  return (await stage.service.stored(row.collection, id, scope)) ?? {};
}

/** The change of one field arrived, and touched no other that the row knows. */
async function expectLeftAlone(
  stage: Stage,
  row: ConformanceCase,
  before: JsonObject,
  { field, to }: { readonly field: string; readonly to: Json },
): Promise<void> {
  const after = await storedOf(stage, row);
  const member = (stage.service.memberOf ?? snakeCase)(field);
  for (const other of Object.keys(row.stored ?? {}))
    if (other !== member) expectSame(`stored ${other}`, after[other] ?? null, before[other] ?? null);
  if (row.secret?.includes(field) === true) expectSame(`stored ${member}`, after[member] ?? null, to);
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
  if (expected === 'kept') expectSame('that it cannot be cleared', step.fields[0]?.cannotClear ?? false, true);
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

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

async function takenAway(stage: Stage, row: ConformanceCase): Promise<void> {
  if (row.remains !== undefined) return;
  // Where everything is gone, a guard would ask first.
  const { id, scope } = await begin(stage, row, row.properties, { ...row.needs, ...furtherOne(row, 0) });
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
    const id = ownMember(ids, address ?? '') ?? '';
    await stage.trial.import(address ?? '', form === undefined ? id : form.importId(id, ids));
  }
  const { steps } = await stage.trial.plan();
  if (steps.length > 0) throw new Unlike(`after the import there is still to do: ${told(steps)}`);
  expectSame('the imported id', await idOf(stage), ownMember(ids, subject) ?? '');
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
async function many(stage: Stage, row: ConformanceCase): Promise<void> {
  const all = Array.from({ length: 103 }, (_, nth) => Object.entries(furtherOne(row, nth)));
  await stage.trial.write({ ...row.needs, ...Object.fromEntries(all.flat()) });
  await stage.trial.apply();
}

/** 2^53 + 1, which a number rounds to its neighbour: somebody else's id. */
const noNumber = '9007199254740993';

/** The object is recorded under the very id it has, or not at all. */
async function exactlyNumbered(stage: Stage, row: ConformanceCase): Promise<void> {
  await stage.trial.write(row.needs);
  await stage.trial.apply();
  await stage.service.nextId?.(row.collection, noNumber);
  await write(stage, row, row.properties);
  await stage.trial.open(async (project) => project.apply(await project.plan()));
  const { id, scope } = (await stage.trial.identityOf(subject)) ?? { id: noNumber, scope: {} };
  expectSame('the recorded id', id, noNumber);
  if ((await stage.service.stored(row.collection, noNumber, scope)) === undefined)
    throw new Unlike('the service has no object with the id that nextId said');
}

/** The nth of many with what it needs; nothing of types that have one object for all. */
function furtherOne({ type, another, anotherNeeds }: ConformanceCase, nth: number): Record<string, JsonObject> {
  if (another === undefined) return {};
  return { ...anotherNeeds?.(nth), [`one-${nth}`]: { type, properties: another(nth) } };
}
