import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Measurement } from '../measurement.js';
import { inWorld, type Bench } from '../world.js';

/** Stacks of one server and one token, each with APIs of its own. */
export const fleetCase = { name: 'fleet check, clean', stacks: 20, apis: 50, documents: 10 } as const;

const pageSize = 100;

/** Pages of the list that all need, and the documents of each API: what a round must ask for at least. */
export function leastOfRound({ stacks, apis }: typeof fleetCase): number {
  return Math.ceil((stacks * apis) / pageSize) + stacks * apis;
}

export async function measureFleet(bench: Bench, tell: (line: string) => void): Promise<readonly Measurement[]> {
  const { name, stacks, apis, documents } = fleetCase;
  tell(`measuring ${name}, ${stacks} stacks …`);
  const setting = { size: stacks * apis * (1 + documents), latencyMs: 0, backend: 'sqlite' } as const;
  return inWorld(bench, setting, async (world) => {
    await writeFile(join(world.folder, 'fleet.yaml'), "projects: ['teams/*']\n");
    for (let stack = 0; stack < stacks; stack += 1) {
      await writeTeam(join(world.folder, 'teams', `team${stack}`), stack);
      await world.sync(['apply', '--yes', '--quiet', '--cwd', `teams/team${stack}`]);
    }
    return [await world.measure(name, ['fleet', 'check'])];
  });
}

async function writeTeam(folder: string, stack: number): Promise<void> {
  const { apis, documents } = fleetCase;
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
