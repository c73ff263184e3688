import type { OpenedProject, OpenOptions, PlanOptions, PlanResult, Project } from '../api.js';
import type { Event } from '@platform-sync/core/model/event';
import type { Round } from '@platform-sync/core/model/fleet';
import { identityKey } from '@platform-sync/core/model/identity';
import type { PackageSource } from '@platform-sync/core/model/package-source';
import type { Provider, ProviderPackage } from '@platform-sync/core/model/provider';
import { packageNameOf, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { Heard, type KnownLists } from './lists.js';
import type { BlockNumber } from './blocks.js';
import { isBeside, Sweep } from './sweep.js';

interface Opening {
  readonly open: (options: OpenOptions) => Promise<OpenedProject>;
  readonly options: OpenOptions;
  readonly project: Pick<Project, 'config' | 'packages'>;
}

interface Asking {
  /** Blocks that are read anew in any case. */
  readonly numbers: ReadonlySet<BlockNumber>;
  readonly moved: ReadonlySet<BlockNumber> | 'none';
  readonly limit: number;
  readonly objects: number;
}

/** The platform, as it is asked for what is remembered. Whatever goes wrong is for a plan to tell that reads all anew. */
export class Platform {
  readonly #opening: Opening;
  /** Whoever reads all anew after all takes the answers that are there. */
  #round: Round | undefined;
  readonly #started = new Map<string, Provider>();
  /** Others that take the same answers. */
  readonly #again = new Map<string, () => Promise<Provider>>();
  readonly #toClose: Promise<Provider>[] = [];
  #project: Project | undefined;
  #isTroubled = false;

  constructor(opening: Opening) {
    this.#opening = opening;
  }

  /** Asks for all lists that hold more than what is read anew; undefined where there is something to say of that. */
  async sweep({ lists }: KnownLists, { numbers, objects, ...how }: Asking): Promise<Sweep | undefined> {
    const { options, project } = this.#opening;
    const beside = lists.filter((list) => isBeside(list, numbers));
    const packages = new Map<string, ProviderPackage>();
    for (const name of new Set(beside.map(({ type }) => packageNameOf(type))))
      packages.set(name, await project.packages.load(name));
    const typeOf = (token: string): ResourceType | undefined => packages.get(packageNameOf(token))?.types.get(token);
    await this.#start(packages.keys());
    options.onEvent?.({ type: 'reading', collections: beside.length, objects });
    const swept = await Sweep.over(beside, {
      ...how,
      typeOf,
      providerOf: (token) => this.#started.get(packageNameOf(token)),
      width: project.config.concurrency * 2,
      onEvent: options.onEvent,
    });
    return this.#isTroubled ? undefined : swept;
  }

  async #start(names: Iterable<string>): Promise<void> {
    const { open, options } = this.#opening;
    this.#round = {};
    const packages = startedAs(options.packages, async (name, start) => {
      const provider = await start({ round: this.#round });
      this.#started.set(name, provider);
      let other: Promise<Provider> | undefined;
      const again = (): Promise<Provider> => (other ??= start({ round: this.#round }));
      this.#again.set(name, () => {
        if (other === undefined) this.#toClose.push(again());
        return again();
      });
      return provider;
    });
    this.#project = (await open({ ...options, packages, onEvent: (event) => this.#heard(event) })).project;
    for (const name of names) await this.#project?.provider(name);
  }

  #heard(event: Event): void {
    if (event.type === 'waiting') this.#opening.options.onEvent?.(event);
    else this.#isTroubled = true;
  }

  /** Packages of a part, whose providers know what was heard. */
  packagesOf(sweep: Sweep, part: () => Promise<Project>): PackageSource {
    let known: Promise<ReadonlyMap<string, RecordedResource>> | undefined;
    const records = (): typeof known & object => (known ??= part().then(recordsOf));
    return startedAs(this.#opening.options.packages, async (name, start) => {
      const [provider, again] = [this.#started.get(name), this.#again.get(name)];
      return provider === undefined || again === undefined ? start({}) : sweep.ofPart({ provider, again, records });
    });
  }

  /** A plan that reads all anew, and what it heard. */
  async anew(options: PlanOptions): Promise<{ readonly made: PlanResult; readonly heard: Heard }> {
    const { open, options: opening } = this.#opening;
    const heard = new Heard();
    const round = this.#round;
    const packages = startedAs(opening.packages, async (name, start) => {
      const asked = this.#started.get(name)?.requests() ?? 0;
      const provider = heard.listening(await start({ round }));
      return { ...provider, requests: () => asked + provider.requests() };
    });
    const { project, diagnostics } = await open({ ...opening, packages });
    if (project === undefined) return { made: { diagnostics }, heard };
    try {
      return { made: await project.plan(options), heard };
    } finally {
      await project.close();
    }
  }

  async close(): Promise<void> {
    for (const provider of this.#toClose) await (await provider).close();
    await this.#project?.close();
    this.#project = undefined;
  }
}

async function recordsOf(project: Project): Promise<ReadonlyMap<string, RecordedResource>> {
  const { resources } = await (await project.state()).read();
  return new Map([...resources.values()].map((record) => [identityKey(record.type, record.identity), record]));
}

type Start = (shared: { readonly round?: Round | undefined }) => Promise<Provider>;

/** The same packages, whose providers are started by somebody else. */
function startedAs(source: PackageSource, started: (name: string, start: Start) => Promise<Provider>): PackageSource {
  const changed = (name: string, loaded: ProviderPackage): ProviderPackage => ({
    ...loaded,
    start: (context) => {
      const start: Start = ({ round = context.round }) =>
        loaded.start(round === undefined ? context : { ...context, round });
      return started(name, start);
    },
  });
  const ofTypes = source.ofTypes?.bind(source);
  return {
    ...source,
    load: async (name) => changed(name, await source.load(name)),
    ...(ofTypes && { ofTypes: async (name, types) => changed(name, await ofTypes(name, types)) }),
  };
}
