import { expect, it } from 'vitest';
import type { ProviderPackage } from '../../src/engine/model/provider.js';
import { TrialProject } from '../../src/kit/trial-project.js';
import { planHooks } from '../../src/providers/platform/hooks/plan-hooks.js';
import { definitions } from '../../scripts/generate/definitions.js';
import { startPlatform } from '../../src/providers/platform/provider.js';
import { platformPackage } from '../../src/providers/platform/package.js';
import { style } from '../../src/providers/platform/style.js';
import { linked } from '../../src/providers/rest/definition-source.js';
import { definedTypes } from '../../src/providers/rest/types.js';
import { startSandbox } from '../../src/sandbox/server.js';

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
