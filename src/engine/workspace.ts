import type { OpenOptions } from './api.js';
import { loadCatalogue } from './catalogue/load.js';
import { withLabelRules } from './label-rules.js';
import type { Diagnostic } from './model/diagnostic.js';
import type { Event } from './model/event.js';
import type { KeptWrites } from './model/kept-writes.js';
import type { ProjectConfig } from './model/project.js';
import type { Provider, ProviderPackage } from './model/provider.js';
import type { ResourceType } from './model/resource-type.js';
import type { StateStore } from './model/state-store.js';
import type { JsonObject } from './model/value.js';
import { engineVersion } from './version.js';

type LoadedCatalogue = Awaited<ReturnType<typeof loadCatalogue>>;

/** What the use cases of one open project share: the catalogue, the providers and the state, each opened on first use. */
export class Workspace {
  readonly config: ProjectConfig;
  readonly options: OpenOptions;
  /** Warnings that belong to no single call (two tokens configured …). */
  readonly warnings: Diagnostic[] = [];
  readonly #packages = new Map<string, ProviderPackage>();
  readonly #providers = new Map<string, Promise<Provider>>();
  #catalogue: Promise<LoadedCatalogue> | undefined;
  #state: Promise<StateStore> | undefined;

  constructor(config: ProjectConfig, options: OpenOptions) {
    this.config = config;
    this.options = { ...options, packages: withLabelRules(options.packages, config.labels) };
  }

  catalogue(): Promise<LoadedCatalogue> {
    this.#catalogue ??= loadCatalogue(this.config, { env: this.options.env, packages: this.options.packages });
    return this.#catalogue;
  }

  async state(): Promise<StateStore> {
    this.#state ??= this.options.openState?.(this.config) ?? this.#openConfigured();
    return this.#state;
  }

  async #openConfigured(): Promise<StateStore> {
    // The database driver is loaded only by commands that need state.
    const { openStateStore } = await import('./state/open.js');
    return openStateStore(this.config.state, this.config.project, this.config.stack);
  }

  /** What the state store did not take, beside the project. */
  async kept(): Promise<KeptWrites> {
    const { keptFile } = await import('./state/kept-file.js');
    const { root, project, stack } = this.config;
    return keptFile(root, project, stack);
  }

  /** Loads the packages that own these type or function tokens, so that `typeOf` answers at once. */
  async loadPackages(tokens: Iterable<string>): Promise<void> {
    for (const name of new Set([...tokens].map(packageNameOf))) {
      if (!this.#packages.has(name)) this.#packages.set(name, await this.options.packages.load(name));
    }
  }

  readonly typeOf = (token: string): ResourceType => {
    const type = this.#packages.get(packageNameOf(token))?.types.get(token);
    if (type === undefined) throw new Error(`bug: resource type ${token} is not loaded`);
    return type;
  };

  types(): ReadonlyMap<string, ResourceType> {
    return new Map([...this.#packages.values()].flatMap((loaded) => [...loaded.types]));
  }

  readonly providerOf = (type: ResourceType): Promise<Provider> => this.provider(type.provider);

  provider(name: string): Promise<Provider> {
    const started = this.#providers.get(name) ?? this.#start(name);
    this.#providers.set(name, started);
    return started;
  }

  async #start(name: string): Promise<Provider> {
    await this.loadPackages([`${name}:`]);
    const loaded = this.#packages.get(name);
    if (loaded === undefined) throw new Error(`bug: package ${name} is not loaded`);
    const { config, options } = this;
    return loaded.start({
      settings: config.providers[name] ?? {},
      env: options.env,
      concurrency: config.concurrency,
      ...(config.requestsPerMinute === undefined ? {} : { requestsPerMinute: config.requestsPerMinute }),
      userAgent: `platform-sync/${engineVersion} (${options.purpose})`,
      onWait: (wait) => this.emit({ type: 'waiting', ...wait }),
      onDiagnostic: (diagnostic) => {
        this.warnings.push(diagnostic);
        this.emit({ type: 'diagnostic', diagnostic });
      },
    });
  }

  async lookup(token: string, args: JsonObject): Promise<JsonObject> {
    return (await this.provider(packageNameOf(token))).lookup(token, args);
  }

  readonly emit = (event: Event): void => this.options.onEvent?.(event);

  /** Requests of all providers so far. */
  async requests(): Promise<number> {
    const started = await Promise.all(this.#providers.values());
    return started.reduce((sum, provider) => sum + provider.requests(), 0);
  }

  async close(): Promise<void> {
    const providers = await Promise.allSettled(this.#providers.values());
    await Promise.all(providers.flatMap((started) => (started.status === 'fulfilled' ? [started.value.close()] : [])));
    const state = await Promise.allSettled(this.#state === undefined ? [] : [this.#state]);
    await Promise.all(state.flatMap((opened) => (opened.status === 'fulfilled' ? [opened.value.close()] : [])));
  }
}

/** `platform:index/api:Api` belongs to the package `platform`. */
export function packageNameOf(token: string): string {
  return token.slice(0, token.indexOf(':'));
}
