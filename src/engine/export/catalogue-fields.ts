import { canonicalJson } from '../model/canonical.js';
import type { FieldRule, ResourceType } from '../model/resource-type.js';
import type { Json, JsonObject } from '../model/value.js';
import { normalForm, sameValue, shownForm } from '../plan/equality.js';

/**
 * The fields a catalogue has to say about an object, by name, in schema order: what the platform computes, would choose
 * itself, or has nothing in is left out. Secrets never are among them.
 */
export function catalogueFields(type: ResourceType, values: JsonObject): Map<string, Json> {
  const fields = new Map<string, Json>();
  const derived = type.derive(values);
  for (const rule of Object.values(type.fields)) {
    const value = values[rule.name];
    if (!rule.input || rule.secret || value === undefined || value === null) continue;
    if (!rule.required && isDefault(rule, value, derived)) continue;
    fields.set(rule.name, writtenForm(rule, value));
  }
  return fields;
}

function isDefault(rule: FieldRule, value: Json, derived: JsonObject): boolean {
  if (normalForm(rule, value) === undefined) return true;
  if (rule.clearing.by === 'value') return sameValue(rule, value, rule.clearing.value);
  return rule.clearing.by === 'derived' && sameValue(rule, value, derived[rule.name]);
}

/** The same thing in the form people would write: no trailing white space, keys and sets in order. */
function writtenForm(rule: FieldRule, value: Json): Json {
  if (rule.equality === 'exact') return value;
  if (rule.equality === 'text') return typeof value === 'string' ? tidyText(value) : value;
  return JSON.parse(canonicalJson(shownForm(rule, value))) as Json;
}

/** A text of several lines ends with a line break, as files do. */
function tidyText(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.includes('\n') ? `${trimmed}\n` : trimmed;
}
