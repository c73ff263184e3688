import { sameJson } from '@platform-sync/core/model/canonical';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { saysHidden, shownMembers, withHidden } from '@platform-sync/core/model/hidden-members';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { isKeyed, type OwnParts, ownParts } from '@platform-sync/core/value/parts';
import { isSealed, type Seals } from '@platform-sync/core/value/seal';

/** The fields of which an update that was cut off said something that no record knows as ours: a field, a key of a map, a member. */
export function newlySaid(record: RecordedResource, type: ResourceType, sent: JsonObject): readonly FieldRule[] {
  return Object.entries(sent).flatMap(([name, said]) => {
    const rule = type.fields[name];
    // What no answer shows can't be found again.
    return rule === undefined || rule.writeOnly || !isNew(rule, said, record.inputs[name]) ? [] : [rule];
  });
}

function isNew(rule: FieldRule, said: Json | undefined, known: Json | undefined): boolean {
  if (said === undefined || said === null) return false;
  return known === undefined || added(rule, said, known).length > 0;
}

/** The fields of which it said something else than the record: whoever has a new value in their own words takes it for another's. */
export function saidAnew(record: RecordedResource, type: ResourceType, sent: JsonObject): readonly FieldRule[] {
  return Object.entries(sent).flatMap(([name, said]) => {
    const rule = type.fields[name];
    const isUnsaid = said === null || sameJson(said, record.inputs[name] ?? null);
    return rule === undefined || rule.writeOnly || isUnsaid ? [] : [rule];
  });
}

/** Paths of the members of a map, or of the members of a record at any depth, that a known value of the field does not have. */
export function added(
  { equality }: Pick<FieldRule, 'equality'>,
  value: Json | undefined,
  known: Json | undefined,
): readonly (readonly string[])[] {
  const isDeep = equality === 'record';
  if (!isDeep && equality !== 'map' && equality !== 'multisets') return [];
  if (!isMembers(value) || !isMembers(known)) return [];
  return Object.keys(value).flatMap((key) => {
    if (!(key in known)) return [[key]];
    return isDeep ? added({ equality }, value[key], known[key]).map((path) => [key, ...path]) : [];
  });
}

/** The record without its word for what no answer shows and an update that was cut off may have changed: it is to be sent again. */
export function doubted(
  record: RecordedResource,
  type: ResourceType,
  sent: JsonObject,
  seals: Seals,
): RecordedResource {
  const unknown = Object.entries(sent).flatMap(([name, said]): readonly (readonly [string, Json])[] => {
    const rule = type.fields[name];
    if (rule === undefined || rule.movesWith !== undefined) return [];
    const unlike = seals.unlike(rule);
    const known = record.inputs[name];
    if (!rule.writeOnly && !saysHidden(rule, said) && !saysHidden(rule, known)) return [];
    if (rule.writeOnly || isSealed(known)) return [[name, unlike]];
    if (known === undefined && !isObject(said)) return [];
    // Members that were said before, or newly.
    return [[name, withHidden(rule, withHidden(rule, known ?? {}, known, unlike), said, unlike)]];
  });
  return unknown.length === 0 ? record : { ...record, inputs: { ...record.inputs, ...Object.fromEntries(unknown) } };
}

/** Both words: what is in the one or the other is ours. */
function merged(said: Json, known: Json | undefined, isDeep: boolean): Json {
  if (!isMembers(said) || !isMembers(known)) return said;
  const own = Object.entries(said).map(([key, value]) => [key, isDeep ? merged(value, known[key], true) : value]);
  return { ...known, ...Object.fromEntries(own) };
}

/** A platform that shows such a value shows what was said: whatever else is in the field is somebody else's. */
export function isShown(rule: FieldRule, said: Json, seen: Json | undefined, seals: Seals): boolean {
  const shown = shownMembers(rule, said);
  return seals.same(rule, saidParts(rule, shown).over(shown, seen), seen);
}

function saidParts(rule: FieldRule, said: Json): OwnParts {
  return ownParts({ rule: { ...rule, ownsAllKeys: false }, declared: said, recorded: undefined, ignored: [] });
}

export function isMembers(value: Json | undefined): value is JsonObject {
  return isObject(value) && !isSealed(value);
}

/** Of what was newly said what the platform shows: somebody may have changed the rest since. */
function shownPart(rule: FieldRule, said: Json, seen: Json | undefined, seals: Seals): Json | undefined {
  if (isShown(rule, said, seen, seals)) return said;
  if (!(isKeyed(rule) || rule.equality === 'record') || !isMembers(said)) return undefined;
  const shown = Object.entries(said).filter(([key, value]) => isShown(rule, { [key]: value }, seen, seals));
  return shown.length === 0 ? undefined : Object.fromEntries(shown);
}

/** The record with what was said anew, and the platform shows. It is of no revision then: the answer may be of before the recorded one. */
export function sentRecord(
  record: RecordedResource,
  type: ResourceType,
  sent: JsonObject,
  values: JsonObject,
  seals: Seals,
): RecordedResource {
  const [inputs, outputs] = [new Map(Object.entries(record.inputs)), new Map(Object.entries(record.outputs))];
  for (const rule of saidAnew(record, type, sent)) {
    const { name, equality } = rule;
    const [known, seen] = [record.inputs[name], values[name]];
    const said = shownPart(rule, sent[name] ?? null, seen, seals);
    if (said === undefined) continue;
    inputs.set(name, merged(said, known, equality === 'record'));
    outputs.delete(type.revision ?? '');
    const shown = saidParts(rule, said).over(seen, record.outputs[name]) ?? null;
    outputs.set(name, seals.sealObject(type, { [name]: shown }, { [name]: said })[name] ?? null);
  }
  return { ...record, inputs: Object.fromEntries(inputs), outputs: Object.fromEntries(outputs) };
}
