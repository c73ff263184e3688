import { ownMember, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { realWorld } from '@platform-sync/core/model/world';
import { comparedChannels } from './async-diff.js';
import { isAsyncApi } from './async-document.js';
import { componentsOf, isOpenApi, operationsOf } from './document.js';
import { change, type SpecChange, type SpecDiff } from './rules.js';
import { SchemaComparison } from './schema.js';
import { sameJson } from '../diff/structural-diff.js';
import { operationChanges } from './operation-diff.js';
import { serversChanges, specDiff } from './spec-diff.js';

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
    whole: [
      ...serversChanges(before, after, ['servers', 'host', 'basePath', 'schemes']),
      ...componentChanges(before, after),
    ],
    old: operationsOf(before),
    now: operationsOf(after),
    today,
    compare: (old, now) => operationChanges(old, now, schemas, today),
  });
}

/** What is described for others to refer to, whether an operation does or not: whoever generates clients sees it. */
function componentChanges(before: JsonObject, after: JsonObject): readonly SpecChange[] {
  const [old, now] = [componentsOf(before), componentsOf(after)];
  return (['schema', 'security scheme'] as const).flatMap((kind) => {
    const [components, others] = [old[kind], now[kind]];
    const names = [...new Set([...Object.keys(components), ...Object.keys(others)])];
    return names.flatMap((name): readonly SpecChange[] => {
      const [one, other] = [ownMember(components, name), ownMember(others, name)];
      const subject = `${kind} ${name}`;
      if (other === undefined) return [change('component-removed', undefined, subject)];
      if (kind === 'schema') return [];
      if (one === undefined) return [change('component-added', undefined, subject)];
      return sameJson(one ?? null, other ?? null) ? [] : [change('security-scheme-changed', undefined, subject)];
    });
  });
}
