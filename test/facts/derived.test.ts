import { describe, expect, it } from 'vitest';
import { argued } from '../../scripts/facts/argued.js';
import { restOf } from '../derived/edit.js';
import { types } from '../derived/all-types.js';
import { mayHoldSecret } from '@platform-sync/core/model/resource-type';
import { expectedOf, factOf } from './facts.js';

/** Types whose objects are made and changed at two paths, or whose one path the facts have under another name. */
const withoutFacts = ['PortalClassic'];

const inputs = types.flatMap((type) =>
  Object.values(type.fields).flatMap((rule) => (rule.input ? [{ type, rule, rest: restOf(type) }] : [])),
);
const compared = inputs.map(({ type, rule, rest }) => {
  const fact = factOf(rest.definition);
  return {
    name: `${type.name}.${rule.name}`,
    type: type.name,
    fact,
    expected: fact === undefined ? undefined : expectedOf(rest, fact, rule.name),
    is: {
      action: type.updatable && rule.onChange === 'update' ? 'update' : 'replace',
      secret: mayHoldSecret(rule),
      required: rule.required,
    },
  };
});

describe('what rules made of the descriptions, beside what the descriptions plainly say', () => {
  it('knows every type and field', () => {
    const lacking = compared.filter(({ fact }) => fact === undefined).map(({ type }) => type);
    expect([...new Set(lacking)].sort()).toEqual(withoutFacts);
    const unknown = compared.filter(({ fact, expected }) => fact !== undefined && expected === undefined);
    expect(unknown.map(({ name }) => name)).toEqual([]);
  });

  it('is the same for each field, or the difference of that very field is argued, once, and none is argued that there is not', () => {
    const named = argued.flatMap(([names, what]) => names.map((name) => `${name}: ${what}`));
    const unused = new Set(named);
    expect(unused.size).toBe(named.length);
    const left = compared.flatMap(({ name, expected, is }) =>
      (['action', 'secret', 'required'] as const).flatMap((what) => {
        if (expected === undefined || is[what] === expected[what]) return [];
        return unused.delete(`${name}: ${what}`) ? [] : [`${name}: ${what} is ${String(is[what])}`];
      }),
    );
    expect(left).toEqual([]);
    expect([...unused]).toEqual([]);
  });
});
