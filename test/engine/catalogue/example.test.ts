import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '@platform-sync/catalogue/load';
import { loadProjectConfig } from '@platform-sync/catalogue/project/project-file';
import { providerPackages } from '@platform-sync/sdk/registry';

describe('the example catalogue', () => {
  it.each(['default', 'production'])('is without findings (%s)', async (stack) => {
    const root = path.resolve(import.meta.dirname, '../../../fixtures/example');
    const reads = { env: {}, packages: providerPackages };
    const { config, diagnostics } = await loadProjectConfig(root, { ...reads, stack });
    expect(diagnostics).toEqual([]);
    if (config === undefined) throw new Error('no config');
    const loaded = await loadCatalogue(config, reads);
    expect(loaded.diagnostics).toEqual([]);
    const types = [...(loaded.desired?.resources.values() ?? [])].map((resource) => resource.type.split(':').at(-1));
    expect(new Set(types)).toEqual(
      new Set([
        ...['Api', 'ApiDocument', 'ApiImplementation', 'ApiPublication', 'ApiVersion'],
        ...['ApplicationAuthStrategy', 'Portal', 'PortalPage'],
      ]),
    );
  });
});
