import { changedEvery, shapeOf, sizeOf, type Shape } from './catalogue.js';
import { growths } from './growth.js';
import type { Measurement } from './measurement.js';
import { rowOf } from './rows.js';
import {
  commands,
  insideRequests,
  largeCases,
  leastRequests,
  measureLeast,
  smallCases,
  type LeastCase,
} from './scenarios/least.js';
import { lifeNames, measureLife } from './scenarios/life.js';
import { caseName, smallCase } from './scenarios/peers.js';
import { measureWays, wayNames } from './scenarios/ways-back.js';
import type { Bench } from './world.js';

/** Small enough for every push, far enough apart to show a square. */
export const checkedSizes = [400, 4000] as const;

/**
 * A command that takes ten times the requests for ten times the catalogue has 1. CPU time is no count: start-up keeps its
 * exponent near 0.5, and a stage that turned quadratic drives it beyond this.
 */
const limits = { requests: 1.01, cpu: 1.3 } as const;

const pageSize = 100;
const pagesOf = ({ apis }: Shape): number => Math.ceil(apis / pageSize);
/** The lists of APIs and of each API's documents. */
const readAll = (shape: Shape): number => pagesOf(shape) + shape.apis;

/** The least that reads all there is: each list to its end, and each text, which no list shows. */
const leastOf = (shape: Shape): number => readAll(shape) + shape.apis * shape.documents;

/** Most platform requests of each command, from the shape of the catalogue alone. */
export const requestBudgets: readonly (readonly [string, (shape: Shape) => number])[] = [
  [lifeNames.validate, () => 0],
  [lifeNames.firstPlan, () => 1],
  // One look at what exists, one call an object.
  [lifeNames.firstApply, (shape) => 1 + shape.apis * (1 + shape.documents)],
  [lifeNames.nothing, readAll],
  [lifeNames.recorded, () => 0],
  [lifeNames.drift, readAll],
  [lifeNames.onePercent, readAll],
  // One call for each API that was changed.
  [lifeNames.applyOnePercent, (shape) => readAll(shape) + Math.ceil(shape.apis / changedEvery)],
  [wayNames.export, (shape) => 1.05 * leastOf(shape)],
  [wayNames.adopt, (shape) => 1.05 * leastOf(shape)],
  // The plan and last looks, each at what lives in them that nobody manages, too; and one call for each API.
  [wayNames.destroy, (shape) => 2 * (readAll(shape) + insideRequests) + shape.apis],
];

/** The rows that `findRegressions` looks at: one run each, no latency. `isFull`: the least at the large sizes, too. */
export async function measureForCheck(bench: Bench, isFull: boolean): Promise<readonly Measurement[]> {
  const once = { ...bench, runs: 1 };
  const rows: Measurement[] = [];
  for (const size of checkedSizes) {
    const setting = { size, latencyMs: 0, backend: 'sqlite' } as const;
    rows.push(...(await measureLife(once, setting)), ...(await measureWays(once, setting)));
  }
  const small = { size: 550, latencyMs: 0, backend: 'sqlite' } as const;
  return [
    ...rows,
    ...(await measureLife(once, small, smallCase)),
    ...(await measureLeast(once, isFull ? [...smallCases, ...largeCases] : smallCases)),
  ];
}

/** What got worse than it may be, one line each. Wall time never decides. */
export function findRegressions(rows: readonly Measurement[]): readonly string[] {
  const shapes = [
    ...checkedSizes.map((size) => ({ size, shape: shapeOf(size), named: (name: string) => name })),
    { size: 550, shape: smallCase.shape, named: (name: string) => caseName(name, smallCase) },
  ];
  const counts = shapes.flatMap(({ size, shape, named }) =>
    requestBudgets.flatMap(([name, budget]) => overBudget(rowOf(rows, { name: named(name), size }), budget(shape))),
  );
  const growth = growths(rows).flatMap(({ name, from, to, cpu, requests }) => [
    ...overExponent(`${name}, requests`, from, to, requests, limits.requests),
    ...overExponent(`${name}, CPU time`, from, to, cpu, limits.cpu),
  ]);
  return [...counts, ...[...smallCases, ...largeCases].flatMap((each) => notTheLeast(rows, each)), ...growth];
}

/** Commands that take more than the least, or less: then it was computed wrongly. */
function notTheLeast(rows: readonly Measurement[], each: LeastCase): readonly string[] {
  const size = sizeOf(each.shape);
  return each.commands.flatMap((command) => {
    const { requests } = rowOf(rows, { name: caseName(commands[command].name, each), size }) ?? {};
    const least = leastRequests(command, each);
    if (requests === undefined || requests === least) return [];
    return [`${caseName(commands[command].name, each)}: ${requests} requests, the least is ${least}`];
  });
}

function overBudget(row: Measurement | undefined, budget: number): readonly string[] {
  if (row?.requests === undefined || row.requests <= budget) return [];
  return [`${row.name}, ${row.size} resources: ${row.requests} requests, at most ${budget}`];
}

function overExponent(
  what: string,
  from: number,
  to: number,
  value: number | undefined,
  limit: number,
): readonly string[] {
  if (value === undefined || value <= limit) return [];
  return [`${what}: exponent ${value.toFixed(2)} from ${from} to ${to}, at most ${limit}`];
}
