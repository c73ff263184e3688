import { markedPackage } from './marked-provider.js';
import { LazyMap } from '@platform-sync/core/model/lazy-map';
import type { PackageSource } from '@platform-sync/core/model/package-source';
import type { ProviderPackage } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';

/** The packages that a project's tokens belong to, each loaded once, when somebody asks for what is in it. */
export class LoadedPackages {
  readonly #source: PackageSource;
  readonly #loaded = new Map<string, ProviderPackage>();
  readonly #loading = new Map<string, Promise<void>>();

  constructor(source: PackageSource) {
    this.#source = source;
  }

  /** Loads the packages that own these type or function tokens, so that `typeOf` answers at once. */
  async load(tokens: Iterable<string>): Promise<void> {
    for (const name of new Set([...tokens].map(packageNameOf))) {
      const loading =
        this.#loading.get(name) ??
        this.#source.load(name).then((loaded) => void this.#loaded.set(name, markedPackage(loaded)));
      this.#loading.set(name, loading);
      await loading;
    }
  }

  get(name: string): ProviderPackage {
    const loaded = this.#loaded.get(name);
    if (loaded === undefined) throw new Error(`bug: package ${name} is not loaded`);
    return loaded;
  }

  /** Undefined for a type that nobody describes, or whose package is not loaded. */
  find(token: string): ResourceType | undefined {
    return this.#loaded.get(packageNameOf(token))?.types.get(token);
  }

  readonly typeOf = (token: string): ResourceType => {
    const type = this.find(token);
    if (type === undefined) throw new Error(`bug: resource type ${token} is not loaded`);
    return type;
  };

  types(): ReadonlyMap<string, ResourceType> {
    const tokens = [...this.#loaded.values()].flatMap((loaded) => [...loaded.types.keys()]);
    return new LazyMap(tokens, this.typeOf);
  }
}

/** `platform:index/api:Api` belongs to the package `platform`. */
export function packageNameOf(token: string): string {
  return token.slice(0, token.indexOf(':'));
}
