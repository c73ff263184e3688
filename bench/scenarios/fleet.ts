import { appendFile, mkdir, writeFile } from 'node:fs/promises';
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

/** Command lines of a dozen stacks that begin together, each a process, and know of each other by their database alone. */
export const sharedCase = {
  name: 'plan, 12 stacks at once, 300 requests a minute',
  ...{ stacks: 12, apis: 50, documents: 1, latencyMs: 86, rateLimit: 300 },
} as const;

export async function measureShared(bench: Bench, tell: (line: string) => void): Promise<readonly Measurement[]> {
  const { name, stacks, apis, documents, latencyMs, rateLimit } = sharedCase;
  tell(`measuring ${name} …`);
  const setting = { size: stacks * apis * (1 + documents), latencyMs, backend: 'postgres' } as const;
  const teams = Array.from({ length: stacks }, (_, stack) => `teams/team${stack}`);
  const state = (rate: string): string => `state: { backend: postgres, url: !env SYNC_STATE_URL${rate} }\n`;
  return inWorld(
    bench,
    setting,
    async (world) => {
      for (const [stack, team] of teams.entries()) {
        const file = join(world.folder, team, 'sync.yaml');
        await writeTeam(join(world.folder, team), stack, sharedCase);
        await appendFile(file, state(''));
        await world.sync(['apply', '--yes', '--quiet', '--cwd', team]);
        await writeFile(file, `project: team${stack}\n${state(`, requestsPerMinute: ${rateLimit}`)}`);
      }
      await world.slowDown();
      return [
        await world.measureTogether(
          name,
          teams.map((team) => ['plan', '--cwd', team]),
        ),
      ];
    },
    { fast: true, rateLimit },
  );
}

/** A project with APIs of its own. */
export async function writeTeam(
  folder: string,
  stack: number,
  { apis, documents }: Pick<FleetCase, 'apis' | 'documents'>,
): Promise<void> {
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
