import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApplyResult } from '@platform-sync/engine/api';
import type { DriftResult } from '@platform-sync/core/model/drift';
import { ProviderError } from '@platform-sync/core/model/provider';
import { parsePlan, serializePlan } from '@platform-sync/engine/plan/saved-plan';
import { driftCommand } from '@platform-sync/cli/commands/drift';
import { planCommand } from '@platform-sync/cli/commands/plan';
import { showCommand } from '@platform-sync/cli/commands/show';
import { formatsOf } from '@platform-sync/cli/run/command';
import { reportFiles } from '@platform-sync/report/report-files';
import { driftResult, finding } from '../report/drift-builder.js';
import { fakeProgram } from './fake-host.js';
import { change, checks, failedRead, planOutcomes, sealed } from './plan-outcomes.js';

/** Whatever comes true of a run, its code says so, and every format is there whole, and says so, too. */

const problem = { severity: 'error', code: 'unknown-property', summary: 'There is no such property.' } as const;

/** Reports that are read as a format of `--format`. */
const asFormats: Readonly<Record<string, string>> = {
  'plan.txt': 'text',
  'plan.json': 'json',
  'plan.md': 'markdown',
  'plan.html': 'html',
  'plan.sarif': 'sarif',
  'gitlab-code-quality.json': 'gitlab',
  'github-summary.md': 'markdown',
};

/** What is asked of a format that nobody here knows how to read. */
const saysSomething = (text: string): void => expect(text).not.toBe('');

const rows = Object.entries(planOutcomes);
const cases = formatsOf(planCommand).flatMap((format) =>
  rows.map(([name, outcome]) => [name, format, outcome] as const),
);

describe('the formats', () => {
  it('are those of a shown plan, too', () => {
    expect(formatsOf(planCommand)).toEqual(expect.arrayContaining(Object.keys(checks)));
    expect(formatsOf(showCommand)).toEqual(formatsOf(planCommand));
  });
});

describe('plan', () => {
  it.each(cases)('%s as %s', async (_name, format, outcome) => {
    const { run } = fakeProgram({ plan: outcome.plan });
    const [plain, detailed] = outcome.codes;
    const result = await run('plan', '--format', format);
    expect(result.code).toBe(plain);
    (checks[format] ?? saysSomething)(result.out, outcome);
    expect(await run('plan', '--format', format, '--detailed-exitcode')).toEqual({ ...result, code: detailed });
  });

  it.each(rows)('%s with --report-dir: every report, whatever is printed', async (_name, outcome) => {
    const { run, folder } = fakeProgram({ plan: outcome.plan });
    const { code } = await run('plan', '--format', 'sarif', '--report-dir', 'out');
    expect(code).toBe(outcome.codes[0]);
    const read = (file: string): string => readFileSync(join(folder, 'out', file), 'utf8');
    for (const [file, format] of Object.entries(asFormats)) checks[format]?.(read(file), outcome);
    expect(read('github-output.txt')).toMatch(new RegExp(`^verdict<<(end_[0-9a-f]+)\n${outcome.verdict}\n\\1\n`));
    const isFine = outcome.verdict === 'clean' || outcome.verdict === 'changes';
    expect(/^::error /m.test(read('github-annotations.txt'))).toBe(!isFine);
    const counts = JSON.parse(read('gitlab-terraform.json')) as object;
    expect(counts).toEqual({ create: 0, update: outcome.plan.steps.length, delete: 0 });
    expect(readdirSync(join(folder, 'out')).sort()).toEqual([...reportFiles, 'plan.json'].sort());
  });

  const machines: Readonly<Record<string, (text: string) => void>> = {
    text: (text) => expect(text).toBe(''),
    json: (text) => expect(JSON.parse(text)).toMatchObject({ diagnostics: [{ code: 'unknown-property' }] }),
    markdown: (text) => expect(text).toMatch(/^## ⛔ No plan: 1 error(?: — plan for `payments`, stack `default`)?\n/),
    html: (text) => expect(text).toMatch(/^<!doctype html>[^]*unknown-property[^]*<\/html>\n$/),
    sarif: (text) => expect(JSON.parse(text)).toMatchObject({ runs: [{ properties: { verdict: 'failed' } }] }),
    gitlab: (text) => expect(JSON.parse(text)).toMatchObject([{ check_name: 'error', severity: 'critical' }]),
  };
  const failures: readonly (readonly [string, Parameters<typeof fakeProgram>[0]])[] = [
    ['an error in the catalogue', { planDiagnostics: [problem] }],
    ['a project that cannot be opened', { openDiagnostics: [problem] }],
    [
      'a service that does not answer',
      { project: { plan: () => Promise.reject(new ProviderError('unavailable', [problem])) } },
    ],
  ];

  it.each(failures.flatMap(([name, given]) => formatsOf(planCommand).map((format) => [name, format, given] as const)))(
    '%s as %s: told whole, and nothing that passes for a plan',
    async (_name, format, given) => {
      const { run, folder } = fakeProgram(given);
      const { code, out, err } = await run('plan', '--format', format, '--out', 'plan.json', '--report-dir', 'out');
      expect(code).toBe(1);
      expect(err).toContain('unknown-property');
      machines[format]?.(out);
      expect('plan' in parsePlan(out)).toBe(false);
      expect(readdirSync(folder)).not.toContain('plan.json');
      for (const [file, kind] of Object.entries(asFormats))
        if (kind !== 'json' && kind !== 'text') machines[kind]?.(readFileSync(join(folder, 'out', file), 'utf8'));
      expect(readdirSync(join(folder, 'out'))).not.toContain('plan.json');
    },
  );
});

describe('show', () => {
  it.each(cases)('%s as %s: the same report, and 0, for it only shows', async (_name, format, outcome) => {
    const { run, folder } = fakeProgram();
    writeFileSync(join(folder, 'plan.json'), serializePlan(outcome.plan));
    const { code, out, err } = await run('show', 'plan.json', '--format', format);
    expect([code, err]).toEqual([0, '']);
    checks[format]?.(out, outcome);
  });

  it.each(formatsOf(showCommand))('stale and error as %s: told, and nothing is shown', async (format) => {
    const { run, folder } = fakeProgram();
    writeFileSync(join(folder, 'plan.json'), serializePlan(sealed({ steps: [change] })).replace('pets', 'cats'));
    const altered = await run('show', 'plan.json', '--format', format);
    const told = (code: string): unknown =>
      format === 'json' ? expect.stringMatching(new RegExp(`"ok": false[^]*"code": "${code}"`)) : '';
    expect(altered).toEqual({ code: 5, out: told('plan-altered'), err: expect.stringContaining('plan-altered') });
    const missing = await run('show', 'other.json', '--format', format);
    expect(missing).toEqual({
      ...{ code: 1, out: told('plan-file-unreadable') },
      err: expect.stringContaining('plan-file-unreadable'),
    });
  });
});

describe('apply', () => {
  const applied = (status: ApplyResult['status']): Partial<ApplyResult> => ({
    status,
    steps: [{ address: 'pets', action: 'update', outcome: status === 'done' ? 'done' : 'failed' }],
  });
  /** Every command that carries a plan out shows it whole first. */
  const commands = [['apply'], ['destroy'], ['adopt'], ['drift', 'revert', 'pets'], ['apply', 'plan.json']] as const;
  const all = commands.flatMap((argv) => rows.map(([name, outcome]) => [name, argv.join(' '), outcome, argv] as const));

  it.each(all)('%s: sync %s', async (_name, line, outcome, argv) => {
    const { run, folder, calls } = fakeProgram({ plan: outcome.plan, apply: applied('done') });
    writeFileSync(join(folder, 'plan.json'), serializePlan(outcome.plan));
    const { code, out } = await run(...argv, '--yes', '--report', 'result.json');
    expect([line, code]).toEqual([line, outcome.codes[2]]);
    checks['text']?.(out, outcome);
    const began = calls.some(([name]) => name === 'apply' || name === 'applyReviewed');
    expect(began).toBe(code !== 4);
    expect(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'))).toMatchObject({
      status: began ? 'done' : 'blocked',
      exitCode: code,
    });
  });

  it.each([
    ['done', 0, /Applied: 1 done/],
    ['partly', 7, /Partly applied/],
    ['failed', 1, /The apply failed: 0 done, 1 failed/],
    ['stale', 5, /The reviewed plan no longer fits/],
    ['blocked', 4, /Blocked: nothing was changed/],
    ['interrupted', 1, /The apply was cancelled/],
  ] as const)('that ends %s: the plan, the end of it, and the result', async (status, code, words) => {
    const { plan: made } = planOutcomes['changes'] ?? {};
    if (made === undefined) throw new Error('no plan');
    for (const argv of [['apply'], ['apply', 'plan.json']]) {
      const { run, folder } = fakeProgram({ plan: made, apply: applied(status) });
      writeFileSync(join(folder, 'plan.json'), serializePlan(made));
      const result = await run(...argv, '--yes', '--report', 'result.json');
      expect(result.code).toBe(code);
      expect(result.out).toContain('Plan: 1 to update');
      expect(result.out).toMatch(words);
      expect(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'))).toMatchObject({ status, exitCode: code });
    }
  });

  it('goes ahead only where the plan does what was approved', async () => {
    const made = sealed({ steps: [change], effectDigest: 'ab'.repeat(32) });
    const { run, calls } = fakeProgram({ plan: made });
    const other = await run('apply', '--yes', '--expect-effect', 'cd'.repeat(6));
    expect([other.code, other.err]).toEqual([5, expect.stringContaining('does not do what was approved')]);
    expect(calls.filter(([name]) => name.startsWith('apply'))).toEqual([]);
    expect(other.out).toContain('Effect abababababab');
    expect((await run('apply', '--yes', '--expect-effect', 'ab'.repeat(6))).code).toBe(0);
    expect((await run('apply', '--yes', '--expect-effect', 'nothing')).code).toBe(64);
  });

  it.each([
    ['an error in the catalogue', ['apply'], 1, 'unknown-property'],
    ['a plan that is not there', ['apply', 'none.json'], 1, 'plan-file-unreadable'],
    ['a plan that was changed', ['apply', 'altered.json'], 5, 'plan-altered'],
    ['another plan than expected', ['apply', 'plan.json', '--expect', 'f'.repeat(12)], 5, 'unexpected-plan'],
    ['another plan than approved', ['apply', 'plan.json', '--expect-effect', 'f'.repeat(12)], 5, 'unexpected-plan'],
  ] as const)('%s: told, and nothing is carried out', async (_name, argv, code, word) => {
    const made = sealed({ steps: [change] });
    const { run, folder, calls } = fakeProgram({ plan: made, planDiagnostics: [problem] });
    writeFileSync(join(folder, 'plan.json'), serializePlan(made));
    writeFileSync(join(folder, 'altered.json'), serializePlan(made).replace('pets', 'cats'));
    const result = await run(...argv, '--yes', '--report', 'result.json');
    expect(result.code).toBe(code);
    expect(result.err).toContain(word);
    if (word === 'unknown-property' || word === 'unexpected-plan')
      expect(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'))).toMatchObject({
        exitCode: code,
        steps: [],
      });
    expect(calls.filter(([name]) => name.startsWith('apply'))).toEqual([]);
  });
});

describe('drift', () => {
  const unread: DriftResult['notCompared'] = [
    {
      ...{ id: 'aaaaaaaaaa', address: 'cats', type: 'platform:index/api:Api', trend: 'new' },
      ...{ firstSeen: '2030-05-02T03:00:00.000Z', diagnostic: failedRead.diagnostic },
    },
  ];
  const outcomes: readonly (readonly [string, DriftResult, number, number, RegExp])[] = [
    ['clean', driftResult(), 0, 0, /No drift/],
    ['drift', driftResult({ status: 'drift', findings: [finding()] }), 2, 0, /Drift: 1 finding/],
    ['incomplete', driftResult({ status: 'incomplete', notCompared: unread }), 3, 3, /No answer from the platform/],
    ['error', driftResult({ status: 'failed', diagnostics: [problem] }), 1, 1, /unknown-property/],
  ];
  const ends: Readonly<Record<string, RegExp>> = { markdown: /UTC\.<\/sub>\n$/, html: /<\/html>\n$/, text: /\n$/ };

  it.each(
    outcomes.flatMap(([name, result, code, lenient, words]) =>
      formatsOf(driftCommand).map((format) => [name, format, result, code, lenient, words] as const),
    ),
  )('%s as %s', async (_name, format, result, code, lenient, words) => {
    const { run } = fakeProgram({ project: { drift: async () => result } });
    const strict = await run('drift', '--format', format);
    expect(strict.code).toBe(code);
    expect(await run('drift', '--format', format, '--exit-zero')).toEqual({ ...strict, code: lenient });
    const end = ends[format];
    if (end === undefined) expect(JSON.parse(strict.out)).toMatchObject({ status: result.status });
    else {
      expect(strict.out).toMatch(end);
      expect(strict.out).toMatch(words);
    }
  });
});
