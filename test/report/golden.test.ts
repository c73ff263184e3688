import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';
import { planDocument } from '@platform-sync/report/document/plan';
import { planViews } from '@platform-sync/report/view/plan-views';
import { documentFindings } from '@platform-sync/report/document/findings';
import { hidden } from '@platform-sync/report/words/escape';
import { bareFiles } from '@platform-sync/report/report-files';
import { planNames, plansFolder, recordedPlan, reportsOf } from './golden-plans.js';

const folder = `${plansFolder}expected/`;
const isUpdating = process.env['SYNC_UPDATE_GOLDENS'] === '1';

/** What is the same in every report of a form is left out: style, signs and script of pages, the rules of a log. */
function comparable(file: string, text: string): string {
  if (file.endsWith('.sarif')) return text.replace(/"rules": \[[\s\S]*?\n {10}\]/, '"rules": […]');
  if (!file.endsWith('.html')) return text;
  return text
    .replace(/<style>[\s\S]*?<\/style>/, '<style>…</style>')
    .replace(/<script>[\s\S]*?<\/script>/, '<script>…</script>')
    .replace(/<svg width="0"[\s\S]*?<\/svg>/, '<svg>…</svg>')
    .replace(/'sha256-[^']*'/g, "'sha256-…'");
}

/** Reports that say nothing which another record does not: the comment with more room, the values of a document. */
const derived: readonly string[] = ['github-summary.md', ...bareFiles];

/** `first-run.md`, `first-run.gitlab-code-quality.json` */
function goldenName(plan: string, report: string): string {
  return `${plan}.${report.replace(/^plan\./, '')}`;
}

/** Worlds whose reports are recorded in every form: new, blocked, dangerous, folded, left out, hostile. */
const written = [
  'first-run',
  'not-compared-and-blocked',
  'specification-breaks-clients',
  'replacement-asked-for',
  'no-delete',
  'hostile-values',
];

/** What is told of a plan, a line each fact, change, section and finding: every form writes it, so that it is recorded once. */
async function documentLines(name: string): Promise<string> {
  const plan = recordedPlan(name);
  const views = await planViews(plan);
  const document = planDocument(plan, views, { planFile: 'plan.json' });
  const { facts, changes, sections, ...head } = document;
  const groups = changes?.groups ?? [];
  const told = [
    head,
    ...facts,
    { ...changes, groups: groups.length },
    ...groups.flatMap(({ lead, alike, along }) => [
      { ...lead, fields: lead.fields() },
      ...[...alike, ...along].map(({ key, below }) => ({ key, below, with: lead.key })),
    ]),
    ...sections,
    // What is shown at a line; the fingerprints are in the logs that are recorded whole.
    ...documentFindings(document).map(({ fingerprint: _fingerprint, ...finding }) => finding),
  ];
  return jsonLines(told);
}

function escaped(char: string): string {
  return char === '\n'
    ? char
    : char
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join('');
}

function jsonLines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`.replace(hidden, escaped)).join('');
}

function compare(file: string, made: string): void {
  if (isUpdating) writeFileSync(`${folder}${file}`, made);
  expect(existsSync(`${folder}${file}`), `${file} is not recorded: run with SYNC_UPDATE_GOLDENS=1`).toBe(true);
  expect(made, file).toBe(readFileSync(`${folder}${file}`, 'utf8'));
}

if (isUpdating) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

describe('reports of recorded plans', () => {
  it('there are at least forty plans', () => {
    expect(planNames.length).toBeGreaterThanOrEqual(40);
  });

  it.each(planNames)('%s tells the same', async (name) => {
    compare(`${name}.document.jsonl`, await documentLines(name));
  });

  it.each(written)('%s is written the same in every form', async (name) => {
    const reports = await reportsOf(recordedPlan(name));
    for (const [report, text] of reports)
      if (!derived.includes(report)) compare(goldenName(name, report), comparable(report, text));
    expect(reports.get('github-summary.md')).toBe(reports.get('plan.md'));
  });

  it('no recorded report is left of a plan or format that is gone', async () => {
    const [first = ''] = planNames;
    const reports = [...(await reportsOf(recordedPlan(first))).keys()].filter((name) => !derived.includes(name));
    const wanted = [
      ...planNames.map((name) => `${name}.document.jsonl`),
      ...written.flatMap((name) => reports.map((report) => goldenName(name, report))),
    ];
    expect(globSync('*', { cwd: folder }).sort()).toEqual(wanted.sort());
  });
});
