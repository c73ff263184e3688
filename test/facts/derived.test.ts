import { describe, expect, it } from 'vitest';
import { argued } from '../../scripts/facts/argued.js';
import { patternOf } from '../../src/engine/model/pattern.js';
import { restOf } from '../derived/edit.js';
import { types } from '../derived/all-types.js';
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
      secret: rule.secret,
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

  it('is the same for each field, or the difference is argued, and none is argued that there is not', () => {
    const unused = new Set(argued.flatMap(([names, what]) => names.map((name) => `${name}: ${what}`)));
    const left = compared.flatMap(({ name, expected, is }) =>
      (['action', 'secret', 'required'] as const).flatMap((what) => {
        if (expected === undefined || is[what] === expected[what]) return [];
        const why = argued.flatMap(([names, about]) =>
          about === what ? names.filter((pattern) => patternOf(pattern).test(name)) : [],
        );
        for (const pattern of why) unused.delete(`${pattern}: ${what}`);
        return why.length > 0 ? [] : [`${name}: ${what} is ${String(is[what])}`];
      }),
    );
    expect(left).toEqual([]);
    expect([...unused]).toEqual([]);
  });
});
