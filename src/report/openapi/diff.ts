import type { Json, JsonObject } from '../../engine/model/value.js';
import { asyncChanges } from './async-diff.js';
import { isAsyncApi } from './async-document.js';
import { isOpenApi, operationsOf } from './document.js';
import type { ApiOperation } from './document.js';
import { change } from './change.js';
import type { SpecChange, SpecDiff } from './change.js';
import type { Effect } from './rules.js';
import { SchemaComparison } from './schema.js';
import type { Direction } from './schema.js';
import { sameJson } from '../diff/structural-diff.js';

// A schema that every operation shares multiplies: the first thousand say it, and not all are even kept.
const maxChanges = 1000;
const maxKept = 20_000;

const weights: Readonly<Record<Effect, number>> = { breaks: 0, 'may-break': 1, safe: 2 };

/** Compares two descriptions of APIs, OpenAPI or AsyncAPI, as their callers would; undefined when one of the values is none. */
export function openApiDiff(before: Json, after: Json): SpecDiff | undefined {
  if (isOpenApi(before) && isOpenApi(after)) return comparedOperations(before, after);
  if (isAsyncApi(before) && isAsyncApi(after)) return asyncDiff(before, after);
  const areBoth = [before, after].every((value) => isOpenApi(value) || isAsyncApi(value));
  if (!areBoth) return undefined;
  return { changes: [change('kind-changed', undefined, 'the specification')], more: 0, operations: none };
}

const none = { added: 0, removed: 0, changed: 0 };

function asyncDiff(before: JsonObject, after: JsonObject): SpecDiff {
  const { changes, operations } = asyncChanges(before, after);
  const sorted = changes.toSorted((a, b) => weights[a.effect] - weights[b.effect]);
  return { changes: sorted.slice(0, maxChanges), more: Math.max(0, sorted.length - maxChanges), operations };
}

function comparedOperations(before: JsonObject, after: JsonObject): SpecDiff {
  const old = operationsOf(before);
  const now = operationsOf(after);
  const schemas = new SchemaComparison(before, after);
  const changes: SpecChange[] = [...serverChanges(before, after)];
  let total = changes.length;
  const keep = (found: readonly SpecChange[]): void => {
    total += found.length;
    if (changes.length < maxKept) for (const one of found) changes.push(one);
  };
  const operations = { added: 0, removed: 0, changed: 0 };
  for (const [key, operation] of old) {
    const other = now.get(key);
    const found = other === undefined ? [change('operation-removed', operation)] : compare(operation, other, schemas);
    if (other === undefined) operations.removed += 1;
    else if (found.length > 0) operations.changed += 1;
    keep(found);
  }
  for (const [key, operation] of now) {
    if (old.has(key)) continue;
    operations.added += 1;
    keep([change('operation-added', operation)]);
  }
  changes.sort((a, b) => weights[a.effect] - weights[b.effect]);
  return { changes: changes.slice(0, maxChanges), more: Math.max(0, total - maxChanges), operations };
}

function serverChanges(before: JsonObject, after: JsonObject): readonly SpecChange[] {
  const keys = ['servers', 'host', 'basePath', 'schemes'];
  const same = keys.every((key) => sameJson(before[key] ?? null, after[key] ?? null));
  return same ? [] : [change('servers-changed', undefined, 'servers')];
}

function compare(old: ApiOperation, now: ApiOperation, schemas: SchemaComparison): readonly SpecChange[] {
  return [
    ...(old.deprecated === now.deprecated
      ? []
      : [change(now.deprecated ? 'operation-deprecated' : 'operation-undeprecated', now)]),
    ...securityChanges(old, now),
    ...parameterChanges(old, now, schemas),
    ...bodyChanges(old, now, schemas),
    ...responseChanges(old, now, schemas),
  ];
}

function securityChanges(old: ApiOperation, now: ApiOperation): readonly SpecChange[] {
  if (sameJson(old.security, now.security)) return [];
  // An empty alternative means that nothing is needed.
  const open = (operation: ApiOperation): boolean =>
    operation.security.length === 0 || operation.security.some((item) => sameJson(item, {}));
  if (open(old) === open(now)) return open(now) ? [] : [change('security-changed', now)];
  return [change(open(now) ? 'security-removed' : 'security-added', now)];
}

function parameterChanges(old: ApiOperation, now: ApiOperation, schemas: SchemaComparison): readonly SpecChange[] {
  const changes: SpecChange[] = [];
  for (const [key, parameter] of old.parameters) {
    const other = now.parameters.get(key);
    if (other === undefined) {
      changes.push(change('parameter-removed', now, parameter.name));
      continue;
    }
    if (parameter.required !== other.required) {
      const rule = other.required ? 'parameter-became-required' : 'parameter-became-optional';
      changes.push(change(rule, now, other.name));
    }
    changes.push(...schemaChanges(schemas, parameter.schema, other.schema, 'request', now, other.name));
  }
  for (const [key, parameter] of now.parameters) {
    if (old.parameters.has(key)) continue;
    changes.push(change(parameter.required ? 'required-parameter-added' : 'parameter-added', now, parameter.name));
  }
  return changes;
}

function bodyChanges(old: ApiOperation, now: ApiOperation, schemas: SchemaComparison): readonly SpecChange[] {
  const before = old.body;
  const after = now.body;
  if (before === undefined || after === undefined) {
    if (after !== undefined)
      return [change(after.required ? 'required-body-added' : 'body-added', now, 'request body')];
    return before === undefined ? [] : [change('body-removed', now, 'request body')];
  }
  const became = after.required ? 'body-became-required' : 'body-became-optional';
  return [
    ...(before.required === after.required ? [] : [change(became, now, 'request body')]),
    ...contentChanges(before.content, after.content, 'request', now, 'request body', schemas),
  ];
}

function responseChanges(old: ApiOperation, now: ApiOperation, schemas: SchemaComparison): readonly SpecChange[] {
  const changes: SpecChange[] = [];
  for (const [status, content] of old.responses) {
    const other = now.responses.get(status);
    const name = `answer ${status}`;
    if (other === undefined) {
      changes.push(change(/^[23]/.test(status) ? 'success-response-removed' : 'error-response-removed', now, name));
    } else changes.push(...contentChanges(content, other, 'response', now, name, schemas));
  }
  for (const status of now.responses.keys())
    if (!old.responses.has(status)) changes.push(change('response-added', now, `answer ${status}`));
  return changes;
}

function contentChanges(
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
  direction: Direction,
  operation: ApiOperation,
  name: string,
  schemas: SchemaComparison,
): readonly SpecChange[] {
  const changes: SpecChange[] = [];
  for (const [type, schema] of before) {
    const other = after.get(type);
    if (other === undefined) changes.push(change(`${direction}-media-type-removed`, operation, `${name} as ${type}`));
    else changes.push(...schemaChanges(schemas, schema, other, direction, operation, name));
  }
  for (const type of after.keys())
    if (!before.has(type)) changes.push(change(`${direction}-media-type-added`, operation, `${name} as ${type}`));
  return changes;
}

function schemaChanges(
  schemas: SchemaComparison,
  before: Json,
  after: Json,
  direction: Direction,
  operation: ApiOperation,
  name: string,
): readonly SpecChange[] {
  return schemas
    .compare(before, after, direction)
    .map(({ rule, path }) => change(rule, operation, path === '' ? name : `${name}: ${path}`));
}
