import { startRestartablePostgres } from '../postgres/server.js';
import { chaosCatalogue, randomNumbers } from './chaos.js';
import { CrashBench } from './crash-bench.js';
import type { Report } from './report.js';

const steps = 60;

/** The database server is restarted while a run is at work, by turns in order and as after a crash. */
export async function restarts(report: Report, runs: number): Promise<void> {
  const server = await startRestartablePostgres();
  const bench = await CrashBench.start({ backend: 'postgres', url: await server.createDatabase() }, 5);
  const random = randomNumbers(1);
  const ends: Record<string, number> = {};
  try {
    for (let number = 1; number <= runs; number += 1) {
      const wanted = chaosCatalogue(number % 2 === 1 ? 'a' : 'b', steps);
      await bench.write(wanted);
      const child = bench.child();
      const { steps: planned } = await child.said('planned');
      await Promise.race([child.said('begun', Math.ceil(random() * planned)), child.ended]);
      await server.restart(number % 2 === 1 ? 'orderly' : 'crash');
      const status = (await child.ended).result?.status ?? 'broke down';
      ends[status] = (ends[status] ?? 0) + 1;
      // Whoever comes back in time has done everything by itself.
      report.violation(`restart ${number}, run ended with ${status}`, (await bench.finish(wanted)).violations);
      if (number % 5 === 0) report.tell(`${number} restarts`);
    }
    report.rows.push({ kind: 'server restarted in mid-run', runs, ...ends });
  } finally {
    await bench.close();
    await server.stop();
  }
}
