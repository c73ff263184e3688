import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { sameJson } from '../diff/structural-diff.js';
import { asyncOperationsOf, type AsyncMessage, type AsyncOperation } from './async-document.js';
import { change, type OpenApiRule, type SpecChange, type SpecDiff } from './rules.js';
import { SchemaComparison } from './schema.js';
import { lifecycleRules } from './sunset.js';
import { serversChanges, specDiff } from './spec-diff.js';

/** What a new AsyncAPI description means for those who write what the application receives, and read what it sends. */
export function comparedChannels(before: JsonObject, after: JsonObject, today: number): SpecDiff {
  const schemas = new SchemaComparison(before, after, today);
  return specDiff({
    whole: serversChanges(before, after, ['servers']),
    today,
    old: asyncOperationsOf(before),
    now: asyncOperationsOf(after),
    compare: (old, now) => compare(old, now, schemas),
  });
}

function compare(old: AsyncOperation, now: AsyncOperation, schemas: SchemaComparison): readonly SpecChange[] {
  const changes: SpecChange[] = [];
  for (const rule of lifecycleRules(old.source, now.source)) changes.push(change(rule, now));
  if (!sameJson(old.security, now.security)) changes.push(change(securityRule(old.security, now.security), now));
  if (!sameJson(old.bindings, now.bindings)) changes.push(change('bindings-changed', now, 'it'));
  for (const [key, { name, schema }] of old.parameters) {
    const other = now.parameters.get(key);
    if (other === undefined) changes.push(change('parameter-removed', now, `parameter ${name}`));
    else changes.push(...schemaChanges(schema, other.schema, now, `parameter ${other.name}`, schemas));
  }
  for (const [key, { name }] of now.parameters)
    if (!old.parameters.has(key)) changes.push(change('required-parameter-added', now, `parameter ${name}`));
  return [...changes, ...messageChanges(old, now, schemas)];
}

function securityRule(old: readonly Json[], now: readonly Json[]): OpenApiRule {
  if (old.length === 0) return 'security-added';
  return now.length === 0 ? 'security-removed' : 'security-changed';
}

function messageChanges(old: AsyncOperation, now: AsyncOperation, schemas: SchemaComparison): readonly SpecChange[] {
  const isSent = now.direction === 'response';
  const changes: SpecChange[] = [];
  for (const [name, message] of old.messages) {
    const other = now.messages.get(name);
    if (other === undefined)
      changes.push(change(isSent ? 'message-no-longer-sent' : 'message-no-longer-accepted', now, name));
    else changes.push(...contentChanges(message, other, now, name, schemas));
  }
  for (const name of now.messages.keys())
    if (!old.messages.has(name)) changes.push(change(isSent ? 'message-sent' : 'message-accepted', now, name));
  return changes;
}

function contentChanges(
  old: AsyncMessage,
  now: AsyncMessage,
  operation: AsyncOperation,
  name: string,
  schemas: SchemaComparison,
): readonly SpecChange[] {
  if (old.format !== undefined || now.format !== undefined)
    return sameJson([old.format ?? null, old.payload], [now.format ?? null, now.payload])
      ? []
      : [change('message-described-otherwise', operation, name)];
  return [
    ...schemaChanges(old.payload, now.payload, operation, name, schemas),
    ...schemaChanges(old.headers, now.headers, operation, `${name} headers`, schemas),
  ];
}

function schemaChanges(
  old: Json,
  now: Json,
  operation: AsyncOperation,
  subject: string,
  schemas: SchemaComparison,
): readonly SpecChange[] {
  return schemas
    .compare(old ?? {}, now ?? {}, operation.direction)
    .map(({ rule, path }) => change(rule, operation, path === '' ? subject : `${subject}: ${path}`));
}
