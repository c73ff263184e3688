import { describe, expect, it } from 'vitest';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { desiredOf, loadFiles } from './scratch-project.js';
import { plain } from './plain.js';

function properties(desired: DesiredState, address: string): unknown {
  const resource = desired.resources.get(address);
  return resource && Object.fromEntries([...resource.properties].map(([name, value]) => [name, plain(value)]));
}

function lineOf(desired: DesiredState, address: string, field: string): number | undefined {
  const at = desired.resources.get(address)?.propertyKeys.get(field);
  return at && desired.sources.place(at).line;
}

describe('resources', () => {
  it('take their own key as name, and children what they stand under', async () => {
    const desired = await desiredOf(`
resources:
  petstore:
    type: platform:index/api:Api
    children:
      guide:
        type: platform:ApiDocument
        properties: {content: x}
        children:
          deep:
            type: platform:ApiDocument
            properties: {content: y, title: Deep}
            children:
              deeper: {type: platform:ApiDocument, properties: {content: z}}
`);
    const id = (target: string): unknown => ({ $resource: target, path: ['id'] });
    expect([...desired.resources.keys()]).toEqual([
      'petstore',
      'petstore/guide',
      'petstore/guide/deep',
      'petstore/guide/deep/deeper',
    ]);
    expect(desired.resources.get('petstore')?.type).toBe('platform:index/api:Api');
    expect(properties(desired, 'petstore')).toEqual({ name: 'petstore' });
    expect(properties(desired, 'petstore/guide')).toEqual({ content: 'x', apiId: id('petstore') });
    expect(properties(desired, 'petstore/guide/deep')).toEqual({
      content: 'y',
      title: 'Deep',
      apiId: id('petstore'),
      parentDocumentId: id('petstore/guide'),
    });
    expect(properties(desired, 'petstore/guide/deep/deeper')).toMatchObject({
      apiId: id('petstore'),
      parentDocumentId: id('petstore/guide/deep'),
    });
    expect(desired.resources.get('petstore/guide')?.propertyKeys.has('apiId')).toBe(false);
    const parent = desired.resources.get('petstore/guide')?.properties.get('apiId');
    expect(parent?.kind === 'reference' && parent.text).toBe('petstore.id');
  });

  it('get the defaults of their own file: maps merge, the rest yields', async () => {
    const desired = await desiredOf({
      'a.yaml': `
defaults:
  platform:Api:
    labels: {team: payments, tier: gold}
    attributes: {domain: [pets]}
    description: from defaults
resources:
  one: {type: platform:Api}
  two:
    type: platform:Api
    properties:
      labels: {tier: silver}
      attributes: '{"domain": ["shops"]}'
`,
      'b.yaml': 'resources: {three: {type: platform:Api}}\n',
    });
    expect(properties(desired, 'one')).toEqual({
      name: 'one',
      labels: { team: 'payments', tier: 'gold' },
      attributes: { domain: ['pets'] },
      description: 'from defaults',
    });
    expect(properties(desired, 'two')).toMatchObject({
      labels: { team: 'payments', tier: 'silver' },
      attributes: '{"domain": ["shops"]}',
    });
    expect(properties(desired, 'three')).toEqual({ name: 'three' });
    expect(lineOf(desired, 'one', 'description')).toBe(6);
    expect(lineOf(desired, 'two', 'labels')).toBe(12);
  });

  it('leaves out a key of a default with !unset; null does so, too, for one release and with a warning', async () => {
    const { desired, diagnostics } = await loadFiles(`
defaults: {platform:Api: {labels: {team: payments, tier: gold}, description: from defaults}}
resources:
  one: {type: platform:Api, properties: {labels: {team: !unset}, description: !unset}}
  two: {type: platform:Api, properties: {labels: {team: null}, description: null}}
`);
    if (desired === undefined) throw new Error(JSON.stringify(diagnostics));
    expect(properties(desired, 'one')).toEqual({ name: 'one', labels: { tier: 'gold' } });
    // A field that is null is cleared, default or not.
    expect(properties(desired, 'two')).toEqual({ name: 'two', labels: { tier: 'gold' }, description: null });
    expect(diagnostics).toMatchObject([
      { code: 'null-over-default', severity: 'warning', address: 'two', place: { line: 5 } },
    ]);
  });

  it('merges defaults into every child of its type, too', async () => {
    const desired = await desiredOf(`
defaults: {platform:ApiDocument: {status: published}}
resources:
  petstore:
    type: platform:Api
    children:
      a: {type: platform:ApiDocument, properties: {content: x, title: A}}
      b: {type: platform:ApiDocument, properties: {content: x, title: B, status: unpublished}}
`);
    expect(properties(desired, 'petstore/a')).toMatchObject({ status: 'published' });
    expect(properties(desired, 'petstore/b')).toMatchObject({ status: 'unpublished' });
  });

  it('have options in the words and with the defaults of the format', async () => {
    const desired = await desiredOf(`
resources:
  a:
    type: platform:Api
    options:
      dependsOn: [c, "\${b}"]
      protect: true
      ignoreChanges: ["*", labels.team]
      replaceOnChanges: [version]
      deleteBeforeReplace: false
      retainOnDelete: true
      import: 8a1c6f0e
      aliases: [old, petstore/older]
  b: {type: platform:Api}
  c:
    type: platform:Api
    children:
      d: {type: platform:ApiDocument, properties: {content: x}, options: {import: {"api_id": "1", "id": "2"}}}
`);
    expect(desired.resources.get('a')?.options).toEqual({
      dependsOn: ['b', 'c'],
      protect: true,
      ignoreChanges: ['*', 'labels.team'],
      replaceOnChanges: ['version'],
      deleteBeforeReplace: false,
      retainOnDelete: true,
      import: '8a1c6f0e',
      aliases: ['old', 'petstore/older'],
    });
    expect(desired.resources.get('b')?.options).toEqual({
      dependsOn: [],
      protect: false,
      ignoreChanges: [],
      replaceOnChanges: [],
      retainOnDelete: false,
      aliases: [],
    });
    expect(desired.resources.get('c/d')?.options.import).toBe('{"api_id":"1","id":"2"}');
  });

  it('may share a name when the version differs, and slugs under different parents', async () => {
    await desiredOf(`
resources:
  one: {type: platform:Api, properties: {name: Shop, version: "1"}}
  two: {type: platform:Api, properties: {name: Shop, version: "2"}}
  three:
    type: platform:Api
    properties: {name: Shop}
    children:
      a: {type: platform:ApiDocument, properties: {content: x, title: Guide}, children: {
        c: {type: platform:ApiDocument, properties: {content: x, title: Guide}}}}
      b: {type: platform:ApiDocument, properties: {content: x, title: "Guide \${one.slug}"}}
      d: {type: platform:ApiDocument, properties: {content: x}}
      e: {type: platform:ApiDocument, properties: {content: x}}
`);
  });

  it('are checked through variables, whose values are known', async () => {
    const { diagnostics } = await loadFiles(`
variables:
  long: ${'x'.repeat(300)}
  number: 7
  state: \${where}
  where: nowhere
resources:
  a:
    type: platform:Api
    properties: {name: "\${long}", version: "\${number}"}
    children:
      b: {type: platform:ApiDocument, properties: {content: x, status: "\${state}"}}
`);
    expect(diagnostics.map((d) => `${String(d.place?.line)} ${d.code}`)).toEqual([
      '10 too-long',
      '10 wrong-type',
      '12 not-allowed',
    ]);
  });

  it('are not blamed for what is unknown', async () => {
    await desiredOf(`
variables:
  team: !lookup {function: platform:getTeam, arguments: {filter: {name: {eq: core}}}}
resources:
  a: {type: platform:Api}
  b:
    type: platform:Api
    properties:
      slug: "\${a.slug}-2"
      labels: {team: "\${team.name}", of: "\${a.id}"}
      attributes: {owners: ["\${team.name}", "\${a.slug}"], all: "\${a.attributes.domain}"}
  bundle: {type: platform:ApiProduct, properties: {portalIds: ["\${a.portals[0].id}", "\${a.portals[1].id}"]}}
`);
  });
});

describe('files', () => {
  it('may hold several documents, and be empty', async () => {
    const desired = await desiredOf({
      'a.yaml': '# nothing yet\n',
      'b.yaml':
        'variables: {x: 1}\n---\nresources: {shop: {type: platform:Api, properties: {description: "no ${x}"}}}\n---\n',
      'c.yml': 'resources:\nvariables:\noutputs: {id: "${shop.id}"}\n',
    });
    expect([...desired.resources.keys()]).toEqual(['shop']);
    expect(plain(desired.outputs.get('id'))).toEqual({ $resource: 'shop', path: ['id'] });
  });

  it('that others read with !file are data, wherever they sort', async () => {
    const spec = 'openapi: 3.0.0\nservers: [{variables: {a: b}}]\n';
    const { desired, diagnostics, files } = await loadFiles({
      'z/main.yaml': 'resources: {shop: {type: platform:Api, properties: {specContent: !file ../a-spec.yaml}}}\n',
      'a-spec.yaml': spec,
      'z/specs/b.yaml': 'swagger: "2.0"\n',
      'main.yaml': 'resources: {pets: {type: platform:Api, properties: {specContent: !file z/specs/b.yaml}}}\n',
    });
    expect(diagnostics).toEqual([]);
    expect(files).toBe(2);
    expect(desired?.resources.size).toBe(2);
  });

  it('with resources in them stay catalogue files, even when another one reads them', async () => {
    const desired = await desiredOf({
      'a.yaml': 'resources: {shop: {type: platform:Api, properties: {description: !file b.yaml}}}\n',
      'b.yaml': 'resources: {pets: {type: platform:Api}}\n',
    });
    expect([...desired.resources.keys()].sort()).toEqual(['pets', 'shop']);
  });

  it('with broken syntax do not make references to them look wrong', async () => {
    const { diagnostics } = await loadFiles({
      'a.yaml': 'resources: {shop: {type: platform:Api}\n',
      'b.yaml':
        'resources: {pets: {type: platform:Api, properties: {descr: "${shop.id}"}, options: {dependsOn: [shop]}}}\n',
    });
    expect(diagnostics.map((d) => `${d.place?.file ?? ''} ${d.code}`)).toEqual([
      'catalogue/a.yaml yaml-syntax',
      'catalogue/b.yaml unknown-property',
    ]);
  });

  it('are forgotten by nobody: diagnostics come by file and place', async () => {
    const bad = 'outputs:\n  b: ${b.id}\n  a: ${a.id}\n';
    const { diagnostics } = await loadFiles({
      'b.yaml': bad.replaceAll('  b', '  c').replaceAll('  a', '  d'),
      'a.yaml': bad,
    });
    expect(diagnostics.map((d) => `${d.place?.file ?? ''}:${String(d.place?.line)}`)).toEqual([
      'catalogue/a.yaml:2',
      'catalogue/a.yaml:3',
      'catalogue/b.yaml:2',
      'catalogue/b.yaml:3',
    ]);
  });
});

describe('what belongs to a finding', () => {
  it('is the first of two declarations', async () => {
    const shop = 'resources: {shop: {type: platform:Api}}\n';
    const { diagnostics } = await loadFiles({ 'a.yaml': shop, 'b.yaml': `# again\n${shop}` });
    expect(diagnostics).toMatchObject([
      {
        code: 'duplicate-address',
        address: 'shop',
        place: { file: 'catalogue/b.yaml', line: 2, column: 13 },
        related: [{ place: { file: 'catalogue/a.yaml', line: 1, column: 13 } }],
      },
    ]);
  });

  it('is the whole ring of a cycle, each hop at its reference, and the shortest ring of several', async () => {
    const api = (name: string, ...needs: readonly string[]): string =>
      `  ${name}: {type: platform:Api, properties: {description: "${needs.map((need) => `\${${need}.id}`).join(' ')}"}}\n`;
    const { diagnostics } = await loadFiles({
      'a.yaml': `resources:\n${api('a', 'b', 'd')}${api('b', 'c')}`,
      'c.yaml': `resources:\n${api('c', 'a')}${api('d', 'a', 'b')}${api('free', 'a')}`,
    });
    expect(diagnostics).toMatchObject([
      {
        code: 'cycle',
        summary: 'These need each other: a → d → a.',
        place: { file: 'catalogue/a.yaml', line: 2 },
        related: [
          { message: 'a needs d', place: { file: 'catalogue/a.yaml', line: 2 } },
          { message: 'd needs a', place: { file: 'catalogue/c.yaml', line: 3 } },
        ],
      },
    ]);
  });

  it('is the property, in catalogue names', async () => {
    const { diagnostics } = await loadFiles(
      'resources: {shop: {type: platform:Api, properties: {labels: {"a.b": ""}, attributes: {x: [ok, "<"]}}}}\n',
    );
    expect(diagnostics.map(({ address, field }) => [address, field])).toEqual([
      ['shop', 'labels.a.b'],
      ['shop', 'attributes.x[1]'],
    ]);
  });
});

it('shows no line with what the type keeps secret, whatever is wrong there', async () => {
  const file = `resources:
  auth:
    type: platform:PortalAuth
    properties: {oidcClientSecret: a-canary-in-plain-text, nope: 1, oidcClientId: [7]}
`;
  const { diagnostics } = await loadFiles({ 'a.yaml': file });
  expect(diagnostics.length).toBeGreaterThan(1);
  expect(JSON.stringify(diagnostics)).not.toContain('canary');
});

describe('the digest', () => {
  const base = {
    'a.yaml': `
variables: {team: core}
resources:
  petstore:
    type: platform:Api
    properties: {version: "1", labels: {team: payments, tier: gold}, specContent: !file spec.json}
    options: {ignoreChanges: [labels]}
    children:
      guide: {type: platform:ApiDocument, properties: {title: Guide, content: !secret x}}
`,
    'b.yaml':
      'resources: {shop: {type: platform:Api, properties: {description: !env TEXT}}}\noutputs: {id: "${shop.id}"}\n',
    'spec.json': '{}',
  };
  const env = { TEXT: 'one' };

  it('is the same for another order, layout and spelling', async () => {
    const again = {
      'z.yaml': `
# The same, told differently.
outputs: {id: "\${ shop.id }"}
---
resources:
  petstore:
    options:
      ignoreChanges:
        - labels
    children:
      guide:
        properties: {content: {fn::secret: x}, title: "Guide"}
        type: platform:index/apiDocument:ApiDocument
    properties:
      specContent: {fn::readFile: spec.json}
      labels: &labels
        tier: gold
        team: payments
      version: '1'
    type: platform:index/api:Api
`,
      'y.yaml': `
variables: {team: core}
defaults: {platform:Api: {description: !env TEXT}}
resources: {shop: {type: platform:Api}}
`,
      'spec.json': '{}',
    };
    expect((await desiredOf(again, env)).digest).toBe((await desiredOf(base, env)).digest);
  });

  const edits: readonly (readonly [string, keyof typeof base, string, string])[] = [
    ['a property', 'a.yaml', 'version: "1"', 'version: "2"'],
    ['a type', 'a.yaml', 'labels: {team: payments', 'labels: {team: "7"'],
    ['an address', 'b.yaml', 'shop', 'pets'],
    ['an option', 'a.yaml', '[labels]', '[slug]'],
    ['a variable', 'a.yaml', 'team: core', 'team: code'],
    ['an output', 'b.yaml', '${shop.id}', '${shop.slug}'],
    ['the text of a file', 'spec.json', '{}', '[]'],
    ['the name of an environment variable', 'b.yaml', 'TEXT', 'OTHER'],
  ];
  it.each(edits)('changes with %s', async (_name, file, from, to) => {
    const edited = { ...base, [file]: base[file].replaceAll(from, to) };
    const before = (await desiredOf(base, env)).digest;
    expect((await desiredOf(edited, { ...env, OTHER: 'one' })).digest).not.toBe(before);
  });

  it('does not depend on the value of a secret', async () => {
    expect((await desiredOf(base, { TEXT: 'two' })).digest).toBe((await desiredOf(base, env)).digest);
  });
});
