import { describe, expect, it } from 'vitest';
import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import { withoutContext } from '@platform-sync/report/markdown/fields';
import { textHunks } from '@platform-sync/report/diff/text-diff';
import { hostilePlan } from '../hostile-plan.js';
import { field, plan, step } from '../plan-builder.js';
import { jobSummary, planMarkdown } from '../forms.js';

const limit = 60_000;

/** A text of `size` lines of which one in the middle differs. */
const text = (size: number, word: string): string =>
  `${Array.from({ length: size }, (_, at) => (at === Math.floor(size / 2) ? word : `line ${at} of the text`)).join('\n')}\n`;

const changed = (address: string, size: number): PlanStep =>
  step({
    address,
    action: 'update',
    // Each text is its own: what is alike is told once.
    fields: [
      field('content', { old: `${text(size, 'before')}\n${address}`, new: `${text(size, 'after')}\n${address}` }),
    ],
  });

const headings = (markdown: string): readonly string[] => markdown.match(/^#+ .*$/gm) ?? [];

describe('the review comment', () => {
  it('tells in the order a reviewer reads: verdict, danger, guards, origin, table, differences, not compared, apply', () => {
    const made = planMarkdown(
      plan({
        steps: [
          { ...changed('pets', 5), cause: 'drift' },
          step({
            address: 'old',
            action: 'delete',
            risks: [{ kind: 'deletes' }, { kind: 'cascades', what: 'portals: Dev' }],
          }),
        ],
        guards: [{ name: 'delete:old', summary: 'old is protected and would be deleted', addresses: ['old'] }],
        notCompared: [
          {
            address: 'shop',
            type: 'platform:index/api:Api',
            diagnostic: { severity: 'error', code: 'read-failed', summary: 'No answer.' },
          },
        ],
      }),
    );
    expect(headings(made)).toEqual([
      '## ⛔ Blocked by 1 guard; 1 read failed; 1 change can hurt — plan for `payments`, stack `default`',
      '### What can hurt',
      '### Guards that block this plan',
      '### Changed outside: 1',
      '### Changes',
      '### Differences',
      '### Not compared',
    ]);
    expect(made).toContain('- `old` (`platform:Api`): goes with it: portals: Dev\n');
    expect(made).toContain('\n--allow delete:old --reason "why this is right"\n');
  });

  it.each<[string, Partial<Plan>, string]>([
    ['nothing to do', {}, '## ✅ No changes'],
    ['a change', { steps: [changed('pets', 3)] }, '## 📝 Changes, none of them dangerous'],
    ['only outputs', { outputs: [{ name: 'id', new: 1 }] }, '## 📝 Changes, none of them dangerous'],
    [
      'a publication',
      { steps: [step({ address: 'a', action: 'create', risks: [{ kind: 'publishes' }] })] },
      '## ⚠️ 1 change can hurt',
    ],
    [
      'a failed read',
      { notCompared: [{ type: 'x', diagnostic: { severity: 'error', code: 'x', summary: 'x' } }] },
      '## ❓ 1 read failed',
    ],
    [
      'a lifted guard',
      { guards: [{ name: 'maxDeletes', summary: 'x', addresses: [], lifted: 'fine' }] },
      '## ✅ No changes',
    ],
  ])('the verdict of %s', (_name, parts, expected) => {
    expect(planMarkdown(plan(parts)).split('\n')[0]).toBe(`${expected} — plan for \`payments\`, stack \`default\``);
  });

  const at = {
    folder: 'apis',
    commit: 'b'.repeat(40),
    links: { files: `https://host.example/blob/${'b'.repeat(40)}/` },
  };
  const risky = (address: string): PlanStep =>
    step({ address, action: 'update', fields: [field('status')], risks: [{ kind: 'unpublishes' }] });
  const line = (file: string, number: number): string => `${at.links.files}apis/${file}#L${number}`;

  it('leads from a danger to the line that brings it, of the commit', () => {
    const gone = step({ address: 'gone', action: 'delete', risks: [{ kind: 'deletes' }] });
    const meta = {
      ...plan().meta,
      sources: { guide: 'catalogue/a b.yaml:3:1' },
      fieldSources: { guide: { status: 'catalogue/a b.yaml:7:5' } },
    };
    const made = planMarkdown(plan({ steps: [gone, risky('guide')], meta }), { at });
    expect(made).toContain(`- [\`guide\`](${line('catalogue/a%20b.yaml', 7)}) (\`platform:Api\`)`);
    // What has left the catalogue has no line.
    expect(made).toContain('- `gone` (`platform:Api`)');
  });

  it('gives up the links of dangers before their names', () => {
    const long = Array.from({ length: 50 }, (_, index) => `${index}-${'x'.repeat(100)}`);
    const steps = long.map((address, index) => ({
      ...risky(address),
      risks: [...risky(address).risks, { kind: 'cascades', what: `${index}` } as const],
    }));
    const sources = Object.fromEntries(long.map((address) => [address, `${'folder/'.repeat(70)}f.yaml:1:1`]));
    const made = planMarkdown(plan({ steps, meta: { ...plan().meta, sources } }), { at, maxCharacters: 30_000 });
    expect(made.slice(0, made.indexOf('### Changes'))).not.toContain('](https');
    expect(long.filter((address) => !made.includes(`- \`${address}\``))).toEqual([]);
    expect(made.length).toBeLessThanOrEqual(30_000);
  });

  it('says how to apply the plan it was made from, unless a guard holds it back', () => {
    const steps = [changed('pets', 3)];
    expect(planMarkdown(plan({ steps }), { planFile: 'out/plan.json' })).toContain(
      'After the review:  \n`sync apply out/plan.json`',
    );
    const guards = [{ name: 'maxDeletes', summary: 'x', addresses: [] }];
    expect(planMarkdown(plan({ steps, guards }))).not.toContain('After the review');
  });

  it('tells pending changes and drift from the branch', () => {
    const made = planMarkdown(
      plan({
        steps: [changed('mine', 3), changed('theirs', 3)],
        meta: {
          ...plan().meta,
          base: 'main at 1a2b3c4d5e6f',
          origins: { mine: 'branch', theirs: 'pending' },
        },
      }),
    );
    expect(made).toContain('Compared with main at `1a2b3c4d5e6f`: 1 by this branch, 1 pending before it.');
    expect(made).toContain(
      '### Not from this branch: 1\n\n- `theirs`: pending before this branch: merged, not applied yet\n',
    );
  });

  it('never calls one resource both of this branch and not of it', () => {
    const both = { ...changed('mine', 3), cause: 'both' as const };
    const meta = { ...plan().meta, base: 'main at 1a2b3c4d5e6f', origins: { mine: 'branch' as const } };
    const made = planMarkdown(plan({ steps: [both], meta }));
    expect(made).toContain('1 by this branch');
    expect(made).not.toContain('Not from this branch');
    expect(made).toContain('### Changed outside: 1');
  });
});

it('cuts a long line around what changes in it, never before', () => {
  const long = 'the same words again and again '.repeat(40);
  const change = field('content', { old: `a\n${long}before\nz\n`, new: `a\n${long}after\nz\n` });
  const text = planMarkdown(plan({ steps: [step({ address: 'pets', action: 'update', fields: [change] })] }));
  expect(text).toMatch(/^-….*before$/m);
  expect(text).toMatch(/^\+….*after$/m);
});

describe('the ladder of a plan that is too long', () => {
  const ladder = (count: number, size: number): string =>
    planMarkdown(plan({ steps: Array.from({ length: count }, (_, at) => changed(`item-${at}`, size)) }));

  it('everything fits: nothing is said to be left out', () => {
    const made = ladder(10, 40);
    expect(made).toContain(' line 19 of the text\n-before\n+after\n line 21 of the text\n');
    expect(made).not.toContain('Left out');
  });

  it('first the context goes', () => {
    const made = ladder(180, 40);
    expect(made).toMatch(/Left out for length: the context of \d+ differences\./);
    expect(made.match(/^-before$/gm)).toHaveLength(180);
  });

  it('then hunks become counts of lines', () => {
    const made = ladder(330, 40);
    expect(made).toMatch(/Left out for length: the lines of \d+ differences/);
    expect(made.match(/^! content {2}\+1\/−1 lines$/gm)).toHaveLength(330);
  });

  it('then twenty of a kind stand for all of it', () => {
    const made = ladder(360, 40);
    expect(made).toContain('Left out for length: the differences of 340 changes.');
    expect(made.match(/^\| `~` \| `item-/gm)).toHaveLength(360);
    expect(made.match(/^-before$/gm)).toHaveLength(20);
  });

  it('then a kind is one row', () => {
    const made = ladder(500, 40);
    expect(made).toContain('Left out for length: the differences of 480 changes.');
    expect(made.match(/^\| `~` \| `item-0` and 499 more of this kind \|/gm)).toHaveLength(1);
  });

  it('then rows are counted, and danger is whole to the last', () => {
    const dangers = Array.from({ length: 300 }, (_, at) =>
      step({ address: `gone-${at}`, action: 'delete', risks: [{ kind: 'deletes' }] }),
    );
    // No two of one kind.
    const others = Array.from({ length: 5000 }, (_, at) =>
      step({ address: `item-${at}`, action: 'update', fields: [field(`field${at}`, { old: 1, new: 2 })] }),
    );
    const made = planMarkdown(plan({ steps: [...others, ...dangers] }));
    expect(made).toContain('- 5000 `platform:Api` to update\n- 300 `platform:Api` to delete\n');
    expect(made).toMatch(/Left out for length: \d+ rows of the table/);
    expect(made).toContain('**Deletes: 300**\n\n- **300 alike:** `gone-0`, `gone-1`, ');
    expect(made).toContain(', `gone-29` and 270 more (`platform:Api`)\n');
  });

  it('a single enormous difference costs only its own lines', () => {
    const lines = (word: string): string =>
      Array.from({ length: 900 }, (_, at) => `${word} ${at} ${'x'.repeat(80)}`).join('\n');
    const huge = step({
      address: 'huge',
      action: 'update',
      fields: [field('content', { old: lines('a'), new: lines('b') })],
    });
    const made = planMarkdown(plan({ steps: [huge, changed('small', 10)] }));
    expect(made).toContain('+900/−900 lines');
    expect(made).toContain('-before\n+after\n');
    expect(made).toContain('Left out for length: the lines of 1 difference.');
  });
});

describe('the limit', () => {
  it.each<[string, Plan]>([
    ['every hostile text at once', hostilePlan],
    [
      '5,000 dangers',
      plan({
        steps: Array.from({ length: 5000 }, (_, at) =>
          step({ address: `gone-${at}`, action: 'delete', risks: [{ kind: 'deletes' }] }),
        ),
      }),
    ],
    [
      'one address of a million characters',
      plan({ steps: [step({ address: 'x'.repeat(1e6), action: 'delete', risks: [{ kind: 'deletes' }] })] }),
    ],
    [
      '5,000 protected',
      plan({
        guards: Array.from({ length: 5000 }, (_, at) => ({
          name: `delete:item-${at}`,
          summary: 'protected',
          addresses: [`item-${at}`],
        })),
      }),
    ],
    [
      '5,000 failed reads',
      plan({
        notCompared: Array.from({ length: 5000 }, (_, at) => ({
          address: `item-${at}`,
          type: 'x',
          diagnostic: { severity: 'error', code: 'x', summary: 'No answer' },
        })),
      }),
    ],
  ])('holds for %s', (_name, made) => {
    const comment = planMarkdown(made);
    expect(comment.length).toBeLessThanOrEqual(limit);
    expect(Buffer.byteLength(jobSummary(made))).toBeLessThan(1024 * 1024);
  });

  it('a count stands for what is hidden of guards and failed reads, too', () => {
    const guards = Array.from({ length: 5000 }, (_, at) => ({
      name: `delete:item-${at}`,
      summary: 'protected',
      addresses: [],
    }));
    expect(planMarkdown(plan({ guards }))).toMatch(/- … and \d+ more, in the HTML report\n/);
  });
});

describe('hunks without their context', () => {
  it.each([
    ['a change in the middle', 'a\nb\nc\nd\n', 'a\nb\nX\nd\n', ['@@ -3,1 +3,1 @@']],
    ['two changes near each other', 'a\nb\nc\nd\n', 'X\nb\nc\nY\n', ['@@ -1,1 +1,1 @@', '@@ -4,1 +4,1 @@']],
    ['an addition', 'a\nb\n', 'a\nX\nb\n', ['@@ -1,0 +2,1 @@']],
    ['a removal', 'a\nb\nc\n', 'a\nc\n', ['@@ -2,1 +1,0 @@']],
  ])('%s stands where a diff without context has it', (_name, before, after, headers) => {
    const found = (textHunks(before, after) ?? []).flatMap(withoutContext);
    expect(found.map(({ header }) => header)).toEqual(headers);
    expect(found.flatMap(({ lines }) => lines).every((line) => /^[+-]/.test(line))).toBe(true);
  });
});
