import { parse } from 'yaml';
import { programTrust } from '@platform-sync/core/model/trust';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { cloudServices } from '@platform-sync/sandbox/seed/cloud';
import { providerAccounts } from '@platform-sync/sandbox/seed/gateways';
import { startSandbox } from '@platform-sync/sandbox/server';
import { lookupExamples } from './examples.js';
import type { Package } from './packages.js';

/** What the examples' lookups answer on a fresh sandbox, by short token. */
export async function answeredLookups(packages: readonly Package[]): Promise<ReadonlyMap<string, JsonObject>> {
  const clock = (): number => Date.UTC(2025, 5, 1);
  const sandbox = await startSandbox({ clock, quiet: true, seed: neutralNames() });
  try {
    const results = await Promise.all(packages.map((each) => resultsOf(each, sandbox.url)));
    return new Map(results.flat());
  } finally {
    await sandbox.close();
  }
}

async function resultsOf(each: Package, url: string): Promise<readonly (readonly [string, JsonObject])[]> {
  const provider = await each.start({
    settings: settingsFor[each.name]?.(url) ?? {},
    env: {},
    trust: programTrust,
    concurrency: 8,
    userAgent: 'platform-sync (documentation)',
  });
  try {
    return await Promise.all(
      [...each.lookups.values()].map(
        async ({ token, shortToken }) =>
          [shortToken, await provider.lookup(token, parse(lookupExamples[shortToken] ?? '{}') as JsonObject)] as const,
      ),
    );
  } finally {
    await provider.close();
  }
}

const settingsFor: Readonly<Record<string, (url: string) => Readonly<Record<string, Json>>>> = {
  platform: (url) => ({ serverUrl: url, personalAccessToken: 'a-token-for-the-sandbox' }),
  cloud: (url) => ({ accessToken: 'a-token-for-the-sandbox', serviceManagementCustomEndpoint: `${url}/v1/` }),
};

/** The sandbox's objects name real vendors in two places; documentation names none. */
function neutralNames(): Readonly<Record<string, Json>> {
  const policy = (cloudServices[0]?.policy ?? null) as Json;
  return {
    'provider-accounts': providerAccounts.map(({ id }) => ({ id, provider: 'example-cloud' })),
    'cloud-services': [{ id: 'payments.endpoints.example.cloud', policy }],
  };
}
