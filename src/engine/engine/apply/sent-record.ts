import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { ownParts } from '@platform-sync/core/value/parts';
import { isSealed, type Seals } from '@platform-sync/core/value/seal';
import { isSettling } from '../refresh/evidence.js';

/** The fields of which an update that was cut off said something that no record knows as ours: a field, a key of a map, a member. */
export function newlySaid(record: RecordedResource, type: ResourceType, sent: JsonObject): readonly FieldRule[] {
  return Object.entries(sent).flatMap(([name, said]) => {
    const rule = type.fields[name];
    // What no answer shows can't be found again.
    return rule === undefined || rule.writeOnly || !isNew(rule, said, record.inputs[name]) ? [] : [rule];
  });
}

function isNew({ equality }: FieldRule, said: Json | undefined, known: Json | undefined): boolean {
  if (said === undefined || said === null) return false;
  if (known === undefined) return true;
  const hasMembers = equality === 'map' || equality === 'multisets' || equality === 'record';
  return hasMembers && addsTo(said, known, equality === 'record');
}

function addsTo(said: Json | undefined, known: Json | undefined, isDeep: boolean): boolean {
  if (!isMembers(said) || !isMembers(known)) return false;
  return Object.keys(said).some((key) => !(key in known) || (isDeep && addsTo(said[key], known[key], true)));
}

/** Both words: what is in the one or the other is ours. */
function merged(said: Json, known: Json | undefined, isDeep: boolean): Json {
  if (!isMembers(said) || !isMembers(known)) return said;
  const own = Object.entries(said).map(([key, value]) => [key, isDeep ? merged(value, known[key], true) : value]);
  return { ...known, ...Object.fromEntries(own) };
}

function isMembers(value: Json | undefined): value is JsonObject {
  return isObject(value) && !isSealed(value);
}

/** The record with what was newly said, and the platform shows; undefined: it does not show all of it. */
export function sentRecord(
  record: RecordedResource,
  type: ResourceType,
  sent: JsonObject,
  values: JsonObject,
  seals: Seals,
): RecordedResource | undefined {
  const [inputs, outputs] = [new Map(Object.entries(record.inputs)), new Map(Object.entries(record.outputs))];
  for (const rule of newlySaid(record, type, sent)) {
    const { name, equality } = rule;
    const [said = null, known, seen] = [sent[name], record.inputs[name], values[name]];
    const own = ownParts({ rule: { ...rule, ownsAllKeys: false }, declared: said, recorded: undefined, ignored: [] });
    if (!seals.same(rule, own.over(said, seen), seen)) return undefined;
    inputs.set(name, merged(said, known, equality === 'record'));
    const shown = own.over(seen, record.outputs[name]) ?? null;
    outputs.set(name, seals.sealObject(type, { [name]: shown }, { [name]: said })[name] ?? null);
  }
  return { ...record, inputs: Object.fromEntries(inputs), outputs: Object.fromEntries(outputs) };
}

/** Runs that wrote one object since answers may be old: more of them, and the oldest do not count. */
const mostWrites = 50;

/**
 * The record with what was taken out of it a moment ago, where the platform shows it: an answer may be old, and who takes that for
 * another's would send it back.
 */
export async function withTakenAway(
  store: Pick<StateStore, 'runs'>,
  record: RecordedResource,
  type: ResourceType,
  values: JsonObject,
  { seals, settledBefore }: { readonly seals: Seals; readonly settledBefore?: string },
): Promise<RecordedResource> {
  if (!isSettling(record.writtenAt, settledBefore)) return record;
  const strange = Object.values(type.fields).filter(({ name, equality }) =>
    addsTo(values[name], record.outputs[name], equality === 'record'),
  );
  if (strange.length === 0) return record;
  const rows = await store.runs({ kinds: ['record'], address: record.address, limit: mostWrites });
  const before = rows.flatMap(({ at, content }) =>
    content.kind === 'record' && isSettling(at, settledBefore) ? (content.before ?? []) : [],
  );
  return before.reduce(
    (known, { inputs }) =>
      strange.reduce((one, { name }) => {
        const said = inputs[name];
        return (said !== undefined && sentRecord(one, type, { [name]: said }, values, seals)) || one;
      }, known),
    record,
  );
}
