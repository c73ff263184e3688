import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { isTranslated } from './names.js';
import { fieldName, isPlace, type RestField, type RestType, shownName } from './rest-type.js';
import type { Json } from '@platform-sync/core/model/value';
import { asList, asObject, asText } from './http/json.js';

/** A field, and all of how it stands on the wire that is the same for every object. */
export interface WireField {
  readonly name: string;
  readonly rule: FieldRule;
  readonly field: RestField | undefined;
  /** Where bodies have it, and where answers do. */
  readonly wire: string;
  readonly shown: string;
  readonly isPlace: boolean;
  /** Its value on the wire is its value here, and a member of the object. */
  readonly isPlain: boolean;
}

/** The fields of a type by their names, those that answers show, and those that lists show. */
export interface WireFields {
  readonly byName: ReadonlyMap<string, WireField>;
  readonly read: readonly WireField[];
  readonly listed: readonly WireField[];
  /** Parts of the place that bodies hold, too. */
  readonly placed: readonly (readonly [name: string, field: RestField])[];
}

/** Worked out once a type: thousands of objects ask for it. */
export function wireFields({ fields }: Pick<ResourceType, 'fields'>, rest: RestType): WireFields {
  const known = made.get(fields);
  if (known?.of === rest) return known;
  const all = Object.values(fields).map((rule) => wireField(rule, rest));
  const read = all.filter(({ rule }) => !rule.writeOnly);
  const byName = new Map(all.map((field) => [field.name, field]));
  const placed = Object.entries(rest.fields).filter(([, { sent }]) => sent !== undefined);
  const now = { of: rest, byName, read, listed: read.filter(({ rule }) => rule.inList), placed };
  made.set(fields, now);
  return now;
}

const made = new WeakMap<ResourceType['fields'], WireFields & { readonly of: RestType }>();

function wireField(rule: FieldRule, rest: RestType): WireField {
  const { name, schema } = rule;
  const field = rest.fields[name];
  const [wire, shown] = [fieldName(rest, name), shownName(rest, name)];
  const isMoved = field?.members !== undefined || `${wire}${shown}`.includes('.');
  const isOther = field?.as !== undefined || field?.others !== undefined || rule.hiddenMembers !== undefined;
  const isPlain = !isTranslated(schema) && !isMoved && !isOther;
  return { name, rule, field, wire, shown, isPlace: isPlace(rest, name), isPlain };
}

/** Ids are texts here; on the wire they may be records or whole numbers. What has no such form stays, and is found to be wrong. */
export function idsFromWire({ as }: Pick<RestField, 'as'>, value: Json): Json {
  const items = as === undefined ? undefined : asList(value);
  if (items !== undefined) return items.map((item) => idsFromWire(as === undefined ? {} : { as }, item));
  if (as === 'id-object') return asText(asObject(value)?.id) ?? value;
  return as === 'integer' ? (integerText(value) ?? value) : value;
}

export function idsToWire({ as }: Pick<RestField, 'as'>, value: Json): Json {
  const items = as === undefined ? undefined : asList(value);
  if (items !== undefined) return items.map((item) => idsToWire(as === undefined ? {} : { as }, item));
  if (as === 'text') return typeof value === 'number' ? String(value) : value;
  if (as === 'integer')
    return typeof value === 'string' && integerText(Number(value)) === value ? Number(value) : value;
  if (as !== 'id-object' && as !== 'id-objects') return value;
  return value === null || asObject(value) !== undefined ? value : { id: value };
}

/** A whole number that is told apart from all others, as a text. */
export function integerText(value: Json | undefined): string | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}
