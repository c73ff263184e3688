import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '@platform-sync/core/model/value';
import { openApiDiff } from '@platform-sync/report/openapi/diff';
import { leftOut } from '../../harness/left-out.js';

/** Pairs of descriptions, and what others find between them: `cases.json` names their files. */
const cases = process.env['SPEC_CASES'];
const folder = cases === undefined ? undefined : join(cases, 'oasdiff');
const isThere = folder !== undefined && existsSync(join(folder, 'cases.json'));
const reason = isThere
  ? ''
  : leftOut(
      'test/report/openapi/public-pairs.test.ts',
      'SPEC_CASES is not set, or names a folder without `oasdiff/cases.json`.',
    );

/** A finding of oasdiff; without an id: there is none in this pair. */
interface Finding {
  readonly base: string;
  readonly revision: string;
  readonly id: string | null;
  readonly level: 'breaks' | 'may-break' | 'none';
  /** The test that has the pair. */
  readonly test: string;
}

/** Findings that we judge otherwise, with reasons in docs/guides/review.md; `test` where only its pair is meant. */
const argued: readonly (readonly [reason: string, ids: RegExp])[] = [
  ['who is not let in is refused', /^api-(?:global-)?security-(?:scope-)?added$|^api-security-component-type-changed$/],
  ['what an answer lacks was read', /^response-optional-property-removed$|^optional-response-header-removed$/],
  ['what only requests have is read no longer', /^response-(?:optional|required)-property-became-write-only$/],
  ['without a day nothing was announced', /-removed-with-deprecation$/],
  ['without a list every value is accepted', /^request-(?:body|property)-enum-value-removed$/],
  ['what only answers have is not sent', /^request-property-pattern-(?:added|changed)$/],
  ['what was needed only in answers is needed now', /^request-required-property-became-not-read-only$/],
  ['parts count by what they demand', /^request-(?:body|property)-(?:all|any)-of-(?:added|removed)$/],
  ['a repaired announcement breaks nobody', /-sunset-parse$|^api-invalid-stability-level$/],
  ['whoever reads text reads numbers', /^request-parameter-(?:property-)?(?:type-changed|list-of-types-narrowed)$/],
  ['a default means something', /^request-property-default-value-changed$/],
  ['a value that names no kind any longer', /-discriminator-mapping-deleted$/],
  ['of a webhook, clients receive the body', /^request-body-became-required$/],
];
/** Pairs without a finding that have one here: other addresses, a limit in a part, a parameter of a whole path. */
const unseen = /^TestBreaking_(?:Servers|RequestParameterMaxItemsWithoutFlatten)$|^TestNewRequestNonPathParameter_/;

const gravities = ['none', 'may-break', 'breaks'] as const;
const gravest = (found: readonly string[]): string =>
  gravities[Math.max(0, ...found.map((effect) => gravities.findIndex((one) => one === effect)))] ?? 'none';

describe.runIf(isThere)(`pairs of descriptions whose meaning others have written down${reason}`, () => {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder ?? '', file), 'utf8'));
  const pairs = new Map<string, Finding[]>();
  for (const finding of (isThere ? read('cases.json') : []) as readonly Finding[]) {
    const pair = `${finding.base} ${finding.revision}`;
    pairs.set(pair, [...(pairs.get(pair) ?? []), finding]);
  }
  const differing: Finding[][] = [];
  const blind: string[] = [];
  for (const [pair, findings] of pairs) {
    const [base, revision] = pair.split(' ').map((file) => read(file) as Json);
    const changes = openApiDiff(base ?? null, revision ?? null)?.changes ?? [];
    const ours = gravest(changes.map(({ effect }) => effect));
    if (changes.length === 0 && findings.some(({ id }) => id !== null)) blind.push(pair);
    if (ours !== gravest(findings.map(({ level }) => level))) differing.push(findings);
  }
  const isArgued = ({ id, test }: Finding): boolean =>
    unseen.test(test) || argued.some(([, ids]) => id !== null && ids.test(id));

  it('differ for us, too, where they differ for others', () => {
    expect(pairs.size).toBeGreaterThan(500);
    expect(blind).toEqual([]);
  });

  it('mean the same, those aside that are argued', () => {
    const open = differing.filter((findings) => !findings.some(isArgued));
    const [agreed, compared] = [pairs.size - differing.length, pairs.size - (differing.length - open.length)];
    const share = (of: number): string => `${String(agreed)} of ${String(of)} (${((100 * agreed) / of).toFixed(1)} %)`;
    process.stderr.write(`Same verdict: ${share(pairs.size)}; of those not argued: ${share(compared)}\n`);
    expect(open.map((findings) => findings.map(({ test, id }) => `${test} ${id ?? ''}`))).toEqual([]);
    expect(agreed / pairs.size).toBeGreaterThan(0.92);
  });
});
