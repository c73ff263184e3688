import type { Worker } from 'graphile-worker';
import { expect, it } from 'vitest';
import { lookingAgain } from 'platform-sync-fleet/looks';

/** A worker that finds nothing whenever it looks, in a time of its own. */
class Rig {
  readonly looksAt: number[] = [];
  #now = 0;
  #due: { readonly at: number; readonly task: () => void } | undefined;
  readonly #events = lookingAgain({
    random: () => 0.5,
    after: (ms, task) => {
      const due = { at: this.#now + ms, task };
      this.#due = due;
      return () => (this.#due = this.#due === due ? undefined : this.#due);
    },
  });
  readonly #worker = { nudge: () => this.look() } as unknown as Worker;

  look(): boolean {
    this.looksAt.push(this.#now);
    this.emit('worker:getJob:start');
    return this.emit('worker:getJob:empty');
  }

  emit(
    name: 'worker:getJob:start' | 'worker:getJob:empty' | 'pool:listen:notification' | 'job:start' | 'worker:release',
  ) {
    return this.#events.emit(name, { worker: this.#worker } as never);
  }

  waits(): void {
    for (let due = this.#due; due !== undefined; due = this.#due) {
      this.#due = undefined;
      this.#now = due.at;
      due.task();
    }
  }
}

it('a worker that found nothing looks again soon, more and more seldom, and leaves the rest to the engine', () => {
  const rig = new Rig();
  rig.look();
  rig.waits();
  expect(rig.looksAt).toEqual([0, 30, 90, 210, 450, 930, 1890]);
});

it.each(['pool:listen:notification', 'job:start'] as const)('begins anew at %s', (name) => {
  const rig = new Rig();
  rig.look();
  rig.waits();
  rig.emit(name);
  rig.look();
  rig.waits();
  expect(rig.looksAt.slice(7)).toEqual([1890, 1920, 1980, 2100, 2340, 2820, 3780]);
});

it('looks no more once it is released, be it in the middle of a look: the engine takes that for a bug', () => {
  const rig = new Rig();
  rig.look();
  rig.emit('worker:release');
  rig.emit('worker:getJob:empty');
  rig.waits();
  expect(rig.looksAt).toEqual([0]);
});
