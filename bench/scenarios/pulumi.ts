import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { urnOf, type Caller, type Members } from '../../test/pulumi/engine.js';
import { measurementOf, repeat, type Measurement } from '../measurement.js';
import type { Run } from '../process.js';
import { buildPackages, canMeasureProviders, startProvider } from '../provider-process.js';
import { startSandboxProcess } from '../sandbox-process.js';
import { inWorld, type Bench } from '../world.js';

export const pulumiResources = 1000;
export const pulumiNames = {
  start: 'Pulumi provider, to the port',
  preview: 'Pulumi provider, preview of nothing to do',
  up: 'Pulumi provider, up of nothing to do',
  refresh: 'Pulumi provider, refresh of nothing that moved',
  plan: 'plan of the same, nothing to do',
} as const;

/** Calls at a time: what the real engine makes of two cores. */
const parallel = 8;
/** Below this many runs the noise of the machine is larger than what is measured. */
const fewestStarts = 15;

interface Held {
  readonly urn: string;
  readonly inputs: Members;
  readonly id: string;
  readonly outputs: Members;
}

type Work = (calls: Caller, held: Held) => Promise<void>;

const type = 'platform:index/api:Api';

/** The calls of the engine for each resource that nobody changed. */
const unchanged: Work = async (calls, { urn, id, inputs, outputs }) => {
  const checked = await calls.check(urn, inputs, inputs);
  const difference = await calls.diff(urn, { id, olds: outputs, oldInputs: inputs, news: checked.inputs });
  if (difference.changes !== 'none') throw new Error(`${urn} differs`);
};

const refreshed: Work = async (calls, { urn, id, inputs, outputs }) => {
  const seen = await calls.read(urn, id, inputs, outputs);
  const known = { id: seen.id, olds: seen.outputs, oldInputs: seen.inputs, news: inputs };
  if ((await calls.diff(urn, known)).changes !== 'none') throw new Error(`${urn} differs`);
};

/**
 * The provider's part of commands that find nothing to do, by the calls of the real engine, each command with a process of its
 * own; beside it our own plan of as many resources. What the engine itself takes is not ours to measure.
 */
export async function measurePulumi(bench: Bench): Promise<readonly Measurement[]> {
  if (!canMeasureProviders) return [];
  const setting = { size: pulumiResources, latencyMs: 0, backend: 'sqlite' } as const;
  const folder = await mkdtemp(join(tmpdir(), 'sync-bench-pulumi-'));
  const sandbox = await startSandboxProcess(bench.program, setting);
  const env = { PLATFORM_TOKEN: 'bench', PLATFORM_SERVER_URL: sandbox.url };
  const executable = join(folder, 'platform/pulumi-resource-platform');
  const provide = async <T>(work: (calls: Caller) => Promise<T>): Promise<Run & { readonly result: T }> => {
    const provider = await startProvider(executable, env);
    try {
      const start = performance.now();
      await provider.calls.configure({});
      const result = await work(provider.calls);
      const wallMs = performance.now() - start;
      return { wallMs, ...provider.usage(), code: 0, stdout: '', stderr: '', result };
    } finally {
      await provider.stop();
    }
  };
  try {
    await buildPackages(folder);
    const starts = await repeat(Math.max(fewestStarts, bench.runs), async (): Promise<Run> => {
      const provider = await startProvider(executable, env);
      const used = provider.usage();
      await provider.stop();
      return { wallMs: provider.startMs, ...used, code: 0, stdout: '', stderr: '' };
    });
    const { result: made } = await provide((calls) => ofAll(names, (name) => create(calls, name)));
    const rows = [measurementOf(pulumiNames.start, setting, starts)];
    const commands = [
      [pulumiNames.preview, unchanged],
      [pulumiNames.up, unchanged],
      [pulumiNames.refresh, refreshed],
    ] as const;
    for (const [name, work] of commands) {
      await sandbox.resetRequests();
      const runs = await repeat(bench.runs, () => provide((calls) => ofAll(made, (held) => work(calls, held))));
      rows.push(measurementOf(name, setting, runs, { requests: (await sandbox.requests()) / bench.runs }));
    }
    return [...rows, await measureOwnPlan(bench)];
  } finally {
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const names = Array.from({ length: pulumiResources }, (_, at) => `api-${String(at)}`);

async function create(calls: Caller, name: string): Promise<Held> {
  const urn = urnOf(type, name);
  const { inputs } = await calls.check(urn, { name, version: '1', labels: { team: 'shop' } });
  return { urn, inputs, ...(await calls.create(urn, inputs)) };
}

function ofAll<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const limit = pLimit(parallel);
  return Promise.all(items.map((item) => limit(() => work(item))));
}

function measureOwnPlan(bench: Bench): Promise<Measurement> {
  const setting = { size: pulumiResources, latencyMs: 0, backend: 'sqlite' } as const;
  return inWorld(bench, setting, async (world) => {
    await world.write({ apis: pulumiResources, documents: 0, content: 0 });
    await world.sync(['apply', '--yes']);
    return world.measure(pulumiNames.plan, ['plan', '--detailed-exitcode']);
  });
}
