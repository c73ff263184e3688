import type { PackageSource } from '../engine/model/package-source.js';
import type { ProviderPackage } from '../engine/model/provider.js';

/** Name → lazy import: a command loads only the packages its project names. */
const loaders: Readonly<Record<string, () => Promise<ProviderPackage>>> = {
  platform: async () => (await import('./platform/package.js')).platformPackage,
  cloud: async () => (await import('./cloud/package.js')).cloudPackage,
};

/** The provider packages that come with this program. */
export const providerPackages: PackageSource = {
  names: Object.keys(loaders).sort(),
  load: async (name) => {
    const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined;
    if (load === undefined) throw new Error(`bug: no provider package "${name}"`);
    return load();
  },
  ofTypes: async (name, types) => (await import('./own/package.js')).ownPackage(name, types),
};
