import type { PackageSource } from '@platform-sync/engine/api';
import type { LookupType, ProviderPackage } from '@platform-sync/core/model/provider';
import { memberName, type ResourceType, shortToken } from '@platform-sync/core/model/resource-type';
import { lookupOf, ruledTokens } from '@platform-sync/core/lookups/by-rule';
import { nearest } from '@platform-sync/core/model/nearest';
import { UsageError } from '../process/usage-error.js';

/** All packages the program comes with. */
export async function allPackages(source: PackageSource): Promise<readonly ProviderPackage[]> {
  return Promise.all(source.names.map((name) => source.load(name)));
}

/** The lookup of that name, short token or token. */
export async function findLookup(source: PackageSource, name: string): Promise<LookupType> {
  return pick(lookupNames(await allPackages(source)), name, 'lookup');
}

/** The resource type of that name, short token or token. */
export async function findType(source: PackageSource, name: string): Promise<ResourceType> {
  return pick(typeNames(await allPackages(source)), name, 'resource type');
}

/** The same; undefined where there is none of that name. */
export async function knownType(source: PackageSource, name: string): Promise<ResourceType | undefined> {
  return namedIn(typeNames(await allPackages(source)), name)?.load();
}

/** The lookup of that name; undefined where there is none. */
export async function knownLookup(source: PackageSource, name: string): Promise<LookupType | undefined> {
  return namedIn(lookupNames(await allPackages(source)), name)?.load();
}

/** Of each lookup the token that people write. */
export async function lookupTokens(source: PackageSource): Promise<readonly string[]> {
  return lookupNames(await allPackages(source)).map(({ token }) => shortToken(token));
}

/** Of each resource type the token that people write. */
export async function typeTokens(source: PackageSource): Promise<readonly string[]> {
  return typeNames(await allPackages(source)).map(({ token }) => shortToken(token));
}

/** The resource type or lookup of that name, short token or token. */
export async function findSchema(source: PackageSource, name: string): Promise<ResourceType | LookupType> {
  const packages = await allPackages(source);
  const all: readonly Named<ResourceType | LookupType>[] = [...typeNames(packages), ...lookupNames(packages)];
  return pick(all, name, 'type or lookup');
}

/** A token, and what is loaded when it was meant; undefined for a lookup that lists what nothing lists. */
interface Named<T> {
  readonly token: string;
  readonly load: () => T | undefined;
}

function typeNames(packages: readonly ProviderPackage[]): readonly Named<ResourceType>[] {
  return packages.flatMap(({ types }) => [...types.keys()].map((token) => ({ token, load: () => types.get(token) })));
}

function lookupNames(packages: readonly ProviderPackage[]): readonly Named<LookupType>[] {
  return packages.flatMap((loaded) =>
    [...loaded.lookups.keys(), ...ruledTokens(loaded).keys()].map((token) => ({
      token,
      load: () => lookupOf(loaded, token),
    })),
  );
}

function pick<T>(known: readonly Named<T>[], name: string, what: string): T {
  const named = namedIn(known, name);
  const found = named?.load();
  if (found !== undefined) return found;
  const meant = nearest(
    name,
    known.flatMap(({ token }) => (token === named?.token ? [] : [memberName(token), shortToken(token)])),
  );
  throw new UsageError(
    `there is no ${what} "${name}"`,
    meant === undefined ? 'All of them: sync schema' : `did you mean ${meant}?`,
  );
}

function namedIn<T>(known: readonly Named<T>[], name: string): Named<T> | undefined {
  const wanted = name.toLowerCase();
  return known.find(({ token }) =>
    [memberName(token), shortToken(token), token].some((text) => text.toLowerCase() === wanted),
  );
}
