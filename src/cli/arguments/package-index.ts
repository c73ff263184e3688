import type { PackageSource } from '../../engine/api.js';
import type { LookupType, ProviderPackage } from '../../engine/model/provider.js';
import type { ResourceType } from '../../engine/model/resource-type.js';
import { nearest } from '../../engine/model/nearest.js';
import { UsageError } from '../process/usage-error.js';

/** All packages the program comes with. */
export async function allPackages(source: PackageSource): Promise<readonly ProviderPackage[]> {
  return Promise.all(source.names.map((name) => source.load(name)));
}

/** The lookup of that name, short token or token. */
export async function findLookup(source: PackageSource, name: string): Promise<LookupType> {
  const lookups = (await allPackages(source)).flatMap((provider) => [...provider.lookups.values()]);
  return pick(lookups, name, 'lookup');
}

/** The resource type or lookup of that name, short token or token. */
export async function findSchema(source: PackageSource, name: string): Promise<ResourceType | LookupType> {
  const packages = await allPackages(source);
  return pick(
    packages.flatMap((provider) => [...provider.types.values(), ...provider.lookups.values()]),
    name,
    'type or lookup',
  );
}

function pick<T extends { readonly name: string; readonly token: string; readonly shortToken: string }>(
  known: readonly T[],
  name: string,
  what: string,
): T {
  const wanted = name.toLowerCase();
  const found = known.find((item) =>
    [item.name, item.shortToken, item.token].some((text) => text.toLowerCase() === wanted),
  );
  if (found !== undefined) return found;
  const meant = nearest(
    name,
    known.flatMap((item) => [item.name, item.shortToken]),
  );
  throw new UsageError(
    `there is no ${what} "${name}"`,
    meant === undefined ? 'sync schema lists all' : `did you mean ${meant}?`,
  );
}
