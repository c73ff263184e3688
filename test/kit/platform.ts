import type { ProviderPackage } from '../../src/engine/model/provider.js';
import type { JsonObject } from '../../src/engine/model/value.js';
import { schemaChecks } from '../../src/providers/schema-checks.js';
import type { ConformanceService, TypeDefinition } from '../../src/kit/index.js';
import { planHooks } from '../../src/providers/platform/hooks/plan-hooks.js';
import { platformPackage } from '../../src/providers/platform/package.js';
import { startPlatform } from '../../src/providers/platform/provider.js';
import { style } from '../../src/providers/platform/style.js';
import { definitionsAtHand } from '../../src/providers/rest/definition-source.js';
import { definedTypes } from '../../src/providers/rest/types.js';
import type { RunningSandbox } from '../../src/sandbox/server.js';

/** The platform with other definitions than its own. */
export function platformWith(definitions: readonly TypeDefinition[]): ProviderPackage {
  const source = definitionsAtHand(definitions, style);
  const defined = definedTypes({ provider: 'platform', source, style, hooks: planHooks });
  const check = schemaChecks();
  return {
    ...platformPackage,
    types: defined.types,
    validate: (token, properties) => {
      const type = defined.types.get(token);
      if (type === undefined) throw new Error(token);
      return check(type, properties);
    },
    start: (context) => startPlatform(context, defined, platformPackage.lookups),
  };
}

/** The sandbox, and the hand in it that is not the provider's. */
export function sandboxService(sandbox: RunningSandbox): ConformanceService {
  const call = async (method: string, path: string, body?: JsonObject): Promise<JsonObject | undefined> => {
    const answer = await fetch(`${sandbox.url}/_sandbox/${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return answer.ok && text !== '' ? (JSON.parse(text) as JsonObject) : undefined;
  };
  const place = (collection: string, id: string, scope: Readonly<Record<string, string>>): string =>
    `objects/${collection}/${encodeURIComponent(collection === 'publications' ? `${scope['apiId'] ?? ''}/${id}` : id)}`;
  return {
    env: { PLATFORM_TOKEN: 'test-token', PLATFORM_SERVER_URL: sandbox.url },
    reset: async () => void (await call('POST', 'reset')),
    stored: async (collection, id, scope) => {
      const object = await call('GET', place(collection, id, scope));
      if (object === undefined || collection !== 'apis') return object;
      const versions = (await call('GET', 'objects'))?.['versions'] as readonly JsonObject[] | undefined;
      const content = versions?.find((version) => version['api_id'] === id)?.['content'];
      return { ...object, ...(content === undefined ? {} : { spec_content: content }) };
    },
    edit: async (collection, id, changes, scope) => void (await call('POST', place(collection, id, scope), changes)),
    remove: async (collection, id, scope) => void (await call('POST', place(collection, id, scope), { $delete: true })),
  };
}
