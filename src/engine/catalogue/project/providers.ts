import type { Expression, MapEntry } from '@platform-sync/core/model/expression';
import type { ProviderPackage } from '@platform-sync/core/model/provider';
import type { BuildContext } from '../read/build-context.js';
import { meant, tagged } from '../problem/advice.js';
import { isObject, type JsonObject } from '@platform-sync/core/model/value';
import { type Entries, locate, mapEntries } from '../read/shape.js';
import { isUnset } from '../read/overlay.js';
import type { Packages } from '../build/vocabulary.js';
import { plainValue } from './plain-value.js';
import type { PackageSource } from '@platform-sync/core/model/package-source';
import { parseYaml, rangeIn } from '../read/data-files.js';
import type { ProjectFiles } from '../read/file-texts.js';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { DocumentFault } from '@platform-sync/core/model/document-fault';
import { readJson } from '@platform-sync/core/model/read-json';

/** Checks the `providers:` of a block: names, settings, and that no secret stands there in plain text. */
export async function checkProviders(block: Entries, packages: Packages, context: BuildContext): Promise<void> {
  const declared = block.get('providers')?.value;
  for (const [name, entry] of declared === undefined ? [] : mapEntries(declared, '"providers"', context)) {
    if (!packages.names.includes(name)) {
      context.problems.add('unknown-provider', entry.key, `There is no provider "${name}".`, {
        hint: meant(name, packages.names) ?? `Known are ${packages.names.join(', ')}.`,
      });
      continue;
    }
    const { settings } = await packages.load(name);
    for (const [key, setting] of mapEntries(entry.value, `"providers.${name}"`, context)) {
      checkSetting(name, key, setting, settings, context);
    }
  }
}

/** Checks what the settings of a stack's providers say together; whatever an unset variable would give is taken for right. */
export async function checkProviderSettings(
  block: Entries,
  packages: Packages,
  context: BuildContext,
  mayBePart: boolean,
): Promise<void> {
  const declared = block.get('providers')?.value;
  if (declared?.kind !== 'map') return;
  for (const [name, { key, value }] of declared.entries) {
    if (!packages.names.includes(name) || value.kind !== 'map') continue;
    const { checkSettings } = await packages.load(name);
    if (checkSettings === undefined) continue;
    const given = [...value.entries].map(([setting, entry]) => [setting, plainValue(entry.value, context).value]);
    for (const { path, summary, hint } of checkSettings(Object.fromEntries(given) as JsonObject)) {
      const { expression, left } = locate(value, path);
      if (context.broken.has(expression) || (mayBePart && left.length === path.length)) continue;
      // A misspelt word may stand before a secret.
      const [setting = ''] = path;
      const whole = value.entries.get(setting)?.value;
      if (whole !== undefined) context.sources.hide(whole.at);
      const at = left.length === path.length ? key : expression.at;
      context.problems.add('bad-setting', at, summary, { hint });
    }
  }
}

function checkSetting(
  provider: string,
  key: string,
  setting: MapEntry,
  settings: ProviderPackage['settings'],
  context: BuildContext,
): void {
  const known = Object.hasOwn(settings, key) ? settings[key] : undefined;
  if (known === undefined) {
    // It may be a misspelt token.
    context.sources.hide(setting.value.at);
    const names = Object.keys(settings);
    context.problems.add('unknown-key', setting.key, `The provider ${provider} has no setting "${key}".`, {
      hint: meant(key, names) ?? (names.length > 0 ? `Its settings are ${names.join(', ')}.` : 'It takes no settings.'),
    });
    return;
  }
  for (const part of known.secretParts ?? []) checkSecretPart(provider, key, part, setting.value, context);
  const { value } = setting;
  const read = value.kind === 'secret' && value.text.startsWith('!env ');
  if (!known.secret || read || isUnset(value) || context.broken.has(value)) return;
  context.sources.hide(value.at);
  const variable = known.env[0];
  context.problems.add(
    'literal-secret',
    value.at,
    `The setting "${key}" of ${provider} is a secret and must not stand in a file.`,
    {
      detail: 'Files end up in version control.',
      hint:
        variable === undefined
          ? `${key}: !env NAME`
          : tagged(`Set the environment variable ${variable}, or write ${key}: !env ${variable}`, '!env', variable),
    },
  );
}

/** A part of a setting that is a secret; what stands in plain text is told, and quoted nowhere. */
function checkSecretPart(
  provider: string,
  key: string,
  part: string,
  setting: Expression,
  context: BuildContext,
): void {
  let value: Expression | undefined = setting;
  for (const name of part.split('.')) value = value?.kind === 'map' ? value.entries.get(name)?.value : undefined;
  if (value === undefined || isUnset(value) || context.broken.has(value)) return;
  if (value.kind === 'secret' && value.text.startsWith('!env ')) return;
  context.sources.hide(value.at);
  const name = `${key}.${part}`;
  const summary = `The setting "${name}" of ${provider} is a secret and must not stand in a file.`;
  const hint = `Write ${part.split('.').at(-1) ?? ''}: !env NAME`;
  context.problems.add('literal-secret', value.at, summary, { detail: 'Files end up in version control.', hint });
}

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
        const hint = 'Name a file of types relative to sync.yaml, inside the project. To write one: sync types compile';
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
