import type { RemoteObject } from '../../../engine/model/provider.js';
import type { FieldRule, ResourceType } from '../../../engine/model/resource-type.js';
import type { Json, JsonObject } from '../../../engine/model/value.js';
import { asText } from '../../http/json.js';
import type { InvalidParameter } from '../../http/problem.js';
import { fromWire, wireName } from '../convert.js';
import { memberAt, nestedRecord } from './member-paths.js';
import type { WireType } from './wire-type.js';

export interface DecodeOptions {
  /** Ids above the object that its answer does not repeat. */
  readonly scope: Readonly<Record<string, string>>;
  /** An item of a list: fields that lists don't carry are left out even where they happen to be there. */
  readonly listed?: boolean;
}

/** An answered object in catalogue names; undefined when it has no id. */
export function decodeObject(
  type: ResourceType,
  wire: WireType,
  item: JsonObject,
  options: DecodeOptions,
): RemoteObject | undefined {
  const id = asText(item.id);
  const scope = scopeOf(type, item, options.scope);
  if (id === undefined || scope === undefined) return undefined;
  const values: Record<string, Json> = {};
  for (const rule of Object.values(type.fields)) {
    if (rule.writeOnly || (options.listed === true && !rule.inList)) continue;
    const value = scope[rule.name] ?? decodeField(rule, wire, item);
    if (value !== undefined) values[rule.name] = value;
  }
  return { identity: { id, scope }, values };
}

/**
 * Fields that a full answer should carry and this one does not: those the platform always returns, and those that
 * hold something (`expected`). Empty ones it is known to drop may be missing.
 */
export function missingFields(
  type: ResourceType,
  wire: WireType,
  item: JsonObject,
  expected: JsonObject,
): readonly string[] {
  return Object.values(type.fields)
    .filter((rule) => !rule.writeOnly && rule.name !== type.parent?.field)
    .filter((rule) => !isEmpty(expected[rule.name]) || (rule.alwaysReturned && !(rule.name in (wire.absent ?? {}))))
    .filter((rule) => wire.members?.[rule.name] !== undefined || !(wireName(rule.name) in item))
    .filter((rule) => wire.members?.[rule.name] === undefined || decodeField(rule, wire, item) === undefined)
    .map((rule) => rule.name);
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The catalogue path of a refused body field: `service.control_plane_id` → `serviceReference.service.controlPlaneId`. */
export function cataloguePath(type: ResourceType, wire: WireType, parameter: InvalidParameter): string | undefined {
  const { field, source = 'body' } = parameter;
  if (field === undefined || source !== 'body') return undefined;
  for (const [name, members] of Object.entries(wire.members ?? {})) {
    const exact = members.find(([, to]) => to === field);
    if (exact !== undefined) return `${name}.${exact[0]}`;
    if (members.some(([, to]) => to.startsWith(`${field}.`))) return name;
  }
  const [head = '', rest = ''] = /^([^.[]+)(.*)$/s.exec(field)?.slice(1) ?? [];
  const rule = Object.values(type.fields).find((candidate) => wireName(candidate.name) === head);
  return rule === undefined ? undefined : rule.name + rest;
}

function decodeField(rule: FieldRule, wire: WireType, item: JsonObject): Json | undefined {
  const members = wire.members?.[rule.name];
  if (members !== undefined) {
    const record = nestedRecord(members.map(([to, from]) => [to, memberAt(item, from)]));
    return Object.keys(record).length === 0 ? undefined : record;
  }
  const given = item[wireName(rule.name)];
  const value = given === undefined ? wire.absent?.[rule.name] : given;
  return value === undefined ? undefined : fromWire(rule.schema, value);
}

function scopeOf(
  type: ResourceType,
  item: JsonObject,
  known: Readonly<Record<string, string>>,
): Record<string, string> | undefined {
  const field = type.parent?.field;
  if (field === undefined) return {};
  // Items of a list over all parents name theirs.
  const id = asText(item[wireName(field)]) ?? known[field];
  return id === undefined ? undefined : { [field]: id };
}
