import { describe, expect, it } from 'vitest';
import { renderPlan, renderPlanReports, type PlanFormat } from '@platform-sync/sdk/index';
import { recordedPlan, reportsOf } from './golden-plans.js';

const files: readonly (readonly [PlanFormat, string])[] = [
  ['text', 'plan.txt'],
  ['markdown', 'plan.md'],
  ['html', 'plan.html'],
  ['sarif', 'plan.sarif'],
  ['gitlab', 'gitlab-code-quality.json'],
];

describe('rendering for programs', () => {
  // Descriptions in YAML need the parser that the command line loads, too.
  const plan = recordedPlan('specification-breaks-clients');

  it.each(files)('%s is what the command line makes', async (format, file) => {
    expect(await renderPlan(plan, format, { planFile: 'plan.json' })).toBe((await reportsOf(plan)).get(file));
  });

  it('gives all reports at once', async () => {
    expect(await renderPlanReports(plan, { planFile: 'plan.json' })).toEqual(await reportsOf(plan));
  });

  it('keeps to the length it is told', async () => {
    const long = recordedPlan('two-hundred-creates');
    expect((await renderPlan(long, 'markdown')).length).toBeGreaterThan(30_000);
    expect((await renderPlan(long, 'markdown', { maxCharacters: 30_000 })).length).toBeLessThanOrEqual(30_000);
  });
});
