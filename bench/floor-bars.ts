import { cpu, factor, megabytes, of, peak, ratio, times, type Bar } from './bar.js';
import { flooredNames, flooredSizes } from './scenarios/floors.js';

const { usual, large, largest, validated } = flooredSizes;
const sized = (size: number): string => `${size.toLocaleString('en')} resources`;

const limits: readonly (readonly [what: string, size: number, limit: number])[] = [
  ['validate', usual, 3],
  ['plan --refresh none', usual, 2.5],
  ['plan --refresh none', large, 3.5],
  ['plan, nothing to do', usual, 1.8],
  ['first apply', usual, 2],
  ['show --format markdown', usual, 3],
  ['show --format html', usual, 4],
];

const perResource = (size: number): Bar['value'] => {
  const found = of({ name: flooredNames('plan --refresh none').ours, size }, cpu);
  return (rows) => {
    const ms = found(rows);
    return ms === undefined ? undefined : ms / size;
  };
};

const memory = (what: string, size: number, limit: number): Bar => ({
  what: `${what} of ${sized(size)}: memory`,
  limit,
  write: megabytes,
  value: of({ name: flooredNames(what).ours, size }, peak),
});

/** CPU time of all threads beside what no tool could do without, growth beyond what we call large, and memory there. */
export const floorBars: readonly Bar[] = [
  ...limits.map(([what, size, limit]) => ({
    what: `${what} of ${sized(size)}: CPU time / its floor’s`,
    limit,
    write: times,
    value: ratio(of({ name: flooredNames(what).ours, size }, cpu), of({ name: flooredNames(what).floor, size }, cpu)),
  })),
  {
    what: 'plan --refresh none, 300,000 / 100,000 resources: CPU time of one',
    limit: 1.05,
    write: factor,
    value: ratio(perResource(largest), perResource(large)),
  },
  memory('first apply', large, 800),
  memory('plan --refresh none', largest, 1536),
  memory('validate', validated, 4096),
];
