import { Ajv2020 } from 'ajv/dist/2020.js';
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProject } from '../../src/engine/engine.js';
import { cloudPackage } from '../../src/providers/cloud/package.js';
import { platformPackage } from '../../src/providers/platform/package.js';
import { providerPackages } from '../../src/providers/registry.js';
import { mostCharacters, schemaOfUsed } from '../../src/report/editor/used-types.js';
import { fakeProgram } from '../cli/fake-host.js';

const packages = [platformPackage, cloudPackage];
const all = packages.flatMap(({ types }) => [...types.keys()]);

const compile = (text: string): ((value: unknown) => boolean) =>
  new Ajv2020({ strict: false, validateFormats: false, logger: false }).compile(JSON.parse(text) as object);

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
    for (const token of all.filter((_, at) => at % 10 === 0)) {
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

  it('says what is wrong with a catalogue that can not be read', async () => {
    const { code, err } = await run('resources: { plane: { type: platform:Nothing } }\n');
    expect([code, err]).toEqual([1, expect.stringContaining('unknown-type')]);
  });
});
