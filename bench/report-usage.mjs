// Loaded into measured processes: writes what the process used when it ends.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMb: maxRSS / 1024 };
  writeFileSync(process.env.SYNC_BENCH_USAGE, JSON.stringify(usage));
});
