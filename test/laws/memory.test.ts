import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OpenOptions, PlanResult } from '@platform-sync/engine/api';
import { openProject } from '@platform-sync/engine/engine';
import { Memory } from '@platform-sync/engine/memory/memory';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Plan } from '@platform-sync/core/model/plan';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { realWorld } from '@platform-sync/core/model/world';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { realTiming } from '@platform-sync/state/lease-term';
import { type Sql, sql } from '@platform-sync/state/sql';
import { openSqlite } from '@platform-sync/state/sqlite';
import { providerPackages } from '@platform-sync/sdk/registry';
import { makeWorld, type World } from '../harness/world.js';
import { asResources, randomCatalogueOf } from './random-catalogue.js';
import { lawRuns } from './runs.js';

const program = vi.hoisted((): { version?: string | undefined } => ({}));
vi.mock('@platform-sync/engine/version', async (original) => {
  const own = await original<{ readonly engineVersion: string }>();
  return {
    get engineVersion() {
      return program.version ?? own.engineVersion;
    },
  };
});

let world: World;
let database = new MemoryDatabase();
/** So long after their last change that stamps of files are believed. */
let later = 0;
/** What plans read of what exists. */
let refresh: 'none' | 'auto' = 'none';

beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

interface Answers {
  readonly cold: unknown;
  /** Undefined: the memory knew nothing. */
  readonly warm: unknown;
}

/** A plan and a check, cold and from memory; then the memory learns, or only where it did not know. */
async function answers(
  how: Partial<OpenOptions> = {},
  learns: 'always' | 'at need' = 'always',
): Promise<{ readonly plan: Answers; readonly check: Answers }> {
  const options = optionsOf(how);
  const { project } = await openProject(options);
  if (project === undefined) throw new Error('the project does not open');
  const opened = { project, options, env: world.env, world: options.world ?? realWorld, open: openProject };
  // Nothing is too much to be answered in parts.
  const memory = new Memory(opened, Date.now() + later, 1);
  try {
    const plans = { refresh };
    const warmCheck = await memory.check();
    const warm = await memory.plan(plans, true);
    const cold = await project.plan(plans);
    const { desired, diagnostics, files } = await project.validate();
    const coldCheck = { files, resources: desired?.resources.size, diagnostics };
    if (desired !== undefined && diagnostics.length === 0 && (learns === 'always' || warmCheck === undefined))
      await memory.learn(desired);
    if (learns === 'always' || warm === undefined) {
      const anew = refresh === 'none' ? cold : await memory.planAnew(plans);
      // Where a part was not enough, what it read twice to be sure is read twice again.
      if (anew.plan !== undefined && cold.plan !== undefined) {
        const { requests } = cold.plan.meta;
        expect(anew.plan.meta.requests).toBeGreaterThanOrEqual(requests);
        Object.assign(anew.plan, { meta: { ...anew.plan.meta, requests } });
      }
      expect(told(anew)).toEqual(told(cold));
      await memory.learnPlan(plans, anew, true);
    }
    return {
      plan: { cold: told(cold), warm: warm && told(warm) },
      check: { cold: coldCheck, warm: warmCheck && { ...warmCheck, diagnostics: [] } },
    };
  } finally {
    await project.close();
  }
}

/** A plan in shares of so many resources says what one of all says; false: it says nothing. Nobody asks for its digests. */
async function planned(share: number, how: Partial<OpenOptions> = {}): Promise<boolean> {
  const options = optionsOf(how);
  const { project } = await openProject(options);
  if (project === undefined) throw new Error('the project does not open');
  try {
    const opened = { project, options, env: world.env, world: options.world ?? realWorld, open: openProject };
    const found = await new Memory(opened, Date.now() + later, 1, share).planInShares({ refresh: 'none' });
    const cold = await project.plan({ refresh: 'none' });
    const digests = { digest: '', catalogueDigest: '' };
    const shown = ({ plan, diagnostics }: PlanResult): unknown =>
      told({ ...(plan && { plan: { ...plan, ...digests } }), diagnostics });
    compared.times += 1;
    compared.differ += 1;
    if (found !== undefined) expect(shown(found)).toEqual(shown(cold));
    compared.differ -= 1;
    if (found !== undefined) compared.plans += 1;
    return found !== undefined;
  } finally {
    await project.close();
  }
}

function optionsOf(how: Partial<OpenOptions>): OpenOptions {
  return {
    ...{ cwd: world.folder, env: world.env, purpose: 'test', packages: providerPackages, settleSeconds: 0 },
    openState: (config) => Promise.resolve(memoryStateStore(config.project, config.stack, database)),
    ...how,
  };
}

/** All of a plan but the moment it was made at. */
function told({ plan, diagnostics }: { readonly plan?: Plan; readonly diagnostics: readonly Diagnostic[] }): unknown {
  return JSON.parse(JSON.stringify({ plan: plan && { ...plan, meta: { ...plan.meta, createdAt: '' } }, diagnostics }));
}

/** What was compared so far. */
const compared = { worlds: 0, times: 0, plans: 0, checks: 0, differ: 0 };

function comparedLine(): string {
  const { worlds, times, plans, checks, differ } = compared;
  return `${worlds} worlds, asked ${times} times: ${plans} plans and ${checks} checks from memory compared, ${differ} differ`;
}

const isLong = process.env['SYNC_LAW_RUNS'] !== undefined;
afterAll(() => {
  if (isLong) process.stderr.write(`${comparedLine()}\n`);
});

/** What is answered from memory is what would have been worked out; says what was. */
async function agree(
  how?: Partial<OpenOptions>,
  learns?: 'always' | 'at need',
): Promise<readonly ('plan' | 'check')[]> {
  const { plan, check } = await answers(how, learns);
  compared.times += 1;
  compared.differ += 1;
  if (plan.warm !== undefined) expect(plan.warm).toEqual(plan.cold);
  if (check.warm !== undefined) expect(check.warm).toEqual(check.cold);
  compared.differ -= 1;
  if (plan.warm !== undefined) compared.plans += 1;
  if (check.warm !== undefined) compared.checks += 1;
  return [
    ...(plan.warm === undefined ? [] : ['plan' as const]),
    ...(check.warm === undefined ? [] : ['check' as const]),
  ];
}

/** Applies files to a state of its own; says how that ended. */
async function applied(files: Readonly<Record<string, string>>): Promise<string> {
  database = new MemoryDatabase();
  await rm(join(world.folder, '.sync'), { recursive: true, force: true });
  await world.call('POST', '/_sandbox/reset');
  await world.write(files);
  compared.worlds += 1;
  if (isLong && compared.worlds % 500 === 0) process.stderr.write(`${comparedLine()}\n`);
  return applyNow();
}

/** Applies what stands there now, as far as it can be. */
async function applyNow(): Promise<string> {
  const openState: OpenOptions['openState'] = (config) =>
    Promise.resolve(memoryStateStore(config.project, config.stack, database));
  return world.open(
    async (project) => {
      const planned = await project.plan();
      return planned.plan === undefined ? 'refused' : (await project.apply(planned)).status;
    },
    { openState },
  );
}

/** One API of many files, as people write it. */
interface Api {
  readonly key: number;
  readonly name: number;
  readonly description: string;
  readonly labels: string;
  /** The document takes a value from the API before. */
  readonly isRelated: boolean;
  readonly document: string;
  /** The last one comes and goes. */
  readonly file: number;
}

const word = fc.constantFrom('one', 'two', 'long text\n', '# head', 'a: b', "it's", '${stack}', '${greeting} all', '');
const api = (key: number): fc.Arbitrary<Api> =>
  fc.record({
    key: fc.constant(key),
    name: fc.constant(key),
    description: word,
    labels: fc.constantFrom('{}', '{team: a}', '{team: b, tier: "1"}'),
    isRelated: fc.boolean(),
    document: word,
    file: fc.nat(2),
  });

/** What somebody does to the files. */
interface Edit {
  readonly kind: (typeof kinds)[number];
  readonly at: number;
  readonly to: string;
  readonly chance: number;
}

const ordinary = [
  ...(['describe', 'describe', 'write', 'write', 'label', 'relate', 'rename', 'move', 'name', 'namesake'] as const),
  ...(['remove', 'add', 'add', 'swap', 'page', 'greet', 'touch', 'nothing', 'apply', 'apply', 'outside'] as const),
] as const;
const kinds = [
  ...ordinary,
  ...ordinary,
  ...ordinary,
  // After each of these, what is remembered is about something else.
  ...(['overlay', 'settings', 'parameter', 'damage', 'earlier', 'vars', 'program', 'stack', 'day'] as const),
] as const;

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(...kinds),
  at: fc.nat(11),
  to: fc.constantFrom('edited', 'again', 'a\nb\n', '${param.region}', '!', '"'),
  chance: fc.nat(),
});

interface Files {
  readonly apis: readonly Api[];
  readonly region: string;
  readonly page: string;
  readonly greeting: string;
  readonly overlay?: Overlay | undefined;
  /** Lines of sync.yaml: most projects have none of these. */
  readonly settings?: string;
}

const plain = '';
const settings = [
  ...[plain, plain, plain, plain, plain, plain],
  ...['ownership: label\n', 'ownership: label\n', 'drift: {unmanaged: all}\n', 'policies: policies/*.yaml\n'],
] as const;

/** What one stack has otherwise. */
interface Overlay {
  /** Keys, and one of which a page is off. */
  readonly patch: number;
  readonly off: number;
  readonly page: number;
  readonly says: string;
  /** It has a resource of its own, gives something to all, reads a file. */
  readonly has: readonly ('own' | 'defaults' | 'file' | 'output' | 'nested')[];
}

const overlay: fc.Arbitrary<Overlay> = fc.record({
  ...{ patch: fc.nat(5), off: fc.nat(5), page: fc.nat(5), says: word },
  has: fc.subarray(['own', 'defaults', 'file', 'output', 'nested']),
});

function overlayText({ patch, off, page, says, has }: Overlay, apis: readonly Api[]): string {
  const is = (what: Overlay['has'][number], text: string): string => (has.includes(what) ? text : '');
  // Nothing else refers to what is off.
  const isOff = apis.some(({ key }, place) => key === off && place > 0 && apis[place + 1]?.isRelated !== true);
  const patches = [
    `  api${patch}: {properties: {description: ${JSON.stringify(`o ${says}`)}, labels: {stage: a}}}\n`,
    is('file', `  api${patch}/text: {properties: {content: !file ../catalogue/page.md}}\n`),
    is('nested', page === off && isOff ? '' : `  api${page}/page: !unset\n`),
    isOff && off !== patch ? `  api${off}: !unset\n` : '',
  ];
  return [
    `patches:\n${patches.join('')}`,
    is(
      'own',
      `resources:\n  own: {type: platform:Api, properties: {name: Own, version: "1", description: 'As \${api${patch}.description}'}}\n`,
    ),
    is('defaults', `defaults:\n  platform:ApiDocument: {status: published}\n`),
    is('output', `outputs:\n  second: \${api${patch}.description}\n`),
  ].join('');
}

function edited(
  { apis, region, page, greeting, overlay: patched, settings: own = '' }: Files,
  { kind, at, to }: Omit<Edit, 'chance'>,
): Files {
  const nth = at % Math.max(1, apis.length);
  const same = { apis, region, page, greeting, overlay: patched, settings: own };
  const change = (part: Partial<Api>): Files => ({
    ...same,
    apis: apis.map((each, place) => (place === nth ? { ...each, ...part } : each)),
  });
  switch (kind) {
    case 'describe':
      return change({ description: to });
    case 'write':
      return change({ document: to });
    case 'label':
      return change({ labels: '{team: c}' });
    case 'relate':
      return change({ isRelated: !(apis[nth]?.isRelated ?? false) });
    case 'rename':
      return change({ key: 50 + at });
    case 'name':
      return change({ name: 50 + at });
    case 'namesake':
      return change({ name: apis[at % 5]?.name ?? 0 });
    case 'move':
      return change({ file: at % 4 });
    case 'add': {
      const [like] = apis.slice(nth);
      const added = like && { ...like, key: 70 + at, name: 70 + at, file: at % 4 };
      return { ...same, apis: added === undefined ? apis : [...apis, added] };
    }
    case 'swap':
      return { ...same, apis: [...apis].reverse() };
    case 'remove':
      return { ...same, apis: apis.filter((_, place) => place !== nth) };
    case 'parameter':
      return { ...same, region: to === '!' ? 'us' : 'eu' };
    case 'page':
      return { ...same, page: to };
    case 'greet':
      return { ...same, greeting: to };
    case 'touch':
    case 'apply':
    case 'outside':
    case 'overlay':
      return {
        ...same,
        overlay: at === 0 ? undefined : { patch: at % 6, off: (at + 2) % 6, page: 1, says: to, has: ['own', 'nested'] },
      };
    case 'settings':
      return { ...same, settings: settings[at % settings.length] ?? '' };
    case 'damage':
    case 'earlier':
    case 'vars':
    case 'program':
    case 'stack':
    case 'day':
    case 'nothing':
      return same;
  }
}

function written({
  apis,
  region,
  page,
  greeting,
  overlay: patched,
  settings: own = '',
}: Files): Record<string, string> {
  const files: Record<string, string> = {
    'sync.yaml': `project: test\n${own}parameters:\n  region: {type: string, default: ${region}}\nstacks: {a: {${patched === undefined ? '' : 'overlays: [overlays/a.yaml]'}}, b: {}}\ndefaultStack: a\n`,
    ...(patched === undefined ? {} : { 'overlays/a.yaml': overlayText(patched, apis) }),
    'policies/own.yaml': `rules:\n  - {name: own, level: advise, match: {types: [platform:Api]}, expression: has(new.labels), message: it has labels}\n`,
    'catalogue/page.md': `# Page\n${page}\n`,
    'catalogue/base.yaml': `variables:\n  greeting: ${JSON.stringify(greeting)}\noutputs:\n  first: ${apis[0] === undefined ? 'none' : `\${api${apis[0].key}.description}`}\n`,
  };
  const quoted = (text: string): string => JSON.stringify(text);
  for (const nth of [0, 1, 2, 3]) files[`catalogue/apis-${nth}.yaml`] = `# File ${nth}\nresources:\n`;
  apis.forEach((each, place) => {
    const before = apis[place - 1];
    const related = each.isRelated && before !== undefined ? `\${api${before.key}.description} and ` : '';
    const block = `  api${each.key}:\n    type: platform:Api\n    properties:\n      name: API ${each.name}\n      version: "1"\n      description: ${quoted(`d ${each.description}`)}\n      labels: ${each.labels}\n    children:\n      text:\n        type: platform:ApiDocument\n        # About it\n        properties:\n          title: T\n          slug: text\n          content: ${quoted(`${related}${each.document}`)}\n      page: {type: platform:ApiDocument, properties: {title: P, slug: page, content: !file page.md}}\n\n`;
    files[`catalogue/apis-${each.file}.yaml`] += place % 2 === 0 ? block : `  # Between\n${block}`;
  });
  return Object.fromEntries(Object.entries(files).filter(([, text]) => !text.endsWith('resources:\n')));
}

/** A resource a line, in three files. */
function inFiles(resources: Readonly<Record<string, JsonObject>>): Record<string, string> {
  const lines = Object.entries(resources).map(([key, resource]) => `  ${key}: ${JSON.stringify(resource)}\n`);
  const texts = [0, 1, 2].map((nth) => [
    `catalogue/apis-${nth}.yaml`,
    `resources:\n${lines.filter((_, at) => at % 3 === nth).join('')}`,
  ]);
  return Object.fromEntries(texts.filter(([, text]) => text !== 'resources:\n')) as Record<string, string>;
}

interface ValueEdit {
  readonly resource: number;
  readonly field: number;
  readonly value: Json;
  /** A text that people read is another one; else whatever is said may be something else, which may be wrong. */
  readonly isPlain: boolean;
}

/** One value of one resource, or of one below it, is another one; with null it is not said any more. */
function changed(resources: Readonly<Record<string, JsonObject>>, edit: ValueEdit): Record<string, JsonObject> {
  const keys = Object.keys(resources);
  const key = keys[edit.resource % keys.length] ?? '';
  const top = structuredClone(resources[key] ?? {}) as EditedResource;
  const below = Object.values(top.children ?? {});
  const meant = edit.field % 3 === 0 || below.length === 0 ? top : below[edit.field % below.length];
  const properties = meant?.properties ?? {};
  const names = Object.keys(properties).filter((each) => !edit.isPlain || /^(?:description|content|css)$/.test(each));
  const name = names[edit.field % Math.max(1, names.length)] ?? 'description';
  properties[name] = edit.isPlain ? `Edited ${edit.field % 5}\n` : edit.value;
  return { ...resources, [key]: top as JsonObject };
}

interface EditedResource {
  properties?: Record<string, Json>;
  children?: Record<string, EditedResource>;
}

/** In a long run, what fails is told before it has become as small as it can be. */
const atOnce = isLong ? { endOnFailure: true } : {};

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const nth of [0, 1, 2, 3]) {
    const name = `catalogue/apis-${nth}.yaml`;
    if (files[name] === undefined) await rm(join(world.folder, name), { force: true });
  }
  for (const [name, text] of Object.entries(files)) {
    const path = join(world.folder, name);
    await mkdir(dirname(path), { recursive: true });
    if ((await readFile(path, 'utf8').catch(() => undefined)) !== text) await writeFile(path, text);
  }
}

/** Somebody else's hand: an object is changed, made or ended. */
async function changeOutside({ at, to }: Pick<Edit, 'at' | 'to'>): Promise<void> {
  const { body } = await world.call('GET', '/v3/apis?page[size]=100');
  const { data } = body as { readonly data: readonly { readonly id: string }[] };
  const id = data[at % Math.max(1, data.length)]?.id ?? '';
  if (at % 4 === 3) await world.call('POST', '/v3/apis', { name: `Outside ${at}`, version: '1' });
  else if (at % 4 === 2) await world.call('DELETE', `/v3/apis/${id}`);
  else if (at % 4 === 1)
    await world.call('POST', `/v3/apis/${id}/documents`, { title: 'O', slug: `o${at}`, content: to });
  else await world.call('PATCH', `/v3/apis/${id}`, { description: to });
}

const memory = (): string => join(world.folder, '.sync/memory.db');

/** The memory as it was at first: that of another branch. */
let earlier = Buffer.alloc(0);

async function putMemory(bytes: Uint8Array): Promise<void> {
  for (const companion of ['-wal', '-shm']) await rm(`${memory()}${companion}`, { force: true });
  await writeFile(memory(), bytes);
}

/** No text that is read as UTF-8 has a byte with all bits; this one is put over the first letter of each `text`. */
async function spoil(text: string): Promise<void> {
  const bytes = await readFile(memory());
  let at = bytes.indexOf(text);
  expect(at).toBeGreaterThan(0);
  for (; at >= 0; at = bytes.indexOf(text, at + 1)) bytes[at + 1] = 0xff;
  await putMemory(bytes);
}

/** What somebody else does to it. */
async function inMemory(...statements: readonly Sql[]): Promise<void> {
  const database = openSqlite(memory(), realTiming);
  for (const statement of statements) await database.run(statement);
  await database.close();
}

/** How the project is opened this once, after what happens to its memory. */
async function circumstances({ kind, to, chance }: Edit): Promise<Partial<OpenOptions>> {
  program.version = kind === 'program' ? 'another' : undefined;
  switch (kind) {
    case 'damage': {
      const bytes = await readFile(memory());
      const at = chance % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (chance % 8));
      await putMemory(to === '!' ? bytes.subarray(0, at) : bytes);
      return {};
    }
    case 'earlier':
      await putMemory(earlier);
      return {};
    case 'vars':
      return { vars: { region: to } };
    case 'stack':
      return { stack: 'b' };
    case 'day':
      return { world: { ...realWorld, now: () => Date.now() + 86_400_000 } };
    default:
      return {};
  }
}

describe('what is answered from memory', () => {
  afterEach(() => {
    refresh = 'none';
    program.version = undefined;
  });

  it('is what is worked out without one, whatever is edited, moved, renamed or set', async () => {
    const known = { plan: 0, check: 0, all: 0 };
    const start = fc.tuple(...Array.from({ length: 6 }, (_, key) => api(key)));
    await fc.assert(
      fc.asyncProperty(
        start,
        fc.option(overlay, { nil: undefined, freq: 2 }),
        fc.constantFrom(...settings),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        fc.constantFrom('always' as const, 'at need' as const, 'at need' as const),
        fc.constantFrom('none' as const, 'auto' as const),
        async (apis, patched, own, edits, isLate, learns, reads) => {
          later = isLate ? 5000 : 0;
          refresh = reads;
          let files: Files = {
            apis,
            region: 'eu',
            page: 'As at first.',
            greeting: 'Hello',
            overlay: patched,
            settings: own,
          };
          expect(await applied(written(files))).toBe('done');
          await agree();
          earlier = await readFile(memory());
          for (const each of edits) {
            files = edited(files, each);
            await put(written(files));
            if (each.kind === 'touch') await utimes(join(world.folder, 'catalogue/page.md'), 1, 1);
            if (each.kind === 'apply') await applyNow();
            if (each.kind === 'outside') await changeOutside(each);
            const from = await agree(await circumstances(each), learns);
            known.all += 1;
            if (from.includes('plan')) known.plan += 1;
            if (from.includes('check')) known.check += 1;
          }
        },
      ),
      { numRuns: lawRuns(60), ...atOnce },
    );
    // A law that is never asked anything holds nothing.
    expect(known.plan).toBeGreaterThan(known.all / 8);
    expect(known.check).toBeGreaterThan(known.all / 5);
  });

  it('is so of all types, wherever they refer to each other', async () => {
    const known = { plan: 0, all: 0 };
    const value = fc.constantFrom<Json>(
      'edited',
      'once more',
      '',
      null,
      ['a'],
      { team: 'z' },
      'published',
      'public',
      7,
    );
    const change = fc.record({
      resource: fc.nat(),
      field: fc.nat(),
      value,
      isPlain: fc.constantFrom(true, true, true, false),
      what: fc.constantFrom(...(['value', 'value', 'value', 'leave', 'come back', 'apply'] as const)),
    });
    type Resources = Readonly<Record<string, JsonObject>>;
    const next = (
      now: Resources,
      all: Resources,
      { what, ...one }: ValueEdit & { readonly what: string },
    ): Resources => {
      const keys = Object.keys(now);
      const key = keys[one.resource % keys.length] ?? '';
      if (what === 'value') return changed(now, one);
      if (what === 'come back') return { ...all, ...now };
      return what === 'leave' ? Object.fromEntries(Object.entries(now).filter(([each]) => each !== key)) : now;
    };
    const catalogues = randomCatalogueOf({ apis: 5, products: 2, fronts: 1 });
    await fc.assert(
      fc.asyncProperty(
        catalogues,
        fc.array(change, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        async (catalogue, changes, reads) => {
          later = 5000;
          refresh = reads ? 'auto' : 'none';
          let resources = asResources(catalogue);
          fc.pre(Object.keys(resources).length > 2);
          // The platform refuses some of what chance makes up.
          fc.pre((await applied(inFiles(resources))) === 'done');
          await agree();
          const all = resources;
          for (const each of changes) {
            const files = next(resources, all, each);
            // What may be wrong is put right again by the next one.
            if (each.isPlain && each.what !== 'leave') resources = files;
            await put(inFiles(files));
            if (each.what === 'apply') await applyNow();
            known.all += 1;
            if ((await agree({}, 'at need')).includes('plan')) known.plan += 1;
          }
        },
      ),
      { numRuns: lawRuns(60), ...atOnce },
    );
    expect(known.plan).toBeGreaterThan(known.all / 5);
  });

  it('is so where all is planned in shares, since it has no room at once', async () => {
    const known = { plan: 0, all: 0 };
    const start = fc.tuple(...Array.from({ length: 6 }, (_, key) => api(key)));
    await fc.assert(
      fc.asyncProperty(
        start,
        fc.option(overlay, { nil: undefined, freq: 4 }),
        fc.constantFrom(...settings),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 9 }),
        async (apis, patched, own, edits, share) => {
          const [region, page, greeting] = ['eu', 'As at first.', 'Hello'];
          let files: Files = { apis, region, page, greeting, overlay: patched, settings: own };
          expect(await applied(written(files))).toBe('done');
          await planned(share);
          earlier = await readFile(memory()).catch(() => Buffer.from('nothing was kept of it'));
          for (const each of edits) {
            files = edited(files, each);
            await put(written(files));
            if (each.kind === 'apply') await applyNow();
            if (['damage', 'earlier'].includes(each.kind) && !existsSync(memory())) continue;
            known.all += 1;
            if (await planned(share, await circumstances(each))) known.plan += 1;
          }
        },
      ),
      { numRuns: lawRuns(60), ...atOnce },
    );
    expect(known.plan).toBeGreaterThan(known.all / 5);
  });

  describe('is nothing at all, or right, when', () => {
    const start: Files = {
      apis: Array.from({ length: 12 }, (_, key) => ({
        ...{
          key,
          name: key,
          description: 'one',
          labels: '{}',
          isRelated: key % 3 === 1,
          document: 'two',
          file: key % 3,
        },
      })),
      region: 'eu',
      page: 'As at first.',
      greeting: 'Hello',
    };
    const now = edited(start, { kind: 'describe', at: 4, to: 'edited' });
    beforeAll(async () => {
      later = 0;
      expect(await applied(written(start))).toBe('done');
      await agree();
      await put(written(now));
      expect(await agree()).toEqual(['plan', 'check']);
    });
    beforeEach(async () => {
      later = 0;
      await chmod(join(world.folder, '.sync'), 0o700).catch(() => undefined);
      await rm(join(world.folder, '.sync'), { recursive: true, force: true });
      await rm(join(world.folder, 'catalogue/new.yaml'), { force: true });
      await put(written(start));
      await agree();
      await put(written(now));
    });

    const cases: Readonly<Record<string, () => Promise<unknown>>> = {
      'the memory is cut short': async () => writeFile(memory(), (await readFile(memory())).subarray(0, 5000)),
      'the memory is empty': async () => writeFile(memory(), ''),
      'the memory is no database': async () => writeFile(memory(), 'no database at all, but a text'),
      'the memory says what is no text': async () => spoil('"settings"'),
      'the memory says no text of what it holds': async () => spoil('CREATE TABLE'),
      'the memory is of a later program': () =>
        inMemory(sql`alter table remembered add column more text not null default ''`, sql`pragma user_version = 99`),
      'the memory has tables of another program': () =>
        inMemory(sql`drop table remembered`, sql`create table remembered (stack text, digest blob)`),
      'the memory has the rows of another stack': () => inMemory(sql`update remembered set stack = 'test/b'`),
      'a log of another memory lies beside it': async () => {
        const log = await readFile(memory());
        await writeFile(`${memory()}-wal`, log.subarray(0, 8192));
      },
      'the memory is behind a link': async () => {
        const elsewhere = await mkdtemp(join(tmpdir(), 'memory-'));
        await rename(memory(), join(elsewhere, 'memory.db'));
        await symlink(join(elsewhere, 'memory.db'), memory());
      },
      'nobody may write the memory': async () => {
        await chmod(memory(), 0o400);
        await chmod(dirname(memory()), 0o500);
      },
      'the memory is a folder': async () => {
        for (const companion of ['', '-wal', '-shm']) await rm(`${memory()}${companion}`, { force: true });
        await mkdir(memory());
      },
      'it is another stack': async () => {
        await writeFile(
          join(world.folder, 'sync.yaml'),
          'project: test\nparameters:\n  region: {type: string, default: eu}\nstacks: {a: {}, b: {}}\n',
        );
        await agree({ stack: 'a' });
        return { stack: 'b' };
      },
      'a parameter has another value': async () => ({ vars: { region: 'us' } }),
      "a type of the project's own may have changed": async () => ({
        packages: { ...providerPackages, names: [...providerPackages.names, 'own'] },
      }),
      'a file is new': async () =>
        writeFile(
          join(world.folder, 'catalogue/new.yaml'),
          'resources:\n  new: {type: platform:Api, properties: {name: New}}\n',
        ),
      'a file has another name': async () =>
        rename(join(world.folder, 'catalogue/apis-2.yaml'), join(world.folder, 'catalogue/new.yaml')),
      'a file is gone': async () => rm(join(world.folder, 'catalogue/apis-2.yaml')),
      'a file is broken': async () => writeFile(join(world.folder, 'catalogue/apis-1.yaml'), 'resources: {a: [}\n'),
      'a block runs into the next': async () =>
        put({
          ...written(now),
          'catalogue/apis-1.yaml': (written(now)['catalogue/apis-1.yaml'] ?? '').replace('"d edited"', '"d edited'),
        }),
      'data has become a part of the catalogue': async () =>
        writeFile(
          join(world.folder, 'catalogue/page.md'),
          'resources:\n  other: {type: platform:Api, properties: {name: Other}}\n',
        ),
      'an anchor is used from afar': async () => {
        const text = written(now)['catalogue/apis-1.yaml'] ?? '';
        await put({
          ...written(now),
          'catalogue/apis-1.yaml': text.replace('"d edited"', '&d edited').replace('"d one"', '*d'),
        });
      },
      'an update is too large a share': async () =>
        writeFile(
          join(world.folder, 'sync.yaml'),
          'project: test\nparameters:\n  region: {type: string, default: eu}\nguards: {maxUpdatePercent: 1}\n',
        ),
      'a variable that others use has another value': () => put(written({ ...now, greeting: 'Good night' })),
      'what stands before the blocks is another thing': () => {
        const text = `defaults:\n  platform:Api: {description: Said for all}\n${written(now)['catalogue/apis-1.yaml'] ?? ''}`;
        return put({ ...written(now), 'catalogue/apis-1.yaml': text });
      },
      'what stands before the blocks reads a file': async () => {
        const files = written(now);
        const first = `defaults:\n  platform:Api: {labels: {a: !file about.txt}}\n${files['catalogue/apis-2.yaml'] ?? ''}`;
        await put({ ...files, 'catalogue/apis-2.yaml': first, 'catalogue/about.txt': 'one' });
        await agree();
        return put({ 'catalogue/about.txt': 'two' });
      },
      // The last three: the state stays as they leave it.
      'a record was written since': async () => {
        const openState: OpenOptions['openState'] = ({ project, stack }) =>
          Promise.resolve(memoryStateStore(project, stack, database));
        await world.open(async (project) => void (await project.apply(await project.plan())), { openState });
      },
      'the memory has rows of two moments': async () => {
        // Files that stand as they stood are not read, and what uses what is known by these rows alone.
        later = 5000;
        await agree();
        const older = await readFile(memory());
        const related = edited(now, { kind: 'relate', at: 8, to: '' });
        await put(written(related));
        await applyNow();
        await agree();
        await writeFile(`${memory()}.older`, older);
        const bodies = sql`select digest, body from older.remembered as o where o.stack = remembered.stack and o.name = remembered.name`;
        await inMemory(
          sql`attach ${`${memory()}.older`} as older`,
          sql`update remembered set (digest, body) = (${bodies}) where name like 'blocks %'`,
        );
        await put(written(edited(related, { kind: 'describe', at: 7, to: 'again' })));
      },
      'a block reads a file by another spelling': async () => {
        const text = (spelt: string): string =>
          `resources:\n  spelt:\n    type: platform:Api\n    properties: {name: Spelt, description: ${spelt}}\n`;
        const files = {
          ...written(now),
          'catalogue/new.yaml': `${text('{"fn::read\\u0046ile": about.txt}')}  more: {type: platform:Api, properties: {name: More}}\n`,
          'catalogue/about.txt': 'one',
        };
        await put(files);
        expect(await applyNow()).toBe('done');
        await agree();
        return put({ ...files, 'catalogue/about.txt': 'two' });
      },
    };
    it.each(Object.keys(cases))('%s', async (name) => {
      const how = { ...((await cases[name]?.()) ?? {}) };
      await agree(how);
      await agree(how);
    });

    it('another process has locked it, writes it, or puts another in its place meanwhile', async () => {
      // Connections of this process are closed when they are collected: none of those has this file.
      const bytes = await readFile(memory());
      await rm(memory());
      await putMemory(bytes);
      const other = openSqlite(memory(), realTiming);
      await other.run(sql`pragma locking_mode = exclusive`);
      await other.run(sql`begin exclusive`);
      await agree();
      await other.run(sql`rollback`);
      await other.close();
      const older = await readFile(memory());
      let isOver = false;
      const puts = async (): Promise<void> => {
        while (!isOver) {
          await putMemory(older);
          await new Promise((resolve) => setTimeout(resolve, 3));
        }
      };
      const putting = puts();
      for (const at of [1, 2, 3]) {
        await put(written(edited(now, { kind: 'describe', at, to: 'again' })));
        await agree();
      }
      isOver = true;
      await putting;
    });

    const strangers: Readonly<Record<string, () => Promise<Partial<OpenOptions>>>> = {
      'of another stack': async () => ({ stack: 'b' }),
      'of another project': async () => {
        await writeFile(join(world.folder, 'sync.yaml'), settings.replace('project: test', 'project: other'));
        return {};
      },
      'of another folder or machine': async () => {
        const cwd = join(await mkdtemp(join(tmpdir(), 'memory-')), 'project');
        await cp(world.folder, cwd, { recursive: true, preserveTimestamps: true });
        return { cwd };
      },
      'of other parameters': async () => ({ vars: { region: 'us' } }),
      'of another program': async () => {
        program.version = 'another';
        return {};
      },
      'of another day': async () => ({ world: { ...realWorld, now: () => Date.now() + 86_400_000 } }),
    };
    const settings =
      'project: test\nparameters:\n  region: {type: string, default: eu}\nstacks: {a: {}, b: {}}\ndefaultStack: a\n';
    it.each(Object.keys(strangers))('it is a memory %s', async (name) => {
      await writeFile(join(world.folder, 'sync.yaml'), settings);
      await agree({ stack: 'a' });
      expect(await agree({ stack: 'a' })).not.toEqual([]);
      const how = { stack: 'a', ...(await strangers[name]?.()) };
      expect(await agree(how)).toEqual([]);
      program.version = undefined;
    });

    it("and knows types of the project's own, as long as their file says the same", async () => {
      const write = (topic: string): Promise<void> => {
        const shelf = {
          ...{ name: 'Shelf', description: 'A shelf.', derived: true, absence: 'empty-404', naturalKey: ['name'] },
          operations: { create: 'POST /shelves', read: 'GET /shelves/{id}', delete: 'DELETE /shelves/{id}' },
          list: { get: '/shelves', paging: { by: 'none', items: 'data' } },
          ...{ required: ['name'], always: ['name'], fields: { name: { description: topic } } },
        };
        const text = JSON.stringify({ formatVersion: 1, definitions: [shelf] });
        return writeFile(join(world.folder, 'acme.types.json'), text);
      };
      const own = 'providers: { acme: { types: ./acme.types.json, serverUrl: "http://127.0.0.1:9" } }\n';
      await write('Its name.');
      await writeFile(join(world.folder, 'sync.yaml'), settings + own);
      await agree({ stack: 'a' });
      expect(await agree({ stack: 'a' })).toContain('check');
      await write('The name.');
      expect(await agree({ stack: 'a' })).toEqual([]);
    });

    it.each<Overlay['has']>([[], ['own', 'output'], ['defaults', 'nested'], ['file']])(
      'and knows a stack with an overlay, as long as that says the same: %s %s',
      async (...has) => {
        const patched = { ...start, overlay: { patch: 1, off: 4, page: 8, says: 'one', has } };
        await put(written(patched));
        await agree();
        const later = edited(patched, { kind: 'describe', at: 6, to: 'edited' });
        await put(written(later));
        // Where something is to do in every block, there is no rest that a plan could take from memory.
        const known = has.includes('defaults') ? ['check'] : ['plan', 'check'];
        expect(await agree()).toEqual(known);
        expect(await agree({ stack: 'b' })).toEqual([]);
        await put(written(edited(later, { kind: 'describe', at: 1, to: 'again' })));
        expect(await agree()).toEqual(known);
        await put(written(edited(later, { kind: 'page', at: 0, to: 'again' })));
        expect(await agree()).toEqual(['check']);
        await put(written({ ...later, overlay: { ...patched.overlay, says: 'two' } }));
        expect(await agree()).toEqual([]);
      },
    );

    const colds: Readonly<
      Record<string, readonly [files: Readonly<Record<string, string>>, known: readonly string[]]>
    > = {
      'files of a source': [
        {
          'catalogue/pages.yaml': 'sources:\n  pages: platform:ApiDocument\n',
          'catalogue/pages/api1/more.md': '---\ntitle: More\n---\nText\n',
        },
        [],
      ],
      'an entry that leaves by name': [{ 'catalogue/gone.yaml': 'removed: [gone]\n' }, []],
      'a variable that the platform tells': [
        {
          'catalogue/told.yaml':
            'variables:\n  found: !lookup {function: platform:getApi, arguments: {filter: {name: {eq: API 1}}}}\n',
        },
        [],
      ],
      'a secret in an overlay': [
        { 'overlays/a.yaml': 'patches:\n  api1: {properties: {description: !secret hidden}}\n' },
        [],
      ],
      'what an overlay gives to all and reads elsewhere': [
        {
          'overlays/a.yaml': 'defaults:\n  platform:Api: {labels: {a: !file ../catalogue/page.md}}\n',
        },
        [],
      ],
      'rules that judge a plan': [{ 'sync.yaml': 'project: test\npolicies: policies/*.yaml\n' }, ['check']],
      'lists that are watched': [{ 'sync.yaml': 'project: test\ndrift: {unmanaged: all}\n' }, ['check']],
      'marks of owners': [{ 'sync.yaml': 'project: test\nownership: label\n' }, ['check']],
    };
    it.each(Object.entries(colds))('there is or are %s: of that, no more is known', async (_name, [files, known]) => {
      const all = { ...written({ ...start, overlay: { patch: 1, off: 4, page: 8, says: '', has: [] } }) };
      const plain = (files['sync.yaml'] ?? all['sync.yaml'] ?? '').replace(
        /test\n/,
        'test\nparameters: {region: {type: string, default: eu}}\n',
      );
      const own = files['sync.yaml'] === undefined ? all : { ...all, 'sync.yaml': plain };
      await put({ ...own, ...files, 'sync.yaml': own['sync.yaml'] ?? '' });
      try {
        await agree();
        expect(await agree()).toEqual(known);
        const edited = (own['catalogue/apis-0.yaml'] ?? '').replace('"d one"', '"d two"');
        await put({ ...own, ...files, 'sync.yaml': own['sync.yaml'] ?? '', 'catalogue/apis-0.yaml': edited });
        expect(await agree()).toEqual(known);
      } finally {
        for (const file of Object.keys(files)) await rm(join(world.folder, file), { force: true });
      }
    });

    it('and is there after each step of a day: a resource comes, is applied, is edited, goes, and another file', async () => {
      const come = edited(now, { kind: 'add', at: 11, to: '' });
      const say = edited(come, { kind: 'describe', at: 12, to: 'again' });
      const gone: Files = { ...say, apis: say.apis.slice(0, -1) };
      const moved = edited(gone, { kind: 'move', at: 5, to: '' });
      for (const each of [come, say, gone, moved]) {
        await put(written(each));
        expect(await agree({}, 'at need')).toEqual(['plan', 'check']);
        expect(await applyNow()).toBe('done');
        expect(await agree({}, 'at need')).toEqual(['plan', 'check']);
      }
    });

    it('any bit of it is another one', async () => {
      const whole = await readFile(memory());
      await fc.assert(
        fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (at, bit) => {
          const bytes = Buffer.from(whole);
          bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
          for (const companion of ['-wal', '-shm']) await rm(`${memory()}${companion}`, { force: true });
          await writeFile(memory(), bytes);
          await agree();
        }),
        { numRuns: lawRuns(18) },
      );
    });

    it('two ask and learn at once', async () => {
      await Promise.all([agree(), agree(), agree()]);
      expect(await agree()).toEqual(['plan', 'check']);
    });
  });

  it('holds neither a secret nor a digest of one, and asks for it again', async () => {
    const secret = 'correct horse battery staple';
    const block = (key: string, description: string): string =>
      `  ${key}: {type: platform:Api, properties: {name: ${key}, description: ${description}}}\n`;
    const plain = Array.from({ length: 12 }, (_, nth) => block(`plain${nth}`, 'text')).join('');
    const first = (text: string): string => `resources:\n${block('first', text)}`;
    world.env['SECRET_OF_TEST'] = secret;
    await applied({
      'catalogue/plain.yaml': `resources:\n${plain}`,
      'catalogue/first.yaml': first(`!secret ${secret}`),
      'catalogue/env.yaml': `resources:\n${block('env', '!env SECRET_OF_TEST')}`,
    });
    await agree();
    expect(await agree()).toEqual(['plan', 'check']);
    const kept = await readFile(join(world.folder, '.sync/memory.db'), 'latin1');
    expect(kept).toContain('plain0');
    const block1 = block('first', `!secret ${secret}`);
    const texts = [secret, first(`!secret ${secret}`), block1, `!secret ${secret}`];
    expect(texts.flatMap(digests).filter((each) => kept.includes(each))).toEqual([]);
    world.env['SECRET_OF_TEST'] = 'another one';
    await agree();
  });
});

function digests(text: string): readonly string[] {
  const digest = createHash('sha256').update(text).digest();
  return [text, digest.toString('hex'), digest.toString('base64').slice(0, 40)];
}
