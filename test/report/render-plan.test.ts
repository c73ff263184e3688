import { describe, expect, it } from 'vitest';
import { renderPlan, renderPlanReports, type PlanFormat } from '@platform-sync/sdk/index';
import { recordedPlan, reportsOf } from './golden-plans.js';
import { field, plan, step } from './plan-builder.js';

const files: readonly (readonly [PlanFormat, string])[] = [
  ['text', 'plan.txt'],
  ['markdown', 'plan.md'],
  ['html', 'plan.html'],
  ['sarif', 'plan.sarif'],
  ['gitlab', 'gitlab-code-quality.json'],
];

describe('rendering for programs', () => {
  // Descriptions in YAML need the parser that the command line loads, too.
  const recorded = recordedPlan('specification-breaks-clients');

  it.each(files)('%s is what the command line makes', async (format, file) => {
    expect(await renderPlan(recorded, format, { planFile: 'plan.json' })).toBe((await reportsOf(recorded)).get(file));
  });

  it('gives all reports at once', async () => {
    expect(await renderPlanReports(recorded, { planFile: 'plan.json' })).toEqual(await reportsOf(recorded));
  });

  it('keeps to the length it is told', async () => {
    const text = (at: number, word: string): string => `${`${word} ${at}\n`.repeat(40)}`;
    const steps = Array.from({ length: 200 }, (_, at) =>
      step({
        address: `item-${at}`,
        action: 'update',
        fields: [field('content', { old: text(at, 'a'), new: text(at, 'b') })],
      }),
    );
    const long = plan({ steps });
    expect((await renderPlan(long, 'markdown')).length).toBeGreaterThan(30_000);
    expect((await renderPlan(long, 'markdown', { maxCharacters: 30_000 })).length).toBeLessThanOrEqual(30_000);
  });
});
