import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DefinitionSource, LinkedDefinition } from './rest/definition-source.js';

/**
 * The definitions of a provider of this program: one file each in `schemas/types/PROVIDER`, those made by rules in `derived`
 * below it, read when it is first used. `meant` gives a text the words that the service uses.
 */
export function definitionFiles(provider: string, meant: (text: string) => string): DefinitionSource {
  const folder = join(packageFolder(), 'schemas/types', provider);
  const read = (name: string): unknown => JSON.parse(meant(readFileSync(join(folder, `${name}.json`), 'utf8')));
  const namesIn = (index: string): readonly string[] => (read(index) as { readonly names: readonly string[] }).names;
  const derived = new Set(namesIn('derived/index'));
  return {
    names: [...namesIn('index'), ...derived],
    load: (name) => read(derived.has(name) ? `derived/${name}` : name) as LinkedDefinition,
  };
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
