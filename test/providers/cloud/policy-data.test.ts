import { describe, expect, test } from 'vitest';
import type { Json } from '@platform-sync/core/model/value';
import { PolicyShapeError, readPolicy } from '@platform-sync/cloud/policy-data';

/** Inputs and outputs of the vendor's own typed structures, one a line; the outputs were made by its language's encoder. */
const golden: readonly (readonly [input: string, policyData: string])[] = [
  [
    '{"version":1,"etag":"BwYVx3tsmGE=","bindings":[{"role":"roles/servicemanagement.serviceConsumer","members":["user:b@example.com","user:a@example.com"]},{"role":"roles/editor","members":["group:x@example.com"]}]}',
    '{"bindings":[{"members":["user:b@example.com","user:a@example.com"],"role":"roles/servicemanagement.serviceConsumer"},{"members":["group:x@example.com"],"role":"roles/editor"}]}',
  ],
  ['{"etag":"ACAB"}', '{}'],
  ['{}', '{}'],
  [
    '{"version":3,"etag":"BwWWja0YfJA=","bindings":[{"role":"roles/viewer","members":["user:eve@example.com"],"condition":{"title":"a & b","expression":"request.time < timestamp(\'2020-10-01T00:00:00.000Z\') && x > 1"}}],"auditConfigs":[{"service":"allServices","auditLogConfigs":[{"logType":"DATA_READ","exemptedMembers":["user:j@example.com"]},{"logType":"ADMIN_READ"}]}]}',
    '{"auditConfigs":[{"auditLogConfigs":[{"exemptedMembers":["user:j@example.com"],"logType":"DATA_READ"},{"logType":"ADMIN_READ"}],"service":"allServices"}],"bindings":[{"condition":{"expression":"request.time \\u003c timestamp(\'2020-10-01T00:00:00.000Z\') \\u0026\\u0026 x \\u003e 1","title":"a \\u0026 b"},"members":["user:eve@example.com"],"role":"roles/viewer"}]}',
  ],
  [
    '{"bindings":[{"role":"r","members":[]},{"role":"","members":null,"condition":{}},null],"auditConfigs":[]}',
    '{"bindings":[{"role":"r"},{"condition":{}},null]}',
  ],
  [
    '{"bindings":[{"role":"r","members":["a"],"bindingId":"zz","condition":{"expression":"e","location":"l"}}],"extra":1}',
    '{"bindings":[{"condition":{"expression":"e","location":"l"},"members":["a"],"role":"r"}]}',
  ],
];

function data(input: Json): string {
  return readPolicy(input).policyData;
}

describe('policyData', () => {
  test.each(golden)('golden: %s', (input, output) => {
    expect(data(JSON.parse(input) as Json)).toBe(output);
  });

  test('is the same for every spelling of the same policy', () => {
    const [first] = golden[3] ?? [''];
    const parsed = JSON.parse(first) as { bindings: Record<string, Json>[] };
    const reversed = JSON.parse(first, (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ) as Json;
    expect(Object.keys(reversed as object)).not.toEqual(Object.keys(parsed));
    expect(data(reversed)).toBe(data(parsed));
  });

  test('keeps the order of bindings, members and audit rules as answered', () => {
    const roles = ['z', 'a', 'm'];
    const policy = { bindings: roles.map((role) => ({ role, members: ['user:b', 'user:a'] })) };
    const read = JSON.parse(data(policy)) as { bindings: { role: string; members: string[] }[] };
    expect(read.bindings.map(({ role }) => role)).toEqual(roles);
    expect(read.bindings[0]?.members).toEqual(['user:b', 'user:a']);
  });

  test.each([
    ['<>&', '\\u003c\\u003e\\u0026'],
    ['\u2028\u2029', '\\u2028\\u2029'],
    ['\b\f\n\r\t\u0001"\\/', '\\b\\f\\n\\r\\t\\u0001\\"\\\\/'],
    ['ä€😀\u007f', 'ä€😀\u007f'],
    ['a\ud800b', 'a\ufffdb'],
  ])('escapes %j as the original does', (role, escaped) => {
    expect(data({ bindings: [{ role }] })).toBe(`{"bindings":[{"role":"${escaped}"}]}`);
  });

  test('finds members whatever their case, as the original does', () => {
    expect(data({ Bindings: [{ ROLE: 'r', Members: ['m'] }] })).toBe('{"bindings":[{"members":["m"],"role":"r"}]}');
  });

  test('null counts as absent, except inside lists', () => {
    expect(data({ bindings: null, auditConfigs: [null, { service: null, auditLogConfigs: [null] }] })).toBe(
      '{"auditConfigs":[null,{"auditLogConfigs":[null]}]}',
    );
    expect(data({ bindings: [{ members: [null, 'a'], condition: null }] })).toBe('{"bindings":[{"members":["","a"]}]}');
  });

  test('a member named like a part of every object is no member', () => {
    expect(data(JSON.parse('{"__proto__":{"bindings":[{"role":"r"}]},"constructor":1}') as Json)).toBe('{}');
  });
});

describe('etag', () => {
  test.each([
    [{ etag: 'BwWWja0YfJA=' }, 'BwWWja0YfJA='],
    [{ etag: 'not <base64>' }, 'not <base64>'],
    [{ etag: null }, ''],
    [{}, ''],
  ])('%j → %j', (policy, etag) => {
    expect(readPolicy(policy).etag).toBe(etag);
  });
});

describe('what is no policy', () => {
  test.each<[Json, string]>([
    [{ bindings: { role: 'x' } }, 'policy.bindings must be a list'],
    [{ bindings: [{ role: 5 }] }, 'policy.bindings[0].role must be text'],
    [{ bindings: [{}, 'x'] }, 'policy.bindings[1] must be a map'],
    [{ bindings: [{ members: ['a', 7] }] }, 'policy.bindings[0].members[1] must be text'],
    [{ bindings: [{ condition: [] }] }, 'policy.bindings[0].condition must be a map'],
    [
      { auditConfigs: [{ auditLogConfigs: [{ logType: true }] }] },
      'policy.auditConfigs[0].auditLogConfigs[0].logType must be text',
    ],
    [{ version: '1' }, 'policy.version must be a whole number'],
    [{ version: 1.5 }, 'policy.version must be a whole number'],
    [{ etag: 5 }, 'policy.etag must be text'],
    [null, 'policy must be a map'],
    [[], 'policy must be a map'],
    ['{}', 'policy must be a map'],
  ])('%j: %s', (body, message) => {
    expect(() => readPolicy(body)).toThrow(
      new PolicyShapeError(message.split(' must be ')[0] ?? '', message.split(' must be ')[1] ?? ''),
    );
  });
});
