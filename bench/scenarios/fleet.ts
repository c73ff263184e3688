import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Measurement } from '../measurement.js';
import { inWorld, type Bench } from '../world.js';

interface FleetCase {
  readonly name: string;
  readonly stacks: number;
  readonly apis: number;
  readonly documents: number;
  readonly latencyMs: number;
  /** Requests a minute that the platform takes. */
  readonly rateLimit?: number;
}

/** Stacks of one server and one token, each with APIs of its own. */
export const fleetCase: FleetCase = {
  name: 'fleet check, clean',
  ...{ stacks: 20, apis: 50, documents: 10, latencyMs: 0 },
};

export const largeFleetCase: FleetCase = {
  name: 'fleet check, clean, 200 stacks, 1,000 requests a minute',
  ...{ stacks: 200, apis: 50, documents: 10, latencyMs: 86, rateLimit: 1000 },
};

const pageSize = 100;

/** Pages of the list that all need, and the documents of each API: what a round must ask for at least. */
export function leastOfRound({ stacks, apis }: FleetCase): number {
  return Math.ceil((stacks * apis) / pageSize) + stacks * apis;
}

export async function measureFleet(
  bench: Bench,
  tell: (line: string) => void,
  of: FleetCase = fleetCase,
): Promise<readonly Measurement[]> {
  const { name, stacks, apis, documents, latencyMs, rateLimit } = of;
  tell(`measuring ${name}, ${stacks} stacks …`);
  const setting = { size: stacks * apis * (1 + documents), latencyMs, backend: 'sqlite' } as const;
  return inWorld(
    bench,
    setting,
    async (world) => {
      const pace = rateLimit === undefined ? '' : `requestsPerMinute: ${rateLimit}\n`;
      await writeFile(join(world.folder, 'fleet.yaml'), `projects: ['teams/*']\n${pace}`);
      for (let stack = 0; stack < stacks; stack += 1) {
        await writeTeam(join(world.folder, 'teams', `team${stack}`), stack, of);
        await world.sync(['apply', '--yes', '--quiet', '--cwd', `teams/team${stack}`]);
      }
      if (rateLimit === undefined) return [await world.measure(name, ['fleet', 'check'])];
      await world.slowDown();
      // What waits for minutes is measured once.
      return [await world.measure(name, ['fleet', 'check'], { runs: 1 })];
    },
    rateLimit === undefined ? {} : { fast: true, rateLimit },
  );
}

async function writeTeam(folder: string, stack: number, { apis, documents }: FleetCase): Promise<void> {
  const pages = Array.from(
    { length: documents },
    (_, at) =>
      `      page${at}: { type: platform:ApiDocument, properties: { title: Page ${at}, content: 'Page ${at}' } }\n`,
  ).join('');
  const blocks = Array.from(
    { length: apis },
    (_, at) =>
      `  api${at}:\n    type: platform:Api\n    properties: { name: Team ${stack} API ${at} }\n    children:\n${pages}`,
  );
  await mkdir(join(folder, 'catalogue'), { recursive: true });
  await writeFile(join(folder, 'sync.yaml'), `project: team${stack}\n`);
  await writeFile(join(folder, 'catalogue', 'apis.yaml'), `resources:\n${blocks.join('')}`);
}
