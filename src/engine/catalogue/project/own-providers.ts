import type { PackageSource } from '@platform-sync/core/model/package-source';
import type { BuildContext } from '../read/build-context.js';
import { parseYaml, rangeIn } from '../read/data-files.js';
import { mapEntries, type Entries } from '../read/shape.js';
import type { ProjectFiles } from '../read/text-file.js';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { DocumentFault } from '@platform-sync/core/model/document-fault';
import type { ProviderPackage } from '@platform-sync/core/model/provider';
import { readJson } from '@platform-sync/core/model/read-json';
import { isObject, type JsonObject } from '@platform-sync/core/model/value';

/**
 * The packages there are, and those of providers that blocks of sync.yaml describe by a file of types. The first block counts.
 * `described`: provider → what its file says, whatever the spelling.
 */
export async function withOwnProviders(
  blocks: readonly Entries[],
  packages: PackageSource,
  files: ProjectFiles,
  context: BuildContext,
): Promise<PackageSource & { readonly described: ReadonlyMap<string, string> }> {
  const own = new Map<string, ProviderPackage>();
  const described = new Map<string, string>();
  for (const block of blocks) {
    const declared = block.get('providers')?.value;
    if (declared?.kind !== 'map') continue;
    for (const [name, entry] of declared.entries) {
      if (own.has(name) || packages.names.includes(name) || entry.value.kind !== 'map') continue;
      const types = mapEntries(entry.value, `"providers.${name}"`, context).get('types');
      if (types === undefined || types.value.kind !== 'literal') continue;
      let file = '';
      try {
        const document = documentIn(types.value.value, files);
        file = shortPath(types.value.value);
        described.set(name, canonicalJson(document));
        if (packages.ofTypes === undefined) throw new Error('this program knows no types but its own');
        own.set(name, await packages.ofTypes(name, document));
      } catch (error) {
        const why = error instanceof Error ? error.message : 'it cannot be read';
        const hint = 'sync types compile writes a file of types; name it relative to sync.yaml, inside the project.';
        const summary = `The types of "${name}" can't be used: ${why}.`;
        const read = files.read(file);
        if (error instanceof DocumentFault && read.ok) {
          context.sources.add(file, read.text);
          context.problems.add('bad-types-file', rangeIn(file, read.text, error.path), summary, { hint: error.hint });
        } else context.problems.add('bad-types-file', types.value.at, summary, { hint });
        own.set(name, nothing(name));
      }
    }
  }
  if (own.size === 0) return { ...packages, described };
  return {
    ...packages,
    described,
    names: [...packages.names, ...own.keys()].sort(),
    load: async (name) => own.get(name) ?? packages.load(name),
  };
}

const reasons = {
  missing: 'there is no such file',
  unreadable: 'the file is not readable',
  outside: 'the file lies outside the project',
  'outside-link': 'the file lies outside the project, behind a link',
  'no-data': 'files of that name are never read',
  'too-large': 'the file is larger than 32 MB',
  'not-utf8': 'the file is not text',
} as const;

function documentIn(file: unknown, files: ProjectFiles): JsonObject {
  if (typeof file !== 'string' || file === '') throw new Error('"types" names no file');
  const read = files.read(shortPath(file));
  if (!read.ok) throw new Error(`${file}: ${reasons[read.why]}`);
  return documentOf(file, read.text);
}

function shortPath(file: unknown): string {
  return String(file).replace(/^\.\//, '');
}

function documentOf(file: string, text: string): JsonObject {
  const isYaml = /\.ya?ml$/.test(file);
  let value: unknown;
  try {
    value = isYaml ? parseYaml(text) : readJson(text);
  } catch (error) {
    throw new Error(`${file} is no ${isYaml ? 'YAML' : 'JSON'} (${error instanceof Error ? error.message : ''})`);
  }
  if (!isObject(value)) throw new Error(`${file} holds no object`);
  return value;
}

/** Stands for a provider whose types can't be used: that is told once. */
function nothing(name: string): ProviderPackage {
  const free = { secret: false, description: '', env: [] };
  return {
    ...{ name, types: new Map(), lookups: new Map(), settings: { types: free, serverUrl: free, auth: free } },
    ...{ validate: () => [], validateLookup: () => [] },
    start: () => Promise.reject(new Error(`bug: ${name} has no types`)),
  };
}
