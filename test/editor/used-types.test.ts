import { Ajv2020 } from 'ajv/dist/2020.js';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ruledLookup } from '@platform-sync/core/lookups/by-rule';
import { openProject } from '@platform-sync/engine/engine';
import { cloudPackage } from '@platform-sync/cloud/package';
import { platformPackage } from '@platform-sync/platform/package';
import { providerPackages } from '@platform-sync/sdk/registry';
import { mostCharacters, schemaOfUsed } from '@platform-sync/report/editor/used-types';
import { fakeProgram } from '../cli/fake-host.js';
import { partOf } from '../harness/part-of-table.js';

const packages = [platformPackage, cloudPackage];
const all = packages.flatMap(({ types }) => [...types.keys()]);

type Check = (value: unknown) => boolean;
let last: { readonly text: string; readonly check: Check } | undefined;

/** One schema is asked several times in a row, and takes a second to compile. */
function compile(text: string): Check {
  if (last?.text !== text) {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
    last = { text, check: ajv.compile(JSON.parse(text) as object) };
  }
  return last.check;
}

describe('what an editor loads', () => {
  it('is at most 300 kB as it comes', async () => {
    const text = await readFile(new URL('../../schemas/catalogue.schema.json', import.meta.url), 'utf8');
    expect(text.length).toBeLessThanOrEqual(mostCharacters);
  });

  it('is at most 300 kB for any project: types for which there is no room are known by name', () => {
    const { text, inFull, byName } = schemaOfUsed(packages, all);
    expect(text.length).toBeLessThanOrEqual(mostCharacters);
    expect([...inFull, ...byName]).toEqual(all);
    expect(byName.length).toBeGreaterThan(0);
    // One more would have been too many.
    expect(inFull.length).toBeGreaterThan(20);
    expect(compile(text)({ resources: Object.fromEntries(byName.map((type, at) => [`a${at}`, { type }])) })).toBe(true);
  });

  it('has every type in full that there is room for, alone', () => {
    for (const token of partOf(all, 45)) {
      const { text, inFull } = schemaOfUsed(packages, [token]);
      expect(inFull).toEqual([token]);
      expect(compile(text)({ resources: { a: { type: token, properties: { noSuchFieldEver: 1 } } } })).toBe(false);
    }
  });

  it('lets a used type have children of types that are not used yet', () => {
    const { text } = schemaOfUsed(packages, ['platform:index/gatewayControlPlane:GatewayControlPlane']);
    const child = (type: string): unknown => ({
      resources: {
        plane: {
          type: 'platform:GatewayControlPlane',
          properties: { name: 'shop' },
          children: { orders: { type, properties: {} } },
        },
      },
    });
    expect(compile(text)(child('platform:GatewayService'))).toBe(true);
    expect(compile(text)(child('platform:GatewayServic'))).toBe(false);
  });
});

describe('arguments of lookups that follow from types', () => {
  const service = 'platform:index/gatewayService:GatewayService';
  const asking = (name: string, args: unknown): unknown => ({
    variables: { a: { function: name, arguments: args, return: 'id' } },
  });
  const hold = (text: string, name: string, args: unknown): boolean => compile(text)(asking(name, args));
  const plane = '8a1c6f0e-1111-4222-8333-444455556666';

  it('are known of every type that is known in full, as the program checks them', async () => {
    const text = await readFile(new URL('../../schemas/catalogue.schema.json', import.meta.url), 'utf8');
    const document = { apiId: plane, name: 'guide' };
    for (const name of ['platform:getApiDocument', 'platform:index/getApiDocumentList:getApiDocumentList'])
      expect([
        hold(text, name, document),
        hold(text, name, { ...document, apiId: '${petstore.id}' }),
        hold(text, name, { ...document, filter: { status: 'published', title: { contains: 'x' } } }),
        hold(text, name, { ...document, filter: { title: { contain: 'x' } } }),
        hold(text, name, { ...document, filter: { titel: 'x' } }),
        hold(text, name, { ...document, nam: 'x' }),
        hold(text, name, { name: 'guide' }),
      ]).toEqual([true, true, true, false, false, false, false]);
  });

  it('never underline what the program takes, of any type', () => {
    for (const token of partOf(all, 30)) {
      const type = packages.flatMap(({ types }) => types.get(token) ?? [])[0];
      const { text } = schemaOfUsed(packages, [], [token]);
      for (const many of ['one', 'all'] as const) {
        const lookup = type && ruledLookup(type, many);
        if (lookup === undefined || packages.some(({ lookups }) => lookups.has(lookup.token))) continue;
        const place = Object.fromEntries((type?.collection.scope ?? []).map((field) => [field, '${a.id}']));
        expect([lookup.name, hold(text, lookup.shortToken, { name: 'a', ...place })]).toEqual([lookup.name, true]);
        expect(hold(text, lookup.shortToken, { name: 'a', ...place, noSuchArgument: 1 })).toBe(false);
      }
    }
  });

  it('are known of a type that is looked up, and not used', () => {
    const name = 'platform:getGatewayService';
    const wrong = { controlPlaneId: plane, filter: { prot: 80 } };
    expect(hold(schemaOfUsed(packages, [], [service]).text, name, wrong)).toBe(false);
    expect(hold(schemaOfUsed(packages, [], [service]).text, name, { ...wrong, filter: { port: 80 } })).toBe(true);
    expect(hold(schemaOfUsed(packages, []).text, name, wrong)).toBe(true);
  });

  it('leave room for types first, and to the limit', () => {
    const { text, inFull } = schemaOfUsed(packages, all, all);
    expect(text.length).toBeLessThanOrEqual(mostCharacters);
    expect(inFull).toEqual(schemaOfUsed(packages, all).inFull);
    expect(schemaOfUsed(packages, [], all).text.length).toBeLessThanOrEqual(mostCharacters);
  });
});

describe('sync schema --editor', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sync-editor-'));
    await mkdir(join(folder, 'catalogue'));
    await writeFile(join(folder, 'sync.yaml'), 'project: test\n');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = async (
    catalogue: string,
  ): Promise<{ readonly code: number; readonly out: string; readonly err: string }> => {
    await writeFile(join(folder, 'catalogue/a.yaml'), catalogue);
    return fakeProgram({
      host: { cwd: folder, env: {}, openProject, packages: async () => providerPackages },
    }).run('schema', '--editor');
  };

  it('writes the schema of the types in use', async () => {
    const { code, out } = await run(
      'resources: { plane: { type: "platform:GatewayControlPlane", properties: { name: shop } } }\n',
    );
    expect([code, out]).toEqual([0, expect.stringContaining('Editors know 1 type in full')]);
    const text = await readFile(join(folder, '.platform-sync/catalogue.schema.json'), 'utf8');
    const holds = compile(text);
    expect(holds({ resources: { a: { type: 'platform:GatewayControlPlane', properties: { name: 'shop' } } } })).toBe(
      true,
    );
    expect(holds({ resources: { a: { type: 'platform:GatewayControlPlane', properties: { nam: 'a' } } } })).toBe(false);
    expect(holds({ resources: { a: { type: 'platform:Api', properties: { anything: 'a' } } } })).toBe(true);
  });

  it('knows the arguments of the lookups that the catalogue has', async () => {
    const { code } = await run(
      'outputs: { services: !lookup { function: platform:getGatewayServiceList, arguments: { controlPlaneId: 8a1c6f0e-1111-4222-8333-444455556666 } } }\n',
    );
    expect(code).toBe(0);
    const text = await readFile(join(folder, '.platform-sync/catalogue.schema.json'), 'utf8');
    const asked = (args: object): boolean =>
      compile(text)({ outputs: { a: { function: 'platform:getGatewayServiceList', arguments: args } } });
    expect([asked({ controlPlaneId: '${plane.id}' }), asked({ controlPlane: 'a' })]).toEqual([true, false]);
  });

  it('says what is wrong with a catalogue that cannot be read', async () => {
    const { code, err } = await run('resources: { plane: { type: platform:Nothing } }\n');
    expect([code, err]).toEqual([1, expect.stringContaining('unknown-type')]);
  });
});
