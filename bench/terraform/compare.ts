import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shapeOf } from '../catalogue.js';
import { measurementOf, repeat, type Measurement, type Setting } from '../measurement.js';
import { runTree } from '../process-tree.js';
import type { Run } from '../process.js';
import { inWorld, type Bench } from '../world.js';
import { configuration, type Form } from './configuration.js';
import { startStateServer } from './state-server.js';

export const comparedNames = {
  ours: { plan: 'sync: plan, nothing to do', apply: 'sync: first apply' },
  terraform: {
    plan: (form: Form): string => `terraform: plan, nothing to do (${form})`,
    apply: (form: Form): string => `terraform: first apply, http backend (${form})`,
    local: (form: Form): string => `terraform: first apply, local backend (${form})`,
  },
} as const;

export interface Comparison {
  /** Resources on either side. */
  readonly size: number;
  /** Resources with Terraform's local backend, which writes its whole file after every one of them. */
  readonly localSize: number;
}

/** Ours and Terraform's own no-network resource, one after the other in the same run, watched from outside alike. */
export async function measureAgainstTerraform(
  bench: Bench,
  { size, localSize }: Comparison,
  tell: (line: string) => void,
): Promise<readonly Measurement[]> {
  const rows: Measurement[] = [];
  const setting = settingOf(size);
  tell(`measuring ${size} resources beside terraform: ours …`);
  rows.push(...(await measureOurs(bench, setting)));
  for (const form of ['counted', 'catalogue'] as const) {
    tell(`measuring ${size} resources beside terraform: terraform, ${form}, http backend …`);
    rows.push(...(await measureTerraform(bench, setting, form)));
  }
  tell(`measuring ${localSize} resources beside terraform: terraform, local backend …`);
  rows.push(await measureLocal(settingOf(localSize)));
  return rows;
}

function settingOf(size: number): Setting {
  return { size, latencyMs: 0, backend: 'sqlite' };
}

async function measureOurs(bench: Bench, setting: Setting): Promise<readonly Measurement[]> {
  return inWorld(bench, setting, async (world) => {
    await world.write(shapeOf(setting.size));
    const watched = (args: readonly string[]): Promise<Run> =>
      runTree(process.execPath, [bench.program, ...args], { cwd: world.folder, env: world.env });
    const applies = await repeat(bench.runs, async () => {
      await world.empty();
      return watched(['apply', '--yes']);
    });
    await watched(['plan', '--detailed-exitcode']);
    const plans = await repeat(bench.runs, () => watched(['plan', '--detailed-exitcode']));
    return [
      measurementOf(comparedNames.ours.apply, setting, applies),
      measurementOf(comparedNames.ours.plan, setting, plans),
    ];
  });
}

async function measureTerraform(bench: Bench, setting: Setting, form: Form): Promise<readonly Measurement[]> {
  const server = await startStateServer();
  try {
    return await inFolder(configuration(form, shapeOf(setting.size), server.url), async (terraform) => {
      const apply = await terraform('apply', '-auto-approve');
      // Of its state alone; its resources call nobody.
      const writes = server.writes();
      // The first plan after it warms the file cache, as ours has it.
      await terraform('plan');
      const plans = await repeat(bench.runs, () => terraform('plan', '-detailed-exitcode'));
      return [
        measurementOf(comparedNames.terraform.apply(form), setting, [apply], { requests: writes }),
        measurementOf(comparedNames.terraform.plan(form), setting, plans),
      ];
    });
  } finally {
    await server.close();
  }
}

async function measureLocal(setting: Setting): Promise<Measurement> {
  return inFolder(configuration('catalogue', shapeOf(setting.size)), async (terraform) =>
    measurementOf(comparedNames.terraform.local('catalogue'), setting, [await terraform('apply', '-auto-approve')]),
  );
}

async function inFolder<T>(
  main: string,
  work: (terraform: (...args: readonly string[]) => Promise<Run>) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sync-bench-terraform-'));
  try {
    await writeFile(join(folder, 'main.tf'), main);
    await writeFile(join(folder, 'empty.rc'), '');
    // Nobody's settings, no look at the network for newer versions, no questions.
    const env = {
      TF_CLI_CONFIG_FILE: join(folder, 'empty.rc'),
      CHECKPOINT_DISABLE: '1',
      TF_IN_AUTOMATION: '1',
      TF_INPUT: '0',
    };
    const terraform = (...args: readonly string[]): Promise<Run> =>
      runTree('terraform', [...args, '-no-color'], { cwd: folder, env });
    await terraform('init');
    return await work(terraform);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
