import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { cloudPackage } from '@platform-sync/cloud/package';
import { platformPackage } from '@platform-sync/platform/package';
import { reservedLabelPrefixes } from '@platform-sync/platform/wire';

const id = 'c9d0b0a2-0d9f-4b8e-9a53-0f4c7d0b1a11';
const otherId = '1b671a64-40d5-491e-99b0-DA01FF1F3341';

type Type = 'Api' | 'ApiDocument' | 'ApiImplementation' | 'ApiProduct' | 'ApiProductDocument';

/** The least each type accepts. */
const least: Readonly<Record<Type, JsonObject>> = {
  Api: {},
  ApiDocument: { apiId: id, content: '# Hi' },
  ApiImplementation: { apiId: id },
  ApiProduct: { portalIds: [] },
  ApiProductDocument: { apiProductId: id, slug: 's', status: 'published', title: 'T' },
};

async function broken(type: Type, changes: JsonObject): Promise<readonly string[]> {
  const token = `platform:index/${type.charAt(0).toLowerCase()}${type.slice(1)}:${type}`;
  const violations = await platformPackage.validate(token, { ...least[type], ...changes });
  return violations.map(({ pointer, keyword, params }) => {
    const key = params['propertyName'] ?? params['missingProperty'] ?? params['additionalProperty'];
    return `${pointer} ${keyword}${key === undefined ? '' : ` ${String(key)}`}`;
  });
}

const long = (length: number): string => 'x'.repeat(length);
const entries = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${String(at)}`, 'v']));
const texts = (count: number): readonly string[] => Array.from({ length: count }, () => 'v');

describe('values at the limits are accepted', () => {
  test.each<[Type, JsonObject]>([
    ...(Object.keys(least) as Type[]).map((type): [Type, JsonObject] => [type, {}]),
    ['Api', { name: long(255), version: long(255), description: '', slug: 'A_b-9' }],
    ['Api', { name: '😀'.repeat(255) }],
    ['Api', { labels: { ...entries(49), [long(63)]: 'a.b_c-9' } }],
    // The platform's check minds the case, and only the beginning.
    ['Api', { labels: Object.fromEntries(reservedLabelPrefixes.map((prefix) => [`x${prefix}`, 'v'])) }],
    ['Api', { labels: { Mesh: 'v', team: null } }],
    ['Api', { attributes: { domain: texts(20), owner: 'payments', gone: null, [long(128)]: [long(512)] } }],
    ['Api', { attributes: '{"domain": ["pets"]}' }],
    ['Api', { attributes: '{}' }],
    ['ApiDocument', { parentDocumentId: otherId, slug: 's', status: 'unpublished', title: '' }],
    ['ApiImplementation', { serviceReference: { service: { controlPlaneId: id, id: otherId } } }],
    ['ApiImplementation', { controlPlaneReference: { controlPlane: { id } } }],
    ['ApiProduct', { name: long(100), publicLabels: { category: 'finance' }, portalIds: [id, otherId] }],
    ['ApiProductDocument', { slug: long(80), metadata: { author: 'A', nested: { any: [1, null] } }, content: '' }],
  ])('%s %j', async (type, changes) => {
    expect(await broken(type, changes)).toEqual([]);
  });
});

describe('a broken limit is found at its place', () => {
  test.each<[Type, JsonObject, readonly string[]]>([
    ['Api', { name: '' }, ['/name minLength']],
    ['Api', { name: long(256), version: long(256) }, ['/name maxLength', '/version maxLength']],
    ['Api', { version: '' }, ['/version minLength']],
    ['Api', { version: 1 }, ['/version type']],
    ['Api', { slug: 'a b' }, ['/slug pattern']],
    ['Api', { slug: '' }, ['/slug pattern']],
    ['Api', { createdAt: 'now' }, [' additionalProperties createdAt']],
    ['Api', { labels: entries(51) }, ['/labels maxProperties']],
    ['Api', { labels: { [long(64)]: 'v' } }, [`/labels maxLength ${long(64)}`]],
    ['Api', { labels: { '': 'v' } }, ['/labels minLength ']],
    ['Api', { labels: { a: '' } }, ['/labels/a minLength', '/labels/a pattern']],
    ['Api', { labels: { a: long(64) } }, ['/labels/a maxLength']],
    [
      'Api',
      { labels: { a: 'two words', b: '-x', c: 'x.', d: 'a/b' } },
      ['a', 'b', 'c', 'd'].map((k) => `/labels/${k} pattern`),
    ],
    ['Api', { labels: { a: 1 } }, ['/labels/a type']],
    ['Api', { labels: 'team=a' }, ['/labels type']],
    ['Api', { attributes: { Domain: ['a'] } }, ['/attributes pattern Domain']],
    ['Api', { attributes: { [long(129)]: ['a'] } }, [`/attributes maxLength ${long(129)}`]],
    ['Api', { attributes: { a: [] } }, ['/attributes/a minItems']],
    ['Api', { attributes: { a: texts(21) } }, ['/attributes/a maxItems']],
    ['Api', { attributes: { a: ['x,y', '<b>'] } }, ['/attributes/a/0 pattern', '/attributes/a/1 pattern']],
    ['Api', { attributes: { a: [long(513)], b: '' } }, ['/attributes/a/0 maxLength', '/attributes/b minLength']],
    ['Api', { attributes: { a: [1], b: true } }, ['/attributes/a/0 type', '/attributes/b type']],
    ['Api', { attributes: '{"a": [1], "B": ["x"]}' }, ['/attributes pattern B', '/attributes/a/0 type']],
    ['Api', { attributes: '{"a": ' }, ['/attributes contentMediaType']],
    ['Api', { attributes: '["a"]' }, ['/attributes contentMediaType']],
    ['Api', { attributes: 'null' }, ['/attributes contentMediaType']],
    ['ApiDocument', { status: 'draft' }, ['/status enum']],
    ['ApiImplementation', { serviceReference: {} }, ['/serviceReference required service']],
    [
      'ApiImplementation',
      { serviceReference: { service: { id } } },
      ['/serviceReference/service required controlPlaneId'],
    ],
    [
      'ApiImplementation',
      { serviceReference: { service: { controlPlaneId: 'edge', id: 'pets' } } },
      ['/serviceReference/service/controlPlaneId format', '/serviceReference/service/id format'],
    ],
    [
      'ApiImplementation',
      { controlPlaneReference: { controlPlane: { id, name: 'n' } } },
      ['/controlPlaneReference/controlPlane additionalProperties name'],
    ],
    ['ApiProduct', { name: long(101) }, ['/name maxLength']],
    ['ApiProduct', { portalIds: [id, id] }, ['/portalIds uniqueItems']],
    ['ApiProduct', { portalIds: 'a' }, ['/portalIds type']],
    ['ApiProduct', { portalIds: [id, 'dev'] }, ['/portalIds/1 format']],
    ['ApiDocument', { apiId: 'petstore', parentDocumentId: '' }, ['/apiId format', '/parentDocumentId format']],
    ['ApiProductDocument', { slug: long(81), title: '' }, ['/slug maxLength', '/title minLength']],
    ['ApiProductDocument', { metadata: 'author' }, ['/metadata type']],
  ])('%s %j', async (type, changes, expected) => {
    expect([...(await broken(type, changes))].sort()).toEqual([...expected].sort());
  });

  test.each<[Type, readonly string[]]>([
    ['ApiDocument', ['apiId', 'content']],
    ['ApiImplementation', ['apiId']],
    ['ApiProduct', ['portalIds']],
    ['ApiProductDocument', ['apiProductId', 'slug', 'status', 'title']],
  ])('%s needs %j', async (type, required) => {
    const token = [...platformPackage.types.values()].find((each) => each.name === type)?.token ?? '';
    const violations = await platformPackage.validate(token, {});
    expect(violations.map((each) => each.params['missingProperty'])).toEqual(required);
  });

  test.each(
    reservedLabelPrefixes.flatMap((prefix) => ['labels', 'publicLabels'].map((field) => [field, prefix] as const)),
  )('a key of %s that begins with "%s"', async (field, prefix) => {
    const token = 'platform:index/apiProduct:ApiProduct';
    const violations = await platformPackage.validate(token, { portalIds: [], [field]: { [`${prefix}x`]: 'v' } });
    expect(violations).toHaveLength(1);
    expect(violations[0]).toMatchObject({
      pointer: `/${field}`,
      keyword: 'not',
      params: { propertyName: `${prefix}x` },
    });
    expect(prefix.startsWith(String(violations[0]?.params['prefix']))).toBe(true);
  });

  test('checking changes nothing', async () => {
    const properties = { attributes: '{"a":["b"]}', labels: { x: 'y' } };
    const before = JSON.stringify(properties);
    await platformPackage.validate('platform:index/api:Api', properties);
    expect(JSON.stringify(properties)).toBe(before);
  });
});

describe('arguments of lookups', () => {
  test.each<[string, JsonObject, readonly string[]]>([
    ['getTeam', {}, []],
    ['getTeam', { filter: { name: { eq: 'a', contains: 'b' } } }, []],
    ['getTeam', { filter: { name: { neq: 'a' } } }, ['/filter/name additionalProperties']],
    ['getTeam', { filter: { title: { eq: 'a' } } }, ['/filter additionalProperties']],
    ['getTeam', { filter: { name: 'a' } }, ['/filter/name type']],
    ['getTeam', { sort: 'name' }, [' additionalProperties']],
    ['getPortal', { filter: { rbacEnabled: true, id: { oeq: 'a,b' } }, sort: 'name desc' }, []],
    ['getPortal', { filter: { rbacEnabled: { eq: 'true' } } }, ['/filter/rbacEnabled type']],
    ['getPortal', { filter: { id: { contains: 'a' } } }, ['/filter/id additionalProperties']],
    ['getCloudGatewayNetwork', { filter: { state: { eq: 'ready' } } }, ['/filter/state additionalProperties']],
    ['getGatewayControlPlaneList', { filterLabels: 'env:prod,team', sort: 'created_at desc' }, []],
    ['getPlatformIpAddresses', { filter: {} }, [' additionalProperties']],
  ])('%s %j', async (name, args, expected) => {
    const violations = await platformPackage.validateLookup(`platform:index/${name}:${name}`, args);
    expect(violations.map((each) => `${each.pointer} ${each.keyword}`)).toEqual(expected);
  });

  test('the service name is required', async () => {
    const token = 'cloud:endpoints/getServiceIamPolicy:getServiceIamPolicy';
    expect(await cloudPackage.validateLookup(token, { serviceName: 'a' })).toEqual([]);
    expect((await cloudPackage.validateLookup(token, {}))[0]?.params).toEqual({ missingProperty: 'serviceName' });
  });
});
