import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { patternOf } from '@platform-sync/core/model/pattern';
import type { TypeOrigin } from '@platform-sync/core/model/provider';
import type { DefinitionSource, LinkedDefinition } from '../definition-source.js';

/**
 * The definitions of a provider of this program: one file each in `schemas/types/PROVIDER`, those made by rules in `derived`
 * below it, read when it is first used. `meant` gives a text the words that the service uses.
 */
export function definitionFiles(
  provider: string,
  meant: (text: string) => string,
): DefinitionSource & { readonly originOf: (name: string) => TypeOrigin | undefined } {
  const folder = join(packageFolder(), 'schemas/types', provider);
  const read = (name: string): unknown => JSON.parse(meant(readFileSync(join(folder, `${name}.json`), 'utf8')));
  const namesIn = (index: string): readonly string[] => (read(index) as { readonly names: readonly string[] }).names;
  const derived = new Set(namesIn('derived/index'));
  return {
    names: [...namesIn('index'), ...derived],
    load: (name) => read(derived.has(name) ? `derived/${name}` : name) as LinkedDefinition,
    originOf: (name) => (derived.has(name) ? originIn(read('derived/decided') as Decided, name) : undefined),
  };
}

type Decided = {
  readonly decided: Readonly<Record<string, TypeOrigin['decided']>>;
  readonly corrections: Readonly<Record<string, string>>;
  readonly overruled: Readonly<Record<string, TypeOrigin['overruled']>>;
};

/** Corrections are kept by type or pattern, and by field of either: what several say of one thing counts together. */
function originIn({ decided, corrections, overruled }: Decided, name: string): TypeOrigin {
  const own = new Map<string, string>();
  for (const [key, why] of Object.entries(corrections)) {
    const [pattern = '', field = ''] = key.split('.');
    if (!patternOf(pattern).test(name)) continue;
    own.set(field, own.get(field) === undefined ? why : `${own.get(field)} ${why}`);
  }
  return { decided: decided[name] ?? {}, corrections: Object.fromEntries(own), overruled: overruled[name] ?? {} };
}

let folder: string | undefined;

/** The folder that holds `schemas`, found by walking up from this module: it is the same in the sources and when built. */
function packageFolder(): string {
  folder ??= above(dirname(fileURLToPath(import.meta.url)));
  return folder;
}

function above(start: string): string {
  if (existsSync(join(start, 'schemas'))) return start;
  if (dirname(start) === start) throw new Error('bug: the schemas of the program were not found');
  return above(dirname(start));
}
