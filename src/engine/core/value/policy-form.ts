import { compareText } from '../model/address.js';
import { canonicalJson } from '../model/canonical.js';
import { isList, isObject, type Json, type JsonObject } from '../model/value.js';

/**
 * An access policy in the form in which two that let the same people in are equal: one binding for each role and condition,
 * its members once each, all in one order; what holds nothing is left out. Undefined: it lets nobody in and audits nothing.
 * What is no policy stays as it is.
 */
export function policyForm(value: Json): Json | undefined {
  if (!isObject(value)) return value;
  const { bindings = null, auditConfigs = null, ...rest } = value;
  const given = filled({ bindings: grouped(bindings, byRole), auditConfigs: grouped(auditConfigs, byService) });
  const form = { ...filled(rest), ...given };
  return Object.keys(form).length === 0 ? undefined : form;
}

/** How a list of records falls into groups that hold the same kind of things. */
interface Grouping {
  /** The list in each record. */
  readonly member: string;
  /** The things of one group, out of all its records. */
  readonly things: (items: readonly Json[]) => readonly Json[];
}

const byRole: Grouping = { member: 'members', things: (items) => distinct(items.map(principal)) };
const byLogType: Grouping = { member: 'exemptedMembers', things: byRole.things };
const byService: Grouping = {
  member: 'auditLogConfigs',
  // A kind of log counts although nobody is exempted from it.
  things: (items) => asItems(grouped(items, byLogType, true)),
};

/** Null for an empty list; a value of another shape stays as it is. */
function grouped(list: Json, grouping: Grouping, keepsEmpty = false): Json {
  if (!Array.isArray(list) || !list.every((item: Json) => isObject(item))) return list;
  const { member, things } = grouping;
  const groups = new Map<string, { readonly head: JsonObject; readonly items: Json[] }>();
  for (const record of list) {
    const { [member]: items = null, ...others } = record;
    const head = filled(others);
    const key = canonicalJson(head);
    const group = groups.get(key) ?? { head, items: [] };
    group.items.push(...asItems(items));
    groups.set(key, group);
  }
  const records = [...groups.values()].flatMap(({ head, items }): readonly JsonObject[] => {
    const all = things(items);
    if (all.length > 0) return [{ ...head, [member]: all }];
    return keepsEmpty ? [head] : [];
  });
  return records.length === 0 ? null : distinct(records);
}

/** Addresses of people, groups and domains count without case; the words for everybody and pools of identities as they are. */
function principal(item: Json): Json {
  if (typeof item !== 'string') return item;
  const colon = item.indexOf(':');
  const isNamed = colon > 0 && !/^(?:principal(?:Set)?|deleted):/.test(item);
  return isNamed ? item.slice(0, colon) + item.slice(colon).toLowerCase() : item;
}

function asItems(value: Json): readonly Json[] {
  if (value === null) return [];
  return isList(value) ? value : [value];
}

function distinct(items: readonly Json[]): readonly Json[] {
  const byText = new Map(items.map((item) => [canonicalJson(item), item]));
  return [...byText].sort(([a], [b]) => compareText(a, b)).map(([, item]) => item);
}

/** Without members that are null, an empty text, or empty records. */
function filled(record: JsonObject): JsonObject {
  const kept = Object.entries(record).flatMap(([name, value]): [string, Json][] => {
    const inner = isObject(value) ? filled(value) : value;
    const isEmpty = inner === null || inner === '' || (isObject(inner) && Object.keys(inner).length === 0);
    return isEmpty ? [] : [[name, inner]];
  });
  return Object.fromEntries(kept);
}
