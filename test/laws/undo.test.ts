import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApplyResult, PlanResult, UndoEditsResult } from '@platform-sync/engine/api';
import { readDocument } from '@platform-sync/core/value/equality';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { paperFolder, PaperWorld, removeFolder } from '../harness/paper-world.js';
import { asResources, randomCatalogueOf } from './random-catalogue.js';
import { lawRuns, lawTimeoutMs, toTheLast } from './runs.js';

const guards = {
  ...{ maxDeletePercent: 100, maxDeletes: 1000, maxUpdatePercent: 100 },
  allow: ['emptyCatalogue', 'everythingGone'].map((guard) => ({ guard, reason: 'law' })),
};
const catalogues = randomCatalogueOf({ apis: 2, products: 1, fronts: 0 });
const api = (name: string, more: JsonObject = {}, children: JsonObject = {}): JsonObject => ({
  type: 'platform:Api',
  ...{ properties: { name, ...more }, children },
});
const page = (title: string): JsonObject => ({ type: 'platform:ApiDocument', properties: { title, content: title } });

describe('an undo', () => {
  let folder: string;
  let cwd: string;
  let world: PaperWorld;
  beforeAll(async () => {
    folder = await paperFolder({ one: { guards } });
    cwd = `${folder}/one`;
  });
  afterAll(() => removeFolder(folder));
  beforeEach(() => {
    world = new PaperWorld();
    world.env['OWNER'] = 'ann';
  });

  async function lifted(
    plan: (allow: readonly { guard: string; reason: string }[]) => Promise<PlanResult>,
  ): Promise<PlanResult> {
    const first = await plan([]);
    const blocking = first.plan?.guards.flatMap(({ name, lifted: why }) => (why === undefined ? [name] : [])) ?? [];
    return blocking.length === 0 ? first : plan(blocking.map((guard) => ({ guard, reason: 'law' })));
  }

  const file = (): string => `${cwd}/catalogue/all.yaml`;

  async function apply(
    resources: JsonObject,
    spelt: (catalogue: JsonObject) => string = JSON.stringify,
  ): Promise<ApplyResult> {
    world.write(cwd, {});
    writeFileSync(file(), spelt({ resources }));
    return applyFiles();
  }

  async function applyFiles(): Promise<ApplyResult> {
    return world.open(cwd, async (project) => project.apply(await lifted((allow) => project.plan({ allow }))));
  }

  interface Undone extends PlanResult {
    readonly result: ApplyResult;
  }

  /** Of the last run. */
  async function lastRun(): Promise<number> {
    const [last] = await world.store().runs({ kinds: ['begin'], limit: 1 });
    return last?.run ?? 0;
  }

  async function undo(...addresses: readonly string[]): Promise<Undone> {
    const run = await lastRun();
    return world.open(cwd, async (project) => {
      const planned = await lifted((allow) => project.undo(run, addresses, { allow }));
      return { ...planned, result: await project.apply(planned) };
    });
  }

  /** What is recorded, with ids by the address that has them: what was deleted is made again under a new one. */
  function recorded(): Readonly<Record<string, Json>> {
    const { resources } = world.state();
    const names = new Map([...resources.values()].map(({ address, identity }) => [identity.id, `id of ${address}`]));
    const named = (value: Json): Json => {
      // Another spelling of one description is no change of it.
      if (typeof value === 'string')
        return names.get(value) ?? (value.includes('openapi') ? (readDocument(value) ?? value) : value);
      if (Array.isArray(value)) return value.map((item: Json) => named(item));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value as JsonObject).map(([key, item]) => [key, named(item)]));
    };
    const entry = ({ address, inputs }: RecordedResource): [string, Json] => [address, named(inputs)];
    return Object.fromEntries([...resources.values()].map(entry).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  it('brings back values, makes again what was deleted, ends what was made, and says where the catalogue differs', async () => {
    await apply({ pets: api('Pets', { description: 'one' }), cats: api('Cats', {}, { guide: page('Guide') }) });
    const before = recorded();
    await apply({ pets: api('Pets', { description: 'two' }), dogs: api('Dogs') });
    const { plan, diagnostics, result } = await undo();
    expect(plan?.steps.map(({ action, address }) => `${action} ${address}`).sort()).toEqual([
      ...['create cats', 'create cats/guide', 'delete dogs', 'update pets'],
    ]);
    expect(plan?.partial?.targets).toEqual(['cats', 'cats/guide', 'dogs', 'pets']);
    expect(result.status).toBe('done');
    expect(recorded()).toEqual(before);
    expect(diagnostics.map(({ code, address, place }) => [code, address, place?.file])).toEqual([
      ['undo-catalogue', 'cats', undefined],
      ['undo-catalogue', 'dogs', 'catalogue/all.yaml'],
      ['undo-catalogue', 'pets', 'catalogue/all.yaml'],
    ]);
    // The catalogue says what it said: the next apply brings it again.
    await apply({ pets: api('Pets', { description: 'two' }), dogs: api('Dogs') });
    expect(Object.keys(recorded())).toEqual(['dogs', 'pets']);
  });

  it('brings outputs back with what they are of', async () => {
    const said = (description: string, more = '', outputs = ''): string =>
      `resources:\n  pets: {type: platform:Api, properties: {name: Pets, description: ${description}}}\n${more}outputs: {words: "\${pets.description}"${outputs}}\n`;
    await apply({}, () => said('one'));
    await apply({}, () => said('two', '  cats: {type: platform:Api}\n', ', cats: "${cats.id}"'));
    expect((await undo()).result.status).toBe('done');
    expect(world.state().outputs).toEqual({ words: 'one' });
  });

  it('leaves what later runs did to other fields, and what it is not asked for', async () => {
    await apply({ pets: api('Pets', { description: 'one', version: '1' }), cats: api('Cats', { description: 'one' }) });
    await apply({ pets: api('Pets', { description: 'two', version: '1' }), cats: api('Cats', { description: 'two' }) });
    const [wanted] = await world.store().runs({ kinds: ['begin'], limit: 1 });
    await apply({ pets: api('Pets', { description: 'two', version: '2' }), cats: api('Cats', { description: 'two' }) });
    await world.open(cwd, async (project) => project.apply(await project.undo(wanted?.run ?? 0, ['pets'])));
    expect(recorded()).toEqual({
      cats: { name: 'Cats', description: 'two' },
      pets: { name: 'Pets', description: 'one', version: '2' },
    });
  });

  it('leaves what a later run did to what its own only spelled otherwise', async () => {
    const guide = (title: string, content: string): JsonObject => ({
      pets: api('Pets', {}, { guide: { ...page(title), properties: { title, content } } }),
    });
    await apply(guide('One', 'text'));
    await apply(guide('Two', 'text\n'));
    const run = await lastRun();
    await apply(guide('Two', 'other'));
    await world.open(cwd, async (project) => project.apply(await project.undo(run, [])));
    expect(recorded()['pets/guide']).toMatchObject({ title: 'One', content: 'other' });
  });

  it.each([
    { did: 'deleted', first: { pets: api('Pets'), cats: api('Cats') }, second: { cats: api('Cats') }, third: {} },
    {
      did: 'made',
      first: { cats: api('Cats') },
      second: { pets: api('Pets'), cats: api('Cats') },
      third: { cats: api('Cats') },
    },
  ])('leaves what a later run has moved to the address of what its run $did', async ({ first, second, third }) => {
    await apply({ ...first, dogs: api('Dogs') });
    await apply({ ...second, dogs: api('Dogs', { description: 'one' }) });
    const run = await lastRun();
    if (Object.keys(third).length > 0) await apply({ ...third, dogs: api('Dogs', { description: 'one' }) });
    await apply({ pets: api('Cats'), dogs: api('Dogs', { description: 'one' }) });
    const { plan, diagnostics } = await world.open(cwd, (project) => project.undo(run, []));
    expect(plan?.steps.map(({ action, address }) => `${action} ${address}`)).toEqual(['update dogs']);
    expect(diagnostics.map(({ code, address }) => [code, address])).toContainEqual(['undo-move', 'pets']);
  });

  it('ends what the files have under another key since, and brings it back there', async () => {
    const page = (alias: string, body: string): JsonObject => ({
      ...{ type: 'platform:ApiDocument', properties: { title: 'Guide', content: body }, options: { aliases: [alias] } },
    });
    await apply({ pets: api('Pets', { description: 'one' }, { guide: page('manual', 'one') }) });
    await apply({ pets: api('Pets', { description: 'two' }, { guide: page('manual', 'two') }), dogs: api('Dogs') });
    const renamed = (name: string, alias: string, children: JsonObject = {}): JsonObject => ({
      ...{ ...api(name, name === 'Pets' ? { description: 'two' } : {}, children), options: { aliases: [alias] } },
    });
    const files = {
      animals: renamed('Pets', 'pets', { handbook: page('guide', 'two') }),
      hounds: renamed('Dogs', 'dogs'),
    };
    world.write(cwd, {});
    writeFileSync(file(), JSON.stringify({ resources: files }));
    const wanted = await lastRun();
    const edited = await world.open(cwd, (project) => project.editUndone(wanted, [], { dryRun: true }));
    expect(edited.edits.map(({ kind, address }) => `${kind} ${address}`).sort()).toEqual([
      ...['remove hounds', 'value animals', 'value animals/handbook'],
    ]);
    const { plan, diagnostics, result } = await undo();
    expect(plan?.steps.map(({ action, address }) => `${action} ${address}`).sort()).toEqual([
      ...['delete dogs', 'update animals', 'update animals/handbook'],
    ]);
    expect(diagnostics.map(({ code, address = '' }) => `${code} ${address}`)).toEqual([
      ...['undo-catalogue animals', 'undo-catalogue animals/handbook', 'undo-catalogue hounds'],
    ]);
    expect(result.status).toBe('done');
    expect(Object.values(recorded()).map((inputs) => inputs)).toMatchObject([
      { description: 'one' },
      { content: 'one' },
    ]);
  });

  it('finds what later runs moved where it stands now, and not what came to its old address', async () => {
    const aliased = (one: JsonObject, ...aliases: readonly string[]): JsonObject => ({ ...one, options: { aliases } });
    await apply({ pets: api('Pets', { description: 'one' }), cats: api('Cats', { description: 'one' }) });
    await apply({ pets: api('Pets', { description: 'two' }), dogs: api('Dogs') });
    const [wanted] = await world.store().runs({ kinds: ['begin'], limit: 1 });
    await apply({
      animals: aliased(api('Pets', { description: 'two' }), 'pets'),
      hounds: aliased(api('Dogs'), 'dogs'),
    });
    await apply({ animals: api('Pets', { description: 'two' }), hounds: api('Dogs'), pets: api('Others') });
    const { plan } = await world.open(cwd, (project) =>
      lifted((allow) => project.undo(wanted?.run ?? 0, [], { allow })),
    );
    expect(plan?.steps.map(({ action, address }) => `${action} ${address}`).sort()).toEqual([
      ...['create cats', 'delete hounds', 'update animals'],
    ]);
    const edited = await world.open(cwd, (project) => project.editUndone(wanted?.run ?? 0, []));
    expect(edited.edits.map(({ kind, address }) => `${kind} ${address}`).sort()).toEqual([
      ...['add cats', 'remove hounds', 'value animals'],
    ]);
  });

  it('ends and changes what has another address by now at the one that the files have again', async () => {
    await apply({ pets: api('Pets', { description: 'one' }) });
    const files = { pets: api('Pets', { description: 'two' }), dogs: api('Dogs') };
    await apply(files);
    const wanted = await lastRun();
    await apply({
      animals: { ...files.pets, options: { aliases: ['pets'] } },
      hounds: { ...files.dogs, options: { aliases: ['dogs'] } },
    });
    world.write(cwd, {});
    writeFileSync(file(), JSON.stringify({ resources: files }));
    const { plan, diagnostics } = await world.open(cwd, (project) =>
      lifted((allow) => project.undo(wanted, [], { allow })),
    );
    expect(plan?.steps.map(({ action, address }) => `${action} ${address}`).sort()).toEqual([
      ...['delete hounds', 'update pets'],
    ]);
    expect(diagnostics.map(({ code, address = '' }) => `${code} ${address}`)).toEqual([
      ...['undo-catalogue dogs', 'undo-catalogue pets'],
    ]);
  });

  it('finds what was let go of, and taken over at another address, there', async () => {
    const pets = (description: string, options: JsonObject): JsonObject => ({
      ...api('Pets', { description }),
      options,
    });
    await apply({ pets: pets('one', { retainOnDelete: true }) });
    await apply({ pets: pets('two', { retainOnDelete: true }) });
    const wanted = await lastRun();
    const id = world.state().resources.get('pets')?.identity.id ?? '';
    await apply({});
    expect(world.state().resources.size).toBe(0);
    await apply({ animals: pets('two', { import: id }) });
    const { plan } = await world.open(cwd, (project) => lifted((allow) => project.undo(wanted, [], { allow })));
    expect(plan?.steps.map(({ action, address }) => `${action} ${address}`)).toEqual(['update animals']);
  });

  it('follows what was made again at an address, and not what was moved there', async () => {
    const was = (one: JsonObject, address: string): JsonObject => ({ ...one, options: { aliases: [address] } });
    const pets = (description: string): JsonObject => api('Pets', { description });
    await apply({ pets: pets('one'), cats: api('Cats', { description: 'one' }), dogs: api('Dogs') });
    await apply({ pets: pets('two'), cats: api('Cats', { description: 'two' }), dogs: api('Dogs') });
    const wanted = await lastRun();
    await apply({ dogs: api('Dogs') });
    await apply({ pets: pets('three'), cats: was(api('Dogs'), 'dogs') });
    await apply({ animals: was(pets('two'), 'pets'), hounds: was(api('Dogs'), 'cats') });
    const { plan } = await world.open(cwd, (project) => lifted((allow) => project.undo(wanted, [], { allow })));
    expect(plan?.steps.map(({ action, address }) => `${action} ${address}`).sort()).toEqual([
      ...['create cats', 'update animals'],
    ]);
  });

  it('undoes what a run did that was killed in the middle', async () => {
    await apply({ cats: api('Cats') });
    const before = recorded();
    world.calls = (provider) => ({
      create: async (...call) => {
        await provider.create(...call);
        throw new Error('killed');
      },
    });
    await expect(apply({ cats: api('Cats'), dogs: api('Dogs') })).rejects.toThrow('killed');
    world.calls = () => ({});
    const [killed] = await world.store().runs({ kinds: ['begin'], limit: 1 });
    await apply({ cats: api('Cats'), dogs: api('Dogs') });
    await world.open(cwd, async (project) => project.apply(await project.undo(killed?.run ?? 0, [])));
    expect(recorded()).toEqual(before);
  });

  it.each(['create', 'update', 'delete'] as const)(
    'undoes what a run did that was killed in the middle of a %s, before anything else ran',
    async (call) => {
      await apply({ cats: api('Cats'), pets: api('Pets', { description: 'one' }), cows: api('Cows') });
      const before = recorded();
      for (const when of ['before', 'after'] as const) {
        world.calls = (provider) => ({
          [call]: async (...given: readonly never[]) => {
            if (when === 'after') await (provider[call] as (...all: readonly never[]) => Promise<unknown>)(...given);
            throw new Error('killed');
          },
        });
        const next = {
          cats: api('Cats'),
          pets: api('Pets', { description: 'two' }),
          dogs: api('Dogs'),
          hens: api('Hens'),
        };
        await expect(apply(next)).rejects.toThrow('killed');
        world.calls = () => ({});
        const { result } = await undo().catch((error: unknown) => {
          throw new Error(`${when}: ${String(error)}`);
        });
        expect([when, result.status, recorded()]).toEqual([when, 'done', before]);
        expect(world.platform.objects.size).toBe(3);
      }
    },
  );

  it('says so where nothing is left to undo, and plans nothing else', async () => {
    await apply({ cats: api('Cats') });
    const made = await lastRun();
    await apply({});
    world.write(cwd, { resources: { dogs: api('Dogs') } });
    const { plan, diagnostics } = await world.open(cwd, (project) => project.undo(made, []));
    expect([plan, diagnostics.map(({ code, summary }) => [code, summary])]).toEqual([
      undefined,
      [['nothing-to-undo', `Nothing is left of what run ${made} did.`]],
    ]);
  });

  describe('writes what the catalogue says otherwise', () => {
    const edit = async (dryRun = false): Promise<UndoEditsResult> => {
      const run = await lastRun();
      return world.open(cwd, (project) => project.editUndone(run, [], { dryRun }));
    };
    const shop = (name: string, portals: string): readonly string[] => [
      '# what is sold',
      'shop:  # ours',
      '  type: platform:ApiProduct',
      '  properties:',
      `    name: ${name}  # as people say it`,
      `    portalIds: [${portals}]`,
    ];
    const pets = [
      'pets:',
      '  type: platform:Api',
      '  properties:',
      '    name: Pets',
      '    description: costs $${money}',
      '  children:',
      '    guide:',
      '      type: platform:ApiDocument',
      '      properties:',
      '        title: Guide',
      '        content: Guide',
    ];
    const front = ['front: {type: platform:Portal, properties: {name: Front}, options: {protect: true}}'];
    const open = ['front: {type: platform:Portal, properties: {name: Front}, options: {protect: false}}'];
    const back = ['back:', '  type: platform:Portal', '  properties: {name: Back}'];
    const text = (...blocks: readonly (readonly string[])[]): string =>
      `resources:\n${blocks
        .flat()
        .map((line) => `  ${line}\n`)
        .join('')}`;

    const ends = [
      ['LF', '\n'],
      ['CR LF', '\r\n'],
    ] as const;

    it.each(ends)(
      'at its place, %s: values, references, options, whole blocks; what is beside them stays byte for byte',
      async (_name, end) => {
        const own = (...blocks: readonly (readonly string[])[]): string => text(...blocks).replaceAll('\n', end);
        const older = own(shop('Shop', '"${front.id}"'), front, pets);
        await apply({}, () => older);
        const before = recorded();
        const newer = own(shop('Store', '"${front.id}", "${back.id}"'), back, open);
        await apply({}, () => newer);
        const told = await edit(true);
        expect(readFileSync(file(), 'utf8')).toBe(newer);
        expect([
          told.skipped,
          told.edits.map(({ kind, address, field, at }) => [kind, address, field, at].join(' ').trim()),
        ]).toEqual([
          [],
          [
            'remove back  catalogue/all.yaml:8',
            'value front protect catalogue/all.yaml:11',
            'add pets  catalogue/all.yaml:9',
            'value shop name catalogue/all.yaml:6',
            'value shop portalIds catalogue/all.yaml:7',
          ],
        ]);
        expect(await edit()).toMatchObject({ skipped: [], files: ['catalogue/all.yaml'] });
        expect(readFileSync(file(), 'utf8')).toBe(
          own(
            shop('Shop', '"${front.id}"'),
            ['front: {type: platform:Portal, properties: {name: Front}, options: {protect: true}}'],
            pets,
          ),
        );
        expect((await edit()).edits).toEqual([]);
        expect((await applyFiles()).status).toBe('done');
        expect(recorded()).toEqual(before);
      },
    );

    it.each(ends)('into a file that has nothing left, and below a parent that is there, %s', async (_name, end) => {
      const own = (...blocks: readonly (readonly string[])[]): string => text(...blocks).replaceAll('\n', end);
      await apply({}, () => own(pets));
      const before = recorded();
      await apply({}, () => `resources: {}${end}`);
      await edit();
      expect((await applyFiles()).status).toBe('done');
      expect(recorded()).toEqual(before);
      await apply({}, () => own(pets.slice(0, 5)));
      await edit();
      expect(readFileSync(file(), 'utf8')).toBe(own(pets));
    });

    it('but nothing computed, and nothing that others rely on', async () => {
      const said = (name: string, more = ''): string =>
        `variables: {word: ${name}}\n${text(['pets: {type: platform:Api, properties: {name: Pets, description: "${word}"}}'])}${more}`;
      await apply({}, () => said('one'));
      const newer = said('two', '  cats: {type: platform:Api}\noutputs: {cats: "${cats.id}"}\n');
      await apply({}, () => newer);
      const { edits, skipped } = await edit();
      expect([edits, skipped.map(({ edit: { address, field }, why }) => [address, field, why])]).toEqual([
        [],
        [
          ['pets', 'description', 'it is computed'],
          ['cats', undefined, 'its edit would change more than this; the files were restored'],
        ],
      ]);
      expect(readFileSync(file(), 'utf8')).toBe(newer);
    });
  });

  it('names secrets, which it can not bring back, and refuses a run that changed nothing', async () => {
    const owned = (name: string): JsonObject => ({ pets: api('Pets', { description: { 'fn::env': name } }) });
    await apply(owned('OWNER'));
    world.env['OTHER'] = 'bob';
    await apply(owned('OTHER'));
    const { plan, diagnostics } = await undo();
    expect(plan?.steps).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toContain('undo-secret');
    const nothing = await world.open(cwd, (project) => project.undo(99, []));
    expect(nothing.diagnostics.map(({ code }) => code)).toEqual(['nothing-to-undo']);
  });

  it(
    'leaves what was before, whatever the run did; and the next apply brings what the catalogue says',
    async () => {
      let undone = 0;
      let restored = 0;
      await fc.assert(
        fc.asyncProperty(catalogues, catalogues, fc.boolean(), async (past, next, isBlock) => {
          const spelt = isBlock ? (value: JsonObject) => stringify(value) : JSON.stringify;
          world = new PaperWorld();
          fc.pre((await apply(asResources(past))).status === 'done');
          const before = recorded();
          const { length } = await world.store().runs({ kinds: ['begin'], limit: 9 });
          fc.pre((await apply(asResources(next), spelt)).status === 'done');
          const after = recorded();
          fc.pre((await world.store().runs({ kinds: ['begin'], limit: 9 })).length > length);
          const run = await lastRun();
          const { result, plan } = await undo();
          expect(result.status, JSON.stringify({ result, steps: plan?.steps }, null, 1)).toBe('done');
          expect(recorded()).toEqual(before);
          const { skipped } = await world.open(cwd, (project) => project.editUndone(run, []));
          const left = await world.plan(cwd);
          // What the files say then is what was before: nothing is left to do, but where a value had to stay.
          if (skipped.length === 0) expect(left.plan.steps).toEqual([]);
          else restored -= 1;
          expect((await apply(asResources(next))).status).toBe('done');
          expect(recorded()).toEqual(after);
          undone += 1;
          restored += 1;
        }),
        { numRuns: lawRuns(60), ...toTheLast },
      );
      expect(undone).toBeGreaterThan(3);
      expect(restored / undone).toBeGreaterThan(0.9);
    },
    lawTimeoutMs,
  );
});
