import type { ProviderPackage } from './provider.js';
import type { JsonObject } from './value.js';

/** Where provider packages come from; the engine itself knows none. */
export interface PackageSource {
  readonly names: readonly string[];
  load(name: string): Promise<ProviderPackage>;
  /** A package of types that a project describes. Rejects with an Error that says what is wrong with them. Left out: there are none. */
  ofTypes?(name: string, types: JsonObject): Promise<ProviderPackage>;
  /** Provider → what the project's file of its types says, whatever the spelling. Left out: there is none. */
  readonly described?: ReadonlyMap<string, string>;
}
