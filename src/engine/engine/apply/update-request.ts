import { defined, hasUnknown, type Json, type JsonObject, reveal, type Value } from '@platform-sync/core/model/value';
import type { RemoteObject, UpdateRequest } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Change } from '../plan/change.js';
import { sameValue } from '@platform-sync/core/value/equality';
import { hiddenInput, type HidingStep } from '../plan/left-out-secrets.js';
import { saysHidden, shownMembers, withHidden } from '@platform-sync/core/model/hidden-members';

type Sent = Pick<Change, 'rule' | 'wanted'>;

/** False for what stays as it is. */
export function isSent({ wanted }: Pick<Sent, 'wanted'>): boolean {
  return wanted.by !== 'nobody' && wanted.by !== 'keeping';
}

/** What a field of an update is to hold; undefined: back to the platform's default. */
export function sentValue({ rule, wanted }: Sent): Value | undefined {
  if (wanted.by === 'value' && wanted.value !== null) return wanted.value;
  return wanted.by !== 'default' && rule.nullIsValue === true ? null : undefined;
}

/** The request that makes these changes, and no others. */
export function updateRequest(
  changes: readonly Sent[],
  { identity, values: actual, answer }: RemoteObject & Pick<RemoteObject, 'answer'>,
): UpdateRequest {
  const set: [string, Json][] = [];
  const clear: string[] = [];
  for (const change of changes) {
    const value = sentValue(change);
    if (value === undefined) clear.push(change.rule.name);
    else set.push([change.rule.name, reveal(value)]);
  }
  return { identity, set: Object.fromEntries(set), clear, actual, ...defined({ answer }) };
}

/** What no read shows of an object and the file says, as far as it is known: whole fields, and members of records that were read. */
export function unreadInputs(step: HidingStep, actual: JsonObject): JsonObject {
  const unread = [...step.declared.keys()].flatMap((name): [string, Json][] => {
    const rule = step.type.fields[name];
    const value = rule && hiddenInput(rule, step);
    if (rule === undefined || value === undefined || value === null || hasUnknown(value)) return [];
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
