import { describe, expect, it } from 'vitest';
import type { NotCompared } from '@platform-sync/core/model/plan';
import { planText } from '@platform-sync/report/text/plan';
import { plainStyle } from '@platform-sync/report/text/style';
import { verdictText } from '@platform-sync/report/document/verdict';
import { fiveThousand } from './five-thousand.js';
import { plan } from './plan-builder.js';
import { place } from './outcome-builder.js';
import { githubAnnotations, planCodeQuality, planMarkdown, planSarif } from './forms.js';

/** What the host takes at most. */
const hostLimit = 65_536;

describe('the comment of 5,000 steps', () => {
  const made = planMarkdown(fiveThousand(), { at: place });
  const differences = made.slice(made.indexOf('### Differences'));

  it('fits what the host takes', () => {
    expect(made.length).toBeLessThan(hostLimit);
  });

  it('tells equal changes once, with one of them as the example', () => {
    expect(made.match(/^- \*\*1497 alike:\*\*/gm)).toHaveLength(1);
    expect(made.match(/^- \*\*1308 alike:\*\*/gm)).toHaveLength(1);
  });

  it('has a row for each kind of change, and none for each object', () => {
    const rows = made.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows).toHaveLength(5);
    for (const more of ['1496 more alike', ...[1307, 1374, 799, 19].map((number) => `${number} more of this kind`)])
      expect(made).toContain(`and ${more}`);
  });

  it('shows the differences of every kind, those of the rare as well as those of the many', () => {
    expect(differences).toContain('"unpublished" → "published"');
    expect(differences).toContain('"About 0" → "All about 0"');
    expect(differences).toContain('"New 0"');
    expect(differences).toContain('- Line 0 of text 0');
    for (let at = 0; at < 20; at += 1) expect(differences).toContain(`-Line 20 of text ${at}\n+Row 20 of text ${at}\n`);
  });

  it('shows no more of a kind than somebody reads, and counts what is left out', () => {
    expect(differences.match(/<details>/g)).toHaveLength(81);
    expect(made).toContain('Left out for length: the differences of 3423 changes.');
  });

  it('shows every difference where all of them fit', () => {
    const { steps } = fiveThousand();
    const few = planMarkdown(plan({ steps: steps.slice(1497 + 1308, 1497 + 1308 + 100) }));
    expect(few.match(/^! description /gm)).toHaveLength(100);
    expect(few.split('\n').filter((line) => line.startsWith('| `'))).toHaveLength(100);
  });
});

describe('one list that may not be read', () => {
  const summary = 'GET /v3/apis/1/documents: not allowed with this token (403).';
  const unread: readonly NotCompared[] = Array.from({ length: 200 }, (_, at) => ({
    ...{ address: `pets/guide-${at}`, type: 'platform:index/apiDocument:ApiDocument' },
    diagnostic: { severity: 'error', code: 'forbidden', summary },
  }));
  const sources = Object.fromEntries(
    unread.map(({ address = '' }, at) => [address, `catalogue/pets.yaml:${at + 1}:3`]),
  );
  const blind = plan({ notCompared: unread, meta: { ...plan().meta, sources } });

  it.each([
    ['text', planText(blind, { style: plainStyle })],
    ['the comment', planMarkdown(blind)],
    ['SARIF', planSarif(blind)],
    ['annotations', githubAnnotations(blind)],
    ['code quality', planCodeQuality(blind)],
  ])('is one error in %s', (_form, text) => {
    expect(text.split('not allowed with this token')).toHaveLength(2);
  });

  it('is one in the verdict, and one finding at the line of the first object', () => {
    expect(verdictText(blind, [])).toContain('1 read failed');
    expect(githubAnnotations(blind)).toContain('::error file=catalogue/pets.yaml,line=1,col=3,');
    expect(githubAnnotations(blind)).toContain('pets/guide-0 and 199 others could not be compared');
  });
});
