import { describe, expect, it } from 'vitest';
import { cloudPackage } from '@platform-sync/cloud/package';
import { platformPackage } from '@platform-sync/platform/package';
import { unfitPattern } from '@platform-sync/core/model/linear-pattern';
import { isList, isObject, type Json } from '@platform-sync/core/model/value';

/** All patterns in a schema. */
function patternsIn(schema: Json): readonly string[] {
  if (isList(schema)) return schema.flatMap(patternsIn);
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'pattern' && typeof value === 'string' ? [value] : patternsIn(value),
  );
}

const packages = [platformPackage, cloudPackage];
const types = packages.flatMap((each) => [...each.types.values()]);
const written = new Set([
  ...types
    .filter(({ derived }) => derived !== true)
    .flatMap(({ fields }) => Object.values(fields).flatMap(({ schema }) => patternsIn(schema))),
  ...packages.flatMap((each) => [...each.lookups.values()].flatMap(({ inputs }) => patternsIn(inputs))),
]);

describe('patterns that come with the program', () => {
  // They run on the language's own engine, which starts without loading another one: none of them may have two ways through a text.
  it.each([...written])('%s of a type that is written by hand ends on any text', (source) => {
    const pattern = new RegExp(source, 'u');
    const runs = [
      'a',
      '0',
      '-',
      '.',
      '_',
      'a.',
      'a-',
      'a:',
      'a/',
      '+',
      ' ',
      'A1',
      '=',
      'data:image/png,',
      'user:a',
      'a@b',
    ];
    for (const run of runs)
      for (const end of ['', '!', '\n', '-', ',', '=='])
        for (const text of [
          run.repeat(50_000 / run.length) + end,
          `data:image/png;base64,${run.repeat(50_000 / run.length)}${end}`,
        ])
          expect(typeof pattern.test(text)).toBe('boolean');
  });

  it('are taken by the engine that runs them, where rules made them of a description', () => {
    const made = types.filter(({ derived }) => derived === true);
    const patterns = new Set(
      made.flatMap(({ fields }) => Object.values(fields).flatMap(({ schema }) => patternsIn(schema))),
    );
    expect(patterns.size).toBeGreaterThan(5);
    expect([...patterns].flatMap((each) => unfitPattern(each)?.message ?? [])).toEqual([]);
  });
});
