import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isObject, type Json } from '@platform-sync/core/model/value';
import { makeWorld, type World } from '../harness/world.js';
import { asResources, randomCatalogue } from '../laws/random-catalogue.js';
import { lawRuns, lawTimeoutMs } from '../laws/runs.js';
import { builtPackages, Project, realEngine } from './command-line.js';
import { Engine, urnOf, type Members } from './engine.js';

const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';

interface Program {
  readonly resources: Readonly<Record<string, { readonly type: string; readonly properties: Members }>>;
}
interface Imports {
  readonly resources: readonly { readonly type: string; readonly name: string; readonly id: string }[];
}
interface Held {
  readonly urn: string;
  readonly type: string;
  readonly id: string;
  readonly inputs: Members;
  readonly outputs: Members;
  readonly custom: true;
}

let world: World;
beforeAll(async () => {
  world = await makeWorld({ shuffle: 11 });
});
afterAll(() => world.close());

async function exported(): Promise<{
  readonly program: Program;
  readonly imports: Imports;
  readonly files: ReadonlyMap<string, string>;
}> {
  const { files, diagnostics } = await world.open((project) => project.export({ asPulumi: true }));
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const program = parse(files.get('Pulumi.yaml') ?? 'resources: {}') as Program;
  return { files, program, imports: JSON.parse(files.get('import.json') ?? '{"resources":[]}') as Imports };
}

/** What the host of YAML programs makes of a value: references are ids, `$${` is `${`. */
function evaluated(value: unknown, idOf: (name: string) => string): unknown {
  if (typeof value === 'string') {
    const name = /^\$\{(\w+)\.id\}$/.exec(value)?.[1];
    return name === undefined ? value.replaceAll('$${', () => '${') : idOf(name);
  }
  if (Array.isArray(value)) return value.map((item) => evaluated(item, idOf));
  if (!isObject(value as Json)) return value;
  return Object.fromEntries(Object.entries(value as Members).map(([key, member]) => [key, evaluated(member, idOf)]));
}

/** Imports what was exported, as the engine does, and holds the program against it: the stack, and what differs. */
async function imported(
  engine: Engine,
  { program, imports }: { readonly program: Program; readonly imports: Imports },
): Promise<{ readonly stack: readonly Held[]; readonly differing: readonly string[] }> {
  const ids = new Map(imports.resources.map(({ name, id }) => [name, id]));
  const differing: string[] = [];
  const stack: Held[] = [];
  for (const { type, name, id } of imports.resources) {
    const urn = urnOf(type, name);
    const held = await engine.read(urn, id);
    stack.push({ urn, type, id: held.id, inputs: held.inputs, outputs: held.outputs, custom: true });
    const news = evaluated(program.resources[name]?.properties ?? {}, (to) => ids.get(to) ?? '') as Members;
    const { inputs, failures } = await engine.check(urn, news, held.inputs);
    const diff = await engine.diff(urn, { id, olds: held.outputs, oldInputs: held.inputs, news: inputs });
    if (failures.length > 0 || diff.changes !== 'none')
      differing.push(`${name}: ${JSON.stringify({ failures, diff })}`);
  }
  return { stack, differing };
}

describe('what is exported as a Pulumi program', () => {
  it(
    'is imported without a difference, and comes back by its ids, whatever there is',
    async () => {
      const engine = await Engine.start('platform', world.sandbox.url);
      await engine.configure();
      try {
        await fc.assert(
          fc.asyncProperty(randomCatalogue, async (catalogue) => {
            world.loseState();
            await world.call('POST', '/_sandbox/reset');
            const files = { 'sync.yaml': settings, 'catalogue/all.yaml': { resources: asResources(catalogue) } };
            await world.write(files);
            await world.apply();
            world.loseState();
            const written = await exported();
            const { stack, differing } = await imported(engine, written);
            expect(differing).toEqual([]);
            const fromPulumi = JSON.stringify({ version: 3, deployment: { resources: stack } });
            const { plan, diagnostics = [] } = await world.planResult({ mode: 'adopt', fromPulumi });
            // The platform has portals and strategies from the start, which no file here describes.
            expect(diagnostics.map(({ code }) => code).filter((code) => code !== 'pulumi-not-described')).toEqual([]);
            const described = await world.open(async (project) => (await project.validate()).desired?.resources.size);
            expect((plan?.steps ?? []).map(({ action }) => action)).toEqual(Array(described).fill('adopt'));
          }),
          { numRuns: lawRuns(15) },
        );
      } finally {
        await engine.close();
      }
    },
    lawTimeoutMs,
  );

  it('objects of one name go over by their ids, and come back by the names of the program', async () => {
    const engine = await Engine.start('platform', world.sandbox.url);
    await engine.configure();
    try {
      world.loseState();
      await world.call('POST', '/_sandbox/reset');
      const product = { type: 'platform:ApiProduct', properties: { name: 'Pets', portalIds: [] } };
      await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: { pets: product } } });
      await world.apply();
      world.loseState();
      await world.call('POST', '/v2/api-products', { name: 'Pets', portal_ids: [] });
      const written = await exported();
      const { stack, differing } = await imported(engine, written);
      expect(differing).toEqual([]);
      const products = stack.filter(({ type }) => type.endsWith(':ApiProduct'));
      expect(products).toHaveLength(2);
      const asCalled = (...names: readonly string[]): string =>
        JSON.stringify({
          deployment: { resources: products.map((held, at) => ({ ...held, urn: urnOf(held.type, names[at] ?? '') })) },
        });
      for (const at of [0, 1]) {
        const names = at === 0 ? ['pets', 'x'] : ['x', 'pets'];
        const { plan } = await world.planResult({ mode: 'adopt', fromPulumi: asCalled(...names) });
        expect(plan?.steps.map(({ action, id }) => [action, id])).toEqual([['adopt', products[at]?.id]]);
      }
      const unclear = await world.planResult({ mode: 'adopt', fromPulumi: asCalled('x', 'y') });
      expect(unclear.diagnostics.map(({ code }) => code)).toContain('pulumi-several');
    } finally {
      await engine.close();
    }
  });
});

describe('a file that is no export of a stack', () => {
  const api = { urn: urnOf('platform:index/api:Api', 'pets'), type: 'platform:index/api:Api', id: '{' };
  it.each([
    ['text', 'hello'],
    ['another document', '{"resources": []}'],
    ['resources that are no list', '{"deployment": {"resources": {}}}'],
    ['a resource that is no object', '{"deployment": {"resources": ["a"]}}'],
    ['an id that is none', JSON.stringify({ deployment: { resources: [api] } })],
  ])('%s: an error with what to do, and nothing recorded', async (_name, fromPulumi) => {
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: {} } });
    const { plan, diagnostics } = await world.planResult({ mode: 'adopt', fromPulumi });
    expect(plan).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { severity: 'error', code: 'pulumi-stack', hint: expect.any(String) as string },
    ]);
  });

  it('what belongs to others, is about to go, or is of no type of ours counts for nothing', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const resources = [
      { ...api, id, external: true },
      { ...api, id, delete: true },
      { ...api, id, type: 'random:index/id:Id' },
      { urn: 'urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev', type: 'pulumi:pulumi:Stack' },
    ];
    const { diagnostics } = await world.planResult({
      mode: 'adopt',
      fromPulumi: JSON.stringify({ deployment: { resources } }),
    });
    expect(diagnostics).toEqual([]);
  });

  it('what no file describes is named', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const fromPulumi = JSON.stringify({ deployment: { resources: [{ ...api, id }] } });
    const { diagnostics } = await world.planResult({ mode: 'adopt', fromPulumi });
    expect(diagnostics).toMatchObject([
      { code: 'pulumi-not-described', summary: expect.stringContaining('platform:Api pets') as string },
    ]);
  });
});

const { isLeftOut, note } = realEngine('yaml');
describe.skipIf(isLeftOut)(`there and back with the real engine${note}`, () => {
  it('export, import, up without a change; stack export, adopt, plan without a step', async () => {
    const packages = await builtPackages();
    world.loseState();
    await world.call('POST', '/_sandbox/reset');
    const resources = {
      pets: {
        type: 'platform:Api',
        properties: {
          name: 'Pets',
          version: '1',
          description: 'Costs ${price}',
          labels: { team: 'a' },
          attributes: { a: ['b'] },
        },
        children: {
          guide: { type: 'platform:ApiDocument', properties: { title: 'Guide', content: '# Guide\n\nMore.' } },
        },
      },
      plan: { type: 'platform:ApiProduct', properties: { name: 'Plan', portalIds: [] } },
      shop: { type: 'platform:Portal', properties: { name: 'shop' } },
    };
    const text = JSON.stringify({ resources }).replaceAll('${price}', () => '$${price}');
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': text });
    await world.apply();
    world.loseState();
    const project = await Project.make(world.sandbox.url);
    try {
      const { files } = await exported();
      await project.write(Object.fromEntries(files));
      const program = `${files.get('Pulumi.yaml') ?? ''}packages: { platform: ${packages}/platform }\n`;
      await project.write({ 'Pulumi.yaml': program });
      await project.must('stack', 'init', 'dev');
      await project.must(
        'import',
        '--file',
        'import.json',
        '--yes',
        '--skip-preview',
        '--protect=false',
        '--generate-code=false',
      );
      await project.up('--expect-no-changes');
      await project.must('stack', 'export', '--file', 'stack.json');
      const fromPulumi = await project.read('stack.json');
      await world.open(async (own) => own.apply(await own.plan({ mode: 'adopt', fromPulumi })));
      expect((await world.plan({ refresh: 'full' })).steps).toEqual([]);
    } finally {
      await project.close();
    }
  });
});
