import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withEdits } from '@platform-sync/catalogue/edit/text';
import { openProject } from '@platform-sync/engine/engine';
import { providerPackages } from '@platform-sync/sdk/registry';

let cwd: string;
beforeEach(() => (cwd = realpathSync(mkdtempSync(join(tmpdir(), 'sync-rename-')))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

/** The files that a rename changes, as they are then; or why there is none. */
async function renamed(files: Readonly<Record<string, string>>, address: string, key: string): Promise<unknown> {
  for (const [file, text] of Object.entries({ 'sync.yaml': 'project: shop\n', ...files })) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  const { project } = await openProject({
    ...{ cwd, env: {}, purpose: 'test', packages: providerPackages, isOffline: true, isForEveryStack: true },
  });
  const result = await (project ?? expect.fail()).rename(address, key);
  if ('why' in result) return result.why;
  const texts = [...result.files].map(([file, { edits }]) => [
    file,
    withEdits(readFileSync(join(cwd, file), 'utf8').replace(/^\uFEFF/, ''), edits),
  ]);
  return Object.fromEntries(texts) as unknown;
}

const api = '  pets:\n    type: platform:Api\n    properties: { name: Pets }\n';

describe('a rename writes', () => {
  it('what refers to the resource in any form, and nothing that only looks like it', async () => {
    const file = (key: string, aliases: string): string =>
      `\uFEFFvariables:\r\n  pets-x: "\${${key}.id} $\${pets.id} pets" # pets\r\n  secret: !secret "x \${${key}/guide.id}"\r\nresources:\r\n  ${key}: # the pets\r\n    type: platform:Api\r\n    properties: { name: pets }\r\n    children:\r\n      guide: { type: platform:ApiDocument, properties: { title: pets, content: x } }\r\n${aliases}  'other':\r\n    type: platform:Api\r\n    options: { dependsOn: ["${key}", '\${${key}/guide}'] }\r\n`;
    expect(await renamed({ 'catalogue/a.yaml': file('pets', '') }, 'pets', 'cats')).toEqual({
      'catalogue/a.yaml': file('cats', '    options:\r\n      aliases: [pets]\r\n').slice(1),
    });
  });

  it('the overlays of all stacks, the rules of sync.yaml, and what stands under it in sources', async () => {
    const settings = (key: string): string =>
      `project: shop\nstacks:\n  dev: {}\n  prod:\n    overlays: [overlays/*.yaml]\n    drift: { ignore: [{ address: ${key}/start, reason: theirs }] }\n`;
    const overlay = (key: string): string =>
      `patches:\n  ${key}: { properties: { version: "2" } }\n  ${key}/start: { properties: { status: published } }\n`;
    const catalogue = (key: string, options: string): string =>
      `sources: { docs: { type: platform:ApiDocument, under: ${key} } }\nresources:\n${api.replace('pets', key)}${options}`;
    const files = {
      'sync.yaml': settings('pets'),
      'overlays/prod.yaml': overlay('pets'),
      'catalogue/a.yaml': catalogue('pets', ''),
    };
    expect(await renamed({ ...files, 'catalogue/docs/start.md': '# Start\n' }, 'pets', 'cats')).toEqual({
      ...{ 'sync.yaml': settings('cats'), 'overlays/prod.yaml': overlay('cats') },
      'catalogue/a.yaml': catalogue('cats', '    options:\n      aliases: [pets]\n'),
    });
  });

  it('rules of plans and their tests, where they say an address, and no name that is spelt alike', async () => {
    const rules = (key: string): string => `rules:
  - name: pets
    match: { addresses: [${key}, '${key}/**', petshop] }
    matchConditions:
      - { name: a, expression: 'step.address == "${key}" || "${key}/guide" != resource.address' }
    expression: new.name == "pets" && !(resource.parent in ["other", '${key}']) && step.address.startsWith("${key}/")
    messageExpression: "\\"pets \\" + (step.address != \\"${key}\\" ? \\"pets\\" : '')"
tests:
  - { name: pets, step: { address: ${key}/guide }, resource: { parent: ${key} }, new: { name: pets }, breaks: [pets] }
`;
    const files = (key: string) => ({ 'policies/a.yaml': rules(key), 'tests/b.yaml': rules(key) });
    const settings = { 'sync.yaml': 'project: shop\npolicies: policies/*.yaml\n' };
    const catalogue = { 'catalogue/a.yaml': `resources:\n${api}` };
    const { 'catalogue/a.yaml': _, ...changed } = (await renamed(
      { ...settings, ...catalogue, ...files('pets') },
      'pets',
      'cats',
    )) as Readonly<Record<string, string>>;
    expect(changed).toEqual(files('cats'));
  });

  it('the name that came from the key, and takes back an alias', async () => {
    const file = 'resources:\n  pets:\n    type: platform:Api\n    options:\n      aliases: [cats, dogs]\n';
    expect(await renamed({ 'catalogue/a.yaml': file }, 'pets', 'cats')).toEqual({
      'catalogue/a.yaml':
        'resources:\n  cats:\n    type: platform:Api\n    options:\n      aliases: [dogs, pets]\n    properties:\n      name: pets\n',
    });
  });
});

describe('a rename says why it is none', () => {
  const shared = 'resources:\n  pets: &api { type: platform:Api, properties: { description: x } }\n  cats: *api\n';
  it.each([
    [
      'a name that is taken',
      `resources:\n${api}  cats: { type: platform:Api }\n`,
      'pets',
      'There is a resource cats already.',
    ],
    ['no name', `resources:\n${api}`, 'pets', '"cats dogs" can\'t be a key'],
    [
      'what another was called',
      `resources:\n${api}  dogs: { type: platform:Api, options: { aliases: [cats] } }\n`,
      'pets',
      'cats is what dogs was called before',
    ],
    ['a block that others share', shared.replaceAll('cats', 'dogs'), 'dogs', 'more than the address would change'],
    ['a project that cannot be read', `resources:\n${api}  x: {}\n`, 'pets', 'The stack default cannot be read'],
  ])('%s', async (what, file, address, why) => {
    expect(await renamed({ 'catalogue/a.yaml': file }, address, what === 'no name' ? 'cats dogs' : 'cats')).toContain(
      why,
    );
  });

  it('a page, whose file is its name', async () => {
    const files = {
      'catalogue/a.yaml': `sources: { docs: platform:ApiDocument }\nresources:\n${api}`,
      'catalogue/docs/pets/start.md': '# Start\n',
    };
    expect(await renamed(files, 'pets/start', 'begin')).toContain('more than the address would change');
  });
});
