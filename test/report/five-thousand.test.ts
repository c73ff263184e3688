import { describe, expect, it } from 'vitest';
import type { NotCompared, Plan, Step } from '../../src/engine/model/plan.js';
import { githubAnnotations } from '../../src/report/ci/github.js';
import { planCodeQuality } from '../../src/report/ci/gitlab.js';
import { planSarif } from '../../src/report/ci/sarif.js';
import { planMarkdown } from '../../src/report/markdown/plan.js';
import { planText } from '../../src/report/text/plan.js';
import { plainStyle } from '../../src/report/text/style.js';
import { verdictText } from '../../src/report/view/verdict.js';
import { field, plan, step } from './plan-builder.js';
import { place } from './outcome-builder.js';

/** What the host takes at most. */
const hostLimit = 65_536;

/** 5,000 steps: a word put everywhere, 1,497 published, 1,308 deleted, some texts, and what goes along with one delete. */
function fiveThousand(): Plan {
  const many = (count: number, made: (at: number) => Step): readonly Step[] =>
    Array.from({ length: count }, (_, at) => made(at));
  const published = many(1497, (at) =>
    step({
      address: `guides/published-${at}`,
      action: 'update',
      fields: [field('status', { old: 'unpublished', new: 'published' })],
      risks: [{ kind: 'publishes' }],
    }),
  );
  const deleted = many(1308, (at) =>
    step({
      address: `guides/deleted-${at}`,
      action: 'delete',
      fields: [field('title', { old: 'Old guide' })],
      risks: [{ kind: 'deletes' }],
    }),
  );
  const labelled = many(2175, (at) =>
    step({
      address: `apis/api-${at}`,
      action: 'update',
      fields: [field('labels', { old: { team: 'a' }, new: { team: 'b' } })],
    }),
  );
  const rewritten = many(20, (at) =>
    step({
      address: `texts/text-${at}`,
      action: 'update',
      fields: [field('content', { old: `# Text ${at}\n\nbefore ${at}\n`, new: `# Text ${at}\n\nafter ${at}\n` })],
    }),
  );
  return plan({ steps: [...published, ...deleted, ...labelled, ...rewritten] });
}

describe('the comment of 5,000 steps', () => {
  const made = planMarkdown(fiveThousand(), { at: place });

  it('fits what the host takes, and leaves nothing out', () => {
    expect(made.length).toBeLessThan(hostLimit);
    expect(made).not.toContain('Left out for length');
  });

  it('tells equal changes once, with one of them as the example', () => {
    expect(made.match(/^- \*\*1497 alike:\*\*/gm)).toHaveLength(1);
    expect(made.match(/^- \*\*1308 alike:\*\*/gm)).toHaveLength(1);
    const rows = made.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows).toHaveLength(23);
    expect(made).toContain('and 2174 more alike');
  });

  it('shows the differences, those of the rare as well as those of the many', () => {
    const differences = made.slice(made.indexOf('### Differences'));
    expect(differences).toContain('"unpublished" → "published"');
    for (let at = 0; at < 20; at += 1) expect(differences).toContain(`-before ${at}\n+after ${at}\n`);
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
