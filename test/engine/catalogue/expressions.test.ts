import { describe, expect, it } from 'vitest';
import { desiredOf, loadFiles } from './scratch-project.js';
import { plain } from './plain.js';

const files = {
  '../docs/guide.md': '# Guide with ${braces}\n',
  '../specs/shop.yaml':
    'info: {title: Shop, version: 1.2.0}\nservers: [{url: https://one}, {url: https://two}]\n"a/b": 1\n',
  '../specs/shop.json': '{"info": {"title": "Shop as JSON"}}',
};
const env = { NAME: 'from the environment', EMPTY: '' };

/** The variable `x` of a catalogue that declares it so. */
async function variable(yaml: string): Promise<unknown> {
  const main = `variables:\n  other: {name: Ada, list: [1, 2]}\n  x: ${yaml}\nresources:\n  petstore: {type: platform:Api}\n`;
  const { desired, diagnostics } = await loadFiles({ ...files, 'main.yaml': main }, env);
  if (desired === undefined) throw new Error(JSON.stringify(diagnostics));
  return plain(desired.variables.get('x'));
}

describe('tags and functions are two spellings of one thing', () => {
  it.each([
    ['!file ../docs/guide.md', 'fn::readFile: ../docs/guide.md', '# Guide with ${braces}\n'],
    ['!file ../specs/shop.yaml#/info/title', 'fn::readFile: ../specs/shop.yaml#/info/title', 'Shop'],
    ['!file ../specs/shop.yaml#/servers/1/url', 'fn::readFile: "../specs/shop.yaml#/servers/1/url"', 'https://two'],
    ['!file ../specs/shop.yaml#/a~1b', 'fn::readFile: ../specs/shop.yaml#/a~1b', 1],
    ['!file ../specs/shop.yaml#/servers/0', 'fn::readFile: ../specs/shop.yaml#/servers/0', { url: 'https://one' }],
    ['!file ../specs/shop.json#', 'fn::readFile: "../specs/shop.json#"', { info: { title: 'Shop as JSON' } }],
    ['!env NAME', 'fn::env: NAME', { $secret: '!env NAME', value: 'from the environment' }],
    ['!env EMPTY', 'fn::env: EMPTY', { $secret: '!env EMPTY', value: '' }],
    ['!secret word', 'fn::secret: word', { $secret: '!secret ***', value: 'word' }],
    ['!secret 12', 'fn::secret: 12', { $secret: '!secret ***', value: 12 }],
    ['!secret "12"', 'fn::secret: "12"', { $secret: '!secret ***', value: '12' }],
    ['!secret true', 'fn::secret: true', { $secret: '!secret ***', value: true }],
    ['!secret {a: 1}', 'fn::secret: {a: 1}', { $secret: '!secret ***', value: { a: 1 } }],
    [
      '!secret "key ${other.name}"',
      'fn::secret: "key ${other.name}"',
      { $secret: '!secret ***${other.name}', value: { $text: ['key ', { $variable: 'other', path: ['name'] }] } },
    ],
    ['!json {a: [1, x]}', 'fn::toJSON: {a: [1, x]}', { $json: { a: [1, 'x'] } }],
    ['!json [1.0, null]', 'fn::toJSON: [1.0, null]', { $json: [1, null] }],
    [
      '!lookup {function: platform:getTeam, arguments: {filter: {name: {eq: core}}}, return: id}',
      'fn::invoke: {function: platform:index/getTeam:getTeam, arguments: {filter: {name: {eq: core}}}, return: id}',
      {
        $lookup: 'platform:index/getTeam:getTeam',
        arguments: { filter: { name: { eq: 'core' } } },
        return: 'id',
      },
    ],
    [
      '!lookup {function: platform:getPlatformIpAddresses}',
      'fn::invoke: {function: platform:getPlatformIpAddresses, arguments: }',
      { $lookup: 'platform:index/getPlatformIpAddresses:getPlatformIpAddresses', arguments: {} },
    ],
  ])('%s', async (tag, call, expected) => {
    expect(await variable(tag)).toEqual(expected);
    expect(await variable(`{${call}}`)).toEqual(expected);
  });

  it('nest', async () => {
    expect(await variable('!json {key: !env NAME, text: !file ../docs/guide.md}')).toEqual({
      $json: { key: { $secret: '!env NAME', value: env.NAME }, text: files['../docs/guide.md'] },
    });
    expect(await variable('{fn::join: [", ", [a, "${other.name}", {fn::toJSON: [1]}]]}')).toEqual({
      $join: [', ', ['a', { $variable: 'other', path: ['name'] }, { $json: [1] }]],
    });
  });
});

describe('plain values', () => {
  it.each([
    ['"${petstore.id}"', { $resource: 'petstore', path: ['id'] }],
    ['${other}', { $variable: 'other', path: [] }],
    ['"v ${other.list[1]}"', { $text: ['v ', { $variable: 'other', path: ['list', 1] }] }],
    ['$${petstore.id}', '${petstore.id}'],
    ['1.0', 1],
    ['0x1F', 31],
    ['1_000', '1_000'],
    ['yes', 'yes'],
    ['2026-01-01', '2026-01-01'],
    ['~', null],
    ['', null],
    ['!!str 1.0', '1.0'],
    ['! 12', '12'],
    ['&a [1]', [1]],
  ])('%s', async (yaml, expected) => {
    expect(await variable(yaml)).toEqual(expected);
  });

  it('share anchors, and merge maps with "<<": own keys first, earlier maps over later ones', async () => {
    const desired = await desiredOf(`
variables:
  base: &base {a: 1, b: 1}
  more: &more {b: 2, c: 2}
  same: *base
  one: {<<: *base, b: 9}
  two: {<<: [*base, *more]}
  three: {"<<": quoted}
`);
    const value = (name: string): unknown => plain(desired.variables.get(name));
    expect(value('same')).toEqual({ a: 1, b: 1 });
    expect(value('one')).toEqual({ a: 1, b: 9 });
    expect(value('two')).toEqual({ a: 1, b: 1, c: 2 });
    expect(value('three')).toEqual({ '<<': 'quoted' });
  });

  it('stand where they are written', async () => {
    const text = 'variables:\n  a: "x ${b} and ${b}"\n  b: |\n    ${c}\n  c: done\n';
    const { variables, sources } = await desiredOf(text);
    const places = [...variables.values()].flatMap((value) =>
      value.kind === 'interpolation' ? value.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.at])) : [],
    );
    expect(places.map((at) => [sources.place(at).line, sources.place(at).column])).toEqual([
      [2, 9],
      [2, 18],
      [4, 5],
    ]);
  });
});

describe('secrets', () => {
  const canary = 'canary-7f3a';

  it('never reach a diagnostic, not even in the text of a line', async () => {
    const { diagnostics } = await loadFiles(
      `
resources:
  a:
    type: platform:Api
    properties:
      slug: !secret "${canary} with spaces"
      version: !env TOKEN
      labels: {key: !env TOKEN, other: !secret {fn::join: ["", [${canary}, "!"]]}}
    children:
      doc:
        type: platform:ApiDocument
        properties:
          title: !secret [${canary}]
          status: !env TOKEN
          content: !secret |
            ${canary}
            \${nothing.here}
`,
      { TOKEN: `${canary} ${'x'.repeat(300)}` },
    );
    const broken = diagnostics.filter(({ code }) => code === 'secret-breaks-rule');
    expect(broken.map(({ field }) => field).sort()).toEqual([
      ...['labels.key', 'labels.other', 'slug', 'status', 'title', 'version'],
    ]);
    expect(diagnostics.map(({ code }) => code).filter((code) => code !== 'secret-breaks-rule')).toEqual([
      'unknown-reference',
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain(canary);
  });

  it('stay hidden where the syntax around them is broken', async () => {
    const { diagnostics } = await loadFiles(
      `variables:\n  a: !secret ${canary}: x\n  b: "open\n  c: !secret ${canary}\n`,
    );
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(JSON.stringify(diagnostics)).not.toContain(canary);
  });
});

describe('a tag by which other tools refer to an object', () => {
  it.each([
    ['!ref petstore', '${petstore.id}'],
    ['!Ref petstore', '${petstore.id}'],
    ['!ref petstore#slug', '${petstore.slug}'],
    ['!GetAtt petstore.slug', '${petstore.slug}'],
    ['!ref ""', '${KEY.id}'],
  ])('%s is answered with %s', async (written, reference) => {
    const main = `variables:\n  x: ${written}\nresources:\n  petstore: {type: platform:Api}\n`;
    const { diagnostics } = await loadFiles({ 'main.yaml': main }, {});
    expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
      ['unknown-tag', `A reference is written ${reference}, without a tag.`],
    ]);
  });
});
