import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';

/** Where figures were taken: without it they mean little. */
export interface Machine {
  readonly cpus: number;
  readonly cpu: string;
  readonly memoryGb: number;
  readonly platform: string;
  readonly node: string;
  /** What `--version` says. */
  readonly program: string;
  /** Processes that wanted a CPU in the minute before: much above 0, and wall times are not worth keeping. */
  readonly loadBefore: number;
  readonly date: string;
}

export function thisMachine(program: string): Machine {
  const all = cpus();
  return {
    cpus: all.length,
    cpu: all[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    program: execFileSync(process.execPath, [program, '--version'], { encoding: 'utf8' }).trim(),
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(2)),
    date: new Date().toISOString().slice(0, 10),
  };
}

export function machineLine({
  cpus: count,
  cpu,
  memoryGb,
  platform,
  node,
  program,
  loadBefore,
  date,
}: Machine): string {
  return `${program}, Node ${node}, ${platform}, ${count} × ${cpu}, ${memoryGb} GB, load before ${loadBefore}, ${date}`;
}
