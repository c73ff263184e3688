import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { sameJson } from '../diff/structural-diff.js';
import { asyncOperationsOf, type AsyncMessage, type AsyncOperation } from './async-document.js';
import { change, type OpenApiRule, type SpecChange, type SpecDiff } from './rules.js';
import { SchemaComparison } from './schema.js';
import { lifecycleRules } from './sunset.js';
import { paired, serversChanges, specDiff } from './spec-diff.js';

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
  const told = (rule: OpenApiRule, subject?: string): readonly SpecChange[] => [change(rule, now, subject)];
  return [
    ...lifecycleRules(old.source, now.source).flatMap((rule) => told(rule)),
    ...(sameJson(old.security, now.security) ? [] : told(securityRule(old.security, now.security))),
    ...(sameJson(old.bindings, now.bindings) ? [] : told('bindings-changed', 'it')),
    ...paired(old.parameters, now.parameters, {
      gone: ({ name }) => told('parameter-removed', `parameter ${name}`),
      both: ({ schema }, other) => schemaChanges(schema, other.schema, now, `parameter ${other.name}`, schemas),
      added: ({ name }) => told('required-parameter-added', `parameter ${name}`),
    }),
    ...messageChanges(old, now, schemas),
  ];
}

function securityRule(old: readonly Json[], now: readonly Json[]): OpenApiRule {
  if (old.length === 0) return 'security-added';
  return now.length === 0 ? 'security-removed' : 'security-changed';
}

function messageChanges(old: AsyncOperation, now: AsyncOperation, schemas: SchemaComparison): readonly SpecChange[] {
  const isSent = now.direction === 'response';
  return paired(old.messages, now.messages, {
    gone: (_message, name) => [change(isSent ? 'message-no-longer-sent' : 'message-no-longer-accepted', now, name)],
    both: (message, other, name) => contentChanges(message, other, now, name, schemas),
    added: (_message, name) => [change(isSent ? 'message-sent' : 'message-accepted', now, name)],
  });
}

function contentChanges(
  old: AsyncMessage,
  now: AsyncMessage,
  operation: AsyncOperation,
  name: string,
  schemas: SchemaComparison,
): readonly SpecChange[] {
  const told = (rule: OpenApiRule, isTold: boolean): readonly SpecChange[] =>
    isTold ? [change(rule, operation, name)] : [];
  const isOther = old.mediaType !== undefined && now.mediaType !== undefined && old.mediaType !== now.mediaType;
  const around = [
    ...told('message-media-type-changed', isOther),
    ...told('bindings-changed', !sameJson(old.frame, now.frame)),
  ];
  if (old.format !== undefined || now.format !== undefined) {
    const isSame = sameJson([old.format ?? null, old.payload], [now.format ?? null, now.payload]);
    return [...around, ...told('message-described-otherwise', !isSame)];
  }
  return [
    ...around,
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
