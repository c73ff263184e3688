import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '@platform-sync/core/model/value';
import { canarySecret } from '../../scripts/golden-worlds.js';
import { reportFiles } from '@platform-sync/report/report-files';
import { planNames, recordedPlan, reportsOf } from '../report/golden-plans.js';
import { hostileNames, hostilePlan, planWith } from '../report/hostile-plan.js';
import { foreignHtmlIn, foreignMarkdownIn, hiddenIn, ordersIn } from '../report/safe-text.js';

const headings = [
  /^## [⛔❓⚠️📝✅]+ [A-Za-z0-9 ,;]+ — plan for (?:, stack |\(empty\), stack \(empty\))$/u,
  /^### (What can hurt|Guards that block this plan|Guards that were lifted|Changes|Differences|Not compared)$/,
  /^### (Changed outside|Not from this branch(, or changed outside, too)?): \d+$/,
];

/** Read by programs, each in its own way below. Any other report must be safe to look at. */
const forPrograms = new Set<string>([
  ...['plan.sarif', 'gitlab-code-quality.json', 'gitlab-terraform.json'],
  ...['github-annotations.txt', 'github-output.txt'],
]);

let reports: ReadonlyMap<string, string>;
let single: readonly (readonly [string, ReadonlyMap<string, string>])[];
beforeAll(async () => {
  reports = await reportsOf(hostilePlan);
  single = await Promise.all(hostileNames.map(async (name) => [name, await reportsOf(planWith(name))] as const));
});

/** The report of the plan with all names, and of a plan for each name. */
function every(report: string): readonly (readonly [string, string])[] {
  return [['all', reports.get(report) ?? ''], ...single.map(([name, made]) => [name, made.get(report) ?? ''] as const)];
}

describe('hostile names and values', () => {
  it('are at least two hundred', () => {
    expect(new Set(hostileNames).size).toBeGreaterThanOrEqual(200);
  });

  it('leave nothing invisible in a report for people', () => {
    for (const report of reportFiles.filter((name) => !forPrograms.has(name)))
      for (const [name, text] of every(report))
        expect(hiddenIn(text), `${report}: ${JSON.stringify(name)}`).toBeUndefined();
  });

  it('give no order to a CI system that reads the log', () => {
    for (const report of reportFiles.filter((name) => name !== 'plan.html' && !forPrograms.has(name)))
      for (const [name, text] of every(report)) {
        expect(ordersIn(text), `${report}: ${JSON.stringify(name)}`).toEqual([]);
      }
  });

  it.each(['plan.md', 'github-summary.md'])(
    '%s: outside of code there are only our own words, headings and tags',
    (report) => {
      for (const [name, text] of every(report))
        expect(foreignMarkdownIn(text, headings), JSON.stringify(name)).toEqual([]);
    },
  );

  it('make no annotation but ours, ten of a level at most', () => {
    for (const [name, text] of every('github-annotations.txt')) {
      const lines = text.trimEnd().split('\n');
      const where = JSON.stringify(name);
      const pattern = /^::(error|warning|notice) (?:file=[^:,]*,line=\d+,col=\d+,)?title=[A-Za-z ]+::.*$/;
      expect(
        lines.filter((line) => !pattern.test(line)),
        where,
      ).toEqual([]);
      for (const level of ['error', 'warning', 'notice'])
        expect(lines.filter((line) => line.startsWith(`::${level} `)).length, where).toBeLessThanOrEqual(10);
    }
  });

  it('end no value of the output file', () => {
    const outputs = parsedOutputs(reports.get('github-output.txt') ?? '');
    for (const [name, text] of every('github-output.txt')) {
      const found = parsedOutputs(text);
      expect([...found.keys()], JSON.stringify(name)).toEqual([...outputs.keys()]);
      expect(found.get('has-changes')).toBe('true');
      expect(found.get('verdict')).toBe('blocked');
    }
    expect(
      parsedOutputs(
        single.find(([name]) => name === 'x\nEOF\nhas-changes=false')?.[1].get('github-output.txt') ?? '',
      ).get('project'),
    ).toBe('x\nEOF\nhas-changes=false');
  });

  it('stay inside the strings of the reports for machines, and are no link or placeholder of a SARIF message', () => {
    for (const [name, text] of every('plan.sarif')) {
      const { runs } = JSON.parse(text) as { runs: { results: { message: { text: string }; locations: Json }[] }[] };
      for (const { message, locations } of runs.flatMap(({ results }) => results)) {
        expect(message.text.replace(/\\[\\[\]]|\{\{|\}\}/g, ''), JSON.stringify(name)).not.toMatch(/[[\]{}]/);
        expect(JSON.stringify(locations)).not.toMatch(/"uri":"(?:[a-z]+:|\/|\.\.["/])/i);
      }
    }
    for (const report of ['gitlab-code-quality.json', 'gitlab-terraform.json'])
      for (const [, text] of every(report)) expect(() => JSON.parse(text) as Json).not.toThrow();
  });

  it('open and close no tag of the HTML report', () => {
    for (const [name, text] of every('plan.html')) expect(foreignHtmlIn(text), JSON.stringify(name)).toEqual([]);
  });
});

describe('a secret', () => {
  it('is in no plan and in no report', async () => {
    for (const name of planNames) {
      const plan = recordedPlan(name);
      const texts = [JSON.stringify(plan), ...(await reportsOf(plan)).values()];
      expect(
        texts.filter((text) => text.includes(canarySecret)),
        name,
      ).toEqual([]);
    }
  });

  it('is told by its expression', async () => {
    const made = await reportsOf(recordedPlan('secret'));
    for (const report of ['plan.txt', 'plan.md', 'plan.html']) expect(made.get(report)).toContain('!env SHOP_CONTACT');
  });
});

/** Reads the file as the runner does: a name, a delimiter, lines up to it. */
function parsedOutputs(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\n');
  const found = new Map<string, string>();
  for (let at = 0; at < lines.length - 1; at += 1) {
    const [, name = '?', delimiter = '?'] = /^([^=<]+)<<(.+)$/.exec(lines[at] ?? '') ?? [];
    const value: string[] = [];
    for (at += 1; lines[at] !== delimiter; at += 1) {
      if (at >= lines.length) throw new Error(`${name} does not end`);
      value.push(lines[at] ?? '');
    }
    found.set(name, value.join('\n'));
  }
  return found;
}
