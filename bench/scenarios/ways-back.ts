import { shapeOf, type Shape } from '../catalogue.js';
import type { Measurement, Setting } from '../measurement.js';
import { type Bench, inWorld } from '../world.js';

/** What the worlds hold: all other lists are empty, and an export without types reads each of them. */
export const exportArguments = [
  'export',
  '--type',
  'Api',
  '--type',
  'ApiVersion',
  '--type',
  'ApiDocument',
  '--out',
  'exported',
] as const;

export const wayNames = { export: 'export', adopt: 'adopt after lost state', destroy: 'destroy' } as const;

/** What else is done with a catalogue, once each: written from what exists, taken over anew, ended. */
export async function measureWays(
  bench: Bench,
  setting: Setting,
  shape: Shape = shapeOf(setting.size),
): Promise<readonly Measurement[]> {
  return inWorld(bench, setting, async (world) => {
    await world.write(shape);
    await world.sync(['apply', '--yes']);
    const once = { runs: 1 };
    return [
      await world.measure(wayNames.export, [...exportArguments], once),
      await world.measure(wayNames.adopt, ['adopt', '--yes'], { ...once, before: () => world.loseState() }),
      await world.measure(wayNames.destroy, ['destroy', '--yes'], once),
    ];
  });
}
