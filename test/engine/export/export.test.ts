import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ExportOptions, ExportResult } from '@platform-sync/engine/api';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { emptied } from '../../harness/emptied.js';
import { ownTypes } from '../../harness/own-types.js';
import { makeWorld, type World } from '../../harness/world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld({ shuffle: 5 });
});
afterAll(() => world.close());
beforeEach(async () => {
  world.loseState();
  await world.call('POST', '/_sandbox/reset');
  await emptied(world);
  await world.write({ 'sync.yaml': settings });
});

const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';
const exported = (options?: ExportOptions): Promise<ExportResult> =>
  world.open((project) => project.export({ types: ownTypes, ...options }));
const seed = (objects: JsonObject) => world.call('POST', '/_sandbox/seed', objects);
const service = { plane: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0a01', id: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0b01' };
const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

async function apply(resources: Record<string, JsonObject>): Promise<void> {
  await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources } });
  await world.apply();
  world.loseState();
}

/** Changes an object behind the tool's back. */
async function put(collection: string, title: string, patch: JsonObject): Promise<void> {
  const dump = (await world.call('GET', '/_sandbox/objects')).body as Readonly<Record<string, readonly JsonObject[]>>;
  const row = dump[collection]?.find((object) => object['title'] === title || object['name'] === title);
  await world.call('POST', `/_sandbox/objects/${collection}/${String(row?.['id'])}`, patch);
}

/** Writes the export as the project's catalogue, adopts it and plans. */
async function adoptAndPlan({ files }: ExportResult): Promise<readonly string[]> {
  await rm(join(world.folder, 'catalogue'), { recursive: true, force: true });
  const inside = Object.fromEntries([...files].map(([path, text]) => [`catalogue/${path}`, text]));
  await world.write({ 'sync.yaml': settings, ...inside });
  const { diagnostics } = await world.open((project) => project.validate());
  // What is exported need not be valid: the platform keeps it, too.
  expect(diagnostics.filter(({ code }) => code !== 'invalid-specification')).toEqual([]);
  await world.apply({ mode: 'adopt' });
  const plan = await world.plan();
  expect(plan.notCompared).toEqual([]);
  return plan.steps.map(({ action, address }) => `${action} ${address}`);
}

const spec = 'openapi: 3.0.3\ninfo: {title: Pets, version: "1.4.0"}\npaths: {}\n';
const document = (title: string, more: JsonObject = {}, children: Record<string, JsonObject> = {}): JsonObject => ({
  type: 'platform:ApiDocument',
  properties: { title, content: `# ${title}\n\nText.\n`, ...more },
  children,
});

describe('the files', () => {
  it('read as a person would have written them', async () => {
    await apply({
      a: {
        type: 'platform:Api',
        properties: {
          name: 'Petstore',
          version: '1.4.0',
          description: 'Pets, their owners\nand their vaccinations.',
          labels: { team: 'pets', stage: 'production' },
          attributes: { domain: ['health', 'animals'] },
          specContent: spec,
        },
        children: {
          x: document(
            'Getting started',
            { status: 'published' },
            { y: document('Errors', { slug: 'error-reference' }) },
          ),
          z: { type: 'platform:ApiDocument', properties: { title: 'Short', content: 'One line.' } },
          i: {
            type: 'platform:ApiImplementation',
            properties: { serviceReference: { service: { controlPlaneId: service.plane, id: service.id } } },
          },
        },
      },
      b: { type: 'platform:Api', properties: { name: 'plain' } },
      p: {
        type: 'platform:ApiProduct',
        properties: { name: 'Payments', portalIds: [] },
        children: {
          o: {
            type: 'platform:ApiProductDocument',
            properties: {
              slug: 'overview',
              title: 'Overview',
              status: 'unpublished',
              content: 'Hello.',
            },
          },
        },
      },
    });
    await put('product-documents', 'Overview', { metadata: { nested: { 'fn::env': 'HOME' }, author: 'Team' } });
    const result = await exported();
    expect(result).toMatchObject({ diagnostics: [], objects: 9 });
    expect(Object.fromEntries(result.files)).toEqual({
      'petstore.yaml': `resources:
  petstore:
    type: platform:Api
    properties:
      name: Petstore
      version: 1.4.0
      description: |
        Pets, their owners
        and their vaccinations.
      attributes:
        domain: [animals, health]
      labels:
        stage: production
        team: pets
    children:
      getting-started:
        type: platform:ApiDocument
        properties:
          status: published
          title: Getting started
          content: !file docs/petstore/getting-started.md
        children:
          error-reference:
            type: platform:ApiDocument
            properties:
              slug: error-reference
              title: Errors
              content: !file docs/petstore/getting-started/error-reference.md
      short:
        type: platform:ApiDocument
        properties:
          title: Short
          content: One line.
      implementation:
        type: platform:ApiImplementation
        properties:
          serviceReference:
            service:
              controlPlaneId: ${service.plane}
              id: ${service.id}
      version-1-4-0:
        type: platform:ApiVersion
        properties:
          specContent: !file specs/petstore/version-1-4-0.yaml
`,
      'plain.yaml': 'resources:\n  plain:\n    type: platform:Api\n',
      'payments.yaml': `resources:
  payments:
    type: platform:ApiProduct
    properties:
      name: Payments
      portalIds: []
    children:
      overview:
        type: platform:ApiProductDocument
        properties:
          slug: overview
          status: unpublished
          title: Overview
          content: Hello.
          metadata: !file data/payments/overview.metadata.json#
`,
      'specs/petstore/version-1-4-0.yaml': spec,
      'docs/petstore/getting-started.md': '# Getting started\n\nText.\n',
      'docs/petstore/getting-started/error-reference.md': '# Errors\n\nText.\n',
      'data/payments/overview.metadata.json': '{\n  "author": "Team",\n  "nested": {\n    "fn::env": "HOME"\n  }\n}\n',
    });
    expect(await adoptAndPlan(result)).toEqual([]);
  });
});

describe('types and filters', () => {
  const page = (number: number, under: number, more: JsonObject = {}): JsonObject => ({
    id: id(number),
    api_id: id(under),
    title: `Page ${number}`,
    slug: `page-${number}`,
    content: 'x',
    ...more,
  });
  beforeEach(async () => {
    await seed({
      apis: [
        {
          id: id(1),
          name: 'Pets',
          labels: { team: 'a', 'k8s.io/name': 'x' },
          attributes: { domain: ['animals', 'fun'] },
        },
        { id: id(2), name: 'Pay in', slug: 'pets', labels: { team: 'b' } },
        { id: id(3), name: 'Pay out', labels: { team: 'b' } },
      ],
      documents: [
        page(11, 1, { status: 'published' }),
        page(12, 1, { parent_document_id: id(11) }),
        page(13, 1, { parent_document_id: id(12), status: 'published' }),
        page(21, 2),
      ],
      products: [{ id: id(4), name: 'Pay', labels: { team: 'a' } }],
    });
  });
  const everything = ['pay', 'pay-in', 'pay-in/page-21', 'pay-out', 'pets', 'pets/page-11', 'pets/page-11/page-12'];

  async function addresses(options: ExportOptions): Promise<readonly string[]> {
    const result = await exported(options);
    expect(result.diagnostics).toEqual([]);
    await rm(join(world.folder, 'catalogue'), { recursive: true, force: true });
    await world.write(Object.fromEntries([...result.files].map(([path, text]) => [`catalogue/${path}`, text])));
    const { desired, diagnostics } = await world.open((project) => project.validate());
    expect(diagnostics.filter(({ code }) => code !== 'no-catalogue-files')).toEqual([]);
    return [...(desired?.resources.keys() ?? [])].sort();
  }

  it.each<[string, ExportOptions, readonly string[]]>([
    ['everything', {}, [...everything, 'pets/page-11/page-12/page-13']],
    ['one type by its name', { types: ['ApiProduct'] }, ['pay']],
    ['two types, one by its token', { types: ['platform:Api', 'ApiProduct'] }, ['pay', 'pay-in', 'pay-out', 'pets']],
    [
      'a name',
      { filters: ['name=Pets'] },
      everything.filter((a) => a.startsWith('pets')).concat('pets/page-11/page-12/page-13'),
    ],
    [
      'a pattern, over all types that have the field',
      { filters: ['name=Pay*'] },
      ['pay', 'pay-in', 'pay-in/page-21', 'pay-out'],
    ],
    ['alternatives on one field', { types: ['Api'], filters: ['name=Pets', 'name=*out'] }, ['pay-out', 'pets']],
    ['two fields must both hold', { types: ['Api'], filters: ['name=Pay*', 'labels.team=b', 'slug=pets'] }, ['pay-in']],
    ['a key with dots', { types: ['Api'], filters: ['labels.k8s.io/name=x'] }, ['pets']],
    ['one item of a list', { types: ['Api'], filters: ['attributes.domain=fun'] }, ['pets']],
    [
      'a field of one type only',
      { filters: ['Api.slug=pets', 'ApiProduct.name=none'] },
      [
        'pay-in',
        'pay-in/page-21',
        'pets',
        ...['', '/page-12', '/page-12/page-13'].map((below) => `pets/page-11${below}`),
      ],
    ],
    ['an id', { types: ['Api'], filters: [`Api.id=${id(2)}`] }, ['pay-in']],
    [
      'what is below goes with what it lives in',
      { types: ['Api', 'ApiDocument'], filters: ['status=published'] },
      ['pay-in', 'pay-out', 'pets', 'pets/page-11'],
    ],
    ['letters that mean something in patterns are plain', { filters: ['name=P.ts'] }, []],
  ])('%s', async (_name, options, expected) => {
    expect(await addresses(options)).toEqual([...expected].sort());
  });

  it('children whose parent is not exported name it by id, in a file of their type', async () => {
    const { files } = await exported({ types: ['ApiDocument'], filters: ['name=Pay in'] });
    expect(Object.fromEntries(files)).toEqual({
      'api-documents.yaml': `resources:
  page-21:
    type: platform:ApiDocument
    properties:
      apiId: ${id(2)}
      title: Page 21
      content: x
`,
    });
  });

  it('reads no documents of APIs that a filter excludes', async () => {
    await world.resetRequests();
    await exported({ types: ['Api', 'ApiDocument'], filters: ['name=Pay out'] });
    const { byRoute } = await world.requests();
    expect(Object.entries(byRoute).filter(([route]) => route.includes('documents'))).toEqual([
      ['GET /v3/apis/{apiId}/documents', 1],
    ]);
  });

  it.each<[string, ExportOptions, string, string]>([
    ['a mistyped type', { types: ['ApiProdukt'] }, 'export-unknown-type', 'Did you mean ApiProduct?'],
    ['a filter without value', { filters: ['name'] }, 'export-bad-filter', 'it has no "="'],
    ['a field nobody has', { filters: ['labls.team=a'] }, 'export-bad-filter', 'Did you mean labels?'],
    ['a field of another type', { types: ['Api'], filters: ['status=published'] }, 'export-bad-filter', '"status"'],
    [
      'a type that is not exported',
      { types: ['Api'], filters: ['ApiProduct.name=x'] },
      'export-bad-filter',
      'not exported',
    ],
    ['a field that lists leave out', { filters: ['content=x'] }, 'export-bad-filter', "lists don't carry"],
  ])('%s is refused before anything is read', async (_name, options, code, words) => {
    await world.resetRequests();
    const result = await exported(options);
    expect(result).toMatchObject({ objects: 0, diagnostics: [{ severity: 'error', code }] });
    expect(`${result.diagnostics[0]?.summary} ${result.diagnostics[0]?.hint}`).toContain(words);
    expect((await world.requests()).total).toBe(0);
  });
});

describe('keys', () => {
  const keysOf = (names: readonly Json[]) =>
    seed({ apis: names.map((name, at) => ({ id: id(at), name, slug: null })) });
  const roots = ({ files }: ExportResult) => [...files.keys()].map((file) => file.replace('.yaml', ''));

  it.each<[string, readonly string[], readonly string[]]>([
    ['capitals, accents, signs', ['Größe & Übermaß!'], ['groe-uberma']],
    ['no letter of ours', ['日本語', '中文', '!!'], ['api', 'api-2', 'api-3']],
    ['a digit first', ['2024 report'], ['api-2024-report']],
    ['the same after slugging', ['a b', 'a-b', 'A B'], ['a-b', 'a-b-2', 'a-b-3']],
    ['a number that is taken', ['a b', 'a-b', 'a b 2'], ['a-b', 'a-b-2', 'a-b-3']],
    [
      'very long',
      [`${'word '.repeat(30)}`, 'x'.repeat(200)],
      ['word-word-word-word-word-word-word-word-word-word', 'x'.repeat(50)],
    ],
  ])('%s', async (_name, names, expected) => {
    await keysOf(names);
    const result = await exported();
    expect(roots(result).sort()).toEqual([...expected].sort());
    expect(await adoptAndPlan(result)).toEqual([]);
  });

  it('versions of one API are told apart by version, a third one by its name', async () => {
    await seed({
      apis: [
        { id: id(1), name: 'Pets', version: '1.0.0' },
        { id: id(2), name: 'Pets', version: '2.0.0' },
        { id: id(3), name: 'Pets', version: null },
      ],
    });
    const result = await exported();
    expect(roots(result)).toEqual(['pets', 'pets-1-0-0', 'pets-2-0-0']);
    expect(await adoptAndPlan(result)).toEqual([]);
  });

  it('equal slugs under different parents, and trees too deep to nest, keep their places', async () => {
    const documents = Array.from({ length: 45 }, (_, at) => ({
      id: id(100 + at),
      api_id: id(1),
      title: `Page ${at % 2}`,
      slug: `page-${at % 2}`,
      content: 'x',
      ...(at === 0 ? {} : { parent_document_id: id(99 + at) }),
    }));
    await seed({ apis: [{ id: id(1), name: 'Pets' }], documents });
    const result = await exported();
    expect(result).toMatchObject({ objects: 46, diagnostics: [] });
    expect(result.files.get('pets.yaml')).toMatch(/parentDocumentId: \$\{pets\/page-0\/page-1\S+\.id\}/);
    expect(await adoptAndPlan(result)).toEqual([]);
  });
});

describe('what a catalogue cannot hold', () => {
  const problems = ({ diagnostics }: ExportResult) => diagnostics.map(({ code, summary }) => `${code}: ${summary}`);
  const counts = ({ types }: ExportResult) =>
    Object.fromEntries(types.map(({ type, written, leftOut }) => [type, [written, leftOut]]));

  it('a field that breaks a rule is left out; a needed one takes the object and what is below it along', async () => {
    await seed({
      apis: [
        { id: id(1), name: 'Labels', labels: { team: 'a b' } },
        { id: id(2), name: 'n'.repeat(300) },
      ],
      documents: [{ id: id(3), api_id: id(2), title: 'Below', slug: 'below', content: 'x' }],
    });
    const result = await exported();
    expect([...result.files.keys()]).toEqual(['labels.yaml']);
    expect(problems(result)).toEqual([
      expect.stringMatching(/^export-field-left-out: labels of Api "Labels" \(id \S+1\) was left out: it must match/),
      expect.stringMatching(
        /^export-object-left-out: Api "n+ …" \(id \S+2\) was left out, .*: name can't be said: it must/,
      ),
    ]);
    expect(counts(result)).toEqual({
      Api: [1, { 'export-object-left-out': 1 }],
      ApiDocument: [0, { 'container-left-out': 1 }],
    });
    expect(await adoptAndPlan(result)).toEqual([]);
  });

  it('of objects with one natural key the first is exported, by its id', async () => {
    await seed({
      products: [1, 2, 3].map((number) => ({ id: id(number), name: 'Pay', description: `${number}` })),
      'product-documents': [{ id: id(4), api_product_id: id(2), title: 'Lost', slug: 'lost', content: 'x' }],
    });
    const result = await exported();
    expect(problems(result)).toEqual([expect.stringMatching(/^export-same-key: .* with \S+2, \S+3; only the first/)]);
    expect(result.files.get('pay.yaml')).toContain(`    options:\n      import: ${id(1)}\n`);
    expect(result.objects).toBe(1);
    expect(counts(result)).toEqual({
      ApiProduct: [1, { 'export-same-key': 2 }],
      ApiProductDocument: [0, { 'container-left-out': 1 }],
    });
    expect(await adoptAndPlan(result)).toEqual([]);
  });

  it('a specification that looks like a catalogue file is kept from being loaded as one', async () => {
    const text = 'openapi: 3.0.3\ninfo: {title: T, version: "1"}\npaths: {}\nresources: {}\n';
    const options = { allowBrokenSpecification: true };
    await apply({ a: { type: 'platform:Api', properties: { name: 'A', version: '1', specContent: text }, options } });
    const result = await exported();
    expect(result.files.get('specs/a/version-1.txt')).toBe(text);
    expect(result.files.get('a.yaml')).toMatch(/version-1:[^]*options:\n +allowBrokenSpecification: true\n/);
    expect(result.diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
      'warning invalid-specification',
    ]);
    expect(await adoptAndPlan(result)).toEqual([]);
  });

  it('an object that cannot be read is left out with what is below it, and everything else is exported', async () => {
    await seed({
      apis: [
        { id: id(1), name: 'A' },
        { id: id(2), name: 'B' },
      ],
      documents: [
        { id: id(3), api_id: id(1), title: 'Under A', slug: 'a', content: 'Text.' },
        { id: id(4), api_id: id(2), title: 'Under B', slug: 'b', content: 'Text.' },
        { id: id(5), api_id: id(2), title: 'Guide', slug: 'guide', content: 'Text.' },
      ],
    });
    // A list shows the one as it can't be, the other is seen only when it is read alone.
    await put('apis', 'A', { description: 5 });
    await put('documents', 'Under B', { content: 5 });
    for (const asPulumi of [false, true]) {
      const result = await exported({ asPulumi });
      const { files, objects, diagnostics } = result;
      expect(counts(result)).toEqual({
        Api: [1, { 'export-object-unread': 1 }],
        ApiDocument: [1, { 'export-object-unread': 1 }],
      });
      const text = [...files.values()].join('');
      expect([objects, text.includes('Guide'), text.includes('Under')]).toEqual([2, true, false]);
      expect(diagnostics.map(({ code, severity, summary }) => [code, severity, summary])).toEqual([
        ['export-object-unread', 'warning', expect.stringMatching(new RegExp(`^Api \\(id ${id(1)}\\) was left out`))],
        [
          'export-object-unread',
          'warning',
          expect.stringMatching(new RegExp(`^ApiDocument \\(id ${id(4)}\\) was left`)),
        ],
      ]);
    }
    const rest = await exported();
    await put('apis', 'A', { description: null });
    await put('documents', 'Under B', { content: 'Text.' });
    expect(await adoptAndPlan(rest)).toEqual([]);
  });

  const guide = () =>
    seed({
      apis: [{ id: id(1), name: 'A' }],
      documents: [{ id: id(2), api_id: id(1), title: 'Guide', slug: 'guide', content: 'Text.' }],
      products: [{ id: id(3), name: 'Pay' }],
    });
  async function withFault(route: string, action: JsonObject, options?: ExportOptions): Promise<ExportResult> {
    await world.call('PUT', '/_sandbox/faults', { rules: [{ match: { method: 'GET', route }, action }] });
    try {
      return await exported(options);
    } finally {
      await world.call('DELETE', '/_sandbox/faults');
    }
  }

  it.each<[string, string, JsonObject, string, readonly string[]]>([
    ['a list that is refused', '/v3/apis', { status: 403 }, 'export-list-unread', ['pay.yaml']],
    ['a list that is none', '/v3/apis', { dropField: 'data' }, 'export-list-unread', ['pay.yaml']],
    [
      ...(['a list in an object that is refused', '/v3/apis/{apiId}/documents', { status: 403 }] as const),
      ...(['export-list-unread', ['a.yaml', 'pay.yaml']] as const),
    ],
    [
      ...(['an object that is refused', '/v3/apis/*/documents/*', { status: 403 }] as const),
      ...(['export-object-unread', ['a.yaml', 'pay.yaml']] as const),
    ],
    [
      ...(['an object that is denied', '/v3/apis/*/documents/*', { status: 404 }] as const),
      ...(['export-object-unread', ['a.yaml', 'pay.yaml']] as const),
    ],
  ])('%s is told, and everything else is exported', async (_what, route, action, code, files) => {
    await guide();
    const result = await withFault(route, action);
    expect([...result.files.keys()].sort()).toEqual(files);
    expect(result.diagnostics.map((each) => [each.severity, each.code])).toEqual([['warning', code]]);
    expect(result.types.flatMap(({ leftOut }) => Object.entries(leftOut))).toEqual([[code, 1]]);
    expect(await adoptAndPlan(result)).toEqual([]);
  });

  it('where no list at all can be read, nothing is written', async () => {
    await guide();
    const { files, diagnostics } = await withFault('/v3/apis', { status: 403 }, { types: ['Api', 'ApiDocument'] });
    expect([files.size, diagnostics.map(({ severity }) => severity)]).toEqual([0, ['error']]);
  });

  it('an empty platform gives no files', async () => {
    expect(await exported()).toEqual({ files: new Map(), objects: 0, diagnostics: [], types: [] });
  });
});
