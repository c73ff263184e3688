import { describe, expect, it } from 'vitest';
import type { Diagnostic, Place } from '@platform-sync/core/model/diagnostic';
import { noPlanReports, planReports } from '@platform-sync/report/reports';
import { hostileNames } from './hostile-plan.js';
import { plan } from './plan-builder.js';
import { foreignHtmlIn, foreignMarkdownIn, hiddenIn, ordersIn } from './safe-text.js';
import { sarifProblems } from './ci/sarif-schema.js';

const at = (line: number): Place => ({ file: 'catalogue/my pets.yaml', line, column: 7 });
const wrong: readonly Diagnostic[] = [
  { severity: 'warning', code: 'odd', summary: 'This is odd.' },
  { severity: 'error', code: 'unknown-key', summary: 'No such key.', hint: 'did you mean name?', place: at(4) },
  { severity: 'error', code: 'unknown-key', summary: 'No such key.', place: at(9) },
];
const found = { diagnostics: wrong, engine: '1.0.0', project: 'shop', stack: 'prod' };

interface Sarif {
  readonly runs: readonly {
    readonly properties: object;
    readonly invocations: object;
    readonly results: readonly { readonly level: string; readonly locations: object }[];
  }[];
}

const report = (name: string, given = found): string => noPlanReports(given).get(name) ?? '';

describe('what stands in for a plan that could not be made', () => {
  it('has the names of a plan’s reports, but none that counts changes', () => {
    const names = [...planReports(plan()).keys()];
    const own = [...names.filter((name) => name !== 'gitlab-terraform.json'), 'no-plan.json'];
    expect([...noPlanReports(found).keys()].sort()).toEqual(own.sort());
    expect(report('github-output.txt')).not.toMatch(/create|update|delete|has-changes|blocked/);
  });

  it('is a SARIF log of a run that failed, with the errors at their lines, worst first', () => {
    const log = JSON.parse(report('plan.sarif')) as Sarif;
    expect(sarifProblems(log)).toEqual([]);
    const [run] = log.runs;
    expect(run).toMatchObject({
      invocations: [{ executionSuccessful: false }],
      properties: { verdict: 'failed', summary: 'No plan: 2 errors, 1 warning.' },
    });
    expect(run?.results.map(({ level }) => level)).toEqual(['error', 'error', 'warning']);
    expect(run?.results[0]).toMatchObject({
      message: { text: 'unknown-key: No such key. did you mean name?' },
      locations: [
        { physicalLocation: { artifactLocation: { uri: 'catalogue/my%20pets.yaml' }, region: { startLine: 4 } } },
      ],
    });
  });

  it('is a code quality report whose entries are told apart, and whose fingerprints do not follow the lines', () => {
    const entries = (diagnostics: readonly Diagnostic[]): { fingerprint: string; severity: string }[] =>
      JSON.parse(report('gitlab-code-quality.json', { ...found, diagnostics })) as {
        fingerprint: string;
        severity: string;
      }[];
    const before = entries(wrong);
    expect(before.map(({ severity }) => severity)).toEqual(['critical', 'critical', 'major']);
    expect(new Set(before.map(({ fingerprint }) => fingerprint)).size).toBe(3);
    const moved = wrong.map((each) => ({
      ...each,
      ...(each.place === undefined ? {} : { place: { ...each.place, line: each.place.line + 3 } }),
    }));
    expect(entries(moved).map(({ fingerprint }) => fingerprint)).toEqual(before.map(({ fingerprint }) => fingerprint));
  });

  it('is a comment, a page and annotations that name every error', () => {
    expect(report('plan.md')).toMatch(/^## ⛔ No plan: 2 errors, 1 warning — plan for `shop`, stack `prod`\n/);
    expect(report('github-annotations.txt')).toContain(
      '::error file=catalogue/my pets.yaml,line=4,col=7,title=Error::unknown-key: No such key. did you mean name?\n',
    );
    for (const name of ['plan.txt', 'plan.md', 'plan.html', 'github-summary.md'])
      expect(report(name).match(/unknown-key/g)?.length, name).toBe(2);
  });

  it('needs no project: it may be what could not be opened', () => {
    const reports = noPlanReports({ diagnostics: wrong });
    expect(sarifProblems(JSON.parse(reports.get('plan.sarif') ?? ''))).toEqual([]);
    for (const text of reports.values()) expect(text.replace(/<script>.*<\/script>/s, '')).not.toContain('undefined');
  });

  it('fits a comment, and counts what does not', () => {
    const many = Array.from(
      { length: 3000 },
      (_, line) => ({ ...wrong[1], summary: `No key ${line}.`, place: at(line + 1) }) as Diagnostic,
    );
    const comment = report('plan.md', { ...found, diagnostics: many });
    expect(comment.length).toBeLessThanOrEqual(60_000);
    const shown = comment.match(/^- `/gm)?.length ?? 0;
    expect(Number(/and (\d+) more/.exec(comment)?.[1])).toBe(3000 - shown);
  });

  it('takes hostile names and values as text', () => {
    for (const name of hostileNames) {
      const place = { file: name, line: 1, column: 1, text: name };
      const diagnostics: readonly Diagnostic[] = [
        { severity: 'error', code: name, summary: name, detail: name, hint: name, address: name, field: name, place },
      ];
      const made = noPlanReports({ diagnostics, engine: name, project: name, stack: name });
      const where = JSON.stringify(name);
      for (const file of ['plan.txt', 'plan.md', 'plan.html'])
        expect([hiddenIn(made.get(file) ?? ''), ordersIn(made.get(file) ?? '')], where).toEqual([undefined, []]);
      expect(
        foreignMarkdownIn(made.get('plan.md') ?? '', [
          /^## ⛔ No plan: 1 error — plan for (?:, stack |\(empty\), stack \(empty\))$/,
          /^### Problems$/,
        ]),
        where,
      ).toEqual([]);
      expect(foreignHtmlIn(made.get('plan.html') ?? ''), where).toEqual([]);
      expect(sarifProblems(JSON.parse(made.get('plan.sarif') ?? '')), where).toEqual([]);
      expect(made.get('github-annotations.txt'), where).toMatch(
        /^::error file=[^:,\n]*,line=1,col=1,title=Error::[^\n]*\n$/,
      );
    }
  });
});
