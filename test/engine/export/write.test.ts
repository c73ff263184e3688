import { describe, expect, it } from 'vitest';
import { catalogueText, needsDataFile, type WrittenValue } from '@platform-sync/catalogue/edit/write';
import type { Json } from '@platform-sync/core/model/value';
import { plain } from '../catalogue/plain.js';
import { desiredOf } from '../catalogue/scratch-project.js';
import { document, place, readBack, value } from './read-back.js';
import { trickyTexts } from './tricky-text.js';

describe('catalogueText', () => {
  const shown = trickyTexts.filter((text) => text !== '').map((text) => [JSON.stringify(text).slice(0, 40), text]);
  it.each(shown as [string, string][])('keeps the text %s', async (_shown, text) => {
    const content = `${text}\nand ${text}`;
    // As the key of a map, this one would be a call.
    const metadata = text.startsWith('fn::') ? { text } : { [text]: [text] };
    const read = await readBack({
      ...place,
      title: value(text),
      content: value(content),
      metadata: value(metadata),
    });
    expect(read).toMatchObject({ title: text, content, metadata });
  });

  it('reads well: block text, flow lists of short words, quotes only where needed, no folding', () => {
    const properties = {
      apiId: { kind: 'reference', address: 'pets/guide' },
      title: value('1.0'),
      slug: value('plain'),
      content: value('# Guide\n\nUse `${var}`.\n'),
      metadata: value({ tags: ['a', 'b'], empty: {}, none: [], long: `${'word '.repeat(40)}end` }),
      source: { kind: 'file', path: 'docs/a.md', parsed: false },
      data: { kind: 'file', path: 'data/a.json', parsed: true },
    } as const;
    const inner = { ...document('inner', {}), importId: '{"id":"1"}' };
    expect(catalogueText([{ ...document('page', properties), children: [inner] }, document('other', {})])).toBe(
      `resources:
  page:
    type: platform:ApiProductDocument
    properties:
      apiId: \${pets/guide.id}
      title: "1.0"
      slug: plain
      content: |
        # Guide

        Use \`$\${var}\`.
      metadata:
        tags: [a, b]
        empty: {}
        none: []
        long: ${'word '.repeat(40)}end
      source: !file docs/a.md
      data: !file data/a.json#
    children:
      inner:
        type: platform:ApiProductDocument
        options:
          import: '{"id":"1"}'

  other:
    type: platform:ApiProductDocument
`,
    );
  });

  it('references and files are read as such', async () => {
    const desired = await desiredOf({
      'a.yaml': catalogueText([
        { key: 'pets', type: 'platform:ApiProduct', properties: new Map([['portalIds', value([])]]), children: [] },
        document('page', {
          ...place,
          apiProductId: { kind: 'reference', address: 'pets' },
          title: { kind: 'file', path: 'docs/t.md', parsed: false },
          metadata: { kind: 'file', path: 'data/m.json', parsed: true },
        }),
      ]),
      'docs/t.md': '${not a reference}',
      'data/m.json': '{"fn::env": "${x}"}',
    });
    const found = desired.resources.get('page')?.properties;
    const read = Object.fromEntries([...(found ?? [])].map(([name, expression]) => [name, plain(expression)]));
    expect(read).toMatchObject({
      apiProductId: { $resource: 'pets', path: ['id'] },
      title: '${not a reference}',
      metadata: { 'fn::env': '${x}' },
    });
  });
});

describe('needsDataFile', () => {
  const deep = (levels: number): Json => (levels === 0 ? 'x' : [deep(levels - 1)]);
  it.each<[string, Json, boolean]>([
    ['a text', 'fn::env', false],
    ['an ordinary map', { a: [1, { b: null }] }, false],
    ['a key that would be a call', { a: [{ 'fn::env': 'HOME' }] }, true],
    ['19 levels', deep(19), false],
    ['60 levels', deep(60), true],
  ])('%s', (_name, json, expected) => expect(needsDataFile(json)).toBe(expected));
});

it('secrets that a resource needs come from variables, wherever they stand', () => {
  const holes = { key: 'A_KEY', list: { '1': { token: 'A_TOKEN' } }, auth: { password: 'A_PASSWORD' } };
  const text = catalogueText([
    {
      key: 'a',
      type: 'platform:GatewayVault',
      properties: new Map<string, WrittenValue>([
        ['secret', { kind: 'env', name: 'A_SECRET' }],
        ['config', { kind: 'value', value: { list: [{ name: 'x' }, { name: 'y' }] }, holes }],
      ]),
      children: [],
    },
  ]);
  expect(text).toBe(`resources:
  a:
    type: platform:GatewayVault
    properties:
      secret: !env A_SECRET
      config:
        list:
          - name: x
          - name: y
            token: !env A_TOKEN
        key: !env A_KEY
        auth:
          password: !env A_PASSWORD
`);
});
