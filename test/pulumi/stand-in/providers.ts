import { messages } from '../../../pulumi/src/wire/messages.js';
import { Engine, schemas, type Members } from '../engine.js';

/** The provider processes of one command: one for each package that is used by default, and each provider resource. */
export class Providers {
  readonly #url: string;
  readonly #config: Readonly<Record<string, Members>>;
  readonly #address: string;
  readonly #running = new Map<string, Promise<Engine>>();

  /** `config` is that of the stack, by package; `address` is where the engine takes messages for people. */
  constructor(url: string, config: Readonly<Record<string, Members>>, address: string) {
    this.#url = url;
    this.#config = config;
    this.#address = address;
  }

  /** The one of a resource: `reference` is `urn::id`, or empty for the default one. Undefined where its settings are not known. */
  of(reference: string, type: string): Promise<Engine> | undefined {
    if (reference !== '') return this.#running.get(reference.slice(0, reference.lastIndexOf('::')));
    const name = type.split(':')[0] ?? '';
    return this.#running.get(name) ?? this.start(name, name, this.#config[name] ?? {});
  }

  start(key: string, name: string, settings: Members): Promise<Engine> {
    const started = this.#start(name, settings);
    this.#running.set(key, started);
    return started;
  }

  async #start(name: string, settings: Members): Promise<Engine> {
    if (name !== 'platform' && name !== 'cloud')
      throw new Error(`no package ${name}, only ${Object.keys(schemas).join(', ')}`);
    const engine = await Engine.start(name, this.#url);
    const { inputs, failures } = await engine.checkConfig(settings);
    if (failures.length > 0) throw new Error(failures.join('\n'));
    await engine.configure(inputs, this.#address);
    return engine;
  }

  /** The end of a command, as the real engine makes it: Cancel, then the processes go. */
  async end(): Promise<void> {
    for (const started of this.#running.values()) {
      const engine = await started.catch(() => undefined);
      await engine?.send('cancel', new messages.Empty()).catch(() => undefined);
      await engine?.close();
    }
    this.#running.clear();
  }

  /** Cancel as at the first Ctrl-C: calls are in flight, and more come. */
  async cancel(): Promise<void> {
    for (const started of this.#running.values()) await (await started).send('cancel', new messages.Empty());
  }

  /** As by a kill: nobody hears what they still have to say. */
  async kill(): Promise<void> {
    for (const started of this.#running.values()) await (await started).close();
  }
}
