import { describe, expect, it } from 'vitest';
import { gatewayOf } from '@platform-sync/platform/gateway/gateway';
import { extensions } from '@platform-sync/platform/wire';
import type { JsonObject } from '@platform-sync/core/model/value';

const ok = { responses: { '200': { description: 'ok' } } };

function pets(more: JsonObject, operation: JsonObject = {}): JsonObject {
  return {
    openapi: '3.0.3',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: 'https://pets.example.com/v1' }],
    paths: { '/pets/{pet-id}': { get: { operationId: 'getPet', ...operation, ...ok } } },
    ...more,
  };
}

const schemes = (scheme: JsonObject): JsonObject => ({
  components: { securitySchemes: { own: scheme } },
  security: [{ own: [] }],
});

describe('what a specification means for a gateway', () => {
  it('has one target for servers of one host', () => {
    const servers = ['https://a.example.com/v1', 'https://a.example.com/v2', 'https://b.example.com'];
    const { upstreams } = gatewayOf(pets({ servers: servers.map((url) => ({ url })) }));
    expect(upstreams.map(({ targets }) => targets)).toEqual([
      [{ target: 'a.example.com:443' }, { target: 'b.example.com:443' }],
    ]);
  });

  it('is a service by the server and a route by each operation, parameters as named parts of a pattern', () => {
    const { services, upstreams } = gatewayOf(pets({ [extensions.tags]: ['team-pets'] }));
    expect(upstreams).toEqual([]);
    expect(services).toMatchObject([
      {
        name: 'pets',
        fields: { host: 'pets.example.com', port: 443, protocol: 'https', path: '/v1', tags: ['team-pets'] },
        routes: [
          {
            name: 'pets_getpet',
            at: '/paths/~1pets~1{pet-id}/get',
            fields: {
              methods: ['GET'],
              paths: ['~/pets/(?<pet_id>[^#?/]+)$'],
              regex_priority: 100,
              strip_path: false,
              tags: ['team-pets'],
            },
          },
        ],
      },
    ]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      'apiKey in a header',
      { type: 'apiKey', in: 'header', name: 'X-Key' },
      { name: 'key-auth', config: { key_names: ['X-Key'], key_in_header: true, key_in_query: false } },
    ],
    [
      'apiKey in the query',
      { type: 'apiKey', in: 'query', name: 'key' },
      { name: 'key-auth', config: { key_names: ['key'], key_in_header: false, key_in_query: true } },
    ],
    ['http basic', { type: 'http', scheme: 'Basic' }, { name: 'basic-auth' }],
    ['http bearer of JWTs', { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, { name: 'jwt' }],
    [
      'openIdConnect',
      { type: 'openIdConnect', openIdConnectUrl: 'https://id.example.com' },
      { name: 'openid-connect', config: { issuer: 'https://id.example.com' } },
    ],
  ])('asks callers who they are: %s', (_, scheme, plugin) => {
    expect(gatewayOf(pets(schemes(scheme))).services[0]?.plugins.map(({ fields }) => fields)).toEqual([plugin]);
  });

  it('asks at the route what an operation requires', () => {
    const document = pets(
      { components: { securitySchemes: { own: { type: 'http', scheme: 'basic' } } } },
      { security: [{ own: [] }] },
    );
    const [service] = gatewayOf(document).services;
    expect(service?.plugins).toEqual([]);
    expect(service?.routes[0]?.plugins.map(({ name }) => name)).toEqual(['basic-auth']);
  });

  it.each<[string, JsonObject, string, readonly (string | number)[]]>([
    ['no paths', { paths: undefined as never }, 'has no paths', []],
    ['no name', { info: { version: '1' } }, 'has no name for its service', ['info', 'title']],
    [
      'a scheme that is not there',
      { security: [{ none: [] }] },
      'requires the security scheme none, which is not there',
      ['security'],
    ],
    [
      'a server that is no address',
      { servers: [{ url: 'https://[' }] },
      'names a server that is not an address',
      ['servers', 0, 'url'],
    ],
    [
      'a reference to nothing',
      { [`${extensions.plugin}acl`]: { $ref: '#/components/none' } },
      'refers to #/components/none',
      ['components', 'none'],
    ],
    [
      'a reference to itself',
      { [`${extensions.plugin}acl`]: { $ref: `#/${extensions.plugin}acl` } },
      `refers to #/${extensions.plugin}acl`,
      [`${extensions.plugin}acl`],
    ],
  ])('is nothing where there is %s, and says what is wrong and where', (_, more, message, path) => {
    const document = Object.fromEntries(Object.entries(pets(more)).filter(([, value]) => value !== undefined));
    expect(() => gatewayOf(document)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message), path }),
    );
  });

  it.each<[string, JsonObject, string | undefined]>([
    ['two schemes at once', { security: [{ own: [], other: [] }] }, 'own and other'],
    ['one of two schemes', { security: [{ own: [] }, { other: [] }] }, 'own or other'],
    ['a scheme without a plugin', { security: [{ other: [] }] }, 'other'],
    ['nothing', { security: [] }, undefined],
    ['a scheme, or nothing', { security: [{ other: [] }, {}] }, undefined],
    [
      'what a plugin of its own asks for',
      { security: [{ other: [] }], [`${extensions.plugin}ldap-auth`]: {} },
      undefined,
    ],
    [
      'what a plugin shows to others only',
      { security: [{ other: [] }], [`${extensions.plugin}upstream-oauth`]: {} },
      'other',
    ],
  ])('lets everybody through, and says so, where callers need %s', (_, more, unasked) => {
    const components = { securitySchemes: { own: { type: 'http', scheme: 'basic' }, other: { type: 'mutualTLS' } } };
    expect([...gatewayOf(pets({ components, ...more })).unasked.keys()]).toEqual(
      unasked === undefined ? [] : [unasked],
    );
  });

  it('shortens names that a pattern can not take', () => {
    const paths = { '/pets/{a-name-that-is-longer-than-thirty-two-characters}': { get: ok } };
    const [service] = gatewayOf(pets({ paths })).services;
    expect(service?.routes[0]?.fields['paths']).toEqual(['~/pets/(?<a_name_that_is_longer_than_thirt>[^#?/]+)$']);
  });
});
