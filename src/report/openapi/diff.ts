import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { realWorld } from '@platform-sync/core/model/world';
import { comparedChannels } from './async-diff.js';
import { isAsyncApi } from './async-document.js';
import { isOpenApi, operationsOf } from './document.js';
import { change, type SpecDiff } from './change.js';
import { SchemaComparison } from './schema.js';
import { operationChanges } from './operation-diff.js';
import { serversRule, specDiff } from './spec-diff.js';

/**
 * Compares two descriptions of APIs, OpenAPI or AsyncAPI, as their callers would; undefined when one of the values is
 * none. `today`: for what was announced to end.
 */
export function openApiDiff(before: Json, after: Json, today = realWorld.now()): SpecDiff | undefined {
  if (isOpenApi(before) && isOpenApi(after)) return comparedOperations(before, after, today);
  if (isAsyncApi(before) && isAsyncApi(after)) return comparedChannels(before, after, today);
  const areBoth = [before, after].every((value) => isOpenApi(value) || isAsyncApi(value));
  if (!areBoth) return undefined;
  const operations = { added: 0, removed: 0, changed: 0 };
  return { changes: [change('kind-changed', undefined, 'the specification')], more: 0, operations };
}

function comparedOperations(before: JsonObject, after: JsonObject, today: number): SpecDiff {
  const schemas = new SchemaComparison(before, after, today);
  return specDiff({
    servers: serversRule(before, after, ['servers', 'host', 'basePath', 'schemes']),
    old: operationsOf(before),
    now: operationsOf(after),
    today,
    compare: (old, now) => operationChanges(old, now, schemas, today),
  });
}
