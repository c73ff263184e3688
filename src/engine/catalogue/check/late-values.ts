import type { DesiredResource, DesiredState } from '@platform-sync/core/model/desired';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import {
  type Expression,
  type PathSegment,
  type ReferenceExpression,
  visitExpression,
} from '@platform-sync/core/model/expression';
import type { ProviderPackage } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { isList, isObject, isSecret, isUnknown, type Json, type Value } from '@platform-sync/core/model/value';
import { placeholder, type Hole } from '../build/known-value.js';
import { Problems } from '../problem/problems.js';
import { recordSchema, written } from './values.js';

/** A resource, and its values as far as they are known by now. */
export interface KnownNow {
  readonly desired: DesiredResource;
  readonly type: ResourceType;
  readonly declared: ReadonlyMap<string, Value>;
}

const notSaid = 'The value comes from a lookup or from another object: change what it refers to, or the reference.';

/** True where values come from lookups and other objects; what is only the id of another is checked when files are read. */
export function hasLateValues({ properties }: DesiredResource, variables: DesiredState['variables']): boolean {
  for (const expression of properties.values())
    if (expression.kind !== 'literal' && isLate(expression, variables, new Set())) return true;
  return false;
}

function isLate(expression: Expression, variables: DesiredState['variables'], seen: Set<string>): boolean {
  let found = false;
  const reference = (to: ReferenceExpression): void => {
    if (found || isIdOfOther(to)) return;
    if (to.to === 'resource') found = true;
    if (to.to === 'resource' || seen.has(to.target)) return;
    seen.add(to.target);
    const value = variables.get(to.target);
    found = value !== undefined && isLate(value, variables, seen);
  };
  visitExpression(expression, { reference, lookup: () => (found = true) });
  return found;
}

function isIdOfOther(expression: Expression | undefined): boolean {
  if (expression?.kind !== 'reference' || expression.to !== 'resource') return false;
  return expression.path.length === 1 && expression.path[0] === 'id';
}

/** Values against the schema of their type, as when files are read; what is not known yet is left out. */
export async function problemsOnceKnown(
  { desired, type, declared }: KnownNow,
  validate: ProviderPackage['validate'],
  { sources, hidesSecrets }: { readonly sources: DesiredState['sources']; readonly hidesSecrets: boolean },
): Promise<readonly Diagnostic[]> {
  const holes: Hole[] = [];
  const known = [...declared].flatMap(([name, value]): [string, Json][] => {
    const expression = desired.properties.get(name);
    // Null and left out are the same where an object is made; the mark of ownership is nobody's to write.
    if (value === null || expression === undefined || type.fields[name]?.isMark === true) return [];
    return [[name, plainOf(value, expression, [name], holes, hidesSecrets)]];
  });
  const violations = await validate(type.token, Object.fromEntries(known));
  if (violations.length === 0) return [];
  const { address, at } = desired;
  const checked = {
    value: () => written(desired),
    name: address,
    at,
    address,
    schema: recordSchema(type.fields),
    holes,
  };
  const problems = new Problems();
  const { reportViolations } = await import('./violations.js');
  reportViolations(violations, checked, { problems });
  return problems.diagnostics(sources).map((problem) => {
    const [field = ''] = (problem.field ?? '').split(/[.[]/);
    const isSaid = (desired.properties.get(field)?.kind ?? 'literal') === 'literal';
    return isSaid ? problem : { hint: notSaid, ...problem };
  });
}

/** Plain JSON; what is not known, and ids of other objects, are holes in it. */
function plainOf(
  value: Value,
  expression: Expression,
  path: readonly PathSegment[],
  holes: Hole[],
  hidesSecrets: boolean,
): Json {
  if (isUnknown(value) || isIdOfOther(expression)) {
    holes.push({ path, expression });
    return placeholder;
  }
  if (isSecret(value)) {
    const inner: Hole[] = [];
    const plain = plainOf(value.value, expression, path, inner, hidesSecrets);
    const isKnown = inner.length === 0 && !hidesSecrets;
    holes.push({ path, expression, ...(isKnown && { secret: true as const }) });
    return isKnown ? plain : placeholder;
  }
  const part = (inner: Value, step: PathSegment): Json =>
    plainOf(inner, partOf(expression, step), [...path, step], holes, hidesSecrets);
  if (isList(value)) return value.map(part);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, part(member, name)]));
}

function partOf(expression: Expression, step: PathSegment): Expression {
  if (expression.kind === 'list') return expression.items[Number(step)] ?? expression;
  return expression.kind === 'map' ? (expression.entries.get(String(step))?.value ?? expression) : expression;
}
