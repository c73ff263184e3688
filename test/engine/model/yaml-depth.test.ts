import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { mayBeDeeper } from '@platform-sync/core/model/read-json';

/** Lists and maps in turns as the list says, so many levels deep. */
function nested(kinds: readonly boolean[]): unknown {
  return kinds.reduce<unknown>((inner, isList) => (isList ? [inner, 'x'] : { k: inner, l: 'y' }), 1);
}

describe('how deep a text of YAML may be nested', () => {
  it('is never told too low, whatever the style', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }),
        fc.constantFrom('block' as const, 'flow' as const),
        fc.integer({ min: 1, max: 4 }),
        (kinds, collectionStyle, indent) => {
          const text = stringify(nested(kinds), { collectionStyle, indent, indentSeq: indent > 2 });
          expect(mayBeDeeper(text, kinds.length - 1)).toBe(true);
        },
      ),
    );
  });

  it.each([
    ['text with brackets in pairs', `text: |\n${'  - [ ] a {b} (c)\n'.repeat(2_000)}`],
    ['a long list', '- a\n'.repeat(5_000)],
    ['a wide map', Array.from({ length: 5_000 }, (_, at) => `k${at}: {a: [1, 2]}`).join('\n')],
  ])('%s is not deep', (_name, text) => {
    expect(mayBeDeeper(text)).toBe(false);
  });
});
