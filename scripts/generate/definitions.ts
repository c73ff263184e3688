import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import type { TypeDefinition } from '@platform-sync/rest/definition';

const folder = new URL('../../src/providers/platform/types/', import.meta.url);

/** All definitions of the platform: each file of their folder holds one. By name. */
export const definitions: readonly TypeDefinition[] = (
  await Promise.all(
    globSync('*.ts', { cwd: fileURLToPath(folder) }).map(async (file) => {
      const exported = Object.values((await import(new URL(file, folder).href)) as Record<string, TypeDefinition>);
      if (exported.length !== 1) throw new Error(`${file}: a file holds one definition`);
      return exported;
    }),
  )
)
  .flat()
  .sort((a, b) => (a.name < b.name ? -1 : 1));
