import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Plan } from '@platform-sync/core/model/plan';
import { serializePlan } from '@platform-sync/engine/plan/saved-plan';
import { field, plan, step } from '../report/plan-builder.js';
import { recordedPlan } from '../report/golden-plans.js';
import { reportFiles } from '@platform-sync/report/report-files';
import { fakeProgram } from './fake-host.js';

const change = [step({ address: 'pets', action: 'update', fields: [field('name', { old: 'a', new: 'b' })] })];
const failedRead = { type: 'x', diagnostic: { severity: 'error', code: 'x', summary: 'No answer.' } } as const;

/** Exit codes of `plan --detailed-exitcode`, by what is true of the plan. */
const outcomes: readonly (readonly [string, Plan, number])[] = [
  ['clean', plan(), 0],
  ['changes', plan({ steps: change }), 2],
  ['incomplete', plan({ steps: change, notCompared: [failedRead] }), 3],
  ['blocked', plan({ steps: change, guards: [{ name: 'maxDeletes', summary: 'too many', addresses: [] }] }), 4],
];

/** What the end of each format's full output looks like. */
const formats: readonly (readonly [string, RegExp])[] = [
  ['text', /(Plan: .*|No changes.*)\n(To carry it out, type:\n  sync apply\n)?$/],
  ['json', /^\{"catalogueDigest".*\}\n$/],
  ['markdown', /<sub>Plan `d+`, state serial 3<\/sub>\n$/],
  ['html', /<\/html>\n$/],
  ['sarif', /\n\}\n$/],
  ['gitlab', /\]\n$/],
];

describe('every format × every outcome', () => {
  it.each(
    outcomes.flatMap(([name, made, code]) => formats.map(([format, end]) => [name, format, made, code, end] as const)),
  )('%s as %s', async (_name, format, made, code, end) => {
    const result = await fakeProgram({ plan: made }).run('plan', '--detailed-exitcode', '--format', format);
    expect(result.code).toBe(code);
    expect(result.out).toMatch(end);
  });

  it.each(formats.map(([format]) => format))('no plan: an error and nothing forged as %s', async (format) => {
    const diagnostics = [{ severity: 'error', code: 'unknown-key', summary: 'No such key.' } as const];
    const program = fakeProgram({ planDiagnostics: diagnostics, project: { plan: async () => ({ diagnostics }) } });
    const result = await program.run('plan', '--format', format);
    expect(result.code).toBe(1);
    expect(format === 'json' ? result.out : result.err).toContain('unknown-key');
  });
});

describe('--report-dir', () => {
  it.each([
    [{}, undefined],
    [{ SYNC_STACK: '' }, undefined],
    [{ SYNC_STACK: 'prod' }, 'prod'],
  ])('names the stack of a plan that could not be made where somebody named it: %j is %s', async (env, stack) => {
    const diagnostics = [{ severity: 'error', code: 'unknown-key', summary: 'No such key.' } as const];
    const program = fakeProgram({ openDiagnostics: diagnostics, host: { env } });
    await program.run('plan', '--report-dir', 'out');
    const left = JSON.parse(readFileSync(join(program.folder, 'out/no-plan.json'), 'utf8')) as { stack?: string };
    expect(left.stack).toBe(stack);
  });

  it('writes every report and the plan, beside what is printed', async () => {
    const program = fakeProgram({ plan: plan({ steps: change }) });
    const { code, out } = await program.run('plan', '--report-dir', 'out/reports');
    expect(code).toBe(0);
    const folder = join(program.folder, 'out/reports');
    expect(readdirSync(folder).sort()).toEqual([...reportFiles, 'plan.json'].sort());
    expect(out).toContain('sync apply out/reports/plan.json');
    expect(readFileSync(join(folder, 'plan.md'), 'utf8')).toContain('`sync apply out/reports/plan.json`');
  });

  it('that is a file ends in an error that names it', async () => {
    const program = fakeProgram({ plan: plan({ steps: change }) });
    writeFileSync(join(program.folder, 'taken'), '');
    const { code, err } = await program.run('plan', '--report-dir', 'taken');
    expect(code).toBe(1);
    expect(err).toContain('report-unwritable');
  });
});

describe('show', () => {
  it.each(formats)('renders a kept plan as %s', async (format) => {
    const file = join(mkdtempSync(join(tmpdir(), 'sync-show-')), 'plan.json');
    writeFileSync(file, serializePlan(recordedPlan('specification-breaks-clients')));
    const { code, out } = await fakeProgram().run('show', file, '--format', format);
    expect(code).toBe(0);
    expect(out.length).toBeGreaterThan(300);
    if (format !== 'json' && format !== 'gitlab') expect(out).toContain('pets/guide');
  });
});
