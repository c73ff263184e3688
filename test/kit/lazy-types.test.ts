import { expect, it } from 'vitest';
import type { ProviderPackage } from '@platform-sync/core/model/provider';
import { TrialProject } from '@platform-sync/kit/trial-project';
import { planHooks } from '@platform-sync/platform/hooks/plan-hooks';
import { definitions } from '../../scripts/generate/definitions.js';
import { startPlatform } from '@platform-sync/platform/provider';
import { platformPackage } from '@platform-sync/platform/package';
import { style } from '@platform-sync/platform/style';
import { linked } from '@platform-sync/rest/definition-source';
import { definedTypes } from '@platform-sync/rest/resource-type';
import { startSandbox } from '@platform-sync/sandbox/server';

it('a catalogue of three types loads three definitions out of 500, and none is loaded before', async () => {
  const [product] = definitions.filter(({ name }) => name === 'ApiProduct');
  if (product === undefined) throw new Error('no ApiProduct');
  const others = Array.from({ length: 500 - definitions.length }, (_, at) => ({ ...product, name: `Other${at}` }));
  const all = new Map(linked([...definitions, ...others], style).map((each) => [each.definition.name, each]));
  const loaded: string[] = [];
  const defined = definedTypes({
    provider: 'platform',
    style,
    hooks: planHooks,
    source: {
      names: [...all.keys()],
      load: (name) => {
        loaded.push(name);
        const found = all.get(name);
        if (found === undefined) throw new Error(name);
        return found;
      },
    },
  });
  const provider: ProviderPackage = {
    ...platformPackage,
    types: defined.types,
    start: (context) => startPlatform(context, defined, platformPackage.lookups),
  };
  expect(provider.types.size).toBe(500);
  expect(loaded).toEqual([]);
  const sandbox = await startSandbox({ quiet: true });
  const trial = new TrialProject(provider, { PLATFORM_TOKEN: 'test-token', PLATFORM_SERVER_URL: sandbox.url });
  try {
    await trial.write({
      pets: { type: 'platform:Api', properties: { name: 'Pets' } },
      guide: { type: 'platform:ApiDocument', properties: { apiId: '${pets.id}', content: '# Hi' } },
      bundle: { type: 'platform:ApiProduct', properties: { name: 'Bundle', portalIds: [] } },
    });
    await trial.apply();
    expect([...loaded].sort()).toEqual(['Api', 'ApiDocument', 'ApiProduct']);
  } finally {
    await trial.close();
    await sandbox.close();
  }
});
