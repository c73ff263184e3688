import { describe, expect, it } from 'vitest';
import { withAddresses } from '../../src/engine/use-cases/address-patterns.js';

const known = ['pay', 'payments', 'payments/guide', 'payments/guide/more', 'pets', 'pets/guide'];

describe('patterns of addresses', () => {
  it.each<[string, readonly string[]]>([
    ['pay*', ['pay', 'payments']],
    ['payments/*', ['payments/guide']],
    ['payments/**', ['payments/guide', 'payments/guide/more']],
    ['**/guide', ['payments/guide', 'pets/guide']],
    ['*', ['pay', 'payments', 'pets']],
    ['p.y*', ['p.y*']],
    ['none/**', ['none/**']],
  ])('%s', (pattern, expected) => {
    const shuffled = known.toReversed();
    expect(withAddresses({ targets: [pattern, pattern] }, shuffled).targets).toEqual(expected);
    expect(withAddresses({ excludes: [pattern], targets: ['pets'] }, known)).toMatchObject({
      excludes: expected,
      targets: ['pets'],
    });
  });

  it('leaves options without patterns as they are', () => {
    const options = { targets: ['pets'], replace: ['a*'] };
    expect(withAddresses(options, known)).toBe(options);
  });
});
