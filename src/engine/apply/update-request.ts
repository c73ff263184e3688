import { defined } from '../model/defined.js';
import type { RemoteObject, UpdateRequest } from '../model/provider.js';
import type { FieldRule, ResourceType } from '../model/resource-type.js';
import { hasUnknown, reveal, type Json, type JsonObject, type Value } from '../model/value.js';
import { sameValue } from '../value/equality.js';
import { saysHidden, shownMembers, withHidden } from '../model/hidden-members.js';
import type { Wanted } from '../value/field-comparison.js';

/** One field of an update. */
export interface SentChange {
  readonly rule: FieldRule;
  /** Undefined: back to the platform's default. */
  readonly value: Value | undefined;
}

export function sent(rule: FieldRule, wanted: Wanted): readonly SentChange[] {
  const isNull = wanted.by === 'null' || (wanted.by === 'value' && wanted.value === null);
  if (isNull && rule.nullIsValue === true) return [{ rule, value: null }];
  if (isNull || wanted.by === 'default') return [{ rule, value: undefined }];
  return wanted.by === 'value' ? [{ rule, value: wanted.value }] : [];
}

/** The request that makes these changes, and no others. */
export function updateRequest(
  changes: readonly SentChange[],
  { identity, values: actual, answer }: RemoteObject & Pick<RemoteObject, 'answer'>,
): UpdateRequest {
  const set = changes.flatMap(({ rule, value }) => (value === undefined ? [] : [[rule.name, reveal(value)] as const]));
  return {
    identity,
    set: Object.fromEntries(set),
    clear: changes.filter(({ value }) => value === undefined).map(({ rule }) => rule.name),
    actual,
    ...defined({ answer }),
  };
}

/** What no read shows of an object and the file says, as far as it is known: whole fields, and members of records that were read. */
export function unreadInputs(
  { fields }: ResourceType,
  declared: ReadonlyMap<string, Value>,
  actual: JsonObject,
): JsonObject {
  const unread = [...declared].flatMap(([name, value]): [string, Json][] => {
    const rule = fields[name];
    if (rule === undefined || value === null || hasUnknown(value)) return [];
    const said = reveal(value);
    if (rule.writeOnly) return [[name, said]];
    const shown = actual[name];
    return shown === undefined || !saysHidden(rule, said) ? [] : [[name, withHidden(rule, shown, said)]];
  });
  return Object.fromEntries(unread);
}

/** True when an object is as the change wanted it. */
export function hasAll(type: ResourceType, { set, clear }: UpdateRequest, object: RemoteObject): boolean {
  const isSet = Object.entries(set).every(([name, value]) => {
    const rule = type.fields[name];
    return rule === undefined || sameValue(rule, shownMembers(rule, value), object.values[name]);
  });
  const isOpen = (name: string): boolean => type.fields[name]?.nullIsValue === true;
  return isSet && clear.every((name) => isOpen(name) || (object.values[name] ?? null) === null);
}
