import { shapeOf, type Shape } from '../catalogue.js';
import type { Measurement, Setting } from '../measurement.js';
import { inWorld, type Bench, type World } from '../world.js';

export const lifeNames = {
  validate: 'validate',
  firstPlan: 'plan, everything new',
  firstApply: 'first apply',
  nothing: 'plan, nothing to do',
  recorded: 'plan --refresh none',
  drift: 'drift, nothing found',
  onePercent: 'plan, 1 % changed',
  applyOnePercent: 'apply, 1 % changed',
} as const;

export interface LifeOptions {
  readonly shape?: Shape;
  /** Put behind each row's name, for shapes that are no plain size. */
  readonly label?: string;
}

/** The life of one catalogue: checked, created, planned with nothing and with 1 % to do, looked at for drift. */
export async function measureLife(
  bench: Bench,
  setting: Setting,
  { shape = shapeOf(setting.size), label }: LifeOptions = {},
): Promise<readonly Measurement[]> {
  const named = (name: string): string => (label === undefined ? name : `${name} (${label})`);
  return inWorld(bench, setting, async (world) => {
    await world.write(shape);
    const rows = [
      await world.measure(named(lifeNames.validate), ['validate', '--cold']),
      await world.measure(named(lifeNames.firstPlan), ['plan']),
      await measureFirstApply(bench, world, setting, named(lifeNames.firstApply)),
      await world.measure(named(lifeNames.nothing), ['plan', '--detailed-exitcode']),
      await world.measure(named(lifeNames.recorded), ['plan', '--detailed-exitcode', '--refresh', 'none', '--cold']),
      await world.measure(named(lifeNames.drift), ['drift']),
    ];
    await world.write(shape, 'some');
    rows.push(
      await world.measure(named(lifeNames.onePercent), ['plan']),
      await world.measure(named(lifeNames.applyOnePercent), ['apply', '--yes'], { runs: 1 }),
    );
    return rows;
  });
}

/** Sizes for which the platform's part would take too long: created once, then planned against what is recorded. */
export async function measureRecorded(bench: Bench, size: number): Promise<readonly Measurement[]> {
  const setting = { size, latencyMs: 0, backend: 'sqlite' } as const;
  return inWorld(bench, setting, async (world) => {
    await world.write(shapeOf(size));
    return [
      await world.measure(lifeNames.validate, ['validate', '--cold']),
      await world.measure(lifeNames.firstApply, ['apply', '--yes'], { runs: 1 }),
      await world.measure(lifeNames.recorded, ['plan', '--detailed-exitcode', '--refresh', 'none', '--cold']),
    ];
  });
}

/** A first apply needs an empty world each time; where calls are slow, once has to do. */
function measureFirstApply(bench: Bench, world: World, setting: Setting, name: string): Promise<Measurement> {
  return world.measure(name, ['apply', '--yes'], {
    runs: setting.latencyMs === 0 ? bench.runs : 1,
    before: () => world.empty(),
  });
}
