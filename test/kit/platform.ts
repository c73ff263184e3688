import type { ProviderPackage } from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import { schemaChecks } from '@platform-sync/rest/schema/schema-checks';
import type { ConformanceService, TypeDefinition } from '@platform-sync/kit/index';
import { planHooks } from '@platform-sync/platform/hooks/plan-hooks';
import { platformPackage } from '@platform-sync/platform/package';
import { startPlatform } from '@platform-sync/platform/provider';
import { style } from '@platform-sync/platform/style';
import { definitionsAtHand } from '@platform-sync/rest/definition-source';
import { definedTypes } from '@platform-sync/rest/resource-type';
import type { RunningSandbox } from '@platform-sync/sandbox/server';

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
