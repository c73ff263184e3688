import pLimit from 'p-limit';
import { asSecret, halfMade, isServiceError, type Difference, type Engine, type Members } from '../engine.js';
import type { Checkpoint, Held } from './checkpoint.js';
import type { Providers } from './providers.js';

/** What a program asks for. */
export interface Registration {
  readonly type: string;
  readonly name: string;
  readonly parent: string;
  readonly custom: boolean;
  readonly inputs: Members;
  readonly provider: string;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly importId: string;
  readonly ignored: readonly string[];
  readonly secretOutputs: readonly string[];
}

/** What it is answered. */
export interface Registered {
  readonly urn: string;
  readonly id: string;
  readonly outputs: Members;
}

export type Op = 'create' | 'same' | 'update' | 'replace' | 'import' | 'delete' | 'read';
export interface Step {
  readonly op: Op;
  readonly urn: string;
  readonly difference?: Difference;
}

const unknownMarker = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
/** Steps at a time. */
const parallel = 16;

/** One preview or update: what the program registers becomes steps, by the calls and in the order of the real engine. */
export class Deployment {
  readonly steps: Step[] = [];
  readonly failures: string[] = [];
  readonly #stack: Checkpoint;
  readonly #providers: Providers;
  readonly #isPreview: boolean;
  readonly #seen = new Set<string>();
  /** Deleted ahead of their replacement. */
  readonly #torn = new Set<string>();
  readonly #limit = pLimit(parallel);

  constructor(stack: Checkpoint, providers: Providers, isPreview: boolean) {
    this.#stack = stack;
    this.#providers = providers;
    this.#isPreview = isPreview;
  }

  /** Rejects once a step has failed: the program ends, as the monitor goes away. */
  async register(wish: Registration): Promise<Registered> {
    const urn = urnOf(wish);
    if (this.#seen.has(urn)) throw new Error(`${urn} is registered twice`);
    this.#seen.add(urn);
    const run = wish.custom ? () => this.#custom(urn, wish) : () => this.#component(urn, wish);
    return wish.custom ? this.#limit(() => this.#guarded(urn, run)) : this.#guarded(urn, run);
  }

  /** `get` of a class: an object that is read and never written. */
  async read(wish: Registration, id: string): Promise<Registered> {
    const urn = urnOf(wish);
    this.#seen.add(urn);
    return this.#guarded(urn, async () => {
      const seen = await (await this.#providerOf(wish))?.read(urn, id, {}, wish.inputs);
      if (seen === undefined || seen.id === '') throw new Error(`${wish.type} ${id} does not exist`);
      this.steps.push({ op: 'read', urn });
      return { urn, id: seen.id, outputs: seen.outputs };
    });
  }

  /** What no program asks for any more goes, each after all that depend on it. */
  async finish(): Promise<void> {
    for (const held of this.#stack.leaving.splice(0)) await this.#delete(held);
    let left = [...this.#stack.resources.values()].filter(({ urn }) => !this.#seen.has(urn));
    while (left.length > 0) {
      const staying = new Set(left.map(({ urn }) => urn));
      const free = left.filter(({ urn }) => !this.#stack.dependantsOf(urn).some((each) => staying.has(each.urn)));
      const deletions = free.map((held) => this.#limit(() => this.#guarded(held.urn, () => this.#delete(held))));
      const done = await Promise.allSettled(deletions);
      if (done.some(({ status }) => status === 'rejected')) return;
      left = left.filter((held) => !free.includes(held));
      // A preview deletes nothing, so what depends on it is still there.
      if (this.#isPreview) return;
    }
  }

  async #guarded<T>(urn: string, run: () => Promise<T>): Promise<T> {
    if (this.failures.length > 0) throw new Error('the update has failed');
    try {
      return await run();
    } catch (error) {
      this.failures.push(`${urn}: ${isServiceError(error) ? error.details : String(error)}`);
      throw error;
    }
  }

  async #component(urn: string, wish: Registration): Promise<Registered> {
    const isOld = this.#stack.resources.has(urn);
    if (!this.#isPreview) this.#stack.put(heldOf(urn, wish, { id: '', inputs: wish.inputs, outputs: {} }));
    this.steps.push({ op: isOld ? 'same' : 'create', urn });
    return { urn, id: '', outputs: wish.inputs };
  }

  async #custom(urn: string, wish: Registration): Promise<Registered> {
    if (wish.type.startsWith('pulumi:providers:')) return this.#provider(urn, wish);
    const engine = await this.#providerOf(wish);
    if (engine === undefined) return { urn, id: '', outputs: wish.inputs };
    const held = this.#torn.has(urn) ? undefined : this.#stack.resources.get(urn);
    if (held === undefined && wish.importId !== '') return this.#import(engine, urn, wish);
    const news = await checked(engine, urn, wish.inputs, held?.inputs);
    if (held === undefined) return this.#create(engine, urn, wish, news, this.#torn.has(urn) ? 'replace' : 'create');
    return this.#compared(engine, wish, held, news);
  }

  async #compared(engine: Engine, wish: Registration, held: Held, news: Members): Promise<Registered> {
    const { urn, id } = held;
    const known = { id, olds: held.outputs, oldInputs: held.inputs, news };
    const difference = await engine.diff(urn, { ...known, ignored: [...wish.ignored] });
    if (difference.changes === 'none' && held.initErrors.length === 0) {
      this.steps.push({ op: 'same', urn, difference });
      return this.#keep(heldOf(urn, wish, { id, inputs: news, outputs: held.outputs }));
    }
    if (difference.replaces.length === 0) {
      const outputs = await engine.update(urn, { ...known, preview: this.#isPreview, ignored: [...wish.ignored] });
      this.steps.push({ op: 'update', urn, difference });
      return this.#keep(heldOf(urn, wish, { id, inputs: news, outputs }));
    }
    if (!difference.deleteBeforeReplace) {
      const made = await this.#create(engine, urn, wish, news, 'replace');
      if (!this.#isPreview) this.#stack.leaving.push(held);
      return made;
    }
    await this.#deleteFirst(held);
    return this.#create(engine, urn, wish, await checked(engine, urn, wish.inputs, undefined), 'replace');
  }

  /** The old object goes first, and before it what its going would replace. */
  async #deleteFirst(held: Held): Promise<void> {
    const going = [held];
    for (const each of this.#stack.dependantsOf(held.urn)) {
      const from = going.map(({ urn }) => urn);
      const touched = Object.entries(each.propertyDependencies).filter(([, urns]) =>
        urns.some((urn) => from.includes(urn)),
      );
      if (touched.length === 0) continue;
      const news = { ...each.inputs, ...Object.fromEntries(touched.map(([name]) => [name, unknownMarker])) };
      const known = { id: each.id, olds: each.outputs, oldInputs: each.inputs, news };
      const engine = await this.#providers.of(each.provider, each.type);
      if ((await engine?.diff(each.urn, known))?.replaces.length !== 0) going.push(each);
    }
    for (const each of going.reverse()) {
      this.#torn.add(each.urn);
      await this.#delete(each, each === held ? undefined : 'delete');
    }
  }

  async #create(engine: Engine, urn: string, wish: Registration, inputs: Members, op: Op): Promise<Registered> {
    if (!this.#isPreview) this.#stack.pending.add(urn);
    try {
      const { id, outputs } = await engine.create(urn, inputs, this.#isPreview);
      this.steps.push({ op, urn });
      return this.#keep(heldOf(urn, wish, { id, inputs, outputs }));
    } catch (error) {
      // What an engine hears of as failed it forgets, but for what is said to be there.
      this.#stack.pending.delete(urn);
      const kept = isServiceError(error) ? halfMade(error) : undefined;
      if (kept !== undefined) this.#keep({ ...heldOf(urn, wish, kept), initErrors: kept.reasons });
      throw error;
    }
  }

  async #import(engine: Engine, urn: string, wish: Registration): Promise<Registered> {
    const seen = await engine.read(urn, wish.importId);
    if (seen.id === '') throw new Error(`resource '${wish.importId}' does not exist`);
    const news = await checked(engine, urn, wish.inputs, seen.inputs);
    const known = { id: seen.id, olds: seen.outputs, oldInputs: seen.inputs, news };
    const difference = await engine.diff(urn, known);
    if (difference.replaces.length > 0) throw new Error(`${urn}: the import would have to replace it`);
    const isSame = difference.changes === 'none';
    const outputs = isSame ? seen.outputs : await engine.update(urn, { ...known, preview: this.#isPreview });
    this.steps.push({ op: 'import', urn, difference });
    return this.#keep(heldOf(urn, wish, { id: seen.id, inputs: news, outputs }));
  }

  async #provider(urn: string, wish: Registration): Promise<Registered> {
    const engine = await this.#providers.start(urn, wish.type.split(':').at(-1) ?? '', wish.inputs);
    const { inputs } = await engine.checkConfig(wish.inputs);
    const held = this.#stack.resources.get(urn);
    const known = { id: held?.id ?? '', olds: held?.inputs ?? {}, oldInputs: held?.inputs ?? {}, news: inputs };
    const difference = held === undefined ? undefined : await engine.diff(urn, known, 'diffConfig');
    if ((difference?.replaces.length ?? 0) > 0) throw new Error('another platform: not done here');
    this.steps.push({
      op: difference === undefined ? 'create' : difference.changes === 'some' ? 'update' : 'same',
      urn,
    });
    const id = held?.id ?? `${String(this.#seen.size)}f1c0000-0000-4000-8000-000000000000`;
    return this.#keep(heldOf(urn, wish, { id, inputs, outputs: inputs }));
  }

  async #delete(held: Held, op: Op | undefined = 'delete'): Promise<void> {
    const isObject = held.custom && !held.type.startsWith('pulumi:providers:');
    if (isObject && !this.#isPreview) {
      const engine = await this.#providers.of(held.provider, held.type);
      await engine?.delete(held.urn, { id: held.id, olds: held.outputs, oldInputs: held.inputs });
    }
    if (!this.#isPreview && this.#stack.resources.get(held.urn) === held) this.#stack.resources.delete(held.urn);
    this.steps.push({ op, urn: held.urn });
  }

  #providerOf({ provider, type }: Registration): Promise<Engine> | undefined {
    return this.#providers.of(provider, type);
  }

  #keep(held: Held): Registered {
    if (!this.#isPreview) this.#stack.put(held);
    return { urn: held.urn, id: held.id, outputs: { ...held.inputs, ...held.outputs } };
  }
}

function urnOf({ type, name, parent }: Registration): string {
  const above = parent.split('::')[2] ?? '';
  const path = above === '' || above === 'pulumi:pulumi:Stack' ? type : `${above}$${type}`;
  return `urn:pulumi:dev::shop::${path}::${name}`;
}

function heldOf(
  urn: string,
  wish: Registration,
  { id, inputs, outputs }: { readonly id: string; readonly inputs: Members; readonly outputs: Members },
): Held {
  const { type, custom, provider, dependencies, propertyDependencies, secretOutputs } = wish;
  const isOpen = (name: string, value: unknown): boolean =>
    secretOutputs.includes(name) && !JSON.stringify(value).includes('1b47061264138c4ac30d75fd1eb44270');
  const kept = Object.entries(outputs).map(([name, value]) => [name, isOpen(name, value) ? asSecret(value) : value]);
  const known = { urn, type, custom, provider, dependencies, propertyDependencies, initErrors: [] };
  return { ...known, id, inputs, outputs: Object.fromEntries(kept) as Members };
}

async function checked(engine: Engine, urn: string, news: Members, olds: Members | undefined): Promise<Members> {
  const { inputs, failures } = await engine.check(urn, news, olds);
  if (failures.length > 0) throw new Error(failures.join('\n'));
  return inputs;
}
