import type { Json, JsonObject } from '../../engine/model/value.js';
import { comparedChannels } from './async-diff.js';
import { isAsyncApi } from './async-document.js';
import { isOpenApi, operationsOf } from './document.js';
import type { ApiOperation } from './document.js';
import { change } from './change.js';
import type { SpecChange, SpecDiff } from './change.js';
import { SchemaComparison } from './schema.js';
import type { Direction } from './schema.js';
import { haveOtherServers, specDiff } from './spec-diff.js';
import { sameJson } from '../diff/structural-diff.js';

/** Compares two descriptions of APIs, OpenAPI or AsyncAPI, as their callers would; undefined when one of the values is none. */
export function openApiDiff(before: Json, after: Json): SpecDiff | undefined {
  if (isOpenApi(before) && isOpenApi(after)) return comparedOperations(before, after);
  if (isAsyncApi(before) && isAsyncApi(after)) return comparedChannels(before, after);
  const areBoth = [before, after].every((value) => isOpenApi(value) || isAsyncApi(value));
  if (!areBoth) return undefined;
  const operations = { added: 0, removed: 0, changed: 0 };
  return { changes: [change('kind-changed', undefined, 'the specification')], more: 0, operations };
}

function comparedOperations(before: JsonObject, after: JsonObject): SpecDiff {
  const schemas = new SchemaComparison(before, after);
  return specDiff({
    servers: haveOtherServers(before, after, ['servers', 'host', 'basePath', 'schemes']),
    old: operationsOf(before),
    now: operationsOf(after),
    compare: (old, now) => compare(old, now, schemas),
  });
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
