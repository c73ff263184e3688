import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import type { World } from '../../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

/** What `validate` says of a text that a version of an API has as its specification. */
async function told(specContent: string, options = '{}'): Promise<readonly string[]> {
  await world.write({
    'catalogue/all.yaml': `resources:
  pets:
    type: platform:Api
    children:
      v1:
        type: platform:ApiVersion
        properties:
          version: '1'
          specContent: !file spec.txt
        options: ${options}
`,
    'catalogue/spec.txt': specContent,
  });
  const { diagnostics } = await world.open((project) => project.validate());
  return diagnostics.map(({ severity, code, summary }) => `${severity} ${code}: ${summary}`);
}

const info = { title: 'Pets', version: '1' };
const json = (document: object): string => JSON.stringify(document);
const responses = { 200: { description: 'ok' } };

/** Schemas in all places that can hold one. */
const pet = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', format: 'uuid' }, age: { type: 'integer', minimum: 0 } },
};
const ref = { $ref: '#/components/schemas/Pet' };
const content = {
  'application/json': { schema: pet, examples: { one: { value: { id: 'x' } } } },
  'text/plain': { schema: ref },
};
const parameters = [
  { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 64 } },
  {
    name: 'tags',
    in: 'query',
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
  },
  { name: 'X-Filter', in: 'header', content: { 'application/json': { schema: pet } } },
];
const paths = {
  '/pets/{id}': {
    parameters,
    put: {
      ...{ operationId: 'putPet', tags: ['pets'], deprecated: true, security: [{ key: [] }] },
      requestBody: { required: true, content },
      responses: {
        200: {
          description: 'ok',
          content,
          headers: { 'X-Rate': { schema: { type: 'integer' } } },
          links: { next: { operationId: 'putPet' } },
        },
        default: { $ref: '#/components/responses/Failed' },
      },
      callbacks: { told: { '{$request.body#/url}': { post: { requestBody: { content }, responses } } } },
    },
  },
};
const components = {
  schemas: { Pet: pet, Dog: { allOf: [ref, { type: 'object', properties: { bark: { type: 'boolean' } } }] } },
  responses: { Failed: { description: 'no', content } },
  parameters: { Id: parameters[0] },
  securitySchemes: {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    flows: {
      type: 'oauth2',
      flows: { clientCredentials: { tokenUrl: 'https://id.example.com', scopes: { read: 'Read.' } } },
    },
  },
};
const whole = {
  info,
  servers: [{ url: 'https://{region}.example.com', variables: { region: { default: 'eu' } } }],
  tags: [{ name: 'pets' }],
  paths,
  components,
};

describe('a specification that is right is not spoken of', () => {
  it.each<[string, string]>([
    ['OpenAPI 3.0, YAML', 'openapi: 3.0.3\ninfo: {title: Pets, version: "1"}\npaths: {}\n'],
    ['OpenAPI 3.1', json({ openapi: '3.1.0', info, paths: { '/pets': { get: { responses } } } })],
    ['OpenAPI 3.0 with schemas everywhere', json({ openapi: '3.0.3', ...whole })],
    ['OpenAPI 3.1 with schemas everywhere', json({ openapi: '3.1.0', ...whole })],
    [
      'OpenAPI 3.1 with words of its own dialect',
      json({
        ...{ openapi: '3.1.0', info, jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema' },
        components: {
          schemas: {
            Any: true,
            Tuple: {
              type: ['array', 'null'],
              prefixItems: [{ const: 1 }],
              unevaluatedItems: false,
              exclusiveMinimum: 3,
            },
          },
          pathItems: { pets: { get: { parameters, responses } } },
        },
      }),
    ],
    [
      'OpenAPI 3.1 with examples of answers',
      json({
        ...{ openapi: '3.1.0', info },
        paths: {
          '/pets': {
            get: {
              responses: {
                200: {
                  description: 'ok',
                  headers: { A: { schema: {}, example: 'a' } },
                  content: { 'application/json': { schema: {}, example: { id: 1 } } },
                },
              },
            },
          },
        },
      }),
    ],
    [
      'OpenAPI 3.1 in another dialect',
      json({
        ...{ openapi: '3.1.0', info, jsonSchemaDialect: 'http://json-schema.org/draft-04/schema#', paths: {} },
        components: { schemas: { Count: { minimum: 1, exclusiveMinimum: true, maxLength: 'x' } } },
      }),
    ],
    [
      'OpenAPI 3.1 with a schema in another dialect',
      json({
        ...{ openapi: '3.1.0', info, paths: {} },
        components: {
          schemas: { Count: { $schema: 'http://json-schema.org/draft-04/schema#', exclusiveMinimum: true } },
        },
      }),
    ],
    [
      'OpenAPI 2 with schemas everywhere',
      json({
        ...{ swagger: '2.0', info, host: 'example.com', schemes: ['https'], consumes: ['application/json'] },
        paths: {
          '/pets/{id}': {
            put: {
              parameters: [
                { name: 'id', in: 'path', required: true, type: 'string', maxLength: 64 },
                {
                  name: 'tags',
                  in: 'query',
                  type: 'array',
                  items: { type: 'string', enum: ['a'] },
                  collectionFormat: 'multi',
                },
                { name: 'pet', in: 'body', schema: { $ref: '#/definitions/Pet' } },
              ],
              responses: { 200: { description: 'ok', schema: pet, headers: { 'X-Rate': { type: 'integer' } } } },
            },
          },
        },
        definitions: {
          Pet: pet,
          Dog: { allOf: [{ $ref: '#/definitions/Pet' }, { type: 'object', additionalProperties: pet }] },
        },
        securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      }),
    ],
    [
      'AsyncAPI 2 with schemas everywhere',
      json({
        ...{ asyncapi: '2.6.0', info, defaultContentType: 'application/json' },
        channels: {
          'pets/{id}': {
            parameters: { id: { schema: { type: 'string', pattern: '^x' } } },
            publish: { operationId: 'told', message: { $ref: '#/components/messages/Pet' } },
            subscribe: {
              message: {
                oneOf: [{ payload: pet, headers: { type: 'object', properties: { id: { type: 'string' } } } }],
              },
            },
          },
        },
        components: { messages: { Pet: { payload: { $ref: '#/components/schemas/Pet' } } }, schemas: { Pet: pet } },
      }),
    ],
    [
      'AsyncAPI 3 with schemas everywhere',
      json({
        ...{ asyncapi: '3.0.0', info },
        channels: {
          pets: { address: 'pets/{id}', parameters: { id: {} }, messages: { pet: { payload: pet, headers: pet } } },
        },
        operations: {
          told: {
            action: 'send',
            channel: { $ref: '#/channels/pets' },
            messages: [{ $ref: '#/channels/pets/messages/pet' }],
          },
        },
        components: { schemas: { Pet: pet, Dog: { allOf: [{ $ref: '#/components/schemas/Pet' }] } } },
      }),
    ],
    ['OpenAPI 3.1 with webhooks alone', json({ openapi: '3.1.1', info, webhooks: {} })],
    ['OpenAPI 2', json({ swagger: '2.0', info, paths: { '/pets': { get: { responses } } } })],
    [
      'OpenAPI 2 with limits of old drafts',
      json({
        ...{ swagger: '2.0', info, paths: {} },
        definitions: {
          Pet: { type: 'object', properties: { age: { type: 'integer', minimum: 0, exclusiveMinimum: true } } },
        },
      }),
    ],
    ['AsyncAPI 2', json({ asyncapi: '2.4.0', info, channels: { pets: { subscribe: { message: { payload: {} } } } } })],
    ['AsyncAPI 3', json({ asyncapi: '3.0.0', info, channels: { pets: { address: 'pets' } } })],
    [
      'bindings of versions and protocols that are newer than this program',
      json({
        ...{ asyncapi: '3.0.0', info },
        channels: { pets: { bindings: { kafka: { bindingVersion: '9.0.0', new: 1 }, carrier: { pigeons: 2 } } } },
      }),
    ],
    [
      'bindings of AsyncAPI 3',
      json({
        ...{ asyncapi: '3.0.0', info },
        channels: { pets: { bindings: { kafka: { topic: 'pets', partitions: 3 }, ws: { method: 'GET' } } } },
      }),
    ],
    [
      'AsyncAPI with bindings of a protocol',
      json({ asyncapi: '2.6.0', info, channels: { pets: { bindings: { kafka: { topic: 'pets' } } } } }),
    ],
    [
      'a number that JSON cannot hold',
      'openapi: 3.0.3\ninfo: {title: Pets, version: "1"}\npaths: {}\nx-id: 12345678901234567890\n',
    ],
  ])('%s', async (_name, text) => {
    expect(await told(text)).toEqual([]);
  });
});

describe('of one that is wrong the first place is told', () => {
  const invalid = (kind: string, what: string): string =>
    `error invalid-specification: specContent of pets/v1 is not valid ${kind}: ${what}.`;
  it.each<[string, string, string]>([
    [
      'a discriminator that leads to no schema',
      json({
        ...{ openapi: '3.0.3', info, paths: {} },
        components: {
          schemas: {
            Pet: {
              oneOf: [ref],
              discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
            },
          },
        },
      }),
      'error dangling-reference: specContent of pets/v1 refers to #/components/schemas/Cat, which is not there.',
    ],
    [
      'a version that is no whole one, in quotes',
      json({ openapi: '3', info, paths: {} }),
      invalid('OpenAPI 3.0', 'at /openapi, the text must match ^3\\.0\\.\\d(-.+)?$'),
    ],
    ['no paths', json({ openapi: '3.0.3', info }), invalid('OpenAPI 3.0', 'at its top, "paths" is missing')],
    [
      'no responses',
      json({ openapi: '3.0.3', info, paths: { '/pets': { get: {} } } }),
      invalid('OpenAPI 3.0', 'at /paths/~1pets/get, "responses" is missing'),
    ],
    [
      'a type of JSON Schema, OpenAPI 3.1',
      json({ openapi: '3.1.0', info, components: { schemas: { Pet: { type: 'objekt' } } } }),
      invalid(
        'OpenAPI 3.1',
        'at /components/schemas/Pet/type, the value is none of array, boolean, integer, null, number, object, string',
      ),
    ],
    [
      'a length that is none, OpenAPI 3.1',
      json({ openapi: '3.1.0', info, components: { schemas: { Pet: { items: { maxLength: '7' } } } } }),
      invalid('OpenAPI 3.1', 'at /components/schemas/Pet/items/maxLength, there must be integer'),
    ],
    [
      'no version, OpenAPI 3.1',
      json({ openapi: '3.1.0', info: { title: 'Pets' }, paths: {} }),
      invalid('OpenAPI 3.1', 'at /info, "version" is missing'),
    ],
    [
      'an unknown word, OpenAPI 2',
      json({ swagger: '2.0', info, paths: {}, servers: [] }),
      invalid('OpenAPI 2', 'at its top, "servers" is not known'),
    ],
    [
      'a binding of a protocol',
      json({
        asyncapi: '3.0.0',
        info,
        channels: { pets: { address: 'a', bindings: { kafka: { partitions: 'many' } } } },
      }),
      invalid('AsyncAPI 3', 'at /channels/pets/bindings/kafka/partitions, there must be integer'),
    ],
    [
      'a member that a binding does not have',
      json({ asyncapi: '3.0.0', info, channels: { pets: { address: 'a', bindings: { ws: { methode: 'GET' } } } } }),
      invalid('AsyncAPI 3', 'at /channels/pets/bindings/ws, "methode" is not known'),
    ],
    ['no channels', json({ asyncapi: '2.0.0', info }), invalid('AsyncAPI 2', 'at its top, "channels" is missing')],
    [
      'another kind of value',
      json({ asyncapi: '3.0.0', info: { ...info, title: 7 } }),
      invalid('AsyncAPI 3', 'at /info/title, there must be string'),
    ],
    [
      'no specification',
      'nothing of the kind',
      'error no-specification: specContent of pets/v1 is neither YAML nor JSON of a specification.',
    ],
    [
      'a kind that nobody knows',
      json({ openapi: '9.0.0', info }),
      'warning unknown-specification-version: specContent of pets/v1 is of a version that is not known here (openapi: 9.0.0): its rules are not checked.',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await told(text)).toEqual([expected]);
  });
});

/** The specifications of the catalogues that we show, as their readers write theirs. */
const shown = ['fixtures/example', 'fixtures/twelve'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes('specs/') && path.endsWith('.yaml'))
    .map((path) => `${folder}/${path}`),
);

describe('nothing is told of the specifications that we show', () => {
  it('finds them', () => expect(shown.length).toBeGreaterThanOrEqual(14));

  it.each(shown)('%s', async (path) => {
    expect(await told(readFileSync(path, 'utf8'))).toEqual([]);
  });
});

describe('what the platform says of a specification that it took', () => {
  const remark = /ApiVersion "1" \(.*\): the platform accepted it, and says: The text is neither an OpenAPI nor/;

  it('is told after apply, and once more when others change it', async () => {
    await told('nothing of the kind', '{ allowBrokenSpecification: true }');
    const { diagnostics } = await world.apply();
    expect(diagnostics.map(({ code, summary }) => `${code} ${summary}`)).toEqual([
      expect.stringMatching(new RegExp(`^remarked ${remark.source}`)),
    ]);
    const objects = (await world.call('GET', '/_sandbox/objects')).body as Record<string, readonly { id: string }[]>;
    await world.call('POST', `/_sandbox/objects/versions/${String(objects['versions']?.[0]?.id)}`, {
      content: 'something else',
    });
    const drift = await world.open((project) => project.drift());
    expect(drift.findings.map(({ field }) => field)).toEqual(['specContent']);
    expect(drift.diagnostics.map(({ summary }) => summary).join()).toMatch(remark);
  });
});
