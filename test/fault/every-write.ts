import { setTimeout as sleep } from 'node:timers/promises';
import { after, before } from './catalogues.js';
import type { KillPoint } from './child-order.js';
import type { CrashBench } from './crash-bench.js';

/** One write of an apply at which the process died. */
export interface KilledWrite {
  readonly point: KillPoint['point'] | 'after sending';
  readonly write: KillPoint['write'];
  readonly nth: number;
  readonly violations: readonly string[];
}

const methods = { create: 'POST', update: 'PATCH', delete: 'DELETE' } as const;
const points: readonly KilledWrite['point'][] = [
  'before sending',
  'after sending',
  'after the answer',
  'after the state write',
];

/** Applies the same change again and again; each time the process dies at another write, or at another point of it. */
export async function killAtEveryWrite(
  bench: CrashBench,
  onWrite?: (killed: KilledWrite) => void,
): Promise<readonly KilledWrite[]> {
  const all: KilledWrite[] = [];
  for (const point of points) {
    for (const write of ['create', 'update', 'delete'] as const) {
      for (let nth = 1; ; nth += 1) {
        const violations = await killOne(bench, point, write, nth);
        // No such write any more: all of this kind have been through.
        if (violations === undefined) break;
        const killed = { point, write, nth, violations };
        all.push(killed);
        onWrite?.(killed);
      }
    }
  }
  return all;
}

async function killOne(
  bench: CrashBench,
  point: KilledWrite['point'],
  write: KillPoint['write'],
  nth: number,
): Promise<readonly string[] | undefined> {
  await bench.write(before);
  const { violations } = await bench.finish(before);
  if (violations.length > 0) return violations;
  await bench.write(after);
  const died =
    point === 'after sending' ? await dieUnanswered(bench, write, nth) : await die(bench, { point, write, nth });
  return died ? (await bench.finish(after)).violations : undefined;
}

async function die(bench: CrashBench, kill: KillPoint): Promise<boolean> {
  return (await bench.child(kill).ended).signal === 'SIGKILL';
}

/** The platform does the work and keeps the answer to itself; meanwhile the process dies. */
async function dieUnanswered(bench: CrashBench, write: KillPoint['write'], nth: number): Promise<boolean> {
  await bench.fault({ match: { method: methods[write] }, nth, action: { delayMs: 60_000, when: 'after-commit' } });
  const child = bench.child();
  let isOver = false;
  void child.ended.then(() => (isOver = true));
  while (!isOver && (await bench.struck()) === 0) await sleep(5);
  // The rule struck when the request came in; the work is done before another one is answered.
  await bench.dump();
  child.process.kill('SIGKILL');
  const { signal } = await child.ended;
  await bench.fault();
  return signal === 'SIGKILL';
}
