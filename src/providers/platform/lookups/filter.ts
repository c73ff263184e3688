import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { asObject } from '@platform-sync/rest/http/json';
import { wireName } from '../convert.js';
import { problem } from '../errors.js';

/** Query parameters, or what is wrong with the argument. */
export interface ArgumentQuery {
  readonly query: readonly (readonly [string, string])[];
  readonly problems: readonly Diagnostic[];
}

/** `{name: {eq: 'dev'}, cloudGateway: true}` → `filter[name][eq]=dev`, `filter[cloud_gateway]=true`. Values go as they are. */
export function filterQuery(schema: JsonObject, filter: Json): ArgumentQuery {
  const members = asObject(schema.properties) ?? {};
  const given = asObject(filter);
  if (given === undefined)
    return refused(problem('invalid-argument', 'filter must be an object.', { field: 'filter' }));
  return joined(
    Object.entries(given).map(([name, value]) => memberQuery(name, value, asObject(members[name]), members)),
  );
}

export function refused(...problems: readonly Diagnostic[]): ArgumentQuery {
  return { query: [], problems };
}

export function joined(parts: readonly ArgumentQuery[]): ArgumentQuery {
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
