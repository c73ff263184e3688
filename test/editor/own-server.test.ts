import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtProgram } from '../harness/built.js';
import { startLanguageClient, type LanguageClient } from './language-client.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sync-lsp-')));
const shop = `variables:
  owner: orders-team
resources:
  portal: { type: platform:Portal, properties: { name: developers } }
  orders:
    type: platform:Api
    properties:
      name: Orders
      description: Of \${owner}, on \${portal.name}.
    children:
      shown: { type: platform:ApiPublication, properties: { portalId: '\${portal.id}' } }
      guide:
        type: platform:ApiDocument
        properties: { title: Guide, content: !file ../pages/guide.md, slug: '\${param.slug}' }
        options: { dependsOn: [portal] }
`;
const file = 'catalogue/shop.yaml';
let editor: LanguageClient;

beforeAll(async () => {
  mkdirSync(join(folder, 'catalogue'));
  mkdirSync(join(folder, 'pages'));
  writeFileSync(join(folder, 'pages/guide.md'), 'Text.\n');
  writeFileSync(join(folder, 'sync.yaml'), 'project: shop\nparameters:\n  slug: { default: guide }\n');
  writeFileSync(join(folder, file), shop);
  editor = await startLanguageClient(folder, {}, [await builtProgram(), 'lsp']);
  expect(await editor.problems(file, shop)).toEqual([]);
});
afterAll(async () => {
  await editor.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The catalogue with the mark in, or in place of, a part of it. */
const marked = (part: string, by: string): string => shop.replace(part, by);

describe('sync lsp', () => {
  it('says what validate says, of what stands in the editor', async () => {
    const wrong = shop.replace('description:', 'descripton:').replace('portal.id', 'portel.id');
    const found = await editor.problems(file, wrong);
    expect(found.map(({ range, code, source }) => [range.start.line + 1, code, source])).toEqual([
      [9, 'unknown-property', 'sync'],
      [11, 'unknown-reference', 'sync'],
    ]);
    expect(await editor.problems(file, shop)).toEqual([]);
  });

  it.each([
    ['definition', 'on ${por‸tal.name}', ['catalogue/shop.yaml:4']],
    ['definition', 'Of ${ow‸ner}', ['catalogue/shop.yaml:2']],
    ['definition', '!file ../pages/gui‸de.md', ['pages/guide.md:1']],
    ['definition', '${param.sl‸ug}', ['sync.yaml:3']],
    ['definition', 'dependsOn: [por‸tal]', ['catalogue/shop.yaml:4']],
    ['references', 'por‸tal: {', ['catalogue/shop.yaml:9', 'catalogue/shop.yaml:11']],
  ] as const)('%s at %s', async (request, by, places) => {
    expect(await editor.places(request, file, marked(by.replace('‸', ''), by))).toEqual(places);
  });

  it('shows what a field is, and what a resource needs', async () => {
    expect(await editor.hover(file, marked('description:', 'descr‸iption:'))).toContain('platform:Api.description');
    expect(await editor.hover(file, marked('orders:', 'ord‸ers:'))).toContain('portal');
  });

  it.each([
    [
      'addresses and variables in an expression',
      marked('${portal.name}', '${‸}'),
      ['orders', 'orders/shown', 'orders/guide', 'portal', 'owner'],
    ],
    ['fields of what is named', marked('${portal.name}', '${portal.‸}'), ['canonicalDomain', 'id', 'name']],
    ['types', marked('type: platform:Api\n', 'type: ‸\n'), ['platform:Api', 'platform:GatewayService']],
    [
      'fields that are not there yet',
      marked('      name: Orders\n', '      name: Orders\n      ‸\n'),
      ['labels', 'version'],
    ],
    [
      'values of a field',
      marked('    children:\n', '      visibility: ‸\n    children:\n').replace(
        'platform:Api\n',
        'platform:ApiPublication\n',
      ),
      ['private', 'public'],
    ],
    [
      'ids of resources that fit',
      marked('    children:\n', '      portalId: ‸\n    children:\n').replace(
        'platform:Api\n',
        'platform:ApiPublication\n',
      ),
      ['${portal.id}'],
    ],
    ['lookups', marked('owner: orders-team', 'owner: !lookup { function: ‸'), ['platform:getPortal']],
    [
      'arguments of a lookup',
      marked('owner: orders-team', 'owner: !lookup\n    function: platform:getPortal\n    arguments:\n      ‸'),
      ['filter', 'sort'],
    ],
    ['files', marked('../pages/guide.md', '../pages/‸'), ['guide.md']],
    ['options', marked('    children:\n', '    options:\n      ‸\n    children:\n'), ['protect', 'aliases']],
  ])('offers %s', async (_what, text, some) => {
    const labels = (await editor.offers(file, text)).map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(some));
    // What is there already is offered among outputs alone.
    expect(labels.includes('description')).toBe(text.includes('${portal.‸}'));
  });

  it.each([
    ['at its key', marked('portal:', 'por‸tal:')],
    ['at a reference', marked('${portal.name}', '${port‸al.name}')],
  ])('renames an address %s, with all that names it', async (_where, text) => {
    await editor.problems(file, shop);
    const changed = shop
      .replace('  portal: {', '  shown: {')
      .replace('name: developers } }', 'name: developers }, options: {aliases: [portal]} }')
      .replaceAll('${portal.', '${shown.')
      .replace('[portal] }\n', '[shown] }\n');
    expect(await editor.rename(file, text, 'shown')).toEqual({ [file]: changed });
  });

  it.each([
    ['descr‸ipton:', 'Did you mean description?', 'description:'],
    ["portalId: '${por‸tel.id}'", 'Did you mean portal?', "portalId: '${portal.id}'"],
  ])('offers the edit that a hint stands for, at %s', async (by, title, right) => {
    const part = right.startsWith('portal') ? "portalId: '${portal.id}'" : 'description:';
    expect(await editor.actions(file, marked(part, by))).toEqual({ [title]: marked(part, right) });
  });

  it('folds blocks and colours what has a meaning', async () => {
    const text = `# Two\n# lines.\n${shop}`;
    expect(await editor.folds(file, text)).toEqual(['3-4', '5-17', '7-17', '9-11', '12-17', '14-17', '1-2']);
    expect(await editor.tokens(file, text)).toEqual([
      ...['portal namespace declaration', 'platform:Portal type', 'orders namespace declaration', 'platform:Api type'],
      ...['owner namespace', 'portal namespace', '.name property', 'shown namespace declaration'],
      ...['platform:ApiPublication type', 'portal namespace', '.id property', 'guide namespace declaration'],
      ...['platform:ApiDocument type', '!file function', 'param namespace', '.slug property'],
    ]);
    await editor.problems(file, shop);
  });

  it('says why it renames nothing', async () => {
    expect(await editor.rename(file, marked('portal:', 'por‸tal:'), 'orders')).toContain('There is a resource orders');
    expect(await editor.rename(file, marked('portal:', 'por‸tal:'), 'a b')).toContain("can't be a key");
    expect(await editor.rename(file, marked('type: platform:Api\n', 'ty‸pe: platform:Api\n'), 'x')).toBe(
      'nothing to rename',
    );
  });

  it('names the resources of a file', async () => {
    await editor.problems(file, shop);
    expect(await editor.symbols(file)).toEqual([
      'portal 4-4',
      'orders 5-16',
      'orders/shown 11-11',
      'orders/guide 12-16',
    ]);
  });
});
