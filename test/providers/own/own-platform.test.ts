import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Project } from '@platform-sync/engine/api';
import { openProject } from '@platform-sync/engine/engine';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { providerPackages } from '@platform-sync/sdk/registry';
import { loopback, type Loopback, type Reaction, type SeenRequest } from '../http/loopback.js';

const types = {
  formatVersion: 1,
  definitions: [
    {
      ...{ name: 'Shelf', description: 'A shelf.', derived: true, absence: 'empty-404' },
      operations: {
        ...{ create: 'POST /shelves', read: 'GET /shelves/{id}' },
        ...{ update: 'PATCH /shelves/{id}', delete: 'DELETE /shelves/{id}' },
      },
      list: { get: '/shelves', paging: { by: 'none', items: 'data' } },
      ...{ naturalKey: ['name'], required: ['name'], always: ['name'] },
      fields: { name: { description: 'Name.' }, topic: { description: 'Topic.', nullable: true } },
    },
  ],
};

let folder: string;
let server: Loopback;
let env: Record<string, string | undefined>;
let database: MemoryDatabase;
const shelves = new Map<string, Record<string, unknown>>();

/** The API, and the place where its clients get tokens. */
function react({ method, url, body }: SeenRequest): Reaction {
  if (url === '/token')
    return { status: 200, headers: json, json: { access_token: 'canary-access', expires_in: 3600 } };
  const id = /^\/base\/shelves\/(.+)$/.exec(url)?.[1];
  const given = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
  if (id === undefined && method === 'POST') {
    const { code, ...shown } = given;
    const made = {
      id: `s${shelves.size + 1}`,
      topic: null,
      ...shown,
      ...(code === undefined ? {} : echoes(String(code))),
    };
    shelves.set(made.id, made);
    return { status: 201, headers: json, json: made };
  }
  if (id === undefined) return { status: 200, headers: json, json: { data: [...shelves.values()] } };
  const found = shelves.get(id);
  if (found === undefined) return { status: 404 };
  if (method === 'DELETE') shelves.delete(id);
  if (method === 'PATCH') Object.assign(found, given);
  return method === 'DELETE' ? { status: 204 } : { status: 200, headers: json, json: found };
}
const json = { 'content-type': 'application/json' };

/** What it makes of the code of a shelf, wherever nobody asked for it. */
const echoes = (code: string): Record<string, unknown> => ({
  ...{ note: `made with ${Buffer.from(code).toString('base64')}`, open: 'nothing to hide' },
  parts: { first: code.slice(0, 14).toUpperCase(), last: Array.from(code).reverse().join('') },
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-own-'));
  server = await loopback(react);
  database = new MemoryDatabase();
  shelves.clear();
  env = { ACME_SECRET: 'canary-secret' };
  await write({ 'acme.types.json': JSON.stringify(types) });
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

const catalogue = `
resources:
  novels: { type: acme:Shelf, properties: { name: novels, topic: Stories } }
outputs:
  poems: !lookup { function: acme:getShelfList, arguments: { filter: { name: { contains: nov } } } }
`;

async function project(settings: string, files: Readonly<Record<string, string>> = {}): Promise<void> {
  await write({
    'sync.yaml': `project: books\nproviders:\n  acme:\n${settings.replaceAll(/^/gm, '    ')}\n`,
    'catalogue/a.yaml': catalogue,
    ...files,
  });
}

const withServer = (auth: string): string => `types: ./acme.types.json\nserverUrl: ${server.origin}/base\n${auth}`;

async function open<T>(work: (opened: Project) => Promise<T>): Promise<T | readonly Diagnostic[]> {
  const { project: opened, diagnostics } = await openProject({
    ...{ cwd: folder, env, purpose: 'test', packages: providerPackages },
    openState: async (config) => memoryStateStore(config.project, config.stack, database),
  });
  if (opened === undefined) return diagnostics;
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** Codes and sentences of what is wrong, wherever it is found. */
async function problems(): Promise<string> {
  const found = await open(async (opened) => (await opened.plan()).diagnostics).catch(
    (error: unknown) => (error as { diagnostics: readonly Diagnostic[] }).diagnostics,
  );
  return found
    .filter(({ severity }) => severity === 'error')
    .map(({ code, summary }) => `${code}: ${summary}`)
    .join('\n');
}

/** What `validate` says without the service and without secrets: place, code, sentence and hint of each error. */
async function told(stack?: string): Promise<string> {
  const { project: opened, diagnostics } = await openProject({
    ...{ cwd: folder, env: {}, purpose: 'test', packages: providerPackages, isOffline: true },
    ...(stack === undefined ? {} : { stack }),
  });
  const found = opened === undefined ? diagnostics : (await opened.validate()).diagnostics;
  await opened?.close();
  expect(JSON.stringify(found)).not.toContain('canary');
  return found
    .filter(({ severity }) => severity === 'error')
    .map(({ code, summary, place, hint }) => `${place?.file}:${place?.line} ${code}: ${summary} ${hint ?? ''}`)
    .join('\n');
}

it('members that are called as what every object has are there when they are there, and not else', async () => {
  const wire = { constructorValue: 'constructor', valueOfValue: 'valueOf' };
  const members = Object.fromEntries(
    Object.entries(wire).map(([name, as]) => [name, { type: 'string', wire: as, optional: true }]),
  );
  const own = Object.entries(wire).map(([name, as]) => [name, { description: 'Own.', wire: as, nullable: true }]);
  const { fields, ...rest } = types.definitions[0] ?? { fields: {} };
  const maker = { description: 'Maker.', type: { record: 'ShelfMaker', members }, equality: 'record', nullable: true };
  const definition = { ...rest, fields: { ...fields, ...Object.fromEntries(own), maker } };
  const actions = async (properties: string): Promise<unknown> => {
    await project(withServer('auth: { bearer: !env ACME_SECRET }'), {
      'acme.types.json': JSON.stringify({ definitions: [definition] }),
      'catalogue/a.yaml': `resources: {s: {type: acme:Shelf, properties: {name: s, ${properties}}}}\n`,
    });
    return open(async (opened) => {
      const planned = await opened.plan();
      const { status } = await opened.apply(planned);
      const after = (await opened.plan()).plan?.steps.length;
      return [
        planned.plan?.steps.map(({ action, fields: [field] }) => `${action} ${field?.field ?? ''}`),
        status,
        after,
      ];
    });
  };
  expect(await actions('topic: a')).toEqual([['create name'], 'done', 0]);
  expect(await actions('topic: a, constructorValue: b')).toEqual([['update constructorValue'], 'done', 0]);
  expect(await actions('topic: a, constructorValue: b, maker: {valueOfValue: c}')).toEqual([
    ['update maker'],
    'done',
    0,
  ]);
  expect([...shelves.values()]).toMatchObject([{ constructor: 'b', maker: { valueOf: 'c' } }]);
});

describe('a secret that the platform repeats', () => {
  const canary = 'canary-of-a-shelf-0815';
  const echoing = {
    ...types.definitions[0],
    fields: {
      name: { description: 'Name.' },
      topic: { description: 'Topic.', nullable: true },
      code: { description: 'Code.', secret: true, writeOnly: true },
    },
    outputs: {
      note: { description: 'Note.' },
      open: { description: 'Open.' },
      parts: { description: 'Parts.', type: { map: 'string' } },
    },
  };
  const files = {
    'acme.types.json': JSON.stringify({ definitions: [echoing] }),
    'catalogue/a.yaml': `
resources:
  novels: { type: acme:Shelf, properties: { name: novels, topic: Stories, code: !env CODE } }
outputs: { note: '\${novels.note}', open: '\${novels.open}', quoted: 'made of \${novels.parts}' }
`,
  };
  const spelt = [
    canary,
    canary.slice(0, 14).toUpperCase(),
    Array.from(canary).reverse().join(''),
    Buffer.from(canary).toString('base64'),
  ];

  it.each(spelt)('%s stands in no state, no plan, no output, and is no change', async (spelling) => {
    env['CODE'] = canary;
    await project(withServer('auth: { bearer: !env ACME_SECRET }'), files);
    const applied = await open(async (opened) => opened.apply(await opened.plan()));
    expect(applied).toMatchObject({ status: 'done', outputs: { open: 'nothing to hide' } });
    const again = await open((opened) => opened.plan());
    expect(again).toMatchObject({ plan: { steps: [], outputs: [] } });
    const drift = await open((opened) => opened.drift());
    expect(drift).toMatchObject({ findings: [] });
    Object.assign(shelves.get('s1') ?? {}, { topic: `of ${spelling}` });
    const changed = await open((opened) => opened.plan());
    expect(changed).toMatchObject({ plan: { steps: [{ action: 'update' }] } });
    const found = await open((opened) => opened.drift());
    const state = await open(async (opened) => {
      const { resources, outputs } = await (await opened.state()).read();
      return { resources: [...resources.values()], outputs };
    });
    for (const all of [applied, again, drift, changed, found, state]) {
      expect(JSON.stringify(all)).not.toContain(spelling);
    }
    expect(JSON.stringify(state)).toContain('$secret');
    Object.assign(shelves.get('s1') ?? {}, { topic: 'of canary-secret' });
    expect(await open((opened) => opened.objects({ type: 'Shelf', many: 'one', name: 'novels' }))).toMatchObject({
      objects: [{ name: 'novels', topic: 'of (secret)' }],
    });
  });
});

describe('a platform of one’s own', () => {
  it('lives its life: plan, apply, empty plan, lookup, drift, destroy', async () => {
    await project(withServer('auth: { bearer: !env ACME_SECRET }'));
    const seen = await open(async (opened) => {
      const planned = await opened.plan();
      const applied = await opened.apply(planned);
      return [planned.plan?.steps.length, applied.status];
    });
    expect(seen).toEqual([1, 'done']);
    expect(await open(async (opened) => (await opened.plan()).plan?.steps)).toEqual([]);
    Object.assign(shelves.get('s1') ?? {}, { topic: 'Other' });
    const drift = await open((opened) => opened.drift());
    expect(
      (drift as { readonly findings: readonly { readonly address: string }[] }).findings.map(({ address }) => address),
    ).toEqual(['novels']);
    const shown = await open((opened) => opened.objects({ type: 'Shelf', many: 'one', name: 'novels' }));
    expect((shown as { objects: unknown }).objects).toEqual([{ id: 's1', name: 'novels', topic: 'Other' }]);
    await open(async (opened) => opened.apply(await opened.plan({ mode: 'destroy' })));
    expect(shelves.size).toBe(0);
  });

  it.each([
    ['nobody', '', {}],
    ['a bearer token', 'auth: { bearer: !env ACME_SECRET }', { authorization: 'Bearer canary-secret' }],
    [
      'a header',
      'auth: { header: { name: X-Api-Key, value: !env ACME_SECRET } }',
      { 'x-api-key': 'canary-secret', authorization: undefined },
    ],
    [
      'name and password',
      'auth: { basic: { username: ann, password: !env ACME_SECRET } }',
      { authorization: `Basic ${Buffer.from('ann:canary-secret').toString('base64')}` },
    ],
  ])('is called by %s', async (_, auth, headers) => {
    await project(withServer(auth));
    expect(await problems()).toBe('');
    for (const request of server.seen) expect({ ...request.headers }).toMatchObject(defined(headers));
    expect(server.seen.length).toBeGreaterThan(0);
  });

  it('is called with one token for a client, asked for where a plan only reads', async () => {
    const client = `{ tokenUrl: "${server.origin}/token", clientId: me, clientSecret: !env ACME_SECRET, scope: shelves }`;
    await project(withServer(`auth: { clientCredentials: ${client} }`));
    const status = await open(async (opened) => (await opened.apply(await opened.plan())).status);
    expect(status).toBe('done');
    const [tokens, calls] = [true, false].map((is) => server.seen.filter(({ url }) => (url === '/token') === is));
    expect(tokens?.map(({ body }) => body)).toEqual(['grant_type=client_credentials&scope=shelves']);
    expect(tokens?.[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:canary-secret').toString('base64')}`);
    expect(new Set(calls?.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer canary-access']));
  });
});

function defined(headers: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

describe('the rules of trust', () => {
  const foreign = 'types: acme.types.json\nserverUrl: https://acme.example.com\nauth: { bearer: !env ACME_SECRET }';

  it('send nothing to a server that only the files name', async () => {
    await project(foreign);
    expect(await problems()).toMatch(/^address-not-trusted: providers\.acme\.serverUrl names acme\.example\.com/);
    expect(await problems()).not.toContain('canary');
  });

  it.each([
    ['SYNC_SERVER_URL_ACME', 'its own', /^(?!address-not-trusted)/],
    ['SYNC_ACME_URL', "nobody's", /^address-not-trusted/],
    ['SYNC_VAR_TITLE', "a parameter's", /^address-not-trusted/],
    ['SYNC_SERVER_URL_OTHER', "another provider's", /^address-not-trusted/],
    ['PLATFORM_SERVER_URL', "the platform's", /^address-not-trusted/],
  ])('believe a server in its own variable alone: %s, %s', async (name, _whose, told) => {
    env[name] = 'https://acme.invalid';
    await project(`types: acme.types.json\nserverUrl: !env ${name}\nauth: { bearer: !env ACME_SECRET }`);
    expect(await problems()).toMatch(told);
  });

  it('send no secret of a client to a place that only the files name', async () => {
    const client = '{ tokenUrl: "https://login.example.com/t", clientId: me, clientSecret: !env ACME_SECRET }';
    await project(withServer(`auth: { clientCredentials: ${client} }`));
    expect(await problems()).toMatch(/^address-not-trusted: providers\.acme\.auth\.clientCredentials\.tokenUrl/);
    expect(server.seen).toEqual([]);
  });

  it('are lifted by the operator’s policy alone, provider by provider', async () => {
    const answer = async (policy: object): Promise<readonly boolean[]> => {
      env['SYNC_POLICY'] = JSON.stringify(policy);
      const found = await open((opened) => opened.checkPolicy());
      return (
        found as { readonly findings: readonly { readonly kind: string; readonly isAllowed: boolean }[] }
      ).findings
        .filter(({ kind }) => kind === 'address')
        .map(({ isAllowed }) => isAllowed);
    };
    await project(foreign);
    expect(await answer({ hosts: { acme: ['acme.example.com'] } })).toEqual([true]);
    expect(await answer({ hosts: { platform: ['acme.example.com'] } })).toEqual([false]);
  });

  it.each(['http://acme.example.com', 'https://u:p@acme.example.com', 'https://acme.example.com/?a=b', 'nowhere'])(
    'refuse %s as an address',
    async (url) => {
      await project(foreign.replace('https://acme.example.com', `"${url}"`));
      expect(await problems()).toMatch(/^bad-setting: /);
    },
  );
});

describe('what is written wrongly is told, quoted nowhere, and never ends the program', () => {
  it.each([
    ['auth: { bearer: canary-plain }', /literal-secret: The setting "auth.bearer" of acme is a secret/],
    ['auth: { basic: { username: a, password: canary-plain } }', /literal-secret: .*"auth.basic.password"/],
    ['auth: { header: { name: X-Key, value: canary-plain } }', /literal-secret/],
    ['auth: { bearer: !env NOT_SET }', /NOT_SET/],
    ['auth: { baerer: !env ACME_SECRET }', /bad-setting: providers.acme.auth is one of bearer/],
    ['auth: { bearer: !env ACME_SECRET, basic: {} }', /bad-setting/],
    ['auth: { basic: { user: a, password: !env ACME_SECRET } }', /bad-setting: .*has no "user"/],
    ['auth: { header: { name: Host, value: !env ACME_SECRET } }', /bad-setting: .*header/],
    ['server: https://a.example.com', /unknown-key: The provider acme has no setting "server"/],
  ])('%s', async (line, expected) => {
    await project(withServer(line));
    const found = await problems();
    expect(found).toMatch(expected);
    expect(found).not.toContain('canary');
    expect(server.seen).toEqual([]);
  });

  const client = (members: string): string => `auth: { clientCredentials: { ${members} } }`;
  it.each([
    ['auth: { baerer: !env NOT_SET }', /:6 bad-setting: .*auth is one of .* Did you mean "?bearer/],
    ['auth: { baerer: "canary-plain" }', /:6 bad-setting: .*auth is one of/],
    ['auth: canary-plain', /:6 bad-setting: .*auth is one of/],
    ['auth: { bearer: }', /:6 bad-setting: .*auth\.bearer is empty\. Write bearer: !env NAME/],
    ['auth: { basic: { username: ann } }', /:6 bad-setting: .*basic\.password is empty\. Write password: !env NAME/],
    [
      'auth: { basic: { user: ann, password: !env NOT_SET } }',
      /:6 bad-setting: .*basic has no "user"; it has username, password[^]*:6 bad-setting: .*username is empty/,
    ],
    ['auth: { header: { name: Host, value: !env NOT_SET } }', /:6 bad-setting: .*header\.name is not a header name/],
    ['auth: { header: { name: 3, value: !env NOT_SET } }', /:6 bad-setting: .*header\.name is no text/],
    [client('tokenUrl: "http://login.example.com", clientId: me, clientSecret: !env NOT_SET'), /is not encrypted/],
    [
      client('tokenUrl: "https://u:canary@a.example.com", clientId: a, clientSecret: !env A'),
      /is more than an address/,
    ],
    [client('clientId: me'), /clientSecret is empty\. Write clientSecret: !env NAME[^]*tokenUrl is empty/],
  ])('by validate, offline, at its place: %s', async (line, expected) => {
    await project(withServer(line));
    expect(await told()).toMatch(expected);
    expect(await told()).not.toContain('canary');
  });

  it.each([
    ['', 'serverUrl is not set'],
    ['serverUrl: acme.example.com', 'serverUrl is no address'],
    ['serverUrl: http://acme.example.com', 'serverUrl is not encrypted'],
  ])('by validate, of the server: %s', async (line, expected) => {
    await project(`types: ./acme.types.json\n${line}`);
    expect(await told()).toContain(expected);
  });

  it('but not what only the environment knows, nor what stacks say', async () => {
    const auths = [
      ...['bearer: !env NOT_SET', 'basic: { username: !env NOT_SET, password: !env NOT_SET }'],
      ...['header: { name: X-Key, value: !env NOT_SET }'],
      'clientCredentials: { tokenUrl: !env NOT_SET, clientId: me, clientSecret: !env NOT_SET }',
    ];
    for (const auth of auths) {
      await project(withServer(`auth: { ${auth} }`));
      expect(await told()).toBe('');
    }
    await project('types: ./acme.types.json');
    const stacks =
      'stacks: { dev: { providers: { acme: { serverUrl: "https://dev.example.com" } } }, prod: {} }\ndefaultStack: dev';
    await write({
      'sync.yaml': `project: books\nproviders: { acme: { types: ./acme.types.json } }\n${stacks}\n`,
    });
    expect(await told()).toBe('');
    expect(await told('dev')).toBe('');
    expect(await told('prod')).toContain('serverUrl is not set');
  });

  const definition = types.definitions[0] ?? {};
  const changed = (change: object): string => JSON.stringify({ definitions: [{ ...definition, ...change }] });
  it.each([
    ['no file', undefined, 'there is no such file'],
    ['no JSON', '{', 'is no JSON'],
    ['a list', '[]', 'holds no object'],
    ['nothing', '{}', 'no list "definitions"'],
    ['no definition', '{"definitions": [3]}', 'definition 1 is no object'],
    ['no name', changed({ name: '__proto__ ' }), 'has no name'],
    ['a call to another server', changed({ operations: { create: 'POST //evil.example.com/x' } }), 'is no call'],
    ['a list elsewhere', changed({ list: { get: 'https://evil.example.com' } }), 'is no path'],
    ['fields that are none', changed({ fields: { name: 3 } }), 'the field "name" is none'],
    [
      'a field called as what every object has',
      changed({ fields: { constructor: { description: 'Who built it.' } } }),
      'the field "constructor" needs another name, and "wire: constructor"',
    ],
    ['a missing field', changed({ required: ['colour'] }), 'no field "colour"'],
    ['two of a name', JSON.stringify({ definitions: [definition, definition] }), 'two definitions of Shelf'],
    ['hooks', changed({ hooks: { derive: 'slug' } }), 'hooks'],
    ['a wrong method', changed({ operations: { create: 'GET /shelves' } }), 'create is "GET /shelves"'],
    ['a natural key of nothing', changed({ naturalKey: ['colour'] }), 'colour'],
    ['a kind that is not there', changed({ fields: { name: { kind: 'labels' } } }), 'no kind "labels"'],
  ])('a file of types that holds %s', async (_, text, expected) => {
    await project(withServer(''));
    await rm(join(folder, 'acme.types.json'));
    if (text !== undefined) await write({ 'acme.types.json': text });
    const found = await problems();
    expect(found).toMatch(/^bad-types-file: The types of "acme" can't be used: /);
    expect(found).toContain(expected);
  });

  const limited = (rows: object): string => changed({ fields: { name: { description: 'Name.', ...rows } } });
  it.each([
    [
      'looks ahead',
      { limits: { pattern: '^(?!x)a$' } },
      'the pattern ^(?!x)a$ of Shelf.name can’t be run: it looks ahead',
      'Say what may stand there',
    ],
    [
      'refers back',
      { limits: { pattern: String.raw`^(a)\1$` } },
      'refers back to a group',
      'Write out what may repeat',
    ],
    [
      'repeats too much',
      { limits: { pattern: '^a{2000}$' } },
      'its repeats are too many',
      'limit the length by "size"',
    ],
    ['is no pattern', { limits: { pattern: '(' } }, 'it is not a regular expression', 'ECMA-262'],
    [
      'lies deeper',
      { accepts: { type: ['string', 'object'], additionalProperties: { anyOf: [{ pattern: '(?=a)' }] } } },
      '(?=a) of Shelf.name',
      'Say what may',
    ],
    [
      'is about keys',
      { limits: { propertyNames: { not: { pattern: '(?=a)' } } } },
      '(?=a) of Shelf.name',
      'Say what may',
    ],
    [
      'is a key',
      { accepts: { type: 'object', patternProperties: { '(?=a)': true } } },
      '(?=a) of Shelf.name',
      'Say what may',
    ],
    [
      'is a reference',
      { accepts: { $ref: 'https://foreign.test/schema.json' } },
      'Shelf.name refers to another schema ($ref)',
      'Write what it means',
    ],
    ['is a dynamic one', { limits: { $dynamicRef: '#x' } }, 'refers to another schema', 'Write what it means'],
    ['says what is not', { limits: { not: { const: 'a' } } }, 'says what a value is not', 'Say what it is'],
    ['is no keyword', { limits: { maxlength: 3 } }, 'a keyword "maxlength" that no rule knows', 'correct its name'],
  ])('a rule of a field that %s is refused where it stands', async (_, rows, expected, hint) => {
    await project(withServer(''));
    const lines = JSON.stringify(JSON.parse(limited(rows)), null, 2);
    await write({ 'acme.types.json': lines });
    const found = await told();
    const [, line] = /^acme\.types\.json:(\d+) bad-types-file: /.exec(found) ?? [];
    expect(found.replaceAll('’', "'")).toContain(expected.replaceAll('’', "'"));
    expect(found).toContain(hint);
    // The last word of the rows is where it stands, or on the line before.
    const wrong = /\(\?|\\\\1|2000|"\("|Ref|\$ref|"not"|maxlength|const/;
    expect(
      lines
        .split('\n')
        .slice(Number(line) - 2, Number(line))
        .join('\n'),
    ).toMatch(wrong);
  });

  it('a rule that cannot be compiled, by name', async () => {
    await project(withServer(''), { 'acme.types.json': limited({ limits: { minLength: 'x' } }) });
    expect(await problems()).toMatch(/^bad-types-file: The rules of acme:Shelf can't be used: schema is invalid/);
  });

  it('patterns of a file of types end, and differ', async () => {
    const fields = {
      name: { description: 'Name.', limits: { pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } },
      topic: { description: 'Topic.', limits: { pattern: '^(a+)+$' } },
      labels: {
        ...{ description: 'Labels.', type: { map: 'string' } },
        limits: { propertyNames: { not: { pattern: '^(?:(?:k+)+-|own-)' } } },
      },
    };
    await project(withServer(''), { 'acme.types.json': changed({ fields }) });
    const long = 'a'.repeat(100_000);
    const shelf = (name: string, topic: string, key: string): Promise<void> =>
      write({
        'catalogue/a.yaml': `resources: { a: { type: acme:Shelf, properties: { name: ${name}, topic: ${topic}, labels: { ${key}: x } } } }\n`,
      });
    await shelf('some.Name', long, 'k');
    expect(await told()).toBe('');
    await shelf(long, `${long}b`, 'k'.repeat(1_000));
    expect(await told()).toMatch(/^\S+ bad-form: "name" .*\n\S+ bad-form: "topic" .*$/);
    await shelf('some.Name', 'a', 'own-k');
    expect(await told()).toMatch(/^\S+ reserved-name: The key "own-k" .* begin with "own-"\.$/);
  });

  const kinds = {
    ...{ fields: { name: { description: 'Name.' }, kind: { description: 'Kind.' }, pages: { description: 'Pages.' } } },
    union: { by: 'kind', branches: { paper: ['pages'], audio: [] } },
  };
  it('a value that belongs to another kind of object, as for the types of the program', async () => {
    const shelf = (kind: string): string =>
      `resources: { a: { type: acme:Shelf, properties: { name: a, kind: ${kind}, pages: many } } }\n`;
    await project(withServer(''), { 'acme.types.json': changed(kinds), 'catalogue/a.yaml': shelf('audio') });
    expect(await told()).toMatch(/a\.yaml:1 .*"pages" of a .*another kind than "audio"/);
    await project(withServer(''), { 'catalogue/a.yaml': shelf('paper') });
    expect(await told()).toBe('');
  });

  it('a file of types in YAML', async () => {
    const yaml = (text: string): Promise<void> =>
      project(withServer('').replace('.json', '.yaml'), { 'acme.types.yaml': text });
    await yaml(stringify(types));
    expect(await told()).toBe('');
    await yaml('definitions: [');
    expect(await told()).toMatch(/bad-types-file: .*acme\.types\.yaml is no YAML/);
    await yaml(`a: &a [x, x, x, x, x, x, x, x, x]\n${bomb}definitions: []\n`);
    expect(await told()).toMatch(/bad-types-file: .*acme\.types\.yaml is no YAML/);
    await yaml(`definitions: ${'['.repeat(5000)}`);
    expect(await told()).toMatch(/bad-types-file: /);
  });
  // Each letter nine times the one before.
  const bomb = [...'bcdefg']
    .map((letter, at) => `${letter}: &${letter} [${Array(9).fill(`*${'abcdef'[at]}`).join(', ')}]\n`)
    .join('');

  it('a file of types outside of the project, behind a link, or of a name that holds secrets', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'sync-outside-'));
    await writeFile(join(outside, 'acme.types.json'), JSON.stringify(types));
    await symlink(join(outside, 'acme.types.json'), join(folder, 'link.json'));
    for (const path of ['../acme.types.json', join(outside, 'acme.types.json'), 'link.json', '.env']) {
      await project(withServer('').replace('./acme.types.json', path));
      expect(await problems()).toMatch(/bad-types-file: .*(?:outside the project|never read)/);
    }
    await rm(outside, { recursive: true });
  });

  it('a name that is taken or none', async () => {
    await project(withServer(''));
    await write({ 'sync.yaml': 'project: a\nproviders: { platform: { types: acme.types.json } }\n' });
    expect(await problems()).toContain('The provider platform has no setting "types"');
    await write({ 'sync.yaml': 'project: a\nproviders: { Acme: { types: acme.types.json } }\n' });
    expect(await problems()).toContain('small letters');
    await write({ 'sync.yaml': 'project: a\nproviders: { acme: { serverUrl: "https://a.example.com" } }\n' });
    expect(await problems()).toContain('unknown-provider');
  });
});
