import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { desiredOf, loadFiles } from './scratch-project.js';

const petstore =
  'openapi: 3.0.0\ninfo:\n  title: Petstore\n  version: 1.10\n  description: All about ${pets}\npaths: {}\n';
const sources = 'sources:\n  specs: platform:Api\n  docs: platform:ApiDocument\n';

function brief(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(
    ({ code, place }) => `${place?.file ?? ''}:${String(place?.line)}:${String(place?.column)} ${code}`,
  );
}

/** The digest counts what files mean: addresses, types, properties, options. */
async function sameAs(short: Readonly<Record<string, string>>, long: Readonly<Record<string, string>>): Promise<void> {
  expect((await desiredOf(short)).digest).toBe((await desiredOf(long)).digest);
}

describe('a folder of specifications', () => {
  it('means what the long form means', async () => {
    await sameAs(
      { 'main.yaml': 'sources: {specs: platform:Api}\n', 'specs/petstore.yaml': petstore },
      {
        'main.yaml': `resources:
  petstore:
    type: platform:Api
    properties: {name: Petstore, version: '1.10', description: 'All about $\${pets}'}
    children:
      version: {type: platform:ApiVersion, properties: {specContent: !file spec.txt}}
`,
        'spec.txt': petstore,
      },
    );
  });

  it.each([
    ['block style', petstore, '1.10'],
    ['JSON', JSON.stringify({ openapi: '3.0.0', info: { title: 'Petstore', version: '2.0' } }), '2.0'],
    [
      'JSON over lines, info last',
      JSON.stringify(
        { paths: { '/a': { x: ['{', '"info"'] } }, openapi: '3', info: { title: 'Petstore', version: '3' } },
        null,
        2,
      ),
      '3',
    ],
    [
      'JSON whose kind comes last',
      JSON.stringify({ info: { title: 'Petstore', version: '3', contact: {} }, openapi: '3' }, null, 2),
      '3',
    ],
    [
      'info last',
      `swagger: '2.0'\npaths:\n  /info:\n    get: {}\ninfo:\n  version: "7"\n  title: >-\n    Petstore\n`,
      '7',
    ],
    ['info in braces', `asyncapi: '2.0'\ninfo: {title: Petstore, version: 8.0}\n`, '8.0'],
    [
      'a start of a document',
      `---\nopenapi: 3.0.0\ninfo:\n  title: 'Petstore'\n  version: v1 # the first\n\n\npaths: {}\n`,
      'v1',
    ],
    ['no blank after a key in JSON', '{"openapi":"3","info":{"title":"Petstore","version":"1"}}', '1'],
    ['windows line ends', petstore.replaceAll('\n', '\r\n'), '1.10'],
    [
      'tags and calls that are none',
      `openapi: 3\ninfo:\n  title: Petstore\n  version: '9'\nx-a: !env HOME\nx-b: {fn::env: HOME}\n`,
      '9',
    ],
  ])('takes name and version out of %s', async (_name, text, version) => {
    const file = text.startsWith('{') ? 'petstore.json' : 'petstore.yaml';
    const { resources } = await desiredOf({ 'main.yaml': 'sources: {specs: platform:Api}\n', [`specs/${file}`]: text });
    expect([...resources.keys()]).toEqual(['petstore', 'petstore/version']);
    const { properties } = resources.get('petstore') ?? { properties: new Map() };
    expect(properties.get('name')).toMatchObject({ value: 'Petstore', at: { file: `catalogue/specs/${file}` } });
    expect(properties.get('version')).toMatchObject({ value: version });
    expect(resources.get('petstore/version')?.properties.get('specContent')).toMatchObject({ value: text });
  });

  it('lets the source, the defaults and the resource say otherwise', async () => {
    const { resources } = await desiredOf({
      'main.yaml': `
defaults: {platform:Api: {labels: {team: pets}, description: nothing said}}
sources: {specs: {type: platform:Api, properties: {version: !unset, attributes: {stage: [prod]}}}}
resources:
  petstore:
    properties: {name: Pets, labels: {tier: gold}}
    options: {protect: true}
    children:
      guide: {type: platform:ApiDocument, properties: {title: Guide, content: x}}
`,
      'specs/petstore.yaml': petstore,
      'specs/orders.yaml': 'openapi: 3.0.0\ninfo: {title: Orders, version: "1"}\n',
    });
    const pets = resources.get('petstore');
    expect([...(pets?.properties.keys() ?? [])].sort()).toEqual(['attributes', 'description', 'labels', 'name']);
    expect(pets?.properties.get('name')).toMatchObject({ value: 'Pets', at: { file: 'catalogue/main.yaml' } });
    expect(pets?.options.protect).toBe(true);
    expect(pets?.at.file).toBe('catalogue/main.yaml');
    expect(resources.get('orders')?.properties.get('description')).toMatchObject({ value: 'nothing said' });
    expect(resources.get('petstore/guide')?.properties.get('apiId')).toMatchObject({ target: 'petstore' });
  });

  it('makes addresses of paths alone', async () => {
    const spec = (title: string): string => `openapi: 3.0.0\ninfo: {title: ${title}}\n`;
    const { resources } = await desiredOf({
      'teams/main.yaml': 'sources: {"../../catalogue/specs/**/*.yaml": platform:Api}\n',
      'specs/a/pets.v2.yaml': spec('A'),
      'specs/2024.yaml': spec('B'),
      'specs/Übung.yaml': spec('C'),
    });
    expect([...resources.keys()].filter((address) => !address.includes('/')).sort()).toEqual([
      '_-bung',
      '_2024',
      'a-pets-v2',
    ]);
  });

  it('a broken specification is one finding, at its place', async () => {
    const { diagnostics } = await loadFiles({
      'main.yaml': `${sources}outputs: {id: "\${petstore.id}", spec: "\${petstore/version.id}"}\n`,
      'specs/petstore.yaml': 'openapi: 3.0.0\ninfo:\n  title: "Pets\n  version: 1\n',
      'specs/orders.yaml': 'openapi: 3.0.0\ninfo: {title: Orders}\n',
      'docs/petstore/guide.md': 'Text',
      'docs/petstore/guide/more.md': '---\ntitle: [\n---\n',
      'docs/petstore/guide/more/last.md': 'Text',
    });
    expect(brief(diagnostics)).toEqual([
      'catalogue/docs/petstore/guide/more.md:2:8 yaml-syntax',
      'catalogue/specs/petstore.yaml:3:10 yaml-syntax',
    ]);
  });
});

describe('a tree of pages', () => {
  const specs = { 'main.yaml': sources, 'specs/petstore.yaml': petstore };

  it('takes front matter, headings and names of files', async () => {
    const { resources } = await desiredOf({
      ...specs,
      'docs/petstore/start.md':
        '---\ntitle: 2024\nslug: go\nstatus: published\ntags: [a, b]\nlayout: wide\n---\n\n# Not this\n',
      'docs/petstore/guides/index.md': '# All guides #\n\nText',
      'docs/petstore/guides/error-codes.md': 'Text',
      'docs/petstore/rule.md': '---\nno front matter: it is never closed\n',
      'docs/petstore/empty.md': '',
    });
    const said = (address: string): unknown =>
      Object.fromEntries(
        [...(resources.get(address)?.properties ?? [])].map(([name, value]) => [
          name,
          'value' in value ? value.value : value.kind,
        ]),
      );
    const under = { apiId: 'reference' };
    expect(said('petstore/start')).toEqual({
      ...under,
      title: '2024',
      slug: 'go',
      status: 'published',
      content: '# Not this\n',
    });
    expect(said('petstore/guides')).toEqual({ ...under, title: 'All guides', content: '# All guides #\n\nText' });
    expect(said('petstore/guides/error-codes')).toEqual({
      ...under,
      parentDocumentId: 'reference',
      title: 'Error codes',
      content: 'Text',
    });
    expect(said('petstore/rule')).toMatchObject({ content: '---\nno front matter: it is never closed\n' });
    expect(said('petstore/empty')).toMatchObject({ content: '', title: 'Empty' });
  });

  it('makes pages of a portal, each with the name of its file as its slug', async () => {
    await sameAs(
      {
        'main.yaml': 'resources: {site: {type: platform:Portal}}\nsources: {pages: platform:PortalPage}\n',
        'pages/site/home.md': '---\nslug: /\ntitle: Welcome\ndescription: All of it\nvisibility: public\n---\n\nHello',
        'pages/site/guides/index.md': '---\nstatus: published\n---\n# All guides\n',
        'pages/site/guides/error-codes.md': 'Text',
      },
      {
        'main.yaml': `resources:
  site:
    type: platform:Portal
    children:
      home:
        type: platform:PortalPage
        properties: {slug: /, title: Welcome, description: All of it, visibility: public, content: Hello}
      guides:
        type: platform:PortalPage
        properties: {slug: guides, title: All guides, status: published, content: "# All guides\\n"}
        children:
          error-codes:
            type: platform:PortalPage
            properties: {slug: error-codes, title: Error codes, content: Text}
`,
      },
    );
  });

  it('makes pages with an order one after another', async () => {
    const page = (order: string): string => `---\norder: ${order}\n---\nText`;
    const { resources } = await desiredOf({
      ...specs,
      'docs/petstore/a.md': page('2'),
      'docs/petstore/b.md': page('1.5'),
      'docs/petstore/c.md': page('2'),
      'docs/petstore/d.md': 'Text',
    });
    const after = ['a', 'b', 'c', 'd'].map((key) => resources.get(`petstore/${key}`)?.options.dependsOn);
    expect(after).toEqual([['petstore/b'], [], ['petstore/a'], []]);
  });

  it('stands under what "under" names', async () => {
    const { resources } = await desiredOf({
      'main.yaml':
        'resources: {petstore: {type: platform:Api}}\nsources: {docs: {type: platform:ApiDocument, under: petstore}}\n',
      'docs/guide.md': 'Text',
      'docs/guide/readme.md': 'Text of another page',
    }).catch((error: unknown) => ({ resources: String(error) }));
    expect(resources).toContain('duplicate-address');
  });

  it('wrong values have their place in the page', async () => {
    const { diagnostics } = await loadFiles({
      ...specs,
      'docs/petstore/guide.md': '---\ntitle: Guide\nstatus: publisht\nslug: a b\norder: first\ntitel: x\n---\nText',
      'docs/petsotre/a.md': 'x',
      'docs/petsotre/b/c.md': 'x',
      'docs/petstore/lost/page.md': 'x',
      'docs/top.md': 'x',
    });
    const file = 'catalogue/docs/petstore/guide.md';
    expect(brief(diagnostics)).toEqual([
      'catalogue/docs/petsotre/a.md:1:1 source-without-parent',
      `${file}:3:9 not-allowed`,
      `${file}:4:7 bad-form`,
      `${file}:5:8 wrong-type`,
      `${file}:6:1 unknown-key`,
      'catalogue/docs/petstore/lost/page.md:1:1 source-without-parent',
      'catalogue/docs/top.md:1:1 source-without-parent',
    ]);
    expect(diagnostics[0]?.hint).toContain('petstore');
  });
});

describe('files beside the catalogue', () => {
  it('a specification that nothing reads is no error', async () => {
    const { diagnostics, desired } = await loadFiles({
      'main.yaml': 'resources: {}\n',
      'specs/a.yaml': petstore,
      'b.yaml': petstore,
    });
    expect(desired).toBeDefined();
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'unread-specification' }]);
  });

  it('a folder of specifications alone does not mean that nothing should exist', async () => {
    const { diagnostics } = await loadFiles({ 'specs/a.yaml': petstore });
    expect(diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      'error no-catalogue-files',
      'warning unread-specification',
    ]);
  });

  it('a broken file does not drag others in', async () => {
    const { diagnostics } = await loadFiles({
      'main.yaml': 'resources:\n  a: {type: platform:Api, properties: {description: !file data.yaml#/a}}\n  b: [\n',
      'data.yaml': 'a: text\nb: text\n',
      'broken.yaml': 'a: [\n',
      'specs/a.yaml': petstore,
    });
    expect(diagnostics.map(({ place }) => place?.file)).toEqual(['catalogue/main.yaml']);
  });
});
