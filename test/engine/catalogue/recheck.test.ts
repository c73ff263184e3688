import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadCatalogue } from '@platform-sync/catalogue/load';
import { loadProjectConfig } from '@platform-sync/catalogue/project/project-file';
import { hasSections } from '@platform-sync/catalogue/read/file-texts';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { providerPackages } from '@platform-sync/sdk/registry';
import { partOf } from '../../harness/part-of-table.js';
import { configOf } from './scratch-project.js';

const bad = path.resolve(import.meta.dirname, '../../../fixtures/bad');

/** What two files say together, of which either may be the one that changed. */
const ofTheWhole = [
  ...['alias-in-use', 'cycle', 'duplicate-address', 'duplicate-name', 'import-twice', 'patched-twice'],
  ...['removed-in-use', 'same-object', 'unread-specification', 'patch-of-nothing', 'no-catalogue-files'],
];

const told = ({ code, summary, hint, place }: Diagnostic): string =>
  `${place?.line}:${place?.column} ${code} ${summary} ${hint}`;

let rechecked = 0;
afterAll(() => expect(rechecked).toBeGreaterThan(20));

it.each(partOf(readdirSync(bad).sort(), 4))('a file by itself is found as wrong as in the whole: %s', async (name) => {
  const root = path.join(bad, name);
  const reads = { env: {}, packages: providerPackages };
  const project = existsSync(path.join(root, 'sync.yaml'))
    ? await loadProjectConfig(root, reads)
    : { config: configOf(root), diagnostics: [] };
  const { config } = project;
  if (config === undefined) return;
  const whole = await loadCatalogue(config, { ...reads, texts: new Map() });
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^catalogue.*\.ya?ml$/.test(file),
  );
  for (const file of files) {
    const text = readFileSync(path.join(root, file), 'utf8');
    if (!hasSections(text) || text.includes('\uFFFD')) continue;
    // As if everything in it had just been typed.
    const emptied = new Map([[path.join(root, file), 'resources: {}\n']]);
    const warm = [whole, await loadCatalogue(config, { ...reads, texts: emptied })];
    const expected = whole.diagnostics.filter(({ place, code }) => place?.file === file && !ofTheWhole.includes(code));
    for (const [at, { recheck }] of warm.entries()) {
      const found = await recheck?.(file, new Map([[path.join(root, file), text]]));
      if (found === undefined) continue;
      rechecked += 1;
      const own = found.filter(({ code }) => !ofTheWhole.includes(code));
      expect([at, file, own.map(told)]).toEqual([at, file, expected.map(told)]);
    }
  }
});
