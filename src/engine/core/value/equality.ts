import type { FieldRule } from '../model/resource-type.js';
import { compareText } from '../model/address.js';
import { canonicalJson, sameJson } from '../model/canonical.js';
import { isList, isObject, type Json, type JsonObject, type Value } from '../model/value.js';
import { formatForm, withTexts } from './format-form.js';
import { mayBeDeeper, mustNotBeDeeper, parsedJson, readJson } from '../model/read-json.js';
import { parseDocument } from 'yaml';

/** What tells how values are compared: the rule for the whole, and the formats that the schema gives its texts. */
export type Comparison = Pick<FieldRule, 'equality'> & Partial<Pick<FieldRule, 'schema'>>;

/**
 * A field value in the form in which two spellings of the same thing are equal; undefined = not there.
 * Fingerprints and digests are made over this form, too: a number that may be a text is the text, as in older records.
 */
export function normalForm(rule: Comparison, value: Json | undefined): Json | undefined {
  if (value === undefined || value === null || rule.schema === undefined) return arranged(rule, value);
  const formed = formatForm(rule.schema, value);
  return arranged(rule, typeof formed === 'string' ? formed : withTexts(rule.schema, formed));
}

/** The normal form with numbers and texts as they are written: what people are shown. */
export function arranged(rule: Pick<FieldRule, 'equality'>, value: Json | undefined): Json | undefined {
  if (value === undefined || value === null) return undefined;
  switch (rule.equality) {
    case 'exact':
      return value;
    case 'text':
      return typeof value === 'string' ? value.trimEnd() : value;
    case 'document':
      return typeof value === 'string' ? (readDocument(value) ?? value.trimEnd()) : value;
    case 'set':
      return Array.isArray(value)
        ? sortedByText([...new Map(value.map((item: Json) => [canonicalJson(item), item])).values()])
        : value;
    case 'record':
      return withoutNulls(value);
    case 'map':
      return withoutEmpty(value, (member) => member);
    case 'multisets':
      return withoutEmpty(parsed(value), multiset);
    case 'json':
      return withoutEmpty(parsed(value), (member) => member);
    case 'policy':
      return policyForm(parsed(value));
  }
}

/** The value as plans show it: where order means nothing, always the same order. */
export function shownForm(rule: Pick<FieldRule, 'equality'>, value: Json): Json {
  return isAsWritten(rule) ? value : (arranged(rule, value) ?? value);
}

/** True where a value is shown and kept as it was written. */
function isAsWritten({ equality }: Pick<FieldRule, 'equality'>): boolean {
  return ['exact', 'text', 'document', 'record'].includes(equality);
}

/** Equal to the letter, whatever the rule; what is secret or not known yet equals nothing. */
export function isAlike(a: Value | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, at) => isAlike(item, b[at]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isAlike(a[key], b[key]));
}

export function sameValue(rule: Comparison, a: Json | undefined, b: Json | undefined): boolean {
  if (isAlike(a, b)) return true;
  const left = normalForm(rule, a);
  const right = normalForm(rule, b);
  if (left === undefined || right === undefined) return left === right;
  return sameJson(left, right);
}

/** JSON text counts as the value it spells; text that is no JSON stays text. */
function parsed(value: Json): Json {
  if (typeof value !== 'string') return value;
  try {
    return readJson(value);
  } catch {
    return value;
  }
}

/** Null members, at any depth, are as good as none. */
function withoutNulls(value: Json): Json {
  if (isList(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]));
}

/** Drops null members, so that an absent key and a null one are equal; an empty object counts as absent. */
function withoutEmpty(value: Json, form: (member: Json) => Json | undefined): Json | undefined {
  if (!isObject(value)) return value;
  const members: [string, Json][] = [];
  for (const [key, member] of Object.entries(value)) {
    const normal = member === null ? undefined : form(member);
    if (normal !== undefined) members.push([key, normal]);
  }
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** The platform answers lists in any order and wraps single values. */
function multiset(member: Json): Json | undefined {
  const items = isList(member) ? member : [member];
  return items.length === 0
    ? undefined
    : sortedByText(items.map((item) => (typeof item === 'object' ? item : String(item))));
}

function sortedByText(items: readonly Json[]): readonly Json[] {
  return items
    .map((item) => [canonicalJson(item), item] as const)
    .sort(([a], [b]) => compareText(a, b))
    .map(([, item]) => item);
}

/**
 * An access policy in the form in which two that let the same people in are equal: one binding for each role and condition,
 * its members once each, all in one order; what holds nothing is left out. Undefined: it lets nobody in and audits nothing.
 * What is no policy stays as it is.
 */
function policyForm(value: Json): Json | undefined {
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

/** Texts that one comparison asks for again and again: each side of it, a few times. */
const lastRead = new Map<string, Json | undefined>();
const mostKept = 4;

/** The list or record that a text in JSON or YAML spells; undefined for any other text. */
export function readDocument(text: string): Json | undefined {
  if (!lastRead.has(text)) {
    const [oldest] = lastRead.keys();
    if (lastRead.size >= mostKept && oldest !== undefined) lastRead.delete(oldest);
    lastRead.set(text, parsedText(text));
  }
  return lastRead.get(text);
}

/** More digits than a number here holds: two such numbers could look the same. */
const longNumber = /\d{16}/;

function parsedText(text: string): Json | undefined {
  if (longNumber.test(text)) return undefined;
  try {
    const value = /^\s*[[{]/.test(text) ? readJson(text) : readYaml(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Throws for what is no YAML, or has no equal in JSON. */
function readYaml(text: string): Json {
  if (mayBeDeeper(text)) throw new SyntaxError('too deep');
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false, logLevel: 'error' });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw problem;
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  mustNotBeDeeper(value);
  return parsedJson(JSON.stringify(value, finite));
}

function finite(_key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new SyntaxError('no number of JSON');
  return value;
}
