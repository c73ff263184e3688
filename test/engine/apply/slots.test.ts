import { describe, expect, it } from 'vitest';
import { Slots } from '@platform-sync/engine/apply/slots';
import { walkGraph } from '@platform-sync/engine/apply/schedule';
import type { Operation } from '@platform-sync/engine/plan/step';

const operations = Array.from({ length: 100 }, (_, at): Operation => {
  const id = `o${at}`;
  return { id, address: id, kind: 'create', dependsOn: [], turn: at };
});

/** Walks a hundred steps of which the first `troubled` wait for all the others before they go on. */
async function walk(places: Slots, troubled: number): Promise<{ readonly log: readonly string[]; most: number }> {
  const log: string[] = [];
  let [working, most, left] = [0, 0, operations.length - troubled];
  let othersAreDone = (): void => undefined;
  const others = new Promise<void>((resolve) => (othersAreDone = resolve));
  await walkGraph(operations, {
    slots: places,
    isStopped: () => false,
    perform: async ({ id }) => {
      const waits = Number(id.slice(1)) < troubled;
      working += 1;
      most = Math.max(most, working);
      if (waits) {
        working -= 1;
        await places.rest(() => others);
        working += 1;
      } else {
        await Promise.resolve();
        left -= 1;
        if (left === 0) othersAreDone();
      }
      working -= 1;
      log.push(id);
      return 'done';
    },
    onSkip: () => undefined,
  });
  return { log, most };
}

describe('the places of steps at work', () => {
  it('are not held by steps that wait: the rest is done meanwhile, by no more than there are places for', async () => {
    const { log, most } = await walk(new Slots(4, 20), 20);
    expect(log).toHaveLength(operations.length);
    expect(log.slice(-20).sort()).toEqual(
      operations
        .slice(0, 20)
        .map(({ id }) => id)
        .sort(),
    );
    // Those that come back go on at once, beside those at work; nothing is left to start then.
    expect(most).toBeLessThanOrEqual(20);
  });

  it('are given up by so many at a time and no more: trouble of all does not start all', async () => {
    const places = new Slots(4, 6);
    let begun = 0;
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const walking = walkGraph(operations, {
      slots: places,
      isStopped: () => false,
      perform: async () => {
        begun += 1;
        await places.rest(() => held);
        return 'done';
      },
      onSkip: () => undefined,
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toBe(4 + 6);
    goOn();
    await walking;
    expect(begun).toBe(operations.length);
  });

  it('are free again after each step, rested or not', async () => {
    const places = new Slots(3, 2);
    await walk(places, 2);
    let begun = 0;
    const never = new Promise<void>(() => undefined);
    for (let each = 0; each < 4; each += 1)
      void places.take(() => {
        begun += 1;
        return never;
      });
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toBe(3);
  });
});
