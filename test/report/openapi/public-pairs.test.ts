import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json } from '@platform-sync/core/model/value';
import { openApiDiff } from '@platform-sync/report/openapi/diff';
import { leftOut } from '../../harness/left-out.js';

/** A checkout of oasdiff, whose tests name pairs of descriptions and what they must find; undefined when none is named. */
const cases = process.env['SPEC_CASES'];
const folder = cases === undefined ? undefined : join(cases, 'oasdiff');
const isThere = folder !== undefined && existsSync(join(folder, 'checker', 'rules.go'));
const reason = isThere
  ? ''
  : leftOut(
      'test/report/openapi/public-pairs.test.ts',
      'SPEC_CASES is not set, or names a folder without a checkout of oasdiff in `oasdiff`.',
    );

const effects: Readonly<Record<string, string>> = { ERR: 'breaks', WARN: 'may-break', INFO: 'safe' };
const gravities = ['safe', 'may-break', 'breaks'];
const gravest = (found: readonly string[]): string =>
  gravities[Math.max(0, ...found.map((effect) => gravities.indexOf(effect)))] ?? 'safe';

interface Pair {
  readonly before: Json;
  readonly after: Json;
  readonly expected: string;
}

/** The tests that compare two files as they are: a test that edits one in memory can't be read from outside. */
function pairsIn(root: string): readonly Pair[] {
  const rules = readFileSync(join(root, 'checker', 'rules.go'), 'utf8');
  const levels = new Map([...rules.matchAll(/Rule\((\w+), (\w+),/g)].map(([, id, level]) => [id, level]));
  const files = globSync('checker/*_test.go', { cwd: root });
  return files.flatMap((file) => {
    const tests = readFileSync(join(root, file), 'utf8').split(/^func Test/m);
    return tests.slice(1).flatMap((text): readonly Pair[] => {
      const [one, other, ...rest] = [...text.matchAll(/open\("([^"]+)"\)/g)].map(([, path]) => path ?? '');
      const found = [...text.matchAll(/Id:\s+checker\.(\w+)/g)].map(([, id]) => effects[levels.get(id) ?? ''] ?? '');
      if (one === undefined || other === undefined || rest.length > 0 || found.length === 0) return [];
      if (one === other || /\.Spec\.[^\n]*=|\.Extensions\[/.test(text)) return [];
      const read = (path: string): Json => parse(readFileSync(join(root, 'checker', path), 'utf8')) as Json;
      return [{ before: read(one), after: read(other), expected: gravest(found) }];
    });
  });
}

// What differs on purpose stands in docs/guides/review.md.
const least = 0.7;

describe.runIf(isThere)(`pairs of descriptions whose meaning others have written down${reason}`, () => {
  it('mean the same for most of them', () => {
    const pairs = pairsIn(folder ?? '');
    expect(pairs.length).toBeGreaterThan(50);
    const agreed = pairs.filter(
      ({ before, after, expected }) =>
        gravest((openApiDiff(before, after)?.changes ?? []).map(({ effect }) => effect)) === expected,
    );
    process.stderr.write(`Pairs: ${pairs.length}, the same gravity: ${agreed.length}\n`);
    expect(agreed.length / pairs.length).toBeGreaterThanOrEqual(least);
  });
});
