import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FaultRule } from '@platform-sync/sandbox/control/fault-rule';
import type { Measurement, Setting } from '../measurement.js';
import { inWorld, type Bench } from '../world.js';

/** Independent creates against a platform that answers well, and against one that does not. */
export const faultNames = {
  apis: { sound: 'first apply of APIs, no faults', faulty: 'first apply of APIs, 10 % faults' },
  products: { sound: 'first apply of products, no faults', faulty: 'first apply of products, 10 % faults' },
  hanging: 'first apply of APIs, 1 % of the answers hang',
} as const;

export const faultCase = { creates: 2000, concurrency: 8, latencyMs: 20 } as const;
/** A platform that answers at once: what then counts is the wait of the few objects whose create was lost several times. */
export const instantCase = { latencyMs: 0, runs: 3 } as const;
/** For the answers that hang: the time-out of the run, and how many of its creates are hit. */
export const hangingCase = { timeoutMs: 5_000, share: 0.01 } as const;

const actions: readonly FaultRule['action'][] = [
  { status: 500 },
  { status: 500, when: 'after-commit' },
  { status: 502 },
  { status: 502, when: 'after-commit' },
  { status: 503 },
  { reset: 'before' },
  { reset: 'after-commit' },
];

/** Each request meets one of them with a probability of a tenth, reads like writes, some of the writes after the work is done. */
const faults: readonly FaultRule[] = actions.map((action, at) => ({
  probability: 1 - 0.9 ** (1 / actions.length),
  seed: at + 1,
  action,
}));

const hanging: readonly FaultRule[] = [
  { match: { method: 'POST' }, probability: hangingCase.share, action: { delayMs: 600_000 } },
];

type Kind = 'apis' | 'products';

interface FaultCase {
  readonly name: string;
  readonly kind: Kind;
  readonly rules?: readonly FaultRule[];
  readonly latencyMs?: number;
  /** Default 1: minutes, if it were slow; and what fails is chosen by a seed. */
  readonly runs?: number;
  /** Lines of sync.yaml besides the project's name. */
  readonly settings?: string;
}

const cases: readonly FaultCase[] = [
  ...(['apis', 'products'] as const).flatMap((kind) => [
    { name: faultNames[kind].sound, kind },
    { name: faultNames[kind].faulty, kind, rules: faults },
  ]),
  { name: faultNames.products.sound, kind: 'products', ...instantCase },
  { name: faultNames.products.faulty, kind: 'products', rules: faults, ...instantCase },
  {
    name: faultNames.hanging,
    kind: 'apis',
    rules: hanging,
    settings: `timing: {requestSeconds: ${hangingCase.timeoutMs / 1000}}\n`,
  },
];

export async function measureFaults(bench: Bench, tell: (line: string) => void): Promise<readonly Measurement[]> {
  const rows: Measurement[] = [];
  for (const one of cases) {
    tell(`measuring ${one.name}, ${faultCase.creates} creates, ${one.latencyMs ?? faultCase.latencyMs} ms …`);
    rows.push(await measureCase(bench, one));
  }
  return rows;
}

function measureCase(bench: Bench, one: FaultCase): Promise<Measurement> {
  const { name, kind, rules = [], settings = '', latencyMs = faultCase.latencyMs, runs = 1 } = one;
  const setting: Setting = { size: faultCase.creates, latencyMs, backend: 'sqlite' };
  return inWorld(bench, setting, async (world) => {
    await writeCatalogue(world.folder, kind, settings);
    return world.measure(name, ['apply', '--yes', '--concurrency', String(faultCase.concurrency)], {
      runs,
      before: async () => {
        await world.empty();
        await world.fault(rules);
      },
    });
  });
}

async function writeCatalogue(folder: string, kind: Kind, settings: string): Promise<void> {
  await rm(join(folder, 'catalogue'), { recursive: true, force: true });
  await mkdir(join(folder, 'catalogue'), { recursive: true });
  await writeFile(join(folder, 'sync.yaml'), `project: bench\n${settings}`);
  const blocks = Array.from({ length: faultCase.creates }, (_, at) =>
    kind === 'apis'
      ? apiLine(at)
      : `  shop${at}: {type: platform:ApiProduct, properties: {name: Shop ${at}, portalIds: []}}\n`,
  );
  await writeFile(join(folder, 'catalogue', 'all.yaml'), `resources:\n${blocks.join('')}`);
}

function apiLine(at: number): string {
  return `  api${at}: {type: platform:Api, properties: {name: API number ${at}, version: "1.0"}}\n`;
}
