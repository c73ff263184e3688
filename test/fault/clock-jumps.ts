import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chaosCatalogue, randomNumbers } from './chaos.js';
import { CrashBench } from './crash-bench.js';
import type { Report } from './report.js';

const steps = 60;
/** Many times the life of a lease; less than the five minutes by which clocks may differ. */
const farthestSeconds = 240;
const libraries = ['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu/faketime/libfaketimeMT.so.1`);

/** Runs whose wall clock is set back and forth while they work; the clock that nobody can set goes on. */
export async function clockJumps(report: Report, runs: number): Promise<void> {
  const library = libraries.find((file) => existsSync(file));
  if (library === undefined) return report.tell('skipped: there is no libfaketime on this machine');
  const bench = await CrashBench.start({ backend: 'sqlite' }, 20);
  const random = randomNumbers(1);
  const ends: Record<string, number> = {};
  let jumps = 0;
  try {
    const offset = join(bench.folder, 'clock');
    const env = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: offset,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    for (let number = 1; number <= runs; number += 1) {
      const wanted = chaosCatalogue(number % 2 === 1 ? 'a' : 'b', steps);
      await bench.write(wanted);
      writeFileSync(offset, '+0s\n');
      const child = bench.child(undefined, env);
      let isOver = false;
      void child.ended.then(() => (isOver = true));
      await Promise.race([child.said('begun'), child.ended]);
      while (!isOver) {
        await pause(50 + random() * 200);
        writeFileSync(offset, `${random() < 0.5 ? '-' : '+'}${Math.ceil(random() * farthestSeconds)}s\n`);
        jumps += 1;
      }
      const { result, errors } = await child.ended;
      const status = result?.status ?? 'broke down';
      ends[status] = (ends[status] ?? 0) + 1;
      if (status === 'broke down') report.violation(`clock ${number}`, [errors]);
      report.violation(`clock ${number}, run ended with ${status}`, (await bench.finish(wanted)).violations);
    }
    report.rows.push({ kind: 'clock set back and forth', runs, jumps, ...ends });
  } finally {
    await bench.close();
  }
}
