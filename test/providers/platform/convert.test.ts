import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { camelCase, fromWire, snakeCase, toWire, wireName } from '@platform-sync/platform/style';
import { brandedNames } from '@platform-sync/platform/wire';

test.each([
  ['portalIds', 'portal_ids'],
  ['name', 'name'],
  ['defaultApplicationAuthStrategyId', 'default_application_auth_strategy_id'],
])('%s ⇄ %s', (camel, snake) => {
  expect(snakeCase(camel)).toBe(snake);
  expect(camelCase(snake)).toBe(camel);
});

test('branded names come from the one table', () => {
  expect(wireName('platformManaged')).toBe(brandedNames.platformManaged);
});

const text: JsonObject = { type: 'string' };
const record: JsonObject = {
  type: 'object',
  properties: {
    displayName: text,
    userLabels: { type: 'object', additionalProperties: text },
    subnetIds: { type: 'array', items: text },
    proxyUrls: { type: 'array', items: { type: 'object', properties: { hostName: text }, required: ['hostName'] } },
    nested: { type: 'object', properties: { someFlag: { type: 'boolean' } } },
  },
  required: ['displayName', 'userLabels', 'subnetIds', 'nested'],
};

const both: [Json, Json] = [
  {
    displayName: 'A_b',
    userLabels: { keyOne: '1', key_two: '2' },
    proxyUrls: [{ hostName: 'x' }],
    nested: { someFlag: true },
  },
  {
    display_name: 'A_b',
    user_labels: { keyOne: '1', key_two: '2' },
    proxy_urls: [{ host_name: 'x' }],
    nested: { some_flag: true },
  },
];

describe('records are translated, maps are not', () => {
  test('to the wire', () => expect(toWire(record, both[0])).toEqual(both[1]));
  test('from the wire', () => expect(fromWire(record, both[1])).toEqual(both[0]));
  test('what the schema does not know stays behind', () => {
    expect(fromWire(record, { display_name: 'x', surprise: 1, nested: { some_flag: false, more: 2 } })).toEqual({
      displayName: 'x',
      nested: { someFlag: false },
    });
  });
  test('null and values of other types go through', () => {
    expect(fromWire(record, { display_name: null, proxy_urls: 'odd', nested: null })).toEqual({
      displayName: null,
      proxyUrls: 'odd',
      nested: null,
    });
    expect(toWire(record, 'text')).toBe('text');
  });
});

describe('filling', () => {
  test('puts in what must be there: empty map, empty list, else null', () => {
    expect(fromWire(record, { proxy_urls: [{}], user_labels: null }, { fill: true })).toEqual({
      displayName: null,
      userLabels: {},
      subnetIds: [],
      proxyUrls: [{ hostName: null }],
      nested: null,
    });
  });
  test('false and empty text are values', () => {
    const schema = { properties: { a: { type: 'boolean' }, b: text }, required: ['a', 'b'] };
    expect(fromWire(schema, { a: false, b: '' }, { fill: true })).toEqual({ a: false, b: '' });
  });
});

test('names that follow no rule', () => {
  const schema = { properties: { ingressIps: {}, meshCreation: {} } };
  expect(fromWire(schema, { ingressIPs: 1, meshCreation: 2 }, { names: { ingressIps: 'ingressIPs' } })).toEqual({
    ingressIps: 1,
    meshCreation: 2,
  });
});
