import { shapeOf } from '../catalogue.js';
import type { Measurement } from '../measurement.js';
import { inWorld, type Bench, type World } from '../world.js';

export const shownFormats = ['text', 'json', 'markdown', 'html', 'sarif', 'gitlab'] as const;
export type ShownFormat = (typeof shownFormats)[number];
export type Steps = 'creates' | 'updates';

export const showName = (format: ShownFormat | 'all', steps: Steps): string =>
  format === 'all' ? `show --report-dir, ${steps}` : `show --format ${format}, ${steps}`;

/**
 * Rendering saved plans that have a step for every resource: all new, or (`updates`) each with a changed value or a
 * changed line of text. `--report-dir` writes every report there is, those for CI services included.
 */
export async function measureShow(
  bench: Bench,
  size: number,
  kinds: readonly Steps[],
): Promise<readonly Measurement[]> {
  return inWorld(bench, { size, latencyMs: 0, backend: 'sqlite' }, async (world) => {
    await world.write(shapeOf(size));
    const rows: Measurement[] = [];
    if (kinds.includes('creates')) rows.push(...(await measureFormats(world, 'creates')));
    if (kinds.includes('updates')) {
      await world.sync(['apply', '--yes']);
      await world.write(shapeOf(size), 'all');
      rows.push(...(await measureFormats(world, 'updates')));
    }
    return rows;
  });
}

async function measureFormats(world: World, steps: Steps): Promise<readonly Measurement[]> {
  await world.sync(['plan', '--out', 'plan.json']);
  const rows: Measurement[] = [];
  for (const format of shownFormats)
    rows.push(await world.measure(showName(format, steps), ['show', 'plan.json', '--format', format]));
  rows.push(await world.measure(showName('all', steps), ['show', 'plan.json', '--report-dir', 'reports']));
  return rows;
}
