import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCatalogue, type LoadedCatalogue } from '@platform-sync/catalogue/load';
import { loadProjectConfig } from '@platform-sync/catalogue/project/project-file';
import { providerPackages } from '@platform-sync/sdk/registry';
import { loadFiles, scratchFolder } from './scratch-project.js';

const uuid = 'c9d0b0a2-0d9f-4b8e-9a53-0f4c7d0b1a11';
const codes = ({ diagnostics }: LoadedCatalogue): readonly string[] =>
  diagnostics.map(({ severity, code, hint }) => `${severity} ${code} ${hint ?? ''}`);

/** A book stands on a shelf; `limits` is what the definition says of the form of its ids. */
function library(limits: object, shelf: string): Promise<LoadedCatalogue> {
  const place = { create: 'POST /books', read: 'GET /books/{id}', update: 'PATCH /books/{id}' };
  const definition = (name: string, fields: object): object => ({
    ...{ name, description: name, derived: true, absence: 'empty-404', naturalKey: ['name'], required: ['name'] },
    operations: Object.fromEntries(
      Object.entries(place).map(([call, at]) => [call, at.replace('books', name.toLowerCase())]),
    ),
    list: { get: `/${name.toLowerCase()}`, paging: { by: 'none', items: 'data' } },
    always: ['name'],
    fields: { name: { description: 'Name.' }, ...fields },
  });
  const definitions = [
    definition('Shelf', {}),
    definition('Book', { shelfId: { description: 'Shelf.', references: 'Shelf', ...limits } }),
  ];
  const root = scratchFolder({
    'sync.yaml': 'project: books\nproviders: { acme: { types: ./types.json, serverUrl: https://books.example.com } }\n',
    'types.json': JSON.stringify({ formatVersion: 1, definitions }),
    'catalogue/main.yaml': `resources:\n  novels: { type: acme:Shelf, properties: { name: n } }\n  emma: { type: acme:Book, properties: { name: e, shelfId: '${shelf}' } }\n`,
  });
  return loadProjectConfig(root, { env: {}, packages: providerPackages }).then(({ config, packages, diagnostics }) => {
    if (config === undefined) throw new Error(JSON.stringify(diagnostics));
    return loadCatalogue(config, { env: {}, packages });
  });
}

describe('the form of ids', () => {
  it.each([uuid, uuid.toUpperCase()])('takes %s', async (id) => {
    const text = `resources:\n  guide: { type: platform:ApiDocument, properties: { apiId: ${id}, content: x, title: T } }\n`;
    expect(codes(await loadFiles(text))).toEqual([]);
  });

  it.each([uuid.slice(1), `${uuid}0`, uuid.replaceAll('-', ''), `{${uuid}}`, uuid.replace('c', 'g')])(
    'refuses %s',
    async (id) => {
      const text = `resources:\n  guide: { type: platform:ApiDocument, properties: { apiId: "${id}", content: x, title: T } }\n`;
      expect(codes(await loadFiles(text))).toEqual([expect.stringMatching(/^error not-an-id Write \$\{KEY\.id\}/)]);
    },
  );

  it('is known of each field of the platform that refers to what has UUIDs', () => {
    const folder = path.resolve(import.meta.dirname, '../../../schemas/types/platform');
    const open = readdirSync(folder)
      .filter((file) => file.endsWith('.json') && file !== 'index.json')
      .flatMap((file) => {
        const { definition } = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as {
          definition: { name: string; fields: Record<string, { kind?: string; references?: string }> };
        };
        const { name, fields } = definition;
        return Object.entries(fields)
          .filter(([, { kind, references }]) => references !== undefined && kind !== 'id' && kind !== 'ofPortal')
          .map(([field]) => `${name}.${field}`);
      });
    expect(open).toEqual([]);
  });

  it('never shows a secret that is no id', async () => {
    const text =
      'variables: { hidden: !secret petstore }\nresources:\n  petstore: { type: platform:Api }\n  guide: { type: platform:ApiDocument, properties: { apiId: "${hidden}", content: x, title: T } }\n';
    const { diagnostics } = await loadFiles(text);
    expect(diagnostics.map(({ code, field }) => [code, field])).toEqual([['secret-breaks-rule', 'apiId']]);
  });
});

describe('ids of a platform of one’s own', () => {
  it('have the form that its definition says', async () => {
    expect(codes(await library({ limits: { format: 'uuid' } }, 'novels'))).toEqual([
      'error not-an-id Did you mean ${novels.id}?',
    ]);
    expect(codes(await library({ limits: { format: 'uuid' } }, uuid))).toEqual([]);
  });

  it('may be anything where it says none: a key is only asked about', async () => {
    expect(codes(await library({}, 'novels'))).toEqual([
      'warning key-as-id Did you mean ${novels.id}? Else nothing is wrong.',
    ]);
    expect(codes(await library({}, 'poems'))).toEqual([]);
    expect(codes(await library({}, '${novels.id}'))).toEqual([]);
  });

  it('have the form of a pattern', async () => {
    expect(codes(await library({ limits: { pattern: '^S-[0-9]+$' } }, 'S-17'))).toEqual([]);
    expect(codes(await library({ limits: { pattern: '^S-[0-9]+$' } }, '17-S'))).toEqual([
      expect.stringContaining('error bad-form'),
    ]);
  });
});
