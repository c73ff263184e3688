import {
  cpu,
  difference,
  factor,
  greatest,
  megabytes,
  milliseconds,
  of,
  peak,
  plain,
  ratio,
  requests,
  seconds,
  times,
  wall,
  type Bar,
} from './bar.js';
import { floorBars } from './floor-bars.js';
import { pulumiBars } from './pulumi-bars.js';
import { growths, maxExponent } from './growth.js';
import type { Measurement } from './measurement.js';
import type { RowQuery } from './rows.js';
import { editorName, watchName } from './scenarios/editor.js';
import { faultCase, faultNames, hangingCase, instantCase } from './scenarios/faults.js';
import { fleetCase, largeFleetCase, leastOfRound, sharedCase } from './scenarios/fleet.js';
import { installName } from './scenarios/install.js';
import { lifeNames } from './scenarios/life.js';
import { idealMs, ratedCase, wideCase } from './scenarios/limits.js';
import { memoryBars } from './scenarios/memory.js';
import { oneFileNames } from './scenarios/one-file.js';
import { sourceNames } from './scenarios/sources.js';
import { caseName, largeCase, peerLatencyMs, smallCase } from './scenarios/peers.js';
import { showName } from './scenarios/show.js';
import { startNames } from './scenarios/start.js';
import { manyTypes, typesNames } from './scenarios/types.js';
import { askedNames, workerNames, workersCase } from './scenarios/workers.js';
import { comparedNames } from './terraform/compare.js';

/** What was promised, and what came out. */
export interface BarResult {
  readonly what: string;
  readonly limit: string;
  /** Absent when this run did not measure it. */
  readonly measured?: string;
  /** Absent, too, for what has no limit. */
  readonly met?: boolean;
}

/** The worse of the exponents of wall and CPU time. */
function growthOf(name: string, from: number): Bar['value'] {
  return (rows) => {
    const found = growths(rows).find(
      (one) => one.name === name && one.from === from && one.latencyMs === 0 && one.backend === 'sqlite',
    );
    return found === undefined ? undefined : Math.max(found.wall, found.cpu);
  };
}

const { ours, terraform } = comparedNames;
const small = (name: string): RowQuery => ({ name: caseName(name, smallCase), latencyMs: peerLatencyMs });
const large: RowQuery = { name: caseName(lifeNames.nothing, largeCase), latencyMs: peerLatencyMs };
const steps = { size: 5000 } as const;
const onPostgres = { backend: 'postgres' } as const;
const beyondBare = (name: string) => difference(of({ name }, cpu), of({ name: startNames.bare }, cpu));
const share = (value: number): string => `${(100 * value).toFixed(1)} %`;
const wide = { name: wideCase.name };
const rated = { name: ratedCase.name };
const hungMs = (faultCase.creates * hangingCase.share * hangingCase.timeoutMs) / faultCase.concurrency;
const wideIdealMs = 1.15 * idealMs(wideCase);

/** The whole list. Against Terraform, its form with the same objects and values counts. */
const bars: readonly Bar[] = [
  {
    what: '`--version` / bare node',
    limit: 2,
    write: times,
    value: ratio(of({ name: startNames.version }, wall), of({ name: startNames.bare }, wall)),
  },
  {
    what: '`validate` of 10 resources, CPU beyond bare node',
    limit: 80,
    write: milliseconds,
    value: beyondBare(startNames.validate),
  },
  {
    what: '`plan` of 10 resources, nothing to do, CPU beyond bare node',
    limit: 180,
    write: milliseconds,
    value: beyondBare(startNames.plan),
  },
  {
    what: 'a pipeline’s job that plans 10 resources, CPU beyond its plan',
    limit: 2000,
    write: seconds,
    value: difference(of({ name: startNames.job }, cpu), of({ name: startNames.plan }, cpu)),
  },
  {
    what: `\`--version\`, CPU with ${manyTypes} types / with those there are`,
    limit: 1.1,
    write: factor,
    value: ratio(of({ name: typesNames.version[1] }, cpu), of({ name: typesNames.version[0] }, cpu)),
  },
  {
    what: `\`plan\` of 10 resources, CPU with ${manyTypes} types / with those there are`,
    limit: 1.1,
    write: factor,
    value: ratio(of({ name: typesNames.plan[1] }, cpu), of({ name: typesNames.plan[0] }, cpu)),
  },
  { what: 'installed: packages', limit: 19, write: plain, value: of({ name: installName }, (row) => row.packages) },
  {
    what: 'installed: size',
    limit: 31,
    write: megabytes,
    value: of({ name: installName }, ({ bytes }) => (bytes === undefined ? undefined : bytes / 1e6)),
  },
  {
    what: 'plan of nothing: Terraform’s time / ours',
    limit: 6,
    least: true,
    write: times,
    value: ratio(of({ name: terraform.plan('catalogue') }, wall), of({ name: ours.plan }, wall)),
  },
  {
    what: 'the same, Terraform with one counted block',
    write: times,
    value: ratio(of({ name: terraform.plan('counted') }, wall), of({ name: ours.plan }, wall)),
  },
  {
    what: 'plan of nothing: our memory / Terraform’s',
    limit: 0.5,
    write: plain,
    value: ratio(of({ name: ours.plan }, peak), of({ name: terraform.plan('catalogue') }, peak)),
  },
  {
    what: 'first apply: Terraform’s time (http backend) / ours',
    limit: 4,
    least: true,
    write: times,
    value: ratio(of({ name: terraform.apply('catalogue') }, wall), of({ name: ours.apply }, wall)),
  },
  {
    what: 'the same, Terraform with one counted block of short values',
    write: times,
    value: ratio(of({ name: terraform.apply('counted') }, wall), of({ name: ours.apply }, wall)),
  },
  ...[lifeNames.nothing, lifeNames.onePercent, lifeNames.firstApply].map((name) => ({
    what: `growth 1,000 → 10,000: ${name}`,
    limit: maxExponent,
    write: plain,
    value: growthOf(name, 1000),
  })),
  {
    what: `${smallCase.label}: create, requests`,
    limit: 551,
    write: plain,
    value: of(small(lifeNames.firstApply), requests),
  },
  { what: `${smallCase.label}: create`, limit: 5000, write: seconds, value: of(small(lifeNames.firstApply), wall) },
  {
    what: `${smallCase.label}: plan of nothing, requests`,
    limit: 52,
    write: plain,
    value: of(small(lifeNames.nothing), requests),
  },
  {
    what: `${smallCase.label}: plan of nothing`,
    limit: 1500,
    write: seconds,
    value: of(small(lifeNames.nothing), wall),
  },
  { what: `${largeCase.label}: plan of nothing, requests`, limit: 1030, write: plain, value: of(large, requests) },
  { what: `${largeCase.label}: plan of nothing`, limit: 12_000, write: seconds, value: of(large, wall) },
  {
    what: '100,000 resources: load, validate, plan --refresh none: memory',
    limit: 1536,
    write: megabytes,
    value: greatest(
      of({ name: lifeNames.validate, size: 100_000 }, peak),
      of({ name: lifeNames.recorded, size: 100_000 }, peak),
    ),
  },
  ...[lifeNames.validate, lifeNames.recorded].map((name) => ({
    what: `growth 10,000 → 100,000: ${name}`,
    limit: maxExponent,
    write: plain,
    value: growthOf(name, 10_000),
  })),
  {
    what: 'one file of 20 MB: bytes read, positions intact',
    limit: 20_000_000,
    least: true,
    write: (bytes) => `${(bytes / 1e6).toFixed(1)} MB`,
    value: of({ name: oneFileNames.positions }, (row) => row.bytes),
  },
  {
    what: 'one file of 20 MB: CPU time with tags / without',
    limit: 1.5,
    write: plain,
    value: ratio(of({ name: oneFileNames.tagged }, cpu), of({ name: oneFileNames.validate }, cpu)),
  },
  {
    what: 'an edit at 5,000 resources until its problems are shown, 95 of 100',
    limit: 50,
    write: milliseconds,
    value: of({ name: editorName }, wall),
  },
  {
    what: 'an edit at 5,000 resources: CPU time of the server, 95 of 100',
    limit: 50,
    write: milliseconds,
    value: of({ name: editorName }, cpu),
  },
  {
    what: 'an edit at 5,000 resources until `validate --watch` has checked it, 95 of 100',
    limit: 50,
    write: milliseconds,
    value: of({ name: watchName }, wall),
  },
  {
    what: 'the same: CPU time, 95 of 100',
    limit: 50,
    write: milliseconds,
    value: of({ name: watchName }, cpu),
  },
  {
    what: '300 APIs from folders: CPU time of validate / written out',
    limit: 1.3,
    write: plain,
    value: ratio(of({ name: sourceNames.sources }, cpu), of({ name: sourceNames['written out'] }, cpu)),
  },
  {
    what: '300 specifications (2 MB of YAML): CPU time of validate / without checking them',
    limit: 1.3,
    write: plain,
    value: ratio(of({ name: sourceNames['written out'] }, cpu), of({ name: sourceNames['as pages'] }, cpu)),
  },
  {
    what: '5,000 creates at 20 ms, 32 at a time: time / the greater of the next two',
    limit: 1,
    write: plain,
    value: ratio(
      of(wide, wall),
      greatest(() => wideIdealMs, of(wide, cpu)),
    ),
  },
  { what: '1.15 × calls × latency / 32', write: seconds, value: (rows) => of(wide, () => wideIdealMs)(rows) },
  { what: 'CPU time of the process', write: seconds, value: of(wide, cpu) },
  {
    what: '1,000 creates against 600 requests a minute: time / the least it can take',
    limit: 1.1,
    write: plain,
    value: of(rated, (row) => row.wallMs.median / idealMs(ratedCase)),
  },
  {
    what: '1,000 creates against 600 requests a minute: answered 429',
    limit: 0.02,
    write: share,
    value: of(rated, ({ refused, requests: all }) =>
      refused === undefined || all === undefined ? undefined : refused / all,
    ),
  },
  ...(
    [
      ['apis', faultCase.latencyMs],
      ['products', faultCase.latencyMs],
      ['products', instantCase.latencyMs],
    ] as const
  ).map(([kind, latencyMs]) => ({
    what: `2,000 creates of ${kind} at ${latencyMs} ms with 10 % faults: time / without`,
    limit: 4,
    write: times,
    value: ratio(
      of({ name: faultNames[kind].faulty, latencyMs }, wall),
      of({ name: faultNames[kind].sound, latencyMs }, wall),
    ),
  })),
  {
    what: '2,000 creates, 1 % of the answers hang: time / (time without + their time-outs, 8 at a time)',
    limit: 1.5,
    write: plain,
    value: ratio(of({ name: faultNames.hanging }, wall), (rows) => {
      const sound = of({ name: faultNames.apis.sound }, wall)(rows);
      return sound === undefined ? undefined : sound + hungMs;
    }),
  },
  {
    what: `a fleet of ${fleetCase.stacks} stacks of 50 × 10, clean: requests`,
    limit: leastOfRound(fleetCase),
    write: plain,
    value: of({ name: fleetCase.name }, requests),
  },
  {
    what: 'the same: CPU time of one check',
    limit: 250,
    write: milliseconds,
    value: of({ name: fleetCase.name }, (row) => row.cpuMs.median / fleetCase.stacks),
  },
  {
    what: 'a worker that has nothing to do: share of a core',
    limit: 0.01,
    write: share,
    value: of({ name: workerNames.idle, ...onPostgres }, (row) => row.cpuMs.median / row.wallMs.median),
  },
  {
    what: 'the same: memory (MB)',
    limit: 200,
    write: plain,
    value: of({ name: workerNames.idle, ...onPostgres }, (row) => row.peakMb.median),
  },
  {
    what: `a worker, ${workersCase.stacks} stacks: CPU time of one check`,
    limit: 250,
    write: milliseconds,
    value: of({ name: workerNames.of(1), ...onPostgres }, (row) => row.cpuMs.median / workersCase.stacks),
  },
  ...[2, 4].map((workers) => ({
    what: `the same: ${workers} workers in place of one, of the ideal`,
    limit: 1.25,
    write: plain,
    value: (rows: readonly Measurement[]) => {
      const [one, many] = [1, workers].map((count) => of({ name: workerNames.of(count), ...onPostgres }, wall)(rows));
      return one === undefined || many === undefined ? undefined : many / (one / workers);
    },
  })),
  {
    what: `the same: 4 workers at ${workersCase.budget} requests a minute, of the ideal`,
    limit: 1.15,
    write: plain,
    value: of({ name: workerNames.bound, ...onPostgres }, ({ wallMs, requests: all }) =>
      all === undefined ? undefined : wallMs.median / ((all / workersCase.budget) * 60_000),
    ),
  },
  {
    what: 'a fleet of 200 such stacks at 1,000 requests a minute: a round',
    limit: 15 * 60_000,
    write: seconds,
    value: of({ name: largeFleetCase.name }, wall),
  },
  {
    what: 'the same: requests',
    limit: 10_400,
    write: plain,
    value: of({ name: largeFleetCase.name }, requests),
  },
  {
    what: 'the same: refused',
    limit: 0.005,
    write: share,
    value: of({ name: largeFleetCase.name }, ({ refused, requests: all }) =>
      refused === undefined || all === undefined ? undefined : refused / all,
    ),
  },
  {
    what: 'the same: the plan of a request in its middle, until it begins',
    limit: 10_000,
    write: seconds,
    value: of({ name: askedNames.begun, ...onPostgres }, (row) => row.wallMs.max),
  },
  {
    what: '12 plans at once that share 300 requests a minute: / what their requests take',
    limit: 1.15,
    write: plain,
    value: of({ name: sharedCase.name, ...onPostgres }, ({ wallMs, requests: all }) =>
      all === undefined ? undefined : wallMs.median / ((all / sharedCase.rateLimit) * 60_000),
    ),
  },
  {
    what: '12 plans at once that share 300 requests a minute: refused',
    limit: 0.02,
    write: share,
    value: of({ name: sharedCase.name, ...onPostgres }, ({ refused, requests: all }) =>
      refused === undefined || all === undefined ? undefined : refused / all,
    ),
  },
  {
    what: '5,000 steps as Markdown',
    limit: 1000,
    write: seconds,
    value: greatest(
      of({ name: showName('markdown', 'creates'), ...steps }, wall),
      of({ name: showName('markdown', 'updates'), ...steps }, wall),
    ),
  },
  {
    what: '5,000 steps as HTML',
    limit: 3000,
    write: seconds,
    value: greatest(
      of({ name: showName('html', 'creates'), ...steps }, wall),
      of({ name: showName('html', 'updates'), ...steps }, wall),
    ),
  },
  ...floorBars,
  ...memoryBars,
  ...pulumiBars,
];

export function judge(rows: readonly Measurement[]): readonly BarResult[] {
  return bars.map(({ what, limit, least, write, value }) => {
    const found = value(rows);
    const result = { what, limit: limit === undefined ? '' : `${least ? '≥' : '≤'} ${write(limit)}` };
    if (found === undefined) return result;
    if (limit === undefined) return { ...result, measured: write(found) };
    return { ...result, measured: write(found), met: least ? found >= limit : found <= limit };
  });
}
