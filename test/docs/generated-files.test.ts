import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { generatedFiles } from '../../scripts/generate/files.js';
import { lookupExamples, resourceExamples } from '../../scripts/generate/examples.js';
import { answeredLookups } from '../../scripts/generate/answered-lookups.js';
import { packages } from '../../scripts/generate/packages.js';
import { definitions } from '../../scripts/generate/definitions.js';
import { platformPackage } from '@platform-sync/platform/package';
import type { JsonObject } from '@platform-sync/core/model/value';

const root = new URL('../../', import.meta.url);
const { files, ownedFolders } = await generatedFiles();

describe('generated files', () => {
  test('are what the schemas and descriptors say now', () => {
    const stale = [...files].filter(([path, content]) => readFileSync(new URL(path, root), 'utf8') !== content);
    expect(stale.map(([path]) => path)).toEqual([]);
  });

  test('have their folders to themselves', () => {
    const there = ownedFolders.flatMap((folder) =>
      readdirSync(new URL(folder, root), { withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map(({ name }) => `${folder}/${name}`),
    );
    expect(there.filter((path) => !files.has(path))).toEqual([]);
  });

  test('are the same every time', async () => {
    expect([...(await generatedFiles()).files]).toEqual([...files]);
  });

  test('leave what the platform keeps for itself to the wire constants', () => {
    const names = platformPackage.types.get('platform:index/api:Api')?.fields['labels']?.schema['propertyNames'];
    const { pattern } = (names as JsonObject)['not'] as JsonObject;
    expect(pattern).toEqual(expect.stringContaining('|'));
    expect([...files].filter(([, content]) => content.includes(String(pattern))).map(([path]) => path)).toEqual([]);
  });

  test('check values without the compiler and without loading anything', () => {
    const modules = [...files].filter(([path]) => /^src\/providers\/\w+\/generated\/validators\//.test(path));
    expect(modules.length).toBe(packages.reduce((sum, { types, lookups }) => sum + types.size + lookups.size, 0));
    for (const [, content] of modules) expect(content).not.toMatch(/\brequire\(|^import /m);
  });
});

test('each example of a lookup finds something on a fresh sandbox', async () => {
  const answers = await answeredLookups(packages);
  const empty = [...answers].filter(([, { datas }]) => Array.isArray(datas) && datas.length === 0);
  expect([answers.size, empty]).toEqual([Object.keys(lookupExamples).length, []]);
});

test('definitions are plain data: nothing of them is lost in a file', () => {
  for (const definition of definitions) expect(JSON.parse(JSON.stringify(definition))).toEqual(definition);
});

describe('the examples of the reference', () => {
  const types = packages.flatMap((each) => [...each.types.values()]);
  const lookups = packages.flatMap((each) => [...each.lookups.values()]);

  test('there is one for each lookup, and none for what is not there', () => {
    const known = types.map((type) => type.shortToken);
    expect(Object.keys(resourceExamples).filter((name) => !known.includes(name))).toEqual([]);
    expect(Object.keys(lookupExamples).sort()).toEqual(lookups.map((lookup) => lookup.shortToken).sort());
  });

  test.each(lookups.map((lookup) => [lookup.shortToken, lookup] as const))('%s', async (short, lookup) => {
    const provider = packages.find((each) => each.name === lookup.provider);
    expect(await provider?.validateLookup(lookup.token, parse(lookupExamples[short] ?? '') as JsonObject)).toEqual([]);
  });

  test.each(Object.entries(resourceExamples))('%s', async (short, example) => {
    const written = resourcesOf(parse(example, { customTags: [fileTag, lookupTag], logLevel: 'error' }) as Written);
    expect(written.map((each) => each.type)).toContain(short);
    for (const { type: name, properties = {}, filled } of written) {
      const type = types.find((each) => each.shortToken === name);
      const owner = packages.find((each) => each.name === type?.provider);
      const known = JSON.parse(
        JSON.stringify(properties).replaceAll(/"\$\{[^}]*\}"/g, JSON.stringify(anId)),
      ) as JsonObject;
      const violations = await owner?.validate(type?.token ?? '', { ...filled, ...known });
      expect(violations).toEqual([]);
    }
  });
});

const anId = '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0a01';
const fileTag = {
  tag: '!file',
  resolve: (path: string): string => (/\.(png|ico)$/.test(path) ? 'data:image/png;base64,AAAA' : path),
};
const lookupTag = { tag: '!lookup', collection: 'map' as const, resolve: (): string => anId };

interface WrittenResource {
  readonly type: string;
  readonly properties?: JsonObject;
  readonly children?: Readonly<Record<string, WrittenResource>>;
}

interface Written {
  readonly resources: Readonly<Record<string, WrittenResource>>;
}

/** All resources of an example, with stand-ins for the properties that nesting fills in. */
function resourcesOf({ resources }: Written): readonly (WrittenResource & { filled: JsonObject })[] {
  const visit = (resource: WrittenResource, under?: string): readonly (WrittenResource & { filled: JsonObject })[] => {
    const type = [...platformPackage.types.values()].find((each) => each.shortToken === resource.type);
    const nesting = type?.nesting.find((each) => platformPackage.types.get(each.under)?.shortToken === under);
    const names = nesting === undefined ? [] : [nesting.field, ...nesting.inherits];
    const children = Object.values(resource.children ?? {}).flatMap((child) => visit(child, resource.type));
    return [{ ...resource, filled: Object.fromEntries(names.map((name) => [name, anId])) }, ...children];
  };
  return Object.values(resources).flatMap((resource) => visit(resource));
}
