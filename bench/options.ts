import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Backend, Setting } from './measurement.js';

export const groups = [
  'start',
  'types',
  'install',
  'life',
  'show',
  'peers',
  'recorded',
  'file',
  'limits',
  'faults',
  'fleet',
  'floors',
  'memory',
  'pulumi',
  'shared',
  'asked',
  'rounds',
  'large',
  'terraform',
] as const;
/** What takes many minutes, or another program, is measured when it is named. */
export const onlyNamed: ReadonlySet<Group> = new Set<Group>(['shared', 'asked', 'rounds', 'large', 'terraform']);
export type Group = (typeof groups)[number];

export interface BenchOptions {
  readonly groups: ReadonlySet<Group>;
  /** Lives to measure. */
  readonly settings: readonly Setting[];
  readonly runs: number;
  /** Resources on either side of a comparison. */
  readonly against: number;
  readonly program: string;
  readonly postgres?: string;
  readonly json?: string;
  /** Figures kept by `--json`, to be reported instead of measured. */
  readonly from?: string;
  readonly markdown: readonly string[];
  readonly check: boolean;
  /** Every size of what is measured. */
  readonly isFull: boolean;
}

export const usage = `npm run bench -- [OPTION…]
  --only GROUP,…         ${groups.join(', ')}, or all; default: all but ${[...onlyNamed].join(', ')}
  --sizes N,…            resources, for life                      --latency MS,…      of the sandbox, for life
  --backend NAME,…       sqlite, postgres; for life               --postgres URL      a server to use; default: one of its own
  --full                 life for every size, latency and backend --runs N            default 3
  --against terraform    beside the terraform on the PATH         --resources N       on either side, default 5000
  --json FILE            keep all figures                         --markdown FILE     fill the marked tables of FILE; repeatable
  --from FILE            report what --json kept, measure nothing
  --program FILE         launcher to measure, default bin/sync.js --check             request counts and growth only; with --full, large worlds, too
`;

/** Said instead of measuring. */
export class UsageProblem extends Error {}

const defaults = { sizes: [100, 1000, 10_000], latencies: [0, 20, 86], backends: ['sqlite', 'postgres'] } as const;

/** What is measured unless asked otherwise: every size at once, and each other latency and backend at fewer sizes. */
const usual: readonly Setting[] = [
  ...product(defaults.sizes, [0], ['sqlite']),
  ...product([1000], [20, 86], ['sqlite']),
  ...product([1000, 10_000], [0], ['postgres']),
];

export function readOptions(argv: readonly string[]): BenchOptions {
  const values = parse(argv);
  const against = values.against !== undefined;
  if (against && values.against !== 'terraform')
    throw new UsageProblem(`--against knows terraform, not ${values.against}`);
  const asked =
    values.only === undefined
      ? against
        ? ['terraform']
        : groups.filter((one) => !onlyNamed.has(one))
      : values.only.split(',');
  const program = resolve(values.program ?? fileURLToPath(new URL('../bin/sync.js', import.meta.url)));
  if (!existsSync(program)) throw new UsageProblem(`--program: there is no ${program}`);
  return {
    groups: groupsOf(asked, against),
    settings: settingsOf(values),
    runs: whole('--runs', values.runs ?? '3'),
    against: whole('--resources', values.resources ?? '5000'),
    program,
    ...(values.postgres === undefined ? {} : { postgres: values.postgres }),
    ...(values.json === undefined ? {} : { json: values.json }),
    ...(values.from === undefined ? {} : { from: values.from }),
    markdown: values.markdown ?? [],
    check: values.check ?? false,
    isFull: values.full ?? false,
  };
}

type Values = ReturnType<typeof parse>;

function parse(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...argv],
      options: {
        only: text,
        sizes: text,
        latency: text,
        backend: text,
        postgres: text,
        full: flag,
        runs: text,
        against: text,
        resources: text,
        json: text,
        from: text,
        markdown: { type: 'string', multiple: true },
        program: text,
        check: flag,
      },
    }).values;
  } catch (error) {
    throw new UsageProblem(error instanceof Error ? error.message : String(error));
  }
}

function groupsOf(asked: readonly string[], against: boolean): ReadonlySet<Group> {
  const named = asked.flatMap((name) => (name === 'all' ? groups : [name]));
  const unknown = named.find((name) => !groups.some((group) => group === name));
  if (unknown !== undefined) throw new UsageProblem(`--only knows ${groups.join(', ')} and all, not ${unknown}`);
  const found = groups.filter((group) => named.includes(group));
  return new Set(against ? [...found, 'terraform'] : found);
}

function settingsOf({ full, sizes, latency, backend }: Values): readonly Setting[] {
  if (full) return product(defaults.sizes, defaults.latencies, defaults.backends);
  if (sizes === undefined && latency === undefined && backend === undefined) return usual;
  return product(
    sizes === undefined ? defaults.sizes : sizes.split(',').map((one) => whole('--sizes', one)),
    latency === undefined ? [0] : latency.split(',').map((one) => whole('--latency', one, 0)),
    backend === undefined ? ['sqlite'] : backend.split(',').map(backendOf),
  );
}

function product(
  sizes: readonly number[],
  latencies: readonly number[],
  backends: readonly Backend[],
): readonly Setting[] {
  return backends.flatMap((backend) =>
    latencies.flatMap((latencyMs) => sizes.map((size) => ({ size, latencyMs, backend }))),
  );
}

function backendOf(name: string): Backend {
  if (name !== 'sqlite' && name !== 'postgres')
    throw new UsageProblem(`--backend knows sqlite and postgres, not ${name}`);
  return name;
}

function whole(option: string, text: string, least = 1): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least)
    throw new UsageProblem(`${option} takes whole numbers from ${least}, not ${text}`);
  return value;
}
