import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256 } from '@platform-sync/core/model/canonical';
import { secret, type Json, type Value } from '@platform-sync/core/model/value';
import { Seals, type ValueRule } from '@platform-sync/core/value/seal';

const canary = 'canary-11aa';
const seals = new Seals((value) => sha256(canonicalJson(value)));

const text = { type: 'string' };
const rule: ValueRule = {
  ...{ name: 'config', equality: 'record', secret: false },
  secretMembers: ['password', 'redis.password', 'nodes.key', 'stores.*.token', 'tls'],
  schema: {
    type: 'object',
    properties: {
      ...{ minute: { type: 'number' }, password: text, label: text },
      redis: { type: 'object', properties: { host: text, password: text } },
      nodes: { type: 'array', items: { type: 'object', properties: { name: text, key: text } } },
      stores: { type: 'object', additionalProperties: { type: 'object', properties: { at: text, token: text } } },
      tls: { type: 'object', properties: { key: text } },
      headers: { type: 'object', additionalProperties: text },
      codes: { type: 'array', items: text },
    },
  },
};

const hidden = secret(canary, '!env A');

describe('a secret in a record', () => {
  it.each<[string, Value, readonly (Value | undefined)[]]>([
    ['at the top', { minute: 5, password: canary }, []],
    ['in a record inside', { minute: 5, redis: { host: 'a', password: canary } }, []],
    ['in an item of a list', { minute: 5, nodes: [{ name: 'a' }, { name: 'b', key: canary }] }, []],
    ['in an entry of a map', { minute: 5, stores: { any: { at: 'a', token: canary } } }, []],
    ['in a record that is one', { minute: 5, tls: { key: canary } }, []],
    ['of another kind than described', { minute: 5, password: { deep: [canary] } }, []],
    ['in a member that nobody knows', { minute: 5, other: canary }, []],
    ['in one inside', { minute: 5, redis: { pass: canary } }, []],
    ['named by the file', { minute: 5, label: hidden }, []],
    ['that the file names at its place', { minute: 5, label: canary }, [{ minute: 5, label: hidden }]],
    [
      'that the record has there',
      { minute: 5, label: canary },
      [{ label: { $secret: { expression: '!env A', fingerprint: 'f' } } }],
    ],
    ['in another item of the list', { minute: 5, codes: ['a', canary] }, [{ codes: [hidden, 'a'] }]],
    ['in a list that has grown', { minute: 5, codes: ['a', 'b', canary] }, [{ codes: [hidden] }]],
    [
      'under a key in other letters',
      { minute: 5, headers: { authorization: canary } },
      [{ headers: { Authorization: hidden } }],
    ],
    ['where a list was', { minute: 5, label: canary }, [{ label: [hidden] }]],
    ['where a record was', { minute: 5, codes: [canary] }, [{ codes: { a: hidden } }]],
  ])('%s is sealed, and hides nothing else', (_, value, like) => {
    const sealed = seals.seal(rule, value, like);
    expect(JSON.stringify(sealed)).not.toContain(canary);
    expect(sealed).toMatchObject({ minute: 5 });
    expect(seals.seal(rule, sealed, like)).toEqual(sealed);
  });

  it('hides a record that is a secret itself', () => {
    expect(JSON.stringify(seals.seal(rule, { label: canary }, [secret({}, '!env ALL')]))).not.toContain(canary);
    expect(seals.seal(rule, secret({ minute: 5 }, '!env ALL'))).toMatchObject({ $secret: { expression: '!env ALL' } });
  });

  it('of settings that nothing is known of is any text, and no number; what a record knows is shown beside what it does not', () => {
    const free: ValueRule = { ...rule, secretMembers: ['**'], schema: {} };
    const value = { minute: 5, isOn: true, host: canary, deep: { codes: [canary, 7] } };
    expect(seals.seal(free, value)).toMatchObject({ minute: 5, isOn: true, deep: { codes: [{}, 7] } });
    expect(JSON.stringify(seals.seal(free, value))).not.toContain(canary);
    const open: ValueRule = { ...rule, schema: { ...rule.schema, additionalProperties: {} } };
    expect(seals.seal(open, { minute: 5, label: 'a', other: canary, count: 3 })).toMatchObject({
      ...{ minute: 5, label: 'a', other: { $secret: {} }, count: { $secret: {} } },
    });
  });

  it('that an earlier version sealed as a whole tells nothing of the others, and is compared', () => {
    const value = { minute: 5, redis: { password: canary } };
    const whole = seals.sealPlain(rule, value, 'config');
    expect(seals.seal(rule, value, [whole])).toMatchObject({ minute: 5 });
    expect(seals.same(rule, value, whole)).toBe(true);
    expect(seals.same(rule, { ...value, minute: 6 }, whole)).toBe(false);
  });
});

const leaf = fc.oneof(fc.constant(null), fc.constantFrom('a', 'b', canary), fc.integer({ min: 0, max: 3 }));
const record = fc.record(
  {
    ...{ minute: leaf, password: leaf, label: leaf, codes: fc.array(leaf, { maxLength: 3 }) },
    redis: fc.record({ host: leaf, password: leaf }, { requiredKeys: [] }),
    nodes: fc.array(fc.record({ name: leaf, key: leaf }, { requiredKeys: [] }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Json>;

describe('law', () => {
  it('sealed or not, on either side, the same records are the same', () => {
    fc.assert(
      fc.property(record, record, (a, b) => {
        const same = seals.same(rule, a, b);
        expect(seals.same(rule, seals.seal(rule, a), b)).toBe(same);
        expect(seals.same(rule, a, seals.seal(rule, b))).toBe(same);
        expect(seals.same(rule, seals.seal(rule, a), seals.seal(rule, b))).toBe(same);
      }),
    );
  });
});
