import type { FieldRule, ResourceType } from '../model/resource-type.js';
import type { Json, JsonObject } from '../model/value.js';
import { refused } from './place.js';

/** `port=80`, `name.contains=pay` → the filter of a lookup, values of the kind that the field has. Rejects with ProviderError. */
export function filterOf(type: ResourceType, words: readonly string[]): JsonObject {
  const filter = new Map<string, Json>();
  for (const word of words) {
    const [, field = '', operator, text = ''] = /^(\w+)(?:\.(\w+))?=(.*)$/s.exec(word) ?? [];
    if (field === '')
      throw refused('bad-question', `"${word}" is not a filter.`, {
        hint: 'Filters look like: name=orders, name.contains=ord, port=80.',
      });
    if (filter.has(field)) throw refused('bad-question', `The filter on ${field} is given twice.`);
    const rule = Object.hasOwn(type.fields, field) ? type.fields[field] : undefined;
    filter.set(field, operator === undefined ? valueFor(rule, text) : { [operator]: text });
  }
  return Object.fromEntries(filter);
}

function valueFor(rule: FieldRule | undefined, text: string): Json {
  if (rule?.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return rule?.type === 'number' && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
