import {
  type Expression,
  type LookupExpression,
  type PathSegment,
  type ReferenceExpression,
  visitExpression,
} from '../model/expression.js';
import {
  hasSecret,
  hasUnknown,
  isList,
  isObject,
  isSecret,
  isUnknown,
  type Json,
  type JsonObject,
  reveal,
  type Scalar,
  secret,
  unknown,
  unknownSources,
  type Value,
} from '../model/value.js';
import type { LookupCall } from './lookup-call.js';
import type { Address } from '../model/address.js';
import type { DesiredState } from '../model/desired.js';
import type { Identity } from '../model/state.js';
import { anyText, type FieldRule } from '../model/resource-type.js';

/** What references and lookups find. The planner and the executor each bring their own. */
export interface EvaluationScope {
  /** A resource's property; unknown while it is not applied, null when the object does not have it. */
  property(address: string, name: string, text: string): Value;
  variable(name: string): Value;
  /** The lookup's record, or unknown when it has not been called yet. All of its arguments are known, `as` they are written. */
  lookup(call: LookupCall, as: Expression): Value;
}

/** The value of an expression. Pure: the same scope gives the same value. */
export function evaluate(expression: Expression, scope: EvaluationScope): Value {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'list':
      return expression.items.map((item) => evaluate(item, scope));
    case 'map':
      // Not by assignment: a key `__proto__` would get lost.
      return Object.fromEntries([...expression.entries].map(([key, entry]) => [key, evaluate(entry.value, scope)]));
    case 'reference':
      return evaluateReference(expression, scope);
    case 'interpolation':
      return joinText(expression.parts.map((part) => (typeof part === 'string' ? part : evaluate(part, scope))));
    case 'secret':
      return secret(evaluate(expression.value, scope), expression.text);
    case 'toJson':
      return mapWhole(evaluate(expression.value, scope), '!json', (value) => JSON.stringify(value));
    case 'join':
      return evaluateJoin(evaluate(expression.separator, scope), evaluate(expression.items, scope));
    case 'lookup':
      return evaluateLookup(expression, scope);
  }
}

function evaluateReference(expression: ReferenceExpression, scope: EvaluationScope): Value {
  if (expression.to === 'variable') return walk(scope.variable(expression.target), expression.path, expression.text);
  const [property, ...rest] = expression.path;
  const value = scope.property(expression.target, String(property ?? 'id'), expression.text);
  return walk(value, rest, expression.text);
}

/** Follows a path into a value; markers met on the way spread to what is found. */
function walk(value: Value, path: readonly PathSegment[], text: string): Value {
  let current = value;
  for (const [index, segment] of path.entries()) {
    if (isUnknown(current)) return unknown(current.from, [current, ...path.slice(index)]);
    if (isSecret(current)) return secret(walk(current.value, path.slice(index), text), current.expression);
    if (Array.isArray(current) && typeof segment === 'number') current = current[segment] ?? null;
    else if (isObject(current)) current = current[String(segment)] ?? null;
    else return null;
  }
  return current;
}

/** Applies a function of plain JSON to a value as a whole: any unknown part makes the result unknown, any secret part secret. */
function mapWhole(value: Value, name: string, apply: (plain: Json) => Value): Value {
  const result = hasUnknown(value) ? unknown(unknownSources(value), [name, value]) : apply(reveal(value));
  return hasSecret(value) ? secret(result, name) : result;
}

function joinText(parts: readonly Value[]): Value {
  const result = hasUnknown(parts)
    ? unknown(unknownSources(parts), parts)
    : parts.map((part) => asText(reveal(part))).join('');
  if (!hasSecret(parts)) return result;
  return secret(
    result,
    parts
      .map((part) => (isSecret(part) ? `\${${part.expression}}` : isUnknown(part) ? '${…}' : asText(reveal(part))))
      .join(''),
  );
}

function asText(value: Json): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function evaluateJoin(separator: Value, items: Value): Value {
  return mapWhole([separator, items], '!join', (plain) => {
    const [by, list] = plain as readonly [Json, Json];
    return (isList(list) ? list : [list]).map(asText).join(asText(by));
  });
}

function evaluateLookup(expression: LookupExpression, scope: EvaluationScope): Value {
  const { function: token, at } = expression;
  const args = evaluate(expression.arguments, scope);
  const result = hasUnknown(args)
    ? unknown(unknownSources(args), [token, args])
    : scope.lookup({ token, args: (reveal(args) ?? {}) as JsonObject, given: args, at }, expression.arguments);
  const picked = expression.return === undefined ? result : walk(result, [expression.return], expression.function);
  return hasSecret(args) ? secret(picked, `!lookup ${expression.function}`) : picked;
}

/** A memoised `variable()` over a catalogue's variables. The loader has made sure that they form no ring. */
export function variableScope(
  variables: ReadonlyMap<string, Expression>,
  scope: () => EvaluationScope,
): (name: string) => Value {
  const known = new Map<string, Value>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const expression = variables.get(name);
    const value = expression === undefined ? null : evaluate(expression, scope());
    // A value with unknown parts may become known later in the same run.
    if (!hasUnknown(value)) known.set(name, value);
    return value;
  };
}

/** Identity of a lookup call: equal calls are made once a run. */
export function lookupKey(token: string, args: JsonObject, canonical: (value: Json) => string): string {
  return `${token} ${canonical(args)}`;
}

/** What references see before anything is read: what files say, and what is known of objects. `asks` hears of every lookup. */
export function writtenScope(
  desired: Pick<DesiredState, 'resources' | 'variables'>,
  identityOf: (address: Address) => Identity | undefined,
  asks?: (call: LookupCall) => void,
  outputOf?: (address: Address, name: string) => Json | undefined,
): EvaluationScope {
  const scope: EvaluationScope = {
    property: (address, name, text) => {
      if (name === 'id') return identityOf(address)?.id ?? unknown([text]);
      const expression = desired.resources.get(address)?.properties.get(name);
      return expression === undefined ? (outputOf?.(address, name) ?? unknown([text])) : evaluate(expression, scope);
    },
    variable: variableScope(desired.variables, () => scope),
    lookup: (call) => {
      asks?.(call);
      return unknown([`lookup ${call.token}`]);
    },
  };
  return scope;
}

/** The parts of what a field is to hold that are secrets by its rule, as they are written. */
export function secretExpressions(
  expression: Expression,
  rule: Pick<FieldRule, 'secret' | 'secretMembers'> | undefined,
): readonly Expression[] {
  return rule?.secret === true
    ? [expression]
    : (rule?.secretMembers ?? []).flatMap((path) => expressionsAt(expression, path.split('.')));
}

/** What stands at a path to secret members: through lists, and `*` is every key of a map, `**` all that is left. */
function expressionsAt(expression: Expression, [name, ...inner]: readonly string[]): readonly Expression[] {
  if (name === undefined || name === anyText) return [expression];
  if (expression.kind === 'list') return expression.items.flatMap((item) => expressionsAt(item, [name, ...inner]));
  if (expression.kind !== 'map') return [];
  return [...expression.entries].flatMap(([key, { value }]) =>
    name === '*' || key === name ? expressionsAt(value, inner) : [],
  );
}

const none: readonly string[] = [];

/**
 * Texts that stand in secret parts of an expression as they are (`!env NAME`, read), without evaluating anything. `isSecret`: all
 * of it is, because it is the value of a secret field.
 */
export function writtenSecrets(expression: Expression, isSecret = false): readonly string[] {
  if (!isSecret && (expression.kind === 'literal' || expression.kind === 'reference')) return none;
  let found: Set<string> | undefined;
  const literal = (value: Scalar): void => {
    if (typeof value === 'string') (found ??= new Set()).add(value);
  };
  if (isSecret) visitExpression(expression, { literal });
  else visitExpression(expression, { secret: (_text, value) => visitExpression(value, { literal }) });
  return found === undefined ? none : [...found];
}
