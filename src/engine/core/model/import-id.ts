import type { ImportIdRule } from './resource-type.js';
import { parsedJson } from './read-json.js';
import type { Identity } from './state.js';
import { isObject, type Json } from './value.js';

/** An object's id as `sync adopt` and `options.import` take it. */
export function importIdText(rule: ImportIdRule, { id, scope }: Identity): string {
  const part = (field: string): string => (field === 'id' ? id : (scope[field] ?? id));
  switch (rule.form) {
    case 'plain':
      return id;
    case 'json':
      return JSON.stringify(mapped(rule.keys, part));
    case 'text':
      return rule.template.replace(placeholder, (_, field: string) => part(field));
  }
}

/** The id as a word of a command line. */
export function importIdWord(rule: ImportIdRule, identity: Identity): string {
  const text = importIdText(rule, identity);
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** How an import id looks, for help and errors; `part` says what stands for a field. */
export function importIdForm(rule: ImportIdRule, part: (field: string) => string = () => '…'): string {
  switch (rule.form) {
    case 'plain':
      return 'ID';
    case 'json':
      return JSON.stringify(mapped(rule.keys, part));
    case 'text':
      return rule.template.replace(placeholder, (_, field: string) => part(field));
  }
}

/** The fields of an object's place that its import id holds; `id` is not among them. */
export function importIdFields(rule: ImportIdRule): readonly string[] {
  if (rule.form === 'plain') return [];
  const named = rule.form === 'json' ? Object.values(rule.keys) : fieldsOf(rule.template);
  return named.filter((field) => field !== 'id');
}

/** Reads an import id; `why` is the end of the sentence "this is no such id: …". */
export function readImportId(
  rule: ImportIdRule,
  text: string,
): { readonly identity: Identity } | { readonly why: string } {
  if (rule.form === 'text') return readTemplate(rule.template, text.trim());
  if (rule.form === 'json') return readKeys(rule.keys, text);
  if (text.trim() === '' || text.trim().startsWith('{')) return { why: 'it is a plain string' };
  return { identity: { id: text.trim(), scope: {} } };
}

const placeholder = /\{(\w+)\}/g;

function fieldsOf(template: string): readonly string[] {
  return [...template.matchAll(placeholder)].map(([, field]) => field ?? '');
}

function mapped(keys: Readonly<Record<string, string>>, part: (field: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(keys).map(([key, field]) => [key, part(field)]));
}

function readKeys(
  keys: Readonly<Record<string, string>>,
  text: string,
): { readonly identity: Identity } | { readonly why: string } {
  let entries: Json;
  try {
    entries = parsedJson(text);
  } catch {
    return { why: 'the id is not JSON' };
  }
  if (!isObject(entries)) return { why: 'the id is JSON, but not an object' };
  const unknownKey = Object.keys(entries).find((key) => !(key in keys));
  if (unknownKey !== undefined) return { why: `it has an unknown key "${unknownKey}"` };
  const badKey = Object.keys(keys).find((key) => typeof entries[key] !== 'string' || entries[key] === '');
  if (badKey !== undefined) return { why: `"${badKey}" must be a string that is not empty` };
  return identityOf(Object.entries(keys).map(([key, field]) => [field, String(entries[key])]));
}

function readTemplate(template: string, text: string): { readonly identity: Identity } | { readonly why: string } {
  const fields = fieldsOf(template);
  const found = idsIn(template, text);
  if (found === undefined) return { why: 'it has another form' };
  const parts = fields.map((field, at): [string, string] => [field, found[at] ?? '']);
  const last = parts.at(-1);
  // A text without places names the only object there is.
  if (fields.length === 0) return identityOf([['id', template]]);
  return identityOf(fields.includes('id') || last === undefined ? parts : [...parts, ['id', last[1]]]);
}

/**
 * What stands in the places of a template. From behind, each takes the least that it can, and the first one the rest: one way
 * through, whatever a file of types writes between them.
 */
function idsIn(template: string, text: string): readonly string[] | undefined {
  const [first = '', ...after] = template.split(placeholder).filter((_, at) => at % 2 === 0);
  const last = after.pop();
  if (last === undefined) return text === first ? [] : undefined;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return undefined;
  const ids: string[] = [];
  let left = text.slice(first.length, text.length - last.length);
  for (const between of after.reverse()) {
    const at = left.lastIndexOf(between, left.length - between.length - 1);
    if (at <= 0) return undefined;
    ids.unshift(left.slice(at + between.length));
    left = left.slice(0, at);
  }
  const all = [left, ...ids];
  return all.every((id) => /^[^/{}\s]+$/.test(id)) ? all : undefined;
}

function identityOf(parts: readonly (readonly [field: string, id: string])[]): { readonly identity: Identity } {
  const id = parts.find(([field]) => field === 'id')?.[1] ?? '';
  return { identity: { id, scope: Object.fromEntries(parts.filter(([field]) => field !== 'id')) } };
}

/** A text that is an id of a platform: `format: uuid`. */
export const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
