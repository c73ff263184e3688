import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TypeSpec } from '@platform-sync/rest/schema/package-schema';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { reservedLabelPrefixes } from '@platform-sync/sandbox/wire';
import { defaultGoModule } from '../../pulumi/src/languages.js';
import { wholeSchema } from '../../pulumi/src/whole-schema.js';
import { controlOf } from './control.js';
import { Engine, urnOf, type Members } from './engine.js';

/** What is public of the five types and the thirteen lookups: words of a field as `type, what it is, what holds of it`. */
interface Facts {
  readonly settings: Readonly<Record<string, string>>;
  readonly resources: Readonly<Record<string, { readonly import?: string; readonly fields: Words }>>;
  readonly lookups: Readonly<
    Record<string, { readonly inputs: Words; readonly result: Words; readonly filter?: Words }>
  >;
}
type Words = Readonly<Record<string, string>>;
type Claim = readonly [what: string, is: unknown, said: unknown];

const facts = JSON.parse(readFileSync(new URL('../facts/public-types.json', import.meta.url), 'utf8')) as Facts;
const wholes = ['platform', 'cloud'].map((name) => wholeSchema(name, defaultGoModule) as unknown as Whole);

interface Property extends TypeSpec {
  readonly secret?: boolean;
  readonly description?: string;
  readonly replaceOnChanges?: boolean;
}
type Properties = Readonly<Record<string, Property>>;
interface Whole {
  readonly config: { readonly variables: Properties };
  readonly types: Readonly<Record<string, { readonly properties?: Properties }>>;
  readonly resources: Readonly<
    Record<
      string,
      {
        readonly properties: Properties;
        readonly required: readonly string[];
        readonly inputProperties: Properties;
        readonly requiredInputs?: readonly string[];
        readonly description: string;
      }
    >
  >;
  readonly functions: Readonly<
    Record<
      string,
      {
        readonly inputs?: { readonly properties: Properties; readonly required?: readonly string[] };
        readonly outputs: { readonly properties: Properties; readonly required?: readonly string[] };
      }
    >
  >;
}

function ending<Value>(of: (whole: Whole) => Readonly<Record<string, Value>>, name: string): Value {
  const found = wholes.flatMap((whole) => Object.entries(of(whole))).find(([token]) => token.endsWith(`:${name}`));
  if (found === undefined) throw new Error(`no ${name}`);
  return found[1];
}

const propertiesOf = ($ref = ''): Properties | undefined =>
  wholes.map(({ types }) => types[$ref.slice('#/types/'.length)]?.properties).find((found) => found !== undefined);

/** A type in the words of the facts. */
function typeOf(spec: Property | undefined): string {
  if (spec === undefined) return 'none';
  if (spec.oneOf !== undefined) return typeOf(spec.oneOf[0]);
  if (spec.items !== undefined) return `[${typeOf(spec.items).replace('object', 'record')}]`;
  if (spec.additionalProperties?.$ref === 'pulumi.json#/Any') return 'object';
  if (spec.additionalProperties !== undefined) return `{${typeOf(spec.additionalProperties)}}`;
  if (spec.$ref !== undefined) return propertiesOf(spec.$ref) === undefined ? 'string' : 'object';
  return spec.type === 'integer' ? 'number' : (spec.type ?? 'none');
}

/**
 * A document moves to no other API by an update: the platform has no call for it. A document of a product is part of one likewise.
 */
const argued = new Set(['ApiDocument.apiId replaces', 'ApiProductDocument.apiProductId replaces']);

const rows: readonly Claim[] = [
  ...Object.entries(facts.settings).flatMap(([name, words]): readonly Claim[] => {
    const { type, secret = false, description = '' } = ending(({ config }) => variables(config), name);
    const variable = words.split(' ').find((word) => word === word.toUpperCase() && word !== '');
    return [
      [`${name} type`, type, 'string'],
      [`${name} secret`, secret, words.includes('secret')],
      ...(variable === undefined ? [] : [[`${name} variable`, description.includes(variable), true] as const]),
    ];
  }),
  ...Object.entries(facts.resources).flatMap(([name, { import: id, fields }]): readonly Claim[] => {
    const type = ending(({ resources }) => resources, name);
    return [
      ...(id === undefined ? [] : [importClaim(name, id, type.description)]),
      ...Object.entries(fields).flatMap(([field, text]): readonly Claim[] => {
        const words = text.split(' ');
        const given = type.inputProperties[field];
        const isInput = !words.includes('computed');
        const replaces = `${name}.${field} replaces`;
        return [
          [`${name}.${field} type`, typeOf(given ?? type.properties[field]), words[0]],
          [`${name}.${field} input`, given !== undefined, isInput],
          [`${name}.${field} output`, type.properties[field] !== undefined, true],
          // Of the documents of products nothing is public but the names.
          ...(isInput && id !== undefined
            ? [
                [
                  `${name}.${field} required`,
                  type.requiredInputs?.includes(field) === true,
                  words.includes('required'),
                ] as const,
              ]
            : []),
          ...(words.includes('always')
            ? [[`${name}.${field} always`, type.required.includes(field), true] as const]
            : []),
          ...(isInput
            ? [
                [
                  replaces,
                  given?.replaceOnChanges === true,
                  words.includes('replaces') || argued.has(replaces),
                ] as const,
              ]
            : []),
        ];
      }),
    ];
  }),
  ...Object.entries(facts.lookups).flatMap(([name, { inputs, result, filter = {} }]): readonly Claim[] => {
    const spec = ending(({ functions }) => functions, name);
    const members = propertiesOf(spec.inputs?.properties['filter']?.$ref) ?? {};
    return [
      ...Object.entries(inputs).flatMap(([field, type]): readonly Claim[] => [
        [`${name}(${field}) type`, typeOf(spec.inputs?.properties[field]), type],
        // Whether the name of a service may be left out is not public.
        ...(field === 'serviceName'
          ? []
          : [[`${name}(${field}) optional`, spec.inputs?.required?.includes(field) ?? false, false] as const]),
        [`${name}(${field}) echoed`, typeOf(spec.outputs.properties[field]), type],
      ]),
      ...Object.entries(result).flatMap(([field, text]): readonly Claim[] => [
        [`${name}.${field} type`, typeOf(spec.outputs.properties[field]), text.split(' ')[0]],
        ...(text.endsWith('always')
          ? [[`${name}.${field} always`, spec.outputs.required?.includes(field), true] as const]
          : []),
      ]),
      ...Object.entries(filter).flatMap(([member, operators]): readonly Claim[] =>
        operators === ''
          ? [[`${name} filter ${member}`, typeOf(members[member]), 'boolean']]
          : operators
              .split(' ')
              .map((operator) => [
                `${name} filter ${member} ${operator}`,
                typeOf(propertiesOf(members[member]?.$ref)?.[operator]),
                'string',
              ]),
      ),
    ];
  }),
];

function variables(config: Whole['config']): Properties {
  return Object.fromEntries(Object.entries(config.variables).map(([name, spec]) => [`:${name}`, spec]));
}

function importClaim(name: string, id: string, description: string): Claim {
  const says =
    id === 'id'
      ? 'its identifier'
      : `{${id
          .split(' ')
          .map((key) => `"${key}":"…"`)
          .join(',')}}`;
  return [`${name} import`, description.includes(says), true];
}

it(`${String(rows.length)} public facts hold in the schemas`, () => {
  expect(rows.filter(([, is, said]) => is !== said)).toEqual([]);
  expect(rows.length).toBeGreaterThan(400);
});

let sandbox: RunningSandbox;
const { control, stored } = controlOf(() => sandbox.url);
let engines: Readonly<Record<string, Engine>>;
beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true });
});
beforeEach(async () => {
  await control('POST', '/_sandbox/reset');
  engines = { platform: await ready('platform'), cloud: await ready('cloud') };
});
afterEach(async () => {
  for (const engine of Object.values(engines)) await engine.close();
});
afterAll(() => sandbox.close());

async function ready(name: 'platform' | 'cloud', env: Record<string, string> = {}): Promise<Engine> {
  const engine = await Engine.start(name, sandbox.url, env);
  await engine.configure();
  return engine;
}

const tokens = wholes.flatMap(({ resources, functions }) => Object.keys({ ...resources, ...functions }));
const tokenOf = (name: string): string => tokens.find((token) => token.endsWith(`:${name}`)) ?? name;
const engineOf = (name: string): Engine => {
  const engine = engines[tokenOf(name).split(':')[0] ?? ''];
  if (engine === undefined) throw new Error(name);
  return engine;
};

interface Made {
  readonly type: string;
  readonly urn: string;
  readonly id: string;
  readonly inputs: Members;
  readonly outputs: Members;
}

async function make(type: string, program: Members): Promise<Made> {
  const urn = urnOf(tokenOf(type), type);
  const { inputs, failures } = await engineOf(type).check(urn, program);
  if (failures.length > 0) throw new Error(failures.join('\n'));
  return { type, urn, inputs, ...(await engineOf(type).create(urn, inputs)) };
}

/** What becomes of an object whose program says something else. */
async function change({ type, urn, id, inputs, outputs }: Made, more: Members): Promise<readonly string[] | Members> {
  const known = { id, olds: outputs, oldInputs: inputs, news: { ...inputs, ...more } };
  const { changes, replaces } = await engineOf(type).diff(urn, known);
  if (changes === 'none' || replaces.length > 0) return replaces;
  return engineOf(type).update(urn, known);
}

const refused = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'it was taken',
    (error: unknown) => String(error),
  );
const lookup = async (name: string, args: Members = {}): Promise<Members> =>
  (await engineOf(name).invoke(tokenOf(name), args)).result;

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;
const service = { id: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0b01', controlPlaneId: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0a01' };

const programs: Readonly<Record<string, () => Promise<Members>>> = {
  Api: () => Promise.resolve({ name: 'Pets', version: '1' }),
  ApiDocument: async () => ({
    apiId: (await make('Api', { name: 'Pets' })).id,
    content: '# Guide',
    title: 'The guide',
  }),
  ApiImplementation: async () => ({
    apiId: (await make('Api', { name: 'Pets' })).id,
    serviceReference: { service },
  }),
  ApiProduct: () => Promise.resolve({ name: 'Box', portalIds: [] }),
  ApiProductDocument: async () => ({
    apiProductId: (await make('ApiProduct', { name: 'Box', portalIds: [] })).id,
    ...{ content: '# Terms', title: 'Terms', slug: 'terms', status: 'unpublished', metadata: {} },
  }),
};
const collectionOf: Readonly<Record<string, string>> = {
  ...{ Api: 'apis', ApiDocument: 'documents', ApiImplementation: 'implementations', ApiProduct: 'products' },
  ApiProductDocument: 'product-documents',
};
const made = async (type: string, more: Members = {}): Promise<Made> =>
  make(type, { ...(await programs[type]?.()), ...more });

const argumentsOf: Readonly<Record<string, Members>> = {
  getCloudGatewayNetwork: { filter: { name: { eq: 'default-network' }, state: { oeq: 'ready' } } },
  getGatewayControlPlane: { filter: { name: { eq: 'default' } }, filterLabels: 'env', sort: 'createdAt desc' },
  getGatewayControlPlaneList: { filterLabels: 'team:payments,critical', sort: 'createdAt desc' },
  getPortal: { filter: { name: { eq: 'dev' } } },
  getPortalClassicList: { sort: 'name' },
  getSystemAccount: { filter: { name: { eq: 'ci' } } },
  getSystemAccountList: { filter: { platformManaged: false } },
  getTeam: { filter: { name: { eq: 'organization-admins' } } },
  getTeamList: { filter: { name: { contains: 'a' } } },
  getServiceIamPolicy: { serviceName: 'payments.endpoints.example.cloud.goog' },
};

/** The header that a provider sends whose settings come from the environment. */
async function sentWith(env: Record<string, string>, settings: Members = {}): Promise<string> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization ?? '');
    response.setHeader('content-type', 'application/json').end('{"data":[],"meta":{"page":{"total":0}}}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const engine = await Engine.start('platform', 'http://127.0.0.1:1', {
    PLATFORM_TOKEN: '',
    PLATFORM_SERVER_URL: '',
    ...env,
  });
  try {
    await engine.configure({ serverUrl: `http://127.0.0.1:${String(port)}`, ...settings });
    await engine.invoke(tokenOf('getTeamList'), {});
  } finally {
    await engine.close();
    server.close();
  }
  return seen[0] ?? 'nothing was sent';
}

const behaviours: readonly (readonly [string, () => Promise<void>])[] = [
  ...Object.keys(programs).flatMap((type): readonly (readonly [string, () => Promise<void>])[] => [
    [
      `${type} is created with all that is always returned`,
      async () => {
        const { id, outputs } = await made(type);
        expect(id).not.toBe('');
        for (const [field, words] of Object.entries(facts.resources[type]?.fields ?? {}))
          if (words.includes('always')) expect([field, outputs[field] ?? null]).not.toEqual([field, null]);
        for (const field of ['createdAt', 'updatedAt']) expect(outputs[field]).toEqual(time);
      },
    ],
    [
      `${type} is read`,
      async () => {
        const { urn, id, inputs, outputs } = await made(type);
        const seen = await engineOf(type).read(urn, id, inputs, outputs);
        expect([seen.id, seen.inputs]).toEqual([id, inputs]);
      },
    ],
    [
      `${type} is deleted`,
      async () => {
        const { urn, id, inputs, outputs } = await made(type);
        await engineOf(type).delete(urn, { id, olds: outputs, oldInputs: inputs });
        expect(await stored(collectionOf[type] ?? '')).toEqual([]);
      },
    ],
    [
      `${type} is imported by its identifier`,
      async () => {
        const { urn, id } = await made(type);
        const isPlain = facts.resources[type]?.import === 'id';
        if (isPlain) expect(id).toEqual(uuid);
        else
          expect(Object.keys(JSON.parse(id) as object)).toEqual([
            type.startsWith('ApiProduct') ? 'api_product_id' : 'api_id',
            'id',
          ]);
        expect(await engineOf(type).read(urn, id)).toMatchObject({ id });
      },
    ],
  ]),
  ...[
    ['Api', { description: 'All about pets.' }] as const,
    ['ApiDocument', { content: '# Another' }] as const,
    ['ApiProduct', { description: 'A box.' }] as const,
    ['ApiProductDocument', { title: 'Other terms' }] as const,
  ].map(([type, more]): readonly [string, () => Promise<void>] => [
    `${type} is updated in place`,
    async () => expect(await change(await made(type), more)).toMatchObject(more),
  ]),
  ...[
    ['Api', 'specContent', '{"openapi":"3.0.0","info":{"title":"P","version":"1"},"paths":{}}'] as const,
    ['ApiImplementation', 'apiId', '3f0c1a52-5f0b-4c55-9b7e-0d6d2c1f0a77'] as const,
    ['ApiImplementation', 'controlPlaneReference', { controlPlane: { id: service.controlPlaneId } }] as const,
    [
      'ApiImplementation',
      'serviceReference',
      { service: { ...service, id: '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0b02' } },
    ] as const,
  ].map(([type, field, to]): readonly [string, () => Promise<void>] => [
    `${type} is replaced by another ${field}`,
    async () => expect(await change(await made(type), { [field]: to })).toContain(field),
  ]),
  ...Object.entries(facts.lookups).map(([name, { result }]): readonly [string, () => Promise<void>] => [
    `${name} returns all that it always does, and what it was asked`,
    async () => {
      const args = argumentsOf[name] ?? {};
      const answer = await lookup(name, args);
      for (const [field, words] of Object.entries(result))
        if (words.endsWith('always')) expect([field, answer[field] ?? null]).not.toEqual([field, null]);
      expect(answer).toMatchObject(args);
      if ('datas' in result) expect((answer['datas'] as readonly unknown[]).length).toBeGreaterThan(0);
    },
  ]),
  [
    'a name and a version are unique',
    async () => {
      await made('Api');
      expect(await refused(made('Api'))).toMatch(/is there|exists|taken/);
    },
  ],
  [
    'the slug of an API is made of name and version',
    async () => {
      expect((await make('Api', { name: 'Pet Store', version: '1' })).outputs['slug']).toBe('pet-store-1');
    },
  ],
  [
    'the version of an API that has none is empty',
    async () => {
      expect((await make('Api', { name: 'Pets' })).outputs['version']).toBe('');
    },
  ],
  [
    'attributes are JSON, and nothing else',
    async () => {
      expect((await make('Api', { name: 'Pets', attributes: '{"tier":["gold"]}' })).outputs['attributes']).toBe(
        '{"tier":["gold"]}',
      );
      expect(await refused(make('Api', { name: 'Dogs', attributes: '{tier' }))).toMatch(/attributes/);
    },
  ],
  [
    'a specification comes with the API',
    async () => {
      const specContent = '{"openapi":"3.0.0","info":{"title":"P","version":"1"},"paths":{}}';
      expect((await make('Api', { name: 'Pets', specContent })).outputs['apiSpecIds']).toEqual([uuid]);
    },
  ],
  [
    'a document is unpublished unless it says otherwise',
    async () => {
      expect((await made('ApiDocument')).outputs['status']).toBe('unpublished');
    },
  ],
  [
    'the slug of a document is made of its title',
    async () => {
      expect((await made('ApiDocument')).outputs['slug']).toBe('the-guide');
    },
  ],
  [
    'documents form a tree',
    async () => {
      const above = await made('ApiDocument');
      const { apiId } = above.inputs;
      const below = await make('ApiDocument', { apiId, content: 'x', title: 'Below', parentDocumentId: above.id });
      const { id: own } = JSON.parse(above.id) as { readonly id: string };
      const kept = (await stored('documents')).find(({ title }) => title === 'Below');
      expect(kept?.['parent_document_id']).toBe(own);
      expect(below.outputs['parentDocumentId']).toBe(own);
    },
  ],
  ...[`a${'b'.repeat(63)}`, '', ...reservedLabelPrefixes.map((prefix) => `${prefix}a`)].map(
    (key): readonly [string, () => Promise<void>] => [
      `a public label can't be called "${key}"`,
      async () => expect(await refused(made('ApiProduct', { publicLabels: { [key]: 'x' } }))).toMatch(/publicLabels/),
    ],
  ),
  [
    'a public label of 63 characters is one',
    async () => {
      const publicLabels = { ['b'.repeat(63)]: 'x' };
      expect((await made('ApiProduct', { publicLabels })).outputs).toMatchObject({ publicLabels });
    },
  ],
  [
    'a product knows its portals and counts its versions',
    async () => {
      const { datas } = (await lookup('getPortalClassicList')) as {
        readonly datas: readonly { readonly id: string }[];
      };
      const { outputs } = await make('ApiProduct', { name: 'Box', portalIds: [datas[0]?.id] });
      expect([outputs['versionCount'], outputs['portals']]).toEqual([0, [expect.anything()]]);
    },
  ],
  [
    'PLATFORM_TOKEN is a bearer token',
    async () => {
      expect(await sentWith({ PLATFORM_TOKEN: 'personal' })).toBe('Bearer personal');
    },
  ],
  [
    'PLATFORM_SPAT is one, too',
    async () => {
      expect(await sentWith({ PLATFORM_SPAT: 'system' })).toBe('Bearer system');
    },
  ],
  ...['platformAccessToken', 'personalAccessToken', 'serviceAccessToken', 'systemAccountAccessToken'].map(
    (setting): readonly [string, () => Promise<void>] => [
      `${setting} of a program is sent`,
      async () => expect(await sentWith({}, { [setting]: 'given' })).toBe('Bearer given'),
    ],
  ),
  [
    'the users answer to the token, with the slash behind them',
    async () => {
      const headers = { authorization: 'Bearer any' };
      expect((await fetch(`${sandbox.url}/v2/users/`, { headers })).status).toBe(200);
      expect((await fetch(`${sandbox.url}/v2/users/`)).status).toBe(401);
    },
  ],
  [
    'the method of the provider gives its settings',
    async () => {
      const { result } = await engineOf('Api').call('pulumi:providers:platform/terraformConfig');
      expect(JSON.stringify(result)).toContain(sandbox.url);
    },
  ],
];

describe(`${String(behaviours.length)} public behaviours`, () => {
  it.each(behaviours)('%s', (_, holds) => holds());
});
