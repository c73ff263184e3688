import type { LookupType } from '@platform-sync/core/model/provider';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { asObject } from '@platform-sync/rest/http/json';
import { problem } from '../errors.js';
import type { LookupCall } from './lookup-calls.js';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { camelCase, wireName } from '../style.js';

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

/** Query parameters, or what is wrong with the argument. */
interface ArgumentQuery {
  readonly query: readonly (readonly [string, string])[];
  readonly problems: readonly Diagnostic[];
}

/** `{name: {eq: 'dev'}, cloudGateway: true}` → `filter[name][eq]=dev`, `filter[cloud_gateway]=true`. Values go as they are. */
function filterQuery(schema: JsonObject, filter: Json): ArgumentQuery {
  const members = asObject(schema.properties) ?? {};
  const given = asObject(filter);
  if (given === undefined)
    return refused(problem('invalid-argument', 'filter must be an object.', { field: 'filter' }));
  return joined(
    Object.entries(given).map(([name, value]) => memberQuery(name, value, asObject(members[name]), members)),
  );
}

function refused(...problems: readonly Diagnostic[]): ArgumentQuery {
  return { query: [], problems };
}

function joined(parts: readonly ArgumentQuery[]): ArgumentQuery {
  return { query: parts.flatMap(({ query }) => query), problems: parts.flatMap(({ problems }) => problems) };
}

function memberQuery(name: string, value: Json, spec: JsonObject | undefined, members: JsonObject): ArgumentQuery {
  const field = `filter.${name}`;
  const has = Object.keys(members).sort().join(', ');
  if (spec === undefined)
    return refused(problem('unknown-argument', `There is no filter member ${name}; there are ${has}.`, { field }));
  if (value === null) return joined([]);
  const parameter = `filter[${wireName(name)}]`;
  const operators = asObject(spec.properties);
  if (operators !== undefined) return operatorQuery(field, parameter, value, Object.keys(operators));
  if (typeof value === 'boolean') return { query: [[parameter, String(value)]], problems: [] };
  return refused(problem('invalid-argument', `${field} must be true or false.`, { field }));
}

function operatorQuery(field: string, parameter: string, value: Json, operators: readonly string[]): ArgumentQuery {
  const has = [...operators].sort().join(', ');
  const given = asObject(value);
  if (given === undefined) {
    return refused(
      problem('invalid-argument', `${field} must be an object with one of the operators ${has}.`, { field }),
    );
  }
  const parts = Object.entries(given).map(([operator, operand]): ArgumentQuery => {
    const at = { field: `${field}.${operator}` };
    if (!operators.includes(operator)) {
      return refused(problem('unknown-operator', `${field} has no operator ${operator}; it has ${has}.`, at));
    }
    if (operand === null) return joined([]);
    if (typeof operand === 'string') return { query: [[`${parameter}[${operator}]`, operand]], problems: [] };
    return refused(problem('invalid-argument', `${at.field} must be text.`, at));
  });
  return joined(parts);
}

/** `team:payments,critical` → the wire's `labels`: items `key:value` or `key` (the label exists) between commas. */
function filterLabelsQuery(value: Json): ArgumentQuery {
  const wellFormed =
    typeof value === 'string' && value.split(',').every((item) => /^\s*[^:\s][^:]*(:[^:]*[^:\s])?\s*$/.test(item));
  if (wellFormed) return { query: [['labels', value]], problems: [] };
  const summary = 'filterLabels must be text with items key:value or key between commas.';
  return refused(
    problem('invalid-argument', summary, { field: 'filterLabels', hint: 'For example team:payments,critical.' }),
  );
}

/**
 * `created_at desc`, `name,created_at desc` → the wire's `sort`. Fields may be written as in results (`createdAt`) or
 * as on the wire.
 */
function sortQuery(sort: Json, fields: readonly string[]): ArgumentQuery {
  const hint = `It sorts by ${fields.map(camelCase).join(', ')}, each with asc or desc behind it or nothing.`;
  const refuse = (summary: string): ArgumentQuery => refused(problem('invalid-sort', summary, { field: 'sort', hint }));
  if (typeof sort !== 'string') return refuse('sort must be text.');
  const parts: string[] = [];
  for (const part of sort.split(',')) {
    const [name = '', direction, ...more] = part.trim().split(/\s+/);
    const field = wireName(name);
    if (name === '' || more.length > 0)
      return refuse(`"${part.trim()}" is not a sort: it has the form field, field asc or field desc.`);
    if (!fields.includes(field)) return refuse(`The lookup can't sort by ${name}.`);
    const order = direction?.toLowerCase();
    if (order !== undefined && order !== 'asc' && order !== 'desc')
      return refuse(`"${direction}" is not a direction; there are asc and desc.`);
    parts.push(order === undefined ? field : `${field} ${order}`);
  }
  return { query: [['sort', parts.join(',')]], problems: [] };
}
