import { readFleet, type Fleet } from '@platform-sync/engine/use-cases/fleet';
import type { RunContext } from '../run/run-context.js';
import { type KnownStacks, type Stack, stacksOf } from './rounds.js';

/** Stacks may come and go while a worker runs. */
const staleMs = 300_000;
/** One that is asked for and not known is looked for no more often. */
export const newMs = 10_000;

export interface FleetNow {
  readonly fleet: Fleet;
  readonly stacks: readonly Stack[];
}

/** What fleet.yaml and the projects say, read anew now and then. */
export class Stock {
  readonly #context: RunContext;
  readonly #known: KnownStacks = new Map();
  #read: { readonly at: number; readonly what: Promise<FleetNow> } | undefined;

  constructor(context: RunContext) {
    this.#context = context;
  }

  now(oldestMs = staleMs): Promise<FleetNow> {
    const at = this.#context.host.world.steady();
    if (this.#read === undefined || at - this.#read.at > oldestMs) {
      const what = this.#fresh();
      this.#read = { at, what };
      // One that can't be read is read again when somebody asks.
      what.catch(() => (this.#read = undefined));
    }
    return this.#read.what;
  }

  async #fresh(): Promise<FleetNow> {
    const fleet = await readFleet(this.#context.cwd);
    return { fleet, stacks: await stacksOf(this.#context, fleet, this.#known) };
  }
}
