import type { Timing } from '@platform-sync/state/lease-term';

/** A clock that only moves when told to, with the default lengths of leases. */
export class FakeTime {
  time = Date.UTC(2026, 0, 1);
  /** Called at each sleep, before time moves on. */
  onSleep: () => Promise<void> = async () => undefined;
  readonly slept: number[] = [];
  readonly #tasks = new Set<() => void>();

  readonly timing: Partial<Timing> = {
    now: () => this.time,
    sleep: async (ms) => {
      this.slept.push(ms);
      await this.onSleep();
      this.time += ms;
    },
    every: (_ms, task) => {
      this.#tasks.add(task);
      return () => this.#tasks.delete(task);
    },
  };

  /** How many heartbeats are set up. */
  get beating(): number {
    return this.#tasks.size;
  }

  beat(): void {
    for (const task of this.#tasks) task();
  }
}
