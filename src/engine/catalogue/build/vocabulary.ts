import { lookupOf, ruledTokens } from '@platform-sync/core/lookups/by-rule';
import { LazyMap, valueIn } from '@platform-sync/core/model/lazy-map';
import type { LookupType, ProviderPackage } from '@platform-sync/core/model/provider';
import { type ResourceType, shortToken } from '@platform-sync/core/model/resource-type';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { BuildContext, OpenLookup } from '../read/build-context.js';
import { type Hint, meant, removing } from '../problem/advice.js';
import type { MapEntry } from '@platform-sync/core/model/expression';
import type { Entries } from '../read/shape.js';

/** Where provider packages come from; `PackageSource` of the engine's API fits. */
export interface Packages {
  readonly names: readonly string[];
  load(name: string): Promise<ProviderPackage>;
}

/** The types and lookups the loaded packages define, by short and full name. */
export interface Vocabulary {
  readonly packages: ReadonlyMap<string, ProviderPackage>;
  readonly types: ReadonlyMap<string, ResourceType>;
  /** None behind the name of a list of what nothing lists. */
  readonly lookups: ReadonlyMap<string, LookupType | undefined>;
  readonly providers: readonly string[];
}

/** Loads the packages that tokens name; all of them when a token names none, for the sake of the hint. */
export async function loadVocabulary(tokens: Iterable<string>, source: Packages): Promise<Vocabulary> {
  const wanted = new Set<string>();
  for (const token of tokens) {
    const provider = providerOf(token);
    if (source.names.includes(provider)) wanted.add(provider);
    else for (const name of source.names) wanted.add(name);
  }
  const packages = new Map<string, ProviderPackage>();
  const packageOf = new Map<string, readonly [ProviderPackage, token: string]>();
  const lookupsOf = new Map<string, readonly [ProviderPackage, token: string]>();
  for (const name of [...wanted].sort()) {
    const loaded = await source.load(name);
    packages.set(name, loaded);
    const { types, lookups } = namesOf(loaded);
    for (const [called, token] of types) packageOf.set(called, [loaded, token]);
    for (const [called, token] of lookups) lookupsOf.set(called, [loaded, token]);
  }
  // A type or lookup is made when a file names it.
  const types = new LazyMap(packageOf.keys(), (name) => {
    const [loaded, token] = valueIn(packageOf, name);
    return valueIn(loaded.types, token);
  });
  const lookups = new LazyMap(lookupsOf.keys(), (name) => lookupOf(...valueIn(lookupsOf, name)));
  return { packages, types, lookups, providers: source.names };
}

/** What a package's types and lookups may be called, each with its token. */
interface Names {
  readonly types: readonly (readonly [called: string, token: string])[];
  readonly lookups: Names['types'];
}

const namesKnown = new WeakMap<ProviderPackage, Names>();

/** Told once a package: a long-lived program loads catalogue after catalogue with it. */
function namesOf(loaded: ProviderPackage): Names {
  const called = (token: string): Names['types'] => [shortToken(token), token].map((name) => [name, token] as const);
  const known = namesKnown.get(loaded) ?? {
    types: [...loaded.types.keys()].flatMap(called),
    lookups: [...loaded.lookups.keys(), ...ruledTokens(loaded).keys()].flatMap(called),
  };
  namesKnown.set(loaded, known);
  return known;
}

/** The type a text names, reported when there is none. */
export function resolveType(
  text: string,
  at: SourceRange,
  vocabulary: Vocabulary,
  { problems }: BuildContext,
): ResourceType | undefined {
  const type = vocabulary.types.get(text);
  if (type === undefined) {
    problems.add('unknown-type', at, unknown('resource type', text, vocabulary), {
      hint: hint(text, vocabulary, 'types'),
    });
  }
  return type;
}

/** Gives a lookup its full token and checks what it returns; reported when there is no such lookup. */
export function resolveLookup(open: OpenLookup, vocabulary: Vocabulary, { problems }: BuildContext): void {
  const { function: text, return: output } = open.lookup;
  const type = vocabulary.lookups.get(text);
  if (type === undefined) {
    problems.add('unknown-lookup', open.name, unknown('lookup', text, vocabulary), {
      hint: hint(text, vocabulary, 'lookups'),
    });
    return;
  }
  const resolved: { function: string } = open.lookup;
  resolved.function = type.token;
  const outputs = Object.keys(type.outputs['properties'] ?? {});
  if (output !== undefined && !outputs.includes(output)) {
    problems.add('unknown-property', open.returnAt, `${type.shortToken} returns no "${output}".`, {
      hint: meant(output, outputs) ?? `It returns ${outputs.join(', ')}.`,
    });
  }
}

function providerOf(token: string): string {
  const colon = token.indexOf(':');
  return colon < 0 ? '' : token.slice(0, colon);
}

function unknown(what: string, text: string, { providers }: Vocabulary): string {
  const provider = providerOf(text);
  if (provider === '' || providers.includes(provider)) return `There is no ${what} "${text}".`;
  return `There is no ${what} "${text}": no provider is called "${provider}".`;
}

/** More names than this help nobody. */
const mostNamed = 20;

function hint(text: string, vocabulary: Vocabulary, kind: 'types' | 'lookups'): Hint {
  const names = [...vocabulary[kind].keys()].filter((name) => !name.includes('/'));
  const provider = providerOf(text);
  const near = vocabulary.providers.includes(provider) ? names.filter((name) => providerOf(name) === provider) : names;
  if (near.length > mostNamed) return meant(text, names) ?? `All ${kind}: sync schema`;
  return meant(text, names) ?? `Known are ${near.join(', ')}.`;
}

/** The entries that are inputs of the type; the others are reported, once, where they stand. */
export function keepInputs(
  entries: Entries,
  type: ResourceType,
  subject: string,
  address: string | undefined,
  { problems }: BuildContext,
): Entries {
  // Copied where something is left out.
  let kept: Map<string, MapEntry> | undefined;
  for (const [name, entry] of entries) {
    const rule = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
    if (rule?.input === true && rule.deprecated === undefined) continue;
    const details = { address, field: name };
    if (rule?.input === true) {
      // One that has to be there is out of use as long as it is empty.
      const isUnused = rule.required && entry.value.kind === 'list' && entry.value.items.length === 0;
      if (rule.deprecated !== undefined && !isUnused) {
        const summary = `The property "${name}" of ${type.shortToken} is deprecated.`;
        problems.add('deprecated-property', entry.key, summary, {
          ...details,
          severity: 'warning',
          hint: rule.deprecated,
        });
      }
      continue;
    }
    (kept ??= new Map(entries)).delete(name);
    if (rule !== undefined || name === 'id') {
      problems.add('computed-property', entry.key, `The platform sets "${name}" of ${type.shortToken} itself.`, {
        ...details,
        detail: 'It can be read in a reference, but not be declared.',
        hint:
          name === 'id' ? 'To manage an existing object, give its id as options.import.' : removing('Remove the line.'),
      });
    } else {
      const inputs = inputNames(type);
      problems.add('unknown-property', entry.key, `${type.shortToken} has no property "${name}" (in ${subject}).`, {
        ...details,
        hint: meant(name, inputs) ?? `Its properties are ${inputs.join(', ')}.`,
      });
    }
  }
  return kept ?? entries;
}

export function inputNames(type: ResourceType): string[] {
  return Object.values(type.fields).flatMap((rule) => (rule.input ? [rule.name] : []));
}
