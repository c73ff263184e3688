import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { measurementOf, type Measurement } from '../measurement.js';
import { runNode, type Run } from '../process.js';
import { inWorld, type Bench } from '../world.js';

/** Types that the platform has in all, most of them made up. */
export const manyTypes = 500;

export const typesNames = {
  version: ['--version', `--version, ${manyTypes} types`],
  plan: ['plan of 10 resources', `plan of 10 resources, ${manyTypes} types`],
} as const;

/** Below this many runs the noise of the machine is larger than what is measured. */
const fewestRuns = 15;

/** What types cost that no catalogue names: the program as it is, beside one with many more. */
export async function measureTypes(bench: Bench): Promise<readonly Measurement[]> {
  const swollen = await withManyTypes(dirname(dirname(bench.program)));
  const setting = { size: 10, latencyMs: 0, backend: 'sqlite' } as const;
  try {
    return await inWorld(bench, setting, async (world) => {
      await world.write({ apis: 2, documents: 4, content: 200 });
      await world.sync(['apply', '--yes']);
      const programs = [bench.program, join(swollen, 'bin/sync.js')];
      const commands = [
        { names: typesNames.version, args: ['--version'] },
        { names: typesNames.plan, args: ['plan'] },
      ];
      const runs = new Map<string, Run[]>(commands.flatMap(({ names }) => names.map((name) => [name, []])));
      // Taken in turns, so that a busy moment of the machine hits all of them.
      for (let round = 0; round < Math.max(fewestRuns, bench.runs); round += 1)
        for (const { names, args } of commands)
          for (const [at, name] of names.entries())
            runs.get(name)?.push(await runNode([programs[at] ?? '', ...args], { cwd: world.folder, env: world.env }));
      return [...runs].map(([name, all]) => measurementOf(name, setting, all));
    });
  } finally {
    await rm(swollen, { recursive: true, force: true });
  }
}

/** A copy of the built program that knows many more types. */
async function withManyTypes(from: string): Promise<string> {
  const to = await mkdtemp(join(tmpdir(), 'sync-bench-types-'));
  for (const part of ['bin', 'dist', 'schemas', 'package.json'])
    await cp(join(from, part), join(to, part), { recursive: true });
  await symlink(join(from, 'node_modules'), join(to, 'node_modules'));
  const folder = join(to, 'schemas/types/platform');
  const read = async <T>(name: string): Promise<T> => JSON.parse(await readFile(join(folder, name), 'utf8')) as T;
  const { names } = await read<{ readonly names: readonly string[] }>('index.json');
  const { definition, cascades } = await read<{ readonly definition: object; readonly cascades: object }>('Api.json');
  const more = Array.from({ length: manyTypes - names.length }, (_, nth) => `MadeUp${nth}`);
  for (const name of more)
    await writeFile(join(folder, `${name}.json`), JSON.stringify({ definition: { ...definition, name }, cascades }));
  await writeFile(join(folder, 'index.json'), JSON.stringify({ names: [...names, ...more] }));
  return to;
}
