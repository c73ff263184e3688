import type { PackageSource } from '@platform-sync/core/model/package-source';
import type { ProviderPackage } from '@platform-sync/core/model/provider';
import { ownMember } from '@platform-sync/core/model/value';

/** Name → lazy import: a command loads only the packages its project names. */
const loaders: Readonly<Record<string, () => Promise<ProviderPackage>>> = {
  platform: async () => (await import('@platform-sync/platform/package')).platformPackage,
  cloud: async () => (await import('@platform-sync/cloud/package')).cloudPackage,
};

/** The provider packages that come with this program. */
export const providerPackages: PackageSource = {
  names: Object.keys(loaders).sort(),
  load: async (name) => {
    const load = ownMember(loaders, name);
    if (load === undefined) throw new Error(`bug: no provider package "${name}"`);
    return load();
  },
  ofTypes: async (name, types) => (await import('@platform-sync/rest/own/package')).ownPackage(name, types),
};
