import { type JsonObject, isJsonObject } from '../json.js';
import { type InvalidParameter, invalid } from '../problem.js';
import type { Query } from '../route.js';

export type Operator = 'eq' | 'neq' | 'contains' | 'oeq' | 'ocontains' | 'lt' | 'lte' | 'gt' | 'gte' | 'exists';
/** What a filter or a sort reads of an object. */
export type Value = string | boolean | null | undefined | readonly string[];

/** A field that a list can be filtered by. */
export interface FilterField {
  readonly operators: readonly Operator[];
  readonly read: (object: JsonObject) => Value;
  /** `filter[field]=true|false` and nothing else. */
  readonly boolean?: boolean;
  /** The only values it can have. */
  readonly choices?: readonly string[];
  /** Objects hold it themselves, under its name: they may be found without looking at all of them. */
  readonly isOwn?: boolean;
}

export interface FilterTable {
  readonly fields: Readonly<Record<string, FilterField>>;
  /** Members that are filtered key by key, with their operators: `filter[labels.team][eq]=…`. */
  readonly maps: Readonly<Record<string, readonly Operator[]>>;
}

/** Finds the objects whose member is a text. */
export type Find = (member: string, text: string) => readonly JsonObject[];

interface Filter {
  readonly matches: (object: JsonObject) => boolean;
  /** Everything that can match, when an index knows. */
  readonly candidates?: () => readonly JsonObject[];
}

export const textOperators: readonly Operator[] = ['eq', 'neq', 'contains', 'oeq', 'ocontains'];
export const idOperators: readonly Operator[] = ['eq', 'neq', 'oeq'];
export const timeOperators: readonly Operator[] = ['eq', 'lt', 'lte', 'gt', 'gte'];

const parameter = /^filter\[([^[\]]*)\](?:\[([^[\]]*)\])?$/;

/** The filters of a request; several combine by AND. An unknown field or operator is refused. */
export function readFilters(query: Query, table: FilterTable, find: Find): readonly Filter[] {
  const filters: Filter[] = [];
  const found: InvalidParameter[] = [];
  for (const [name, value] of Object.entries(query)) {
    const match = parameter.exec(name);
    if (match?.[1] === undefined) {
      if (name.startsWith('filter')) found.push(unknown(name, `"${name}" is not allowed`));
      continue;
    }
    const read = typeof value === 'string' ? readFilter(match[1], match[2], value, table, find) : repeated(name);
    if ('matches' in read) filters.push(read);
    else found.push(read);
  }
  if (found.length > 0) throw invalid(...found);
  return filters;
}

function readFilter(
  field: string,
  given: string | undefined,
  value: string,
  table: FilterTable,
  find: Find,
): Filter | InvalidParameter {
  const target = targetOf(field, table);
  if (target === undefined) return unknown(`filter[${field}]`, `"${field}" is not a field to filter by`);
  if (target.boolean === true) return booleanFilter(field, given, value, target);
  const operator = given ?? (value === '' ? 'exists' : 'eq');
  if (!isOperator(operator, target.operators) && !(given === undefined && operator === 'exists')) {
    return unknown(`filter[${field}][${operator}]`, `[${operator}] is not a supported filter operation`);
  }
  const wrong = wrongChoice(field, operator, value, target.choices);
  if (wrong !== undefined) return wrong;
  const test = tests[operator as Operator](value);
  const { read, isOwn } = target;
  const matches = (object: JsonObject): boolean => anyOf(read(object), test, operator === 'neq');
  if (isOwn !== true || (operator !== 'eq' && operator !== 'oeq')) return { matches };
  const values = operator === 'eq' ? [value] : [...new Set(items(value))];
  return { matches, candidates: () => values.flatMap((one) => find(field, one)) };
}

function targetOf(field: string, table: FilterTable): FilterField | undefined {
  if (Object.hasOwn(table.fields, field)) return table.fields[field];
  const dot = field.indexOf('.');
  const map = field.slice(0, Math.max(0, dot));
  const key = field.slice(dot + 1);
  const operators = Object.hasOwn(table.maps, map) ? table.maps[map] : undefined;
  if (operators === undefined || key === '') return undefined;
  return {
    operators,
    read: (object) => {
      const values = object[map];
      const value = isJsonObject(values) && Object.hasOwn(values, key) ? values[key] : undefined;
      return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value : undefined;
    },
  };
}

function isOperator(name: string, allowed: readonly Operator[]): name is Operator {
  return allowed.some((one) => one === name);
}

function booleanFilter(
  field: string,
  given: string | undefined,
  value: string,
  target: FilterField,
): Filter | InvalidParameter {
  if (given !== undefined) {
    return unknown(`filter[${field}][${given}]`, `[${given}] is not a supported filter operation`);
  }
  if (value !== 'true' && value !== 'false') {
    const reason = `filter[${field}] must be true or false`;
    return { field: `filter[${field}]`, rule: 'is_boolean', reason, source: 'query' };
  }
  const wanted = value === 'true';
  return { matches: (object) => target.read(object) === wanted };
}

function wrongChoice(
  field: string,
  operator: string,
  value: string,
  choices: readonly string[] | undefined,
): InvalidParameter | undefined {
  if (choices === undefined) return undefined;
  const given = operator === 'oeq' ? items(value) : [value];
  if (given.every((one) => choices.includes(one))) return undefined;
  const reason = `filter[${field}] must be one of: ${choices.join(', ')}`;
  return { field: `filter[${field}]`, rule: 'enum', choices, reason, source: 'query' };
}

function unknown(field: string, reason: string): InvalidParameter {
  return { field, rule: 'unknown_property', reason, source: 'query' };
}

function repeated(name: string): InvalidParameter {
  return { field: name, rule: 'invalid', reason: `${name} is given more than once`, source: 'query' };
}

/** The parts of a comma-separated list: trimmed, empty ones dropped. */
function items(value: string): readonly string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

// Exact operators mind case, searching ones don't.
const tests: Readonly<Record<Operator, (wanted: string) => (value: string) => boolean>> = {
  eq: (wanted) => (value) => value === wanted,
  neq: (wanted) => (value) => value === wanted,
  oeq: (wanted) => {
    const any = new Set(items(wanted));
    return (value) => any.has(value);
  },
  contains: (wanted) => {
    const part = wanted.toLowerCase();
    return (value) => value.toLowerCase().includes(part);
  },
  ocontains: (wanted) => {
    const parts = items(wanted).map((item) => item.toLowerCase());
    return (value) => parts.some((part) => value.toLowerCase().includes(part));
  },
  lt: (wanted) => (value) => Date.parse(value) < Date.parse(wanted),
  lte: (wanted) => (value) => Date.parse(value) <= Date.parse(wanted),
  gt: (wanted) => (value) => Date.parse(value) > Date.parse(wanted),
  gte: (wanted) => (value) => Date.parse(value) >= Date.parse(wanted),
  exists: (wanted) => (_value) => wanted !== 'false',
};

/** A list matches when one of its values does; nothing (null, absent) is unequal to everything. */
function anyOf(value: Value, test: (one: string) => boolean, negate: boolean): boolean {
  const values = value === null || value === undefined ? [] : typeof value === 'object' ? value : [String(value)];
  return values.some(test) !== negate;
}
