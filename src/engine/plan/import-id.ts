import type { Diagnostic } from '../model/diagnostic.js';
import type { ResourceType } from '../model/resource-type.js';
import type { Identity } from '../model/state.js';

/** Reads the id that `sync import` and `options.import` take: a plain string, or a JSON object with the type's keys. */
export function parseImportId(
  type: ResourceType,
  text: string,
): { readonly identity: Identity } | { readonly problem: Diagnostic } {
  const rule = type.importId;
  if (rule.form === 'plain') {
    if (text.trim() === '' || text.trim().startsWith('{'))
      return problem(type, `the id of an ${type.name} is a plain string`);
    return { identity: { id: text.trim(), scope: {} } };
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return problem(type, 'the id is not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return problem(type, 'the id is JSON, but not an object');
  const entries = parsed as Record<string, unknown>;
  const unknownKey = Object.keys(entries).find((key) => !(key in rule.keys));
  if (unknownKey !== undefined) return problem(type, `it has an unknown key "${unknownKey}"`);
  const badKey = Object.keys(rule.keys).find((key) => typeof entries[key] !== 'string' || entries[key] === '');
  if (badKey !== undefined) return problem(type, `"${badKey}" must be a string that is not empty`);
  const scope: Record<string, string> = {};
  let id = '';
  for (const [key, field] of Object.entries(rule.keys)) {
    if (field === 'id') id = String(entries[key]);
    else scope[field] = String(entries[key]);
  }
  return { identity: { id, scope } };
}

/** How an import id of this type looks, for help and errors. */
export function importIdForm(type: ResourceType): string {
  if (type.importId.form === 'plain') return 'ID';
  return JSON.stringify(Object.fromEntries(Object.keys(type.importId.keys).map((key) => [key, '…'])));
}

function problem(type: ResourceType, why: string): { readonly problem: Diagnostic } {
  return {
    problem: {
      severity: 'error',
      code: 'bad-import-id',
      summary: `This is not an import id of an ${type.name}: ${why}.`,
      hint: `The form is: ${importIdForm(type)}`,
    },
  };
}
