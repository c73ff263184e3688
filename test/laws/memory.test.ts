import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OpenOptions } from '@platform-sync/engine/api';
import { openProject } from '@platform-sync/engine/engine';
import { Memory } from '@platform-sync/engine/memory/memory';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Plan } from '@platform-sync/core/model/plan';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { realWorld } from '@platform-sync/core/model/world';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { providerPackages } from '@platform-sync/sdk/registry';
import { makeWorld, type World } from '../harness/world.js';
import { asResources, randomCatalogueOf } from './random-catalogue.js';
import { lawRuns } from './runs.js';

let world: World;
let database = new MemoryDatabase();
/** So long after their last change that stamps of files are believed. */
let later = 0;

beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

interface Answers {
  readonly cold: unknown;
  /** Undefined: the memory knew nothing. */
  readonly warm: unknown;
}

/** A plan and a check, cold and from memory; then the memory learns. */
async function answers(how: Partial<OpenOptions> = {}): Promise<{ readonly plan: Answers; readonly check: Answers }> {
  const options: OpenOptions = {
    ...{ cwd: world.folder, env: world.env, purpose: 'test', packages: providerPackages, settleSeconds: 0 },
    openState: (config) => Promise.resolve(memoryStateStore(config.project, config.stack, database)),
    ...how,
  };
  const { project } = await openProject(options);
  if (project === undefined) throw new Error('the project does not open');
  const opened = { project, options, env: world.env, world: realWorld, open: openProject };
  // Nothing is too much to be answered in parts.
  const memory = new Memory(opened, Date.now() + later, 1);
  try {
    const plans = { refresh: 'none' } as const;
    const warmCheck = await memory.check();
    const warm = await memory.plan(plans, true);
    const cold = await project.plan(plans);
    const { desired, diagnostics, files } = await project.validate();
    const coldCheck = { files, resources: desired?.resources.size, diagnostics };
    await memory.learnPlan(plans, cold, true);
    return {
      plan: { cold: told(cold), warm: warm && told(warm) },
      check: { cold: coldCheck, warm: warmCheck && { ...warmCheck, diagnostics: [] } },
    };
  } finally {
    await project.close();
  }
}

/** All of a plan but the moment it was made at. */
function told({ plan, diagnostics }: { readonly plan?: Plan; readonly diagnostics: readonly Diagnostic[] }): unknown {
  return JSON.parse(JSON.stringify({ plan: plan && { ...plan, meta: { ...plan.meta, createdAt: '' } }, diagnostics }));
}

/** What is answered from memory is what would have been worked out; says what was. */
async function agree(how?: Partial<OpenOptions>): Promise<readonly string[]> {
  const { plan, check } = await answers(how);
  if (plan.warm !== undefined) expect(plan.warm).toEqual(plan.cold);
  if (check.warm !== undefined) expect(check.warm).toEqual(check.cold);
  return [...(plan.warm === undefined ? [] : ['plan']), ...(check.warm === undefined ? [] : ['check'])];
}

/** Applies what stands there now, to a state of its own. */
async function applied(files: Readonly<Record<string, string>>): Promise<void> {
  database = new MemoryDatabase();
  await rm(join(world.folder, '.sync'), { recursive: true, force: true });
  await world.call('POST', '/_sandbox/reset');
  await world.write(files);
  const openState: OpenOptions['openState'] = (config) =>
    Promise.resolve(memoryStateStore(config.project, config.stack, database));
  await world.open(
    async (project) => {
      const result = await project.apply(await project.plan());
      if (result.status !== 'done') throw new Error(JSON.stringify(result));
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
type Edit =
  | {
      readonly kind: 'describe' | 'write' | 'label' | 'relate' | 'rename' | 'move' | 'name' | 'remove' | 'swap';
      readonly at: number;
      readonly to: string;
    }
  | { readonly kind: 'parameter' | 'touch' | 'page' | 'greet' | 'nothing'; readonly at: number; readonly to: string };

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(
    ...([
      'describe',
      'describe',
      'describe',
      'write',
      'write',
      'label',
      'relate',
      'rename',
      'move',
      'name',
      'remove',
    ] as const),
    ...(['swap', 'parameter', 'touch', 'page', 'greet', 'nothing'] as const),
  ),
  at: fc.nat(11),
  to: fc.constantFrom('edited', 'again', 'a\nb\n', '${param.region}', '!', '"'),
});

interface Files {
  readonly apis: readonly Api[];
  readonly region: string;
  readonly page: string;
  readonly greeting: string;
}

function edited({ apis, region, page, greeting }: Files, { kind, at, to }: Edit): Files {
  const nth = at % Math.max(1, apis.length);
  const change = (part: Partial<Api>): Files => ({
    ...{ region, page, greeting },
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
    case 'move':
      return change({ file: at % 3 });
    case 'swap':
      return { apis: [...apis].reverse(), region, page, greeting };
    case 'remove':
      return { apis: apis.filter((_, place) => place !== nth), region, page, greeting };
    case 'parameter':
      return { apis, region: to === '!' ? 'us' : 'eu', page, greeting };
    case 'page':
      return { apis, region, page: to, greeting };
    case 'greet':
      return { apis, region, page, greeting: to };
    case 'touch':
    case 'nothing':
      return { apis, region, page, greeting };
  }
}

function written({ apis, region, page, greeting }: Files): Record<string, string> {
  const files: Record<string, string> = {
    'sync.yaml': `project: test\nparameters:\n  region: {type: string, default: ${region}}\n`,
    'catalogue/page.md': `# Page\n${page}\n`,
    'catalogue/base.yaml': `variables:\n  greeting: ${JSON.stringify(greeting)}\noutputs:\n  first: ${apis[0] === undefined ? 'none' : `\${api${apis[0].key}.description}`}\n`,
  };
  const quoted = (text: string): string => JSON.stringify(text);
  for (const nth of [0, 1, 2]) files[`catalogue/apis-${nth}.yaml`] = `# File ${nth}\nresources:\n`;
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

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const nth of [0, 1, 2]) {
    const name = `catalogue/apis-${nth}.yaml`;
    if (files[name] === undefined) await rm(join(world.folder, name), { force: true });
  }
  for (const [name, text] of Object.entries(files)) {
    const path = join(world.folder, name);
    if ((await readFile(path, 'utf8').catch(() => undefined)) !== text) await writeFile(path, text);
  }
}

describe('what is answered from memory', () => {
  it('is what is worked out without one, whatever is edited, moved, renamed or set', async () => {
    const known = { plan: 0, check: 0, all: 0 };
    const start = fc.tuple(...Array.from({ length: 12 }, (_, key) => api(key)));
    await fc.assert(
      fc.asyncProperty(
        start,
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (apis, edits, isLate) => {
          later = isLate ? 5000 : 0;
          let files: Files = { apis, region: 'eu', page: 'As at first.', greeting: 'Hello' };
          await applied(written(files));
          await agree();
          for (const each of edits) {
            files = edited(files, each);
            await put(written(files));
            if (each.kind === 'touch') await utimes(join(world.folder, 'catalogue/page.md'), 1, 1);
            const from = await agree();
            known.all += 1;
            if (from.includes('plan')) known.plan += 1;
            if (from.includes('check')) known.check += 1;
          }
        },
      ),
      { numRuns: lawRuns(24) },
    );
    // A law that is never asked anything holds nothing.
    expect(known.plan).toBeGreaterThan(known.all / 5);
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
    });
    const catalogues = randomCatalogueOf({ apis: 9, products: 3, fronts: 2 });
    await fc.assert(
      fc.asyncProperty(catalogues, fc.array(change, { minLength: 1, maxLength: 3 }), async (catalogue, changes) => {
        later = 5000;
        let resources = asResources(catalogue);
        fc.pre(Object.keys(resources).length > 2);
        await applied(inFiles(resources));
        await agree();
        for (const each of changes) {
          const next = changed(resources, each);
          // What may be wrong is put right again by the next one.
          if (each.isPlain) resources = next;
          await put(inFiles(next));
          known.all += 1;
          if ((await agree()).includes('plan')) known.plan += 1;
        }
      }),
      { numRuns: lawRuns(18) },
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
    const memory = (): string => join(world.folder, '.sync/memory.db');

    beforeAll(async () => {
      later = 0;
      await applied(written(start));
      await agree();
      await put(written(now));
      expect(await agree()).toEqual(['plan', 'check']);
    });
    beforeEach(async () => {
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
      // The last: the state stays as this leaves it.
      'a record was written since': async () => {
        const openState: OpenOptions['openState'] = ({ project, stack }) =>
          Promise.resolve(memoryStateStore(project, stack, database));
        await world.open(async (project) => void (await project.apply(await project.plan())), { openState });
      },
    };
    it.each(Object.keys(cases))('%s', async (name) => {
      const how = { ...((await cases[name]?.()) ?? {}) };
      await agree(how);
      await agree(how);
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
