import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DefinitionSource, LinkedDefinition } from './rest/definition-source.js';

/** The definitions of a provider of this program: one file each in `schemas/types/PROVIDER`, read when it is first used. */
export function definitionFiles(provider: string): DefinitionSource {
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(join(packageFolder(), 'schemas/types', provider, `${name}.json`), 'utf8'));
  const { names } = read('index') as { readonly names: readonly string[] };
  return { names, load: (name) => read(name) as LinkedDefinition };
}

let folder: string | undefined;

/** The folder of package.json, found by walking up from this module: it is the same in the sources and when built. */
function packageFolder(): string {
  folder ??= above(dirname(fileURLToPath(import.meta.url)));
  return folder;
}

function above(start: string): string {
  if (existsSync(join(start, 'package.json'))) return start;
  if (dirname(start) === start) throw new Error('bug: package.json of the program was not found');
  return above(dirname(start));
}
