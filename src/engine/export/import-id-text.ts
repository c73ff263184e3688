import type { ResourceType } from '../model/resource-type.js';
import type { Identity } from '../model/state.js';

/** The id as `sync import` and `options.import` take it. */
export function importIdText(type: ResourceType, { id, scope }: Identity): string {
  if (type.importId.form === 'plain') return id;
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(type.importId.keys).map(([key, field]) => [key, field === 'id' ? id : (scope[field] ?? '')]),
    ),
  );
}
