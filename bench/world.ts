import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeProject, type Edit, type Shape } from './catalogue.js';
import { measurementOf, repeat, type Measurement, type Setting } from './measurement.js';
import { runNode, type Run, type RunOptions } from './process.js';
import type { FaultRule } from '@platform-sync/sandbox/control/fault-rule';
import type { PostgresServer } from '../test/postgres/server.js';
import { startSandboxProcess, type SandboxProcess } from './sandbox-process.js';

/** What all scenarios share. */
export interface Bench {
  /** Path of the launcher that is measured. */
  readonly program: string;
  readonly runs: number;
  /** Started on first use. */
  postgres(): Promise<PostgresServer>;
}

const stateSetting = 'state: {backend: postgres, url: !env SYNC_STATE_URL}\n';

/** A project in a scratch folder, a sandbox of its own, and state. */
export class World {
  readonly #bench: Bench;
  readonly #setting: Setting;
  readonly #limit: Pick<WorldOptions, 'rateLimit'>;
  #sandbox: SandboxProcess;
  #stateUrl: string | undefined;

  private constructor(
    readonly folder: string,
    bench: Bench,
    setting: Setting,
    sandbox: SandboxProcess,
    limit: Pick<WorldOptions, 'rateLimit'>,
  ) {
    this.#limit = limit;
    this.#bench = bench;
    this.#setting = setting;
    this.#sandbox = sandbox;
  }

  /** Starts empty: no objects, no state. */
  static async open(bench: Bench, setting: Setting, { fast = false, rateLimit }: WorldOptions): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'sync-bench-'));
    const kept = fast ? { latencyMs: 0, data: join(folder, 'platform') } : { latencyMs: setting.latencyMs };
    const limit = rateLimit === undefined ? {} : { rateLimit };
    const sandbox = await startSandboxProcess(bench.program, { ...kept, ...(fast ? {} : limit) });
    const world = new World(folder, bench, setting, sandbox, limit);
    await world.loseState();
    return world;
  }

  write(shape: Shape, edit: Edit = 'none'): Promise<void> {
    return writeProject(this.folder, shape, {
      edit,
      settings: this.#setting.backend === 'postgres' ? stateSetting : '',
    });
  }

  /** Runs the measured program in the project. */
  sync(args: readonly string[], run: typeof runNode = runNode, options: RunOptions = {}): Promise<Run> {
    return run([this.#bench.program, ...args], { cwd: this.folder, ...options, env: this.env });
  }

  get env(): Readonly<Record<string, string>> {
    return {
      PLATFORM_TOKEN: 'bench',
      PLATFORM_SERVER_URL: this.#sandbox.url,
      // As at somebody's desk: a pipeline makes no memory.
      CI: '',
      ...(this.#stateUrl === undefined ? {} : { SYNC_STATE_URL: this.#stateUrl }),
    };
  }

  /** No objects and no state, as at first. */
  async empty(): Promise<void> {
    await this.#sandbox.resetWorld();
    await this.loseState();
  }

  /** What the platform does wrong from now on. */
  fault(rules: readonly FaultRule[]): Promise<void> {
    return this.#sandbox.fault(rules);
  }

  /** The same objects behind the setting's latency, and its limit. The address stays: state is bound to it. */
  async slowDown(): Promise<void> {
    const { port } = this.#sandbox;
    await this.#sandbox.stop();
    const kept = { ...this.#limit, latencyMs: this.#setting.latencyMs, port, data: join(this.folder, 'platform') };
    this.#sandbox = await startSandboxProcess(this.#bench.program, kept);
  }

  /** One row: the command over all runs. `before` is done ahead of each and not measured. */
  async measure(
    name: string,
    args: readonly string[],
    { runs = this.#bench.runs, before, ...options }: MeasureOptions = {},
  ): Promise<Measurement> {
    let requests = 0;
    let refused = 0;
    const all = await repeat(runs, async () => {
      await before?.();
      await this.#sandbox.resetRequests();
      const run = await this.sync(args, runNode, options);
      requests += await this.#sandbox.requests();
      refused += await this.#sandbox.refused();
      return run;
    });
    return measurementOf(name, this.#setting, all, { requests: requests / runs, refused: refused / runs });
  }

  /** One row of what somebody else has run against the platform. */
  async measureRun(name: string, work: () => Promise<Run>): Promise<Measurement> {
    await this.#sandbox.resetRequests();
    const run = await work();
    return measurementOf(name, this.#setting, [run], {
      requests: await this.#sandbox.requests(),
      refused: await this.#sandbox.refused(),
    });
  }

  forgetRequests(): Promise<void> {
    return this.#sandbox.resetRequests();
  }

  /** One row: all commands at once, each a process; from the first one's begin to the last one's end. */
  async measureTogether(name: string, lines: readonly (readonly string[])[]): Promise<Measurement> {
    return this.measureRun(name, async () => {
      const begun = performance.now();
      const all = await Promise.all(lines.map((line) => this.sync(line)));
      const wallMs = performance.now() - begun;
      const cpuMs = all.reduce((sum, run) => sum + run.cpuMs, 0);
      const [first] = all;
      if (first === undefined) throw new Error(`nothing to measure: ${name}`);
      return { ...first, wallMs, cpuMs, peakMb: Math.max(...all.map(({ peakMb }) => peakMb)) };
    });
  }

  async close(): Promise<void> {
    await this.#sandbox.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  async loseState(): Promise<void> {
    await rm(join(this.folder, '.sync'), { recursive: true, force: true });
    if (this.#setting.backend === 'postgres') this.#stateUrl = await (await this.#bench.postgres()).createDatabase();
  }
}

export interface MeasureOptions extends RunOptions {
  readonly runs?: number;
  readonly before?: () => Promise<void>;
}

export interface WorldOptions {
  /** Without latency and limit, until `slowDown`. */
  readonly fast?: boolean;
  /** Requests a minute that the platform takes. */
  readonly rateLimit?: number;
}

/** Opens a world, works in it, and closes it whatever happens. */
export async function inWorld<T>(
  bench: Bench,
  setting: Setting,
  work: (world: World) => Promise<T>,
  options: WorldOptions = {},
): Promise<T> {
  const world = await World.open(bench, setting, options);
  try {
    return await work(world);
  } finally {
    await world.close();
  }
}
