import type { LookupType } from '@platform-sync/core/model/provider';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { asObject } from '@platform-sync/rest/http/json';
import { problem } from '../errors.js';
import { filterLabelsQuery } from './filter-labels.js';
import { filterQuery, joined, refused, type ArgumentQuery } from './filter.js';
import type { LookupCall } from './lookup-calls.js';
import { sortQuery } from './sort.js';

/** The query a lookup's arguments make; an argument that is null counts as left out. */
export function argumentQuery(lookup: LookupType, call: LookupCall, args: JsonObject): ArgumentQuery {
  const known = asObject(lookup.inputs.properties) ?? {};
  const parts = Object.entries(args).map(([name, value]): ArgumentQuery => {
    const schema = asObject(known[name]);
    if (schema === undefined) return unknownArgument(lookup, name, Object.keys(known));
    return value === null ? joined([]) : oneArgument(name, value, schema, call);
  });
  return joined(parts);
}

function oneArgument(name: string, value: Json, schema: JsonObject, call: LookupCall): ArgumentQuery {
  switch (name) {
    case 'filter':
      return filterQuery(schema, value);
    case 'filterLabels':
      return filterLabelsQuery(value);
    case 'sort':
      return sortQuery(value, call.sortBy ?? []);
    default:
      throw new Error(`bug: the lookup argument ${name} has no meaning`);
  }
}

function unknownArgument(lookup: LookupType, name: string, known: readonly string[]): ArgumentQuery {
  const has = known.length === 0 ? 'it takes none' : `it takes ${known.join(', ')}`;
  return refused(problem('unknown-argument', `${lookup.name} has no argument ${name}; ${has}.`, { field: name }));
}
