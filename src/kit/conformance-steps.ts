import type { JsonObject } from '@platform-sync/core/model/value';
import type { ConformanceCase } from './conformance-row.js';
import { begin, expectSame, idOf, onlyStep, subject, write, type Stage } from './conformance-stage.js';
import { told, Unlike } from './trial-project.js';
import { ownMember } from '@platform-sync/core/model/own-member';

export async function takenAway(stage: Stage, row: ConformanceCase): Promise<void> {
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

export async function imported(stage: Stage, row: ConformanceCase, cases: readonly ConformanceCase[]): Promise<void> {
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

export async function foundAgain(stage: Stage, row: ConformanceCase): Promise<void> {
  const { id } = await begin(stage, row);
  stage.trial.loseState();
  await stage.trial.apply({ mode: 'adopt' });
  expectSame('the adopted id', await idOf(stage), id);
}

export async function deleted(stage: Stage, row: ConformanceCase): Promise<void> {
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
export async function many(stage: Stage, row: ConformanceCase): Promise<void> {
  const all = Array.from({ length: 103 }, (_, nth) => Object.entries(furtherOne(row, nth)));
  await stage.trial.write({ ...row.needs, ...Object.fromEntries(all.flat()) });
  await stage.trial.apply();
}

/** 2^53 + 1, which a number rounds to its neighbour: somebody else's id. */
const noNumber = '9007199254740993';

/** The object is recorded under the very id it has, or not at all. */
export async function exactlyNumbered(stage: Stage, row: ConformanceCase): Promise<void> {
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
