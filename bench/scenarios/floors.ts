import { fileURLToPath } from 'node:url';
import { shapeOf } from '../catalogue.js';
import { measurementOf, repeat, type Measurement, type Setting } from '../measurement.js';
import { runNode, type Run } from '../process.js';
import { inWorld, type Bench, type World } from '../world.js';

/**
 * A command beside its floor: a script in `floors/` that does what no tool could leave out (reads and parses the files, hashes
 * them, reads the records, sends, records) and nothing else, by the same parsers, database and HTTP client.
 */
interface FlooredCase {
  readonly what: string;
  readonly args: readonly string[];
  readonly floor: string;
  /** Before each of the two. */
  readonly before?: (world: World) => Promise<void>;
}

const files: readonly FlooredCase[] = [{ what: 'validate', args: ['validate', '--cold'], floor: 'validate.mjs' }];
const recorded: readonly FlooredCase[] = [
  {
    what: 'plan --refresh none',
    args: ['plan', '--detailed-exitcode', '--refresh', 'none', '--cold'],
    floor: 'recorded.mjs',
  },
];
const calls: readonly FlooredCase[] = [
  { what: 'plan, nothing to do', args: ['plan', '--detailed-exitcode'], floor: 'nothing.mjs' },
];
const shown: readonly FlooredCase[] = (['markdown', 'html'] as const).map((format) => ({
  what: `show --format ${format}`,
  args: ['show', 'plan.json', '--format', format],
  floor: 'show.mjs',
}));
const applied: readonly FlooredCase[] = [
  { what: 'first apply', args: ['apply', '--yes'], floor: 'apply.mjs', before: (world) => world.empty() },
];

export const flooredNames = (what: string): { readonly ours: string; readonly floor: string } => ({
  ours: `${what}, beside its floor`,
  floor: `${what}: the floor`,
});

/** What a floor is measured at. */
export const flooredSizes = { usual: 5000, large: 100_000, largest: 300_000, validated: 1_000_000 } as const;

/** Commands of the usual size, each in turns with its floor. */
export async function measureFloors(bench: Bench): Promise<readonly Measurement[]> {
  const setting = settingOf(flooredSizes.usual);
  return inWorld(bench, setting, async (world) => {
    await world.write(shapeOf(setting.size));
    const pairs = async (cases: readonly FlooredCase[], runs = bench.runs): Promise<readonly Measurement[]> => {
      const rows: Measurement[] = [];
      for (const one of cases) rows.push(...(await measurePair(world, setting, one, runs)));
      return rows;
    };
    const rows = [...(await pairs(files)), ...(await pairs(applied, 1))];
    await world.empty();
    await world.sync(['apply', '--yes']);
    rows.push(...(await pairs(recorded)), ...(await pairs(calls)));
    await world.write(shapeOf(setting.size), 'all');
    await world.sync(['plan', '--out', 'plan.json']);
    return [...rows, ...(await pairs(shown))];
  });
}

/** Growth and memory, where a run takes minutes: each once. */
export async function measureLarge(bench: Bench): Promise<readonly Measurement[]> {
  const rows: Measurement[] = [];
  for (const size of [flooredSizes.large, flooredSizes.largest]) {
    const setting = settingOf(size);
    rows.push(
      ...(await inWorld(bench, setting, async (world) => {
        await world.write(shapeOf(size));
        const validated = await measurePair(world, setting, files[0] as FlooredCase, 1);
        const once = await world.measure(flooredNames('first apply').ours, ['apply', '--yes'], { runs: 1 });
        return [...validated, once, ...(await measurePair(world, setting, recorded[0] as FlooredCase, 1))];
      })),
    );
  }
  const setting = settingOf(flooredSizes.validated);
  return inWorld(bench, setting, async (world) => {
    await world.write(shapeOf(setting.size));
    return [...rows, ...(await measurePair(world, setting, files[0] as FlooredCase, 1))];
  });
}

/** Taken in turns, so that a busy moment of the machine hits both. */
async function measurePair(
  world: World,
  setting: Setting,
  { what, args, floor, before }: FlooredCase,
  times: number,
): Promise<readonly Measurement[]> {
  const script = fileURLToPath(new URL(`../floors/${floor}`, import.meta.url));
  const runs = await repeat(times, async (): Promise<readonly [Run, Run]> => {
    await before?.(world);
    const ours = await world.sync(args);
    await before?.(world);
    return [ours, await runNode([script], { cwd: world.folder, env: world.env })];
  });
  const names = flooredNames(what);
  return [
    measurementOf(
      names.ours,
      setting,
      runs.map(([run]) => run),
    ),
    measurementOf(
      names.floor,
      setting,
      runs.map(([, run]) => run),
    ),
  ];
}

function settingOf(size: number): Setting {
  return { size, latencyMs: 0, backend: 'sqlite' };
}
