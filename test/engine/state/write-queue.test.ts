import { describe, expect, test } from 'vitest';
import { WriteQueue, type Outcome } from '@platform-sync/state/write-queue';

/** A queue over a disk that writes when told to. */
function queueOverDisk(largest?: number) {
  const batches: number[][] = [];
  const waiting: ((fail?: Error) => void)[] = [];
  const queue = new WriteQueue<number, number>(async (batch) => {
    batches.push([...batch]);
    await new Promise<void>((done, failed) => {
      waiting.push((fail) => {
        if (fail === undefined) done();
        else failed(fail);
      });
    });
    return batch.map((item): Outcome<number> => (item < 0 ? { error: new Error('refused') } : { result: item * 10 }));
  }, largest);
  /** Ends the write under way, after it has begun. */
  const flush = async (fail?: Error): Promise<void> => {
    while (waiting.length === 0) await new Promise((turn) => setImmediate(turn));
    waiting.shift()?.(fail);
  };
  return { queue, batches, flush };
}

describe('the write queue', () => {
  test('writes together what is asked for in one turn, and then what came while it wrote', async () => {
    const { queue, batches, flush } = queueOverDisk();
    const first = Promise.all([queue.add(1), queue.add(2)]);
    while (batches.length === 0) await new Promise((turn) => setImmediate(turn));
    const second = Promise.all([queue.add(3), queue.add(4)]);
    await flush();
    expect(await first).toEqual([10, 20]);
    await flush();
    expect(await second).toEqual([30, 40]);
    expect(batches).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test('settles nothing before its batch is written', async () => {
    const { queue, batches, flush } = queueOverDisk();
    let settled = false;
    const write = queue.add(1).then(() => (settled = true));
    while (batches.length === 0) await new Promise((turn) => setImmediate(turn));
    expect(settled).toBe(false);
    await flush();
    await write;
    expect(settled).toBe(true);
  });

  test('fails an item alone, and a batch as a whole, and goes on', async () => {
    const { queue, flush } = queueOverDisk();
    const mixed = Promise.allSettled([queue.add(1), queue.add(-1)]);
    await flush();
    expect(await mixed).toMatchObject([{ value: 10 }, { reason: { message: 'refused' } }]);
    const lost = Promise.allSettled([queue.add(2), queue.add(3)]);
    await flush(new Error('disk full'));
    expect(await lost).toMatchObject([{ reason: { message: 'disk full' } }, { reason: { message: 'disk full' } }]);
    const next = queue.add(4);
    await flush();
    expect(await next).toBe(40);
  });

  test('limits a batch, keeps the order, and is idle at the end', async () => {
    const { queue, batches, flush } = queueOverDisk(2);
    const writes = Promise.all([1, 2, 3, 4, 5].map((item) => queue.add(item)));
    const idle = queue.idle();
    for (let batch = 0; batch < 3; batch++) await flush();
    await idle;
    expect(batches).toEqual([[1, 2], [3, 4], [5]]);
    expect(await writes).toEqual([10, 20, 30, 40, 50]);
  });
});
