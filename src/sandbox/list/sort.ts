import { invalid } from '../problem.js';
import type { Query } from '../route.js';

type SortValue = string | boolean | null | undefined;
export type SortTable<T> = Readonly<Record<string, (row: T) => SortValue>>;
type Comparison<T> = (a: T, b: T) => number;

/** `sort=attribute [asc|desc], …`. Undefined: none asked for. Rows that tie keep their order. */
export function readSort<T>(query: Query, table: SortTable<T>): Comparison<T> | undefined {
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

function readPart<T>(part: string, table: SortTable<T>): Comparison<T> {
  const [attribute = '', direction = 'asc', ...rest] = part.split(/\s+/);
  const read = Object.hasOwn(table, attribute) ? table[attribute] : undefined;
  if (read === undefined || rest.length > 0 || (direction !== 'asc' && direction !== 'desc')) throw refused(table);
  const sign = direction === 'asc' ? 1 : -1;
  return (a, b) => sign * compareValues(read(a), read(b));
}

function refused<T>(table: SortTable<T>): Error {
  const choices = Object.keys(table);
  const reason = `"sort" must name one of: ${choices.join(', ')}, each with asc or desc`;
  return invalid({ field: 'sort', rule: 'enum', choices, reason, source: 'query' });
}

/** Nothing comes last, as in the database behind the platform; false before true. */
function compareValues(a: SortValue, b: SortValue): number {
  const missing = Number(a === null || a === undefined) - Number(b === null || b === undefined);
  if (missing !== 0 || a === null || a === undefined || b === null || b === undefined) return missing;
  return a < b ? -1 : a > b ? 1 : 0;
}
