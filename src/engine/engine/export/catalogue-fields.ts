import { parsedJson } from '@platform-sync/core/model/read-json';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { withoutSecrets } from '@platform-sync/core/value/secret-members';
import { arranged, normalForm, sameValue, shownForm } from '@platform-sync/core/value/equality';
import { withoutForeign } from '@platform-sync/core/value/parts';

/**
 * The fields a catalogue has to say about an object, by name, in reading order: what the platform computes, would choose
 * itself, or has nothing in is left out. Secrets never are among them.
 */
export function catalogueFields(type: ResourceType, values: JsonObject): Map<string, Json> {
  const fields = new Map<string, Json>();
  const derived = type.derive(values);
  for (const rule of inReadingOrder(type)) {
    const found = values[rule.name];
    // Another tool's marks are its own business.
    const value = found === undefined ? undefined : withoutForeign(rule, withoutSecrets(rule, found));
    if (!rule.input || rule.secret || value === undefined || value === null) continue;
    // Which object it is, is said where it is taken over; the same file makes another elsewhere.
    if (rule.name === 'id') continue;
    if (!rule.required && isDefault(rule, value, derived)) continue;
    fields.set(rule.name, writtenForm(rule, value));
  }
  return fields;
}

/** What it lives in and is known by, then what is short, then lists and maps, then bodies. */
function inReadingOrder(type: ResourceType): readonly FieldRule[] {
  const rank = (rule: FieldRule): number => {
    if (rule.references !== undefined) return 0;
    if (type.naturalKey.includes(rule.name)) return 1;
    if (!rule.inList) return 4;
    return rule.type === 'array' || rule.type === 'object' || rule.equality === 'multisets' ? 3 : 2;
  };
  return Object.values(type.fields).sort((a, b) => rank(a) - rank(b));
}

function isDefault(rule: FieldRule, value: Json, derived: JsonObject): boolean {
  if (normalForm(rule, value) === undefined) return true;
  if (rule.clearing.by === 'value') return sameValue(rule, value, rule.clearing.value);
  return rule.clearing.by === 'derived' && sameValue(rule, value, derived[rule.name]);
}

/** The same thing in the form people would write: no trailing white space, keys and sets in order. */
function writtenForm(rule: FieldRule, value: Json): Json {
  if (rule.equality === 'exact') return value;
  if (rule.equality === 'text' || rule.equality === 'document')
    return typeof value === 'string' ? tidyText(value) : value;
  // A member that is null is none, and files have no word for it where it can't be cleared.
  const shown = rule.equality === 'record' ? (arranged(rule, value) ?? value) : shownForm(rule, value);
  return parsedJson(canonicalJson(shown));
}

/** A text of several lines ends with a line break, as files do. */
function tidyText(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.includes('\n') ? `${trimmed}\n` : trimmed;
}
