import type { Address } from '@platform-sync/core/model/address';
import type { Reading, Snapshot } from '@platform-sync/core/model/snapshot';
import { isSettling, type RecordedResource } from '@platform-sync/core/model/state';
import type { StateStore } from '@platform-sync/core/model/state-store';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import type { Seals } from '@platform-sync/core/value/seal';
import { hasSealed } from '@platform-sync/core/value/secret-parts';
import { added, isMembers, isShown } from './sent-record.js';
import { inParallel } from '../reads/in-parallel.js';

interface History {
  readonly store: Pick<StateStore, 'runs'>;
  readonly seals: Seals;
  /** What was written before shows in every answer; absent: everything does. ISO 8601 UTC. */
  readonly settledBefore?: string;
}

/** Runs that wrote one object since answers may be old: more of them, and the oldest do not count. */
const mostWrites = 50;

/**
 * Values of an object without what this stack took out of it a moment ago, a field or a part of a map or record: an answer that still
 * shows it is old, and who takes that for another's tells it as such, and would send it back.
 */
export async function withoutTakenAway(
  history: History,
  record: RecordedResource,
  type: ResourceType,
  values: JsonObject,
): Promise<JsonObject> {
  if (!isSettling(record.writtenAt, history.settledBefore)) return values;
  const strange = Object.values(type.fields).flatMap((rule) =>
    strangeIn(rule, record, values[rule.name], history.seals).map((path) => ({ rule, path })),
  );
  if (strange.length === 0) return values;
  const before = await saidBefore(history, record.address);
  const old = strange.filter(({ rule, path }) =>
    before.some((inputs) => {
      const said = only(inputs[rule.name], path);
      return said !== undefined && isShown(rule, said, values[rule.name], history.seals);
    }),
  );
  return old.reduce<JsonObject>((now, { rule: { name }, path }) => {
    const { [name]: shown, ...others } = now;
    const left = path.length === 0 ? record.outputs[name] : without(shown, path);
    // What the platform made of it nobody has seen so far.
    return left === undefined ? others : { ...others, [name]: left };
  }, values);
}

/** Paths of what an answer shows of a field and the record does not know; of a field that is not said any more, the empty one. */
function strangeIn(
  rule: FieldRule,
  { inputs, outputs }: RecordedResource,
  shown: Json | undefined,
  seals: Seals,
): readonly (readonly string[])[] {
  const known = outputs[rule.name] ?? null;
  const isWhole = rule.input && !(rule.name in inputs) && shown !== undefined && !isMembers(known) && !hasSealed(known);
  return isWhole && !seals.same(rule, shown, known) ? [[]] : added(rule, shown, known);
}

/** What records of the object said since answers may be old, under whatever addresses. */
async function saidBefore({ store, settledBefore }: History, address: Address): Promise<readonly JsonObject[]> {
  const said: JsonObject[] = [];
  for (let at: { address: Address; before?: number } | undefined = { address }; at !== undefined;) {
    const rows = await store.runs({ kinds: ['record', 'move'], ...at, limit: mostWrites });
    at = undefined;
    for (const row of rows) {
      if (!isSettling(row.at, settledBefore)) break;
      if (row.content.kind === 'record' && row.content.before !== null) said.push(row.content.before.inputs);
      if (row.content.kind !== 'move') continue;
      at = { address: row.content.from, before: row.number };
      break;
    }
  }
  return said;
}

/** A value with what is at this path alone. */
function only(value: Json | undefined, [key, ...path]: readonly string[]): Json | undefined {
  if (key === undefined) return value;
  const part = isMembers(value) ? only(value[key], path) : undefined;
  return part === undefined ? undefined : { [key]: part };
}

function without(value: Json | undefined, [key = '', ...path]: readonly string[]): Json | undefined {
  if (!isMembers(value)) return value;
  const { [key]: part, ...rest } = value;
  return path.length === 0 ? rest : { ...rest, [key]: without(part, path) ?? null };
}

/** A snapshot without what old answers show of what was taken away. `young`: what was written a moment ago. */
export async function withoutOldParts(
  history: History,
  snapshot: Snapshot,
  young: readonly RecordedResource[],
  typeOf: (token: string) => ResourceType,
): Promise<Snapshot> {
  const now = await inParallel(young, 10, async (record): Promise<readonly (readonly [Address, Reading])[]> => {
    const reading = snapshot.readings.get(record.address);
    if (reading?.kind !== 'found') return [];
    const values = await withoutTakenAway(history, record, typeOf(record.type), reading.values);
    return values === reading.values ? [] : [[record.address, { ...reading, values }]];
  });
  const changed = now.flat();
  return changed.length === 0 ? snapshot : { ...snapshot, readings: new Map([...snapshot.readings, ...changed]) };
}
