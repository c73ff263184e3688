import { setTimeout as pause } from 'node:timers/promises';
import type { ApplyResult, OpenOptions } from '@platform-sync/engine/api';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { openStateStore } from '@platform-sync/state/open';
import { realTiming, type Timing } from '@platform-sync/state/lease-term';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { providerPackages } from '@platform-sync/sdk/registry';
import { product } from './catalogues.js';
import { cuttableProxy } from './cuttable-proxy.js';
import { makeFaultWorld, type FaultWorld } from './fault-world.js';
import { existingObjects } from './inventory.js';

/** What befalls the first run while the platform makes its writes wait for longer than its lease lives. */
export const troubles = ['stop', 'partition', 'refused beat', 'unlock', 'one 429', 'black-holed database'] as const;
export type Trouble = (typeof troubles)[number];

/** Troubles in which the first process stands still, and so can only end when it wakes up. */
export function isStopped(trouble: Trouble): boolean {
  return trouble === 'stop' || trouble === 'one 429';
}

/** How a scenario ended. */
export interface Fencing {
  readonly first: ApplyResult;
  readonly second: ApplyResult;
  /** Milliseconds from the trouble until the first run had ended. */
  readonly endedAfterMs: number;
  /** Names of the objects on the platform, sorted. */
  readonly names: readonly string[];
  readonly stepsLeft: number;
}

export interface FencingOptions {
  readonly trouble: Trouble;
  /** Life of a lease, milliseconds. */
  readonly ttlMs: number;
  /** Address of an empty PostgreSQL database; needed for the troubles of a database. */
  readonly database?: string;
}

export const objects = 60;
const catalogue = Object.fromEntries(
  Array.from({ length: objects }, (_, n) => [`shop${n}`, product(`Shop ${n}`, { description: `number ${n}` })]),
);

/** Two runs of one project: the first loses its right while its creates wait at the gate, the second takes over. */
export async function runFencing(options: FencingOptions): Promise<Fencing> {
  const faulty = await makeFaultWorld();
  const proxy = options.database === undefined ? undefined : await cuttableProxy(options.database);
  const memory = new MemoryDatabase();
  const lengths = { ttlMs: options.ttlMs, heartbeatMs: options.ttlMs / 6, pollMs: 20 };
  const frozen = new FreezableTiming();
  const store = (timing: Partial<Timing>, url: string | undefined): Promise<StateStore> =>
    url === undefined
      ? Promise.resolve(memoryStateStore('test', 'default', memory, timing))
      : openStateStore({ backend: 'postgres', url }, 'test', 'default', timing);
  const openFirst: OpenOptions['openState'] = () => store({ ...lengths, ...frozen.timing }, proxy?.url);
  const openSecond: OpenOptions['openState'] = () => store(lengths, options.database);
  try {
    await faulty.write(catalogue);
    const times = options.trouble === 'one 429' ? 1 : 16;
    const retryAfter = (options.ttlMs * 1.5) / 1000;
    await faulty.fault({ match: { method: 'POST' }, times, action: { status: 429, retryAfter } });
    let trouble: () => void = () => undefined;
    const inTrouble = new Promise<void>((resolve) => (trouble = resolve));
    const first = run(faulty, openFirst, 0, (reason) => {
      if (reason.includes('429')) trouble();
    });
    await inTrouble;
    const since = performance.now();
    const ended = first.then(() => performance.now() - since);
    // The platform takes everything again: nothing but the first run's own wait keeps its writes back.
    await faulty.fault();
    await cause(options.trouble, frozen, proxy, () => openSecond({} as never));
    const second = await run(faulty, openSecond, options.ttlMs * 20, () => undefined);
    const endedFirst = await first;
    const dump = await faulty.dump();
    const next = await faulty.world.open((project) => project.plan(), { openState: openSecond });
    return {
      first: endedFirst,
      second,
      endedAfterMs: await ended,
      names: [...existingObjects(dump)].sort(),
      stepsLeft: next.plan?.steps.length ?? -1,
    };
  } finally {
    await faulty.world.close();
    await proxy?.close();
  }
}

async function cause(
  trouble: Trouble,
  frozen: FreezableTiming,
  proxy: { cut(): void; swallow(): void } | undefined,
  open: () => Promise<StateStore>,
): Promise<void> {
  if (isStopped(trouble)) frozen.freeze();
  if (trouble === 'partition') proxy?.cut();
  if (trouble === 'black-holed database') proxy?.swallow();
  if (trouble !== 'refused beat' && trouble !== 'unlock') return;
  const store = await open();
  const holder = await store.holder();
  await store.unlock(holder?.id ?? '', { now: trouble === 'refused beat' });
  await store.close();
}

function run(
  faulty: FaultWorld,
  openState: OpenOptions['openState'],
  lockTimeoutMs: number,
  onWait: (reason: string) => void,
): Promise<ApplyResult> {
  return faulty.world.open(
    (project) => project.hold({ lockTimeoutMs }, async () => project.apply(await project.plan())),
    {
      packages: providerPackages,
      concurrency: 8,
      ...(openState === undefined ? {} : { openState }),
      onEvent: (event) => {
        if (event.type === 'waiting') onWait(event.reason);
      },
    },
  );
}

/** Timers that a stopped process would not see fire: what still protects is the look at the clock when bytes leave. */
class FreezableTiming {
  #isFrozen = false;

  readonly timing: Pick<Timing, 'every' | 'after' | 'sleep'> = {
    every: (ms, task) => realTiming.every(ms, () => this.#unlessFrozen(task)),
    after: (ms, task) => realTiming.after(ms, () => this.#unlessFrozen(task)),
    sleep: async (ms) => {
      await pause(ms);
    },
  };

  freeze(): void {
    this.#isFrozen = true;
  }

  #unlessFrozen(task: () => void): void {
    if (!this.#isFrozen) task();
  }
}
