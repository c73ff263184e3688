import { invalid } from '../problem.js';
import type { JsonObject } from '../json.js';
import type { Query } from '../route.js';
import type { Value } from './filter.js';

type SortTable = Readonly<Record<string, (object: JsonObject) => Value>>;
type Comparison = (a: JsonObject, b: JsonObject) => number;

/** `sort=attribute [asc|desc], …`. Undefined: none asked for. Rows that tie keep their order. */
export function readSort(query: Query, table: SortTable): Comparison | undefined {
  const given = query['sort'];
  if (given === undefined || given === '') return undefined;
  const parts = typeof given === 'string' ? given.split(',') : [];
  const comparisons = parts.map((part) => readPart(part.trim(), table));
  if (comparisons.length === 0) throw refused(table);
  return (a, b) => {
    for (const compare of comparisons) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}

function readPart(part: string, table: SortTable): Comparison {
  const [attribute = '', direction = 'asc', ...rest] = part.split(/\s+/);
  const read = Object.hasOwn(table, attribute) ? table[attribute] : undefined;
  if (read === undefined || rest.length > 0 || (direction !== 'asc' && direction !== 'desc')) throw refused(table);
  const sign = direction === 'asc' ? 1 : -1;
  return (a, b) => sign * compareValues(read(a), read(b));
}

function refused(table: SortTable): Error {
  const choices = Object.keys(table);
  const reason = `"sort" must name one of: ${choices.join(', ')}, each with asc or desc`;
  return invalid({ field: 'sort', rule: 'enum', choices, reason, source: 'query' });
}

/** Nothing comes last, as in the database behind the platform; false before true. */
function compareValues(a: Value, b: Value): number {
  const missing = Number(a === null || a === undefined) - Number(b === null || b === undefined);
  if (missing !== 0 || a === null || a === undefined || b === null || b === undefined) return missing;
  return a < b ? -1 : a > b ? 1 : 0;
}
