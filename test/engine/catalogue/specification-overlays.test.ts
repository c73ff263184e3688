import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { desiredOf, loadFiles } from './scratch-project.js';

const specification = `openapi: 3.0.3
info: {title: Pets, version: '1'}
servers:
  - url: https://internal.example.com
paths:
  /pets:
    get:
      tags: [a]
      responses: {'200': {description: ok}}
  /admin:
    x-internal: true
    get: {responses: {'200': {description: ok}}}
  /debug:
    x-internal: true
    get: {responses: {'200': {description: ok}}}
`;

const overlay = (base: string, actions: string): string =>
  `overlay: 1.0.0\ninfo: {title: Public, version: '1'}\nextends: ${base}\nactions:\n${actions.replace(/^/gm, '  ')}\n`;

const own = `resources:
  pets:
    type: platform:Api
    properties: {name: Pets}
    children:
      v1: {type: platform:ApiVersion, properties: {specContent: !file ../specs/public.yaml}}
`;

/** The specification that is published when the overlay is named in its place. */
async function published(actions: string, base = specification): Promise<unknown> {
  const { resources } = await desiredOf({
    'main.yaml': own.replace('../specs', 'specs'),
    'specs/pets.yaml': base,
    'specs/public.yaml': overlay('pets.yaml', actions),
  });
  const value = resources.get('pets/v1')?.properties.get('specContent');
  return value?.kind === 'literal' ? parse(String(value.value)) : undefined;
}

const paths = async (actions: string): Promise<readonly string[]> =>
  Object.keys(((await published(actions)) as { paths: object }).paths);

describe('an OpenAPI Overlay that is named in place of a specification', () => {
  it.each<[string, string, readonly string[]]>([
    ['a member', '- {target: \'$.paths["/admin"]\', remove: true}', ['/pets', '/debug']],
    ['all that a filter finds', '- {target: "$.paths[?@.x-internal == true]", remove: true}', ['/pets']],
    [
      'what a pattern finds',
      `- {target: "$.paths[?search(@.x-team, 'a+')]", remove: true}\n- {target: '$.paths.*[?@.x]', remove: true}`,
      ['/pets', '/admin', '/debug'],
    ],
    ['anywhere below', '- {target: "$..[?@.x-internal]", remove: true}', ['/pets']],
    ['nothing', '- {target: $.paths, update: {/new: {get: {}}}}', ['/pets', '/admin', '/debug', '/new']],
  ])('removes %s', async (_name, actions, left) => {
    expect(await paths(actions)).toEqual(left);
  });

  it('merges maps, continues lists, and replaces the rest, one action after the other', async () => {
    const made = await published(`- target: $.info
  update: {title: Public pets, contact: {name: us}}
- {target: '$.paths.*.get.tags', update: b}
- {target: '$.paths.*.get', update: {tags: [c], summary: all}}
- {target: '$.servers[0]', update: {url: https://api.example.com}}
- {target: '$.paths[?@.x-internal]', remove: true}
- {target: '$.servers', update: [{url: /v2}, {url: /v3}]}
- {target: '$.servers[1]', remove: true}`);
    expect(made).toEqual({
      ...{ openapi: '3.0.3', info: { title: 'Public pets', version: '1', contact: { name: 'us' } } },
      servers: [{ url: 'https://api.example.com' }, { url: '/v3' }],
      paths: { '/pets': { get: { tags: ['a', 'b', 'c'], summary: 'all', responses: { 200: { description: 'ok' } } } } },
    });
  });

  it('removes several members of a list', async () => {
    const base = specification.replace('tags: [a]', 'tags: [a, b, a, c]');
    const made = await published('- {target: "$..tags[?@ == \'a\']", remove: true}', base);
    expect((made as { paths: { '/pets': { get: { tags: unknown } } } }).paths['/pets'].get.tags).toEqual(['b', 'c']);
  });

  it('may extend an overlay, and leaves JSON as JSON', async () => {
    const { resources } = await desiredOf({
      'main.yaml': own.replace('../specs', 'specs'),
      'specs/base/pets.json': JSON.stringify(parse(specification)),
      'specs/first.json': JSON.stringify(
        parse(overlay('base/pets.json', '- {target: $.info, update: {title: A, x: 1}}')),
      ),
      'specs/public.yaml': overlay('first.json', '- {target: $.info, update: {title: B}}'),
    });
    const value = resources.get('pets/v1')?.properties.get('specContent');
    const text = value?.kind === 'literal' ? String(value.value) : '';
    expect((JSON.parse(text) as { info: unknown }).info).toEqual({ title: 'B', version: '1', x: 1 });
    expect(value).toMatchObject({ from: 'catalogue/specs/base/pets.json' });
  });
});

describe('overlays among the files of a source', () => {
  const resourcesOf = async (
    files: Readonly<Record<string, string>>,
    source = 'specs: platform:Api',
  ): Promise<object> => {
    const { resources } = await desiredOf({ 'main.yaml': `sources: {${source}}\n`, ...files });
    return Object.fromEntries(
      [...resources].flatMap(([address, { properties }]) => {
        const name = properties.get('name');
        return name?.kind === 'literal' ? [[address, name.value]] : [];
      }),
    );
  };

  it('are applied to the file that they are for, in the order of their names', async () => {
    expect(
      await resourcesOf({
        'specs/pets.yaml': specification,
        'specs/pets.b.yaml': overlay('pets.yaml', '- {target: $.info, update: {title: Second}}'),
        'specs/pets.a.yaml': overlay('pets.yaml', '- {target: $.info, update: {title: First}}'),
      }),
    ).toEqual({ pets: 'Second' });
  });

  it('stand for a file elsewhere', async () => {
    expect(
      await resourcesOf({
        'base.yaml': specification,
        'specs/public.yaml': overlay('../base.yaml', '- {target: $.info, update: {title: Public}}'),
      }),
    ).toEqual({ public: 'Public' });
  });
});

describe('a gateway from an overlaid specification', () => {
  it('has what the overlay leaves, at its places in the specification', async () => {
    const { resources } = await desiredOf({
      'main.yaml': `sources:
  specs/*.yaml: {type: platform:GatewayService, under: edge}
resources: {edge: {type: platform:GatewayControlPlane, properties: {name: edge}}}
`,
      'specs/pets.yaml': specification,
      'specs/pets.public.yaml': overlay('pets.yaml', '- {target: "$.paths[?@.x-internal]", remove: true}'),
    });
    const at = specification.indexOf('get:');
    expect(
      [...resources].map(
        ([
          address,
          {
            at: { file, start },
          },
        ]) => [address, file, start === at],
      ),
    ).toEqual([
      ['edge', 'catalogue/main.yaml', false],
      ['edge/pets', 'catalogue/specs/pets.yaml', false],
      ['edge/pets-pets_get', 'catalogue/specs/pets.yaml', true],
    ]);
  });
});

describe('an overlay that is wrong', () => {
  const head = 'overlay: 1.0.0\ninfo: {title: a, version: "1"}\n';
  it.each<[string, string, string]>([
    ['extends nothing', `${head}actions: []\n`, 'catalogue/specs/public.yaml:1 bad-overlay'],
    [
      'extends an address',
      `${head}extends: https://example.com/a.yaml\nactions: []\n`,
      'catalogue/specs/public.yaml:3 bad-overlay',
    ],
    [
      'extends what is not there',
      `${head}extends: none.yaml\nactions: []\n`,
      'catalogue/specs/public.yaml:3 bad-overlay',
    ],
    [
      'leads out of the project',
      `${head}extends: ../../../etc/passwd\nactions: []\n`,
      'catalogue/specs/public.yaml:3 bad-overlay',
    ],
    ['extends itself', `${head}extends: public.yaml\nactions: []\n`, 'catalogue/specs/public.yaml:3 bad-overlay'],
    [
      'is of a later version',
      overlay('pets.yaml', '[]').replace('1.0.0', '2.0.0'),
      'catalogue/specs/public.yaml:1 bad-overlay',
    ],
    ['has no actions', `${head}extends: pets.yaml\n`, 'catalogue/specs/public.yaml:1 bad-overlay'],
    [
      'has an action without a target',
      overlay('pets.yaml', '- {remove: true}'),
      'catalogue/specs/public.yaml:5 bad-overlay',
    ],
    [
      'has a target that is none',
      overlay('pets.yaml', '- {target: paths, remove: true}'),
      'catalogue/specs/public.yaml:5 bad-overlay',
    ],
    [
      'removes the whole',
      overlay('pets.yaml', '- {target: $, remove: true}'),
      'catalogue/specs/public.yaml:5 bad-overlay',
    ],
    [
      'updates a text',
      overlay('pets.yaml', '- {target: $.info.title, update: b}'),
      'catalogue/specs/public.yaml:5 bad-overlay',
    ],
    [
      'has a pattern that cannot be run in good time',
      overlay('pets.yaml', `- {target: "$.info[?match(@, '(a+)\\\\\\\\1')]", remove: true}\n`),
      'catalogue/specs/public.yaml:5 bad-overlay',
    ],
    [
      'changes nothing',
      overlay('pets.yaml', '- {target: $.paths.none, remove: true}'),
      'catalogue/specs/public.yaml:5 idle-overlay',
    ],
  ])('%s', async (_name, text, told) => {
    const files = {
      'main.yaml': own.replace('../specs', 'specs'),
      'specs/pets.yaml': specification,
      'specs/public.yaml': text,
    };
    const { diagnostics } = await loadFiles(files);
    expect(diagnostics.map(({ code, place }) => `${place?.file ?? ''}:${String(place?.line)} ${code}`)).toEqual([told]);
  });

  it('is told where it stands when its specification is broken', async () => {
    const files = {
      'main.yaml': own.replace('../specs', 'specs'),
      'specs/pets.yaml': 'openapi: 3.0.3\ninfo: {\n',
      'specs/public.yaml': overlay('pets.yaml', '- {target: $.info, update: {title: b}}'),
    };
    const { diagnostics } = await loadFiles(files);
    expect(diagnostics).toMatchObject([
      { severity: 'error', code: 'bad-overlay', place: { file: 'catalogue/specs/pets.yaml', line: 3 } },
    ]);
  });
});
