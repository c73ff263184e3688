import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cpu, factor, megabytes, of, peak, plain, ratio, requests, seconds, wall, type Bar } from '../bar.js';
import { openStateStore } from '@platform-sync/state/open';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { documentText, shapeOf, type Shape } from '../catalogue.js';
import { growths } from '../growth.js';
import type { Measurement, Setting } from '../measurement.js';
import { inWorld, type Bench, type World } from '../world.js';

/** What is asked of a large project, by its arguments. */
const questions = { validate: ['validate'], plan: ['plan', '--refresh', 'none'], refresh: ['plan'] } as const;
type Question = keyof typeof questions;

const whenNames = {
  cold: 'worked out anew',
  first: 'the first time',
  warm: '10 edits later',
} as const;

const nameOf = (what: Question, when: keyof typeof whenNames): string =>
  `${questions[what].join(' ')}, ${whenNames[when]}`;

export const rememberedSizes = { small: 10_000, large: 100_000, largest: 1_000_000 } as const;

const editsEach = 10;

/** These questions at a size, in turns: without a memory, making one, and with it after ten edits in ten files. */
export async function measureMemory(bench: Bench, size: number): Promise<readonly Measurement[]> {
  const setting: Setting = { size, latencyMs: 0, backend: 'sqlite' };
  return inWorld(
    bench,
    setting,
    async (world) => {
      await world.write(shapeOf(size));
      await world.sync(['apply', '--yes']);
      const rows: Measurement[] = [];
      for (const what of ['validate', 'plan', 'refresh'] as const) {
        const args = questions[what];
        rows.push(await world.measure(nameOf(what, 'cold'), [...args, '--cold']));
        rows.push(await world.measure(nameOf(what, 'first'), args, { before: () => forget(world) }));
        let edits = 0;
        rows.push(await world.measure(nameOf(what, 'warm'), args, { before: () => edit(world, (edits += 1)) }));
      }
      return rows;
    },
    { fast: true },
  );
}

/** Of so many that no run has room for all at once: `plan` from the state that an apply would leave, which takes hours. */
export async function measureVast(bench: Bench, size: number): Promise<readonly Measurement[]> {
  return inWorld(
    bench,
    { size, latencyMs: 0, backend: 'sqlite' },
    async (world) => {
      await record(world, shapeOf(size));
      let edits = 0;
      const before = (): Promise<void> => edit(world, (edits += 1));
      return [
        await world.measure(nameOf('plan', 'cold'), [...questions.plan, '--cold']),
        await world.measure(nameOf('plan', 'first'), questions.plan),
        await world.measure(nameOf('plan', 'warm'), questions.plan, { before }),
        await world.measure(nameOf('validate', 'warm'), questions.validate, { before }),
      ];
    },
    { fast: true },
  );
}

/** One API and its documents are applied; all others are recorded as they were. */
async function record(world: World, shape: Shape): Promise<void> {
  await world.write({ ...shape, apis: 1 });
  await world.sync(['apply', '--yes']);
  await world.write(shape);
  const path = join(world.folder, '.sync', 'state.db');
  const store = await openStateStore({ backend: 'sqlite', path }, 'bench', 'default');
  const { resources } = await store.read();
  const lease = await store.acquire('bench', { owner: 'bench', waitMs: 0 });
  for (let first = 1; first < shape.apis; first += apisAtOnce) {
    const count = Math.min(apisAtOnce, shape.apis - first);
    const records = Array.from({ length: count }, (_, nth) => recordsOf(first + nth, [...resources.values()], shape));
    await store.commit(
      lease,
      records.flat().map((resource) => ({ kind: 'put', resource })),
    );
  }
  await lease.release();
  await store.close();
}

const apisAtOnce = 400;

/** Those of the first API as another one would have them. */
function recordsOf(api: number, first: readonly RecordedResource[], { content }: Shape): readonly RecordedResource[] {
  let text = JSON.stringify(first)
    .replaceAll('api0', `api${api}`)
    .replaceAll('api-number-0', `api-number-${api}`)
    .replaceAll('API number 0', `API number ${api}`)
    .replaceAll(/team([- ])0/g, `team$1${api % 7}`);
  for (const { identity } of first)
    text = text.replaceAll(identity.id, `${identity.id.slice(0, -7)}${String(api).padStart(7, '0')}`);
  return (JSON.parse(text) as readonly RecordedResource[]).map((each) => {
    const [, nth] = /doc(\d+)$/.exec(each.address) ?? [];
    if (nth === undefined) return each;
    const own = documentText(api, Number(nth), content);
    return {
      ...each,
      inputs: { ...each.inputs, content: `${own}\n` },
      outputs: { ...each.outputs, content: own },
    };
  });
}

async function forget({ folder }: World): Promise<void> {
  for (const companion of ['', '-wal', '-shm'])
    await rm(join(folder, '.sync', `memory.db${companion}`), { force: true });
}

/** Another description of the first API of each of ten files. */
async function edit({ folder }: World, nth: number): Promise<void> {
  const files = (await readdir(join(folder, 'catalogue'))).sort();
  const every = Math.max(1, Math.floor(files.length / editsEach));
  for (const file of files.filter((_, at) => at % every === 0).slice(0, editsEach)) {
    const path = join(folder, 'catalogue', file);
    await writeFile(path, (await readFile(path, 'utf8')).replace(/description: .*/, `description: Edit ${nth}.`));
  }
}

const row = (what: Question, when: keyof typeof whenNames, size: number) => ({ name: nameOf(what, when), size });
/** What the large project costs so, as a share of what it costs without a memory. */
const besideCold = (what: Question, when: keyof typeof whenNames, figure: typeof cpu): Bar['value'] =>
  ratio(of(row(what, when, rememberedSizes.large), figure), of(row(what, 'cold', rememberedSizes.large), figure));
const thousands = (size: number): string => size.toLocaleString('en');

/** What is promised of it: all beside what a run without it costs. */
export const memoryBars: readonly Bar[] = [
  ...(['validate', 'plan'] as const).flatMap((what): readonly Bar[] => {
    const { small, large } = rememberedSizes;
    const label = `${thousands(large)} resources, ${questions[what].join(' ')}`;
    return [
      {
        what: `${label}, 10 edits later`,
        limit: what === 'plan' ? 1000 : 600,
        write: seconds,
        value: of(row(what, 'warm', large), wall),
      },
      { what: 'the same: memory', limit: 200, write: megabytes, value: of(row(what, 'warm', large), peak) },
      {
        what: 'the same: CPU time / without a memory',
        write: factor,
        value: besideCold(what, 'warm', cpu),
      },
      {
        what: `${label}, the first time: CPU time / without a memory`,
        limit: 1.15,
        write: factor,
        value: besideCold(what, 'first', cpu),
      },
      {
        what: `growth ${thousands(small)} → ${thousands(large)}: ${nameOf(what, 'warm')}, CPU`,
        limit: 0.1,
        write: plain,
        value: (rows) => growths(rows).find(({ name, from }) => name === nameOf(what, 'warm') && from === small)?.cpu,
      },
    ];
  }),
  {
    what: `${thousands(rememberedSizes.large)} resources, plan, 10 edits later: CPU time / without a memory`,
    limit: 0.35,
    write: factor,
    value: besideCold('refresh', 'warm', cpu),
  },
  {
    what: 'the same: requests / without a memory',
    limit: 1,
    write: factor,
    value: besideCold('refresh', 'warm', requests),
  },
  {
    what: 'the same, the first time: CPU time / without a memory',
    limit: 1.15,
    write: factor,
    value: besideCold('refresh', 'first', cpu),
  },
  {
    what: `${thousands(rememberedSizes.largest)} resources, validate, 10 edits later`,
    limit: 10_000,
    write: seconds,
    value: of(row('validate', 'warm', rememberedSizes.largest), wall),
  },
  {
    what: 'the same: memory',
    limit: 1024,
    write: megabytes,
    value: of(row('validate', 'warm', rememberedSizes.largest), peak),
  },
  {
    what: `${thousands(rememberedSizes.largest)} resources, plan --refresh none --cold: memory`,
    limit: 4096,
    write: megabytes,
    value: of(row('plan', 'cold', rememberedSizes.largest), peak),
  },
  {
    what: `${thousands(rememberedSizes.largest)} resources, plan --refresh none, the first time: memory`,
    limit: 4096,
    write: megabytes,
    value: of(row('plan', 'first', rememberedSizes.largest), peak),
  },
  {
    what: 'the same, 10 edits later',
    limit: 10_000,
    write: seconds,
    value: of(row('plan', 'warm', rememberedSizes.largest), wall),
  },
  {
    what: 'the same: memory',
    limit: 1024,
    write: megabytes,
    value: of(row('plan', 'warm', rememberedSizes.largest), peak),
  },
];
