import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Slots } from '@platform-sync/engine/apply/slots';
import { walkGraph, type OperationOutcome } from '@platform-sync/engine/apply/schedule';
import type { Operation } from '@platform-sync/engine/plan/step';

const operation = (id: string, ...dependsOn: string[]): Operation => ({
  ...{ id, address: id, kind: 'create', turn: 0 },
  dependsOn,
});

async function walk(
  operations: readonly Operation[],
  perform: (id: string) => Promise<OperationOutcome>,
  stopped: () => boolean = () => false,
) {
  const log: string[] = [];
  await walkGraph(operations, {
    slots: new Slots(3, 0),
    isStopped: stopped,
    perform: async ({ id }) => {
      log.push(`start ${id}`);
      const outcome = await perform(id);
      log.push(`${outcome} ${id}`);
      return outcome;
    },
    onSkip: ({ id }, because) => log.push(`skip ${id} (${because?.id ?? 'stopped'})`),
  });
  return log;
}

describe('graph walk', () => {
  it('does nothing for nothing', async () => {
    expect(await walk([], () => Promise.resolve('done'))).toEqual([]);
  });

  it('starts a step when its own dependencies are done, not when a level is', async () => {
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const log = await walk([operation('slow'), operation('fast'), operation('after-fast', 'fast')], async (id) => {
      if (id === 'slow') await held;
      if (id === 'after-fast') letGo();
      return 'done';
    });
    expect(log.indexOf('done after-fast')).toBeLessThan(log.indexOf('done slow'));
  });

  it('skips what needs a failed step and goes on with the rest', async () => {
    const operations = [operation('a'), operation('b', 'a'), operation('c', 'b'), operation('d')];
    const log = await walk(operations, (id) => Promise.resolve(id === 'a' ? 'failed' : 'done'));
    expect(log.filter((line) => line.startsWith('skip'))).toEqual(['skip b (a)', 'skip c (a)']);
    expect(log).toContain('done d');
  });

  it('starts nothing new once stopped, and lets what runs finish', async () => {
    let stop = false;
    const operations = [operation('a'), operation('b', 'a'), operation('c', 'b')];
    const log = await walk(
      operations,
      () => {
        stop = true;
        return Promise.resolve('done');
      },
      () => stop,
    );
    expect(log).toEqual(['start a', 'done a', 'skip b (stopped)', 'skip c (stopped)']);
  });

  it('rejects when performing throws: that is a bug, not a failure', async () => {
    await expect(walk([operation('a')], () => Promise.reject(new Error('bug')))).rejects.toThrow('bug');
  });

  it('lets what is in flight end before a bug comes out, and starts nothing new', async () => {
    const ended: string[] = [];
    const walk = walkGraph([operation('slow'), operation('bug'), operation('after-slow', 'slow')], {
      slots: new Slots(2, 0),
      isStopped: () => false,
      perform: async ({ id }) => {
        if (id === 'bug') throw new Error('bug');
        await new Promise((resolve) => setTimeout(resolve, 20));
        ended.push(id);
        return 'done';
      },
      onSkip: () => undefined,
    });
    await expect(walk).rejects.toThrow('bug');
    expect(ended).toEqual(['slow']);
  });

  it('never starts a step before its dependencies, settles each exactly once, and keeps within its concurrency', async () => {
    const graph = fc.array(fc.tuple(fc.array(fc.nat(30), { maxLength: 4 }), fc.boolean()), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(graph, async (shape) => {
        const operations = shape.map(([needs], index) =>
          operation(`o${index}`, ...new Set(needs.filter((n) => n < index).map((n) => `o${n}`))),
        );
        const failing = new Set(shape.flatMap(([, fails], index) => (fails ? [`o${index}`] : [])));
        const done = new Set<string>();
        const settled: string[] = [];
        let running = 0;
        await walkGraph(operations, {
          slots: new Slots(3, 0),
          isStopped: () => false,
          perform: async ({ id, dependsOn }) => {
            running += 1;
            expect(running).toBeLessThanOrEqual(3);
            for (const needed of dependsOn) expect(done.has(needed)).toBe(true);
            await Promise.resolve();
            running -= 1;
            settled.push(id);
            if (failing.has(id)) return 'failed';
            done.add(id);
            return 'done';
          },
          onSkip: ({ id }) => settled.push(id),
        });
        expect([...settled].sort()).toEqual(operations.map(({ id }) => id).sort());
      }),
      { numRuns: 200 },
    );
  });
});
