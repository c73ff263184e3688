import { hostOfSources, schemas, urnOf, type Members } from '../engine.js';
import { Checkpoint } from './checkpoint.js';
import { Deployment, type Op, type Step } from './deployment.js';
import { openLog, openMonitor } from './monitor.js';
import { Program } from './program.js';
import { Providers } from './providers.js';

/** What one command did. */
export interface Report {
  readonly steps: readonly Step[];
  readonly failures: readonly string[];
  /** Exports of the program. */
  readonly outputs: Members;
  /** What people were told, and what the program printed. */
  readonly said: string;
}

/** A stack, its program, and an engine that keeps nothing else between two commands than the checkpoint. */
export class Stack {
  readonly checkpoint = new Checkpoint();
  readonly program: Program;
  readonly #url: string;
  readonly #config: Readonly<Record<string, Members>>;
  #providers: Providers | undefined;

  static async make(
    url: string,
    files: Readonly<Record<string, string>>,
    config: Readonly<Record<string, Members>> = {},
  ): Promise<Stack> {
    const made = Object.keys(schemas).map(async (name) => [name, await (await hostOfSources(name, {})).schemaText()]);
    const all = { 'package.json': '{ "name": "shop", "main": "index.js" }', ...files };
    return new Stack(url, await Program.make(all, Object.fromEntries(await Promise.all(made))), config);
  }

  constructor(url: string, program: Program, config: Readonly<Record<string, Members>> = {}) {
    this.#url = url;
    this.program = program;
    this.#config = config;
  }

  preview(): Promise<Report> {
    return this.#deploy(true);
  }

  /** `up --skip-preview`. */
  up(): Promise<Report> {
    return this.#deploy(false);
  }

  /** Every object read, and what was found kept; the names of what is gone, and of what differs from what the program said. */
  refresh(): Promise<{ readonly gone: readonly string[]; readonly moved: readonly string[] }> {
    return this.#command(async (providers) => {
      const [gone, moved]: [string[], string[]] = [[], []];
      const all = [...this.checkpoint.resources.values()];
      const objects = all.filter(({ custom, type }) => custom && !type.startsWith('pulumi:'));
      await Promise.all(
        objects.map(async (held) => {
          const { urn, id, inputs, outputs } = held;
          const engine = await providers.of(held.provider, held.type);
          const seen = await engine?.read(urn, id, inputs, outputs);
          if (seen === undefined || seen.id === '') {
            gone.push(nameOf(urn));
            this.checkpoint.resources.delete(urn);
            return;
          }
          this.checkpoint.put({ ...held, ...seen });
          const difference = await engine?.diff(urn, { id, olds: seen.outputs, oldInputs: seen.inputs, news: inputs });
          if (difference?.changes !== 'none') moved.push(nameOf(urn));
        }),
      );
      return { gone, moved };
    });
  }

  /** `pulumi import TYPE NAME ID`. */
  import(type: string, name: string, id: string): Promise<Members> {
    return this.#command(async (providers) => {
      const urn = urnOf(type, name);
      const engine = await providers.of('', type);
      const seen = await engine?.read(urn, id);
      if (engine === undefined || seen === undefined || seen.id === '')
        throw new Error(`resource '${id}' does not exist`);
      const { inputs, failures } = await engine.check(urn, seen.inputs, {});
      if (failures.length > 0) throw new Error(failures.join('\n'));
      const known = { type, custom: true, provider: '', dependencies: [], propertyDependencies: {}, initErrors: [] };
      this.checkpoint.put({ urn, ...known, id: seen.id, inputs, outputs: seen.outputs });
      return inputs;
    });
  }

  destroy(): Promise<Report> {
    return this.#command(async (providers) => {
      const deployment = new Deployment(this.checkpoint, providers, false);
      for (const { urn, type, inputs } of [...this.checkpoint.resources.values()])
        if (type.startsWith('pulumi:providers:')) await providers.start(urn, type.split(':').at(-1) ?? '', inputs);
      await deployment.finish();
      return { ...deployment, outputs: {}, said: '' };
    });
  }

  /** What an interrupt at the terminal does to the command that runs. */
  async cancel(): Promise<void> {
    await this.#providers?.cancel();
  }

  /** The provider processes of the command that runs are gone. */
  async killProviders(): Promise<void> {
    await this.#providers?.kill();
  }

  async close(): Promise<void> {
    await this.program.close();
  }

  #deploy(isPreview: boolean): Promise<Report> {
    return this.#command(async (providers, engine, said) => {
      const deployment = new Deployment(this.checkpoint, providers, isPreview);
      let outputs: Members = {};
      const monitor = await openMonitor(deployment, providers, (all) => (outputs = all));
      try {
        const env = { PLATFORM_TOKEN: 'test-token', PLATFORM_SERVER_URL: this.#url };
        const { code, text } = await this.program.run({ monitor: monitor.address, engine }, isPreview, env);
        if (code === 0 && deployment.failures.length === 0) await deployment.finish();
        const { steps, failures } = deployment;
        const broken = code === 0 || failures.length > 0 ? [] : [`the program ended with ${String(code)}`];
        return { steps, failures: [...failures, ...broken], outputs, said: [...said, text].join('\n') };
      } finally {
        monitor.close();
      }
    });
  }

  async #command<T>(work: (providers: Providers, engine: string, said: string[]) => Promise<T>): Promise<T> {
    const said: string[] = [];
    const log = await openLog(said);
    this.#providers = new Providers(this.#url, this.#config, log.address);
    try {
      return await work(this.#providers, log.address, said);
    } finally {
      await this.#providers.end();
      log.close();
    }
  }
}

/** How often each step was taken, the stack itself left out. */
export function counts({ steps }: Report): Partial<Record<Op, number>> {
  const found: Partial<Record<Op, number>> = {};
  for (const { op, urn } of steps) if (!urn.includes('::pulumi:pulumi:Stack::')) found[op] = (found[op] ?? 0) + 1;
  return found;
}

function nameOf(urn: string): string {
  return urn.split('::').slice(3).join('::');
}
