import { chaosCatalogue, randomNumbers } from './chaos.js';
import { CrashBench } from './crash-bench.js';
import type { Report } from './report.js';

const steps = 36;

/** Two processes apply one project to one SQLite file at the same time, again and again; every third time one of them is killed. */
export async function twoProcesses(report: Report, minutes: number): Promise<void> {
  const bench = await CrashBench.start({ backend: 'sqlite' }, 2);
  const random = randomNumbers(1);
  const end = performance.now() + minutes * 60_000;
  const ends: Record<string, number> = {};
  let [rounds, kills] = [0, 0];
  try {
    while (performance.now() < end) {
      rounds += 1;
      const wanted = chaosCatalogue(rounds % 2 === 1 ? 'a' : 'b', steps);
      await bench.write(wanted);
      const both = [bench.waitingChild(), bench.waitingChild()] as const;
      if (rounds % 3 === 0) {
        const first = both[0];
        await Promise.race([first.said('begun', 1 + Math.floor(random() * 10)), first.ended]).catch(() => undefined);
        kills += first.process.kill('SIGKILL') ? 1 : 0;
      }
      for (const { result, errors, signal } of await Promise.all(both.map(({ ended }) => ended))) {
        const status = signal === 'SIGKILL' ? 'killed' : (result?.status ?? 'broke down');
        ends[status] = (ends[status] ?? 0) + 1;
        if (status === 'broke down') report.violation(`round ${rounds}`, [errors]);
      }
      report.violation(`round ${rounds}`, (await bench.finish(wanted)).violations);
      if (rounds % 20 === 0) report.tell(`${rounds} rounds`);
    }
    report.rows.push({ kind: 'two processes on one file', minutes, rounds, kills, ...ends });
  } finally {
    await bench.close();
  }
}
