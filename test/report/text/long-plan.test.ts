import { describe, expect, it } from 'vitest';
import type { Plan } from '@platform-sync/core/model/plan';
import { planText } from '@platform-sync/report/text/plan';
import { plainStyle } from '@platform-sync/report/text/style';
import { field, plan, step } from '../plan-builder.js';

/** Eighty changes, none like another; every twentieth deletes, every twentieth disappears from the portal. */
const steps = Array.from({ length: 80 }, (_, at) =>
  step({
    address: `api-${at}`,
    action: at % 20 === 0 ? 'delete' : 'update',
    fields: [field('description', { old: `old ${at}`, new: `new ${at}` })],
    risks: [{ kind: 'deletes' } as const, { kind: 'unpublishes' } as const].filter((_risk, kind) => at % 20 === kind),
  }),
);
const long = plan({ steps, guards: [{ name: 'maxDeletes', summary: '4 deletes', addresses: [] }] });
const text = (made: Plan, summary = false): string => planText(made, { style: plainStyle, summary });

describe('a plan longer than a screen', () => {
  it('ends with every danger by name, after the last change and before what lifts the guards', () => {
    const end = text(long).split('new 79')[1] ?? '';
    expect(end).toContain(
      `Disappears from the live portal: 4\n${[1, 21, 41, 61].map((at) => `  api-${at} (platform:Api)\n`).join('')}`,
    );
    expect(end).toContain(`Deletes: 4\n${[0, 20, 40, 60].map((at) => `  api-${at} (platform:Api)\n`).join('')}`);
    expect(end.indexOf('Deletes: 4')).toBeLessThan(end.indexOf('--allow maxDeletes'));
  });

  it('leaves none of them out, however many there are', () => {
    const many = Array.from({ length: 2000 }, (_, at) =>
      step({ address: `gone-${at}.`, action: 'delete', risks: [{ kind: 'deletes' }] }),
    );
    const made = text(plan({ steps: many }));
    const recap = made.slice(made.lastIndexOf('Deletes: 2000'));
    expect(many.filter(({ address }) => !recap.includes(`  ${address} (`))).toEqual([]);
  });

  it('has a line for each that is new, and every field of what was there', () => {
    const added = Array.from({ length: 60 }, (_, at) =>
      step({ address: `new-${at}`, action: 'create', fields: [field('name', { new: `N${at}` })] }),
    );
    const [change = step({ address: 'none', action: 'update' })] = steps.slice(1, 2);
    const made = text(plan({ steps: [...added, change] }));
    expect(made).toContain('+ create new-7 (platform:Api)\n    + create new-8 (platform:Api)\n');
    expect(made).toContain('What is new has a line each');
    expect([made.includes('N7'), made.includes('new 1')]).toEqual([false, true]);
    const short = text(plan({ steps: [...added.slice(0, 5), change] }));
    expect([short.includes('N4'), short.includes('a line each')]).toEqual([true, false]);
  });

  it('is said once where it is short', () => {
    expect(text(plan({ steps: steps.slice(0, 2) }))).not.toContain('Deletes: 1');
  });
});

describe('a plan as a summary', () => {
  it('leaves out the changes and nothing else', () => {
    const made = text(long, true);
    expect(made).not.toMatch(/(?:old|new) \d+|api-2 /);
    for (const part of [
      'Plan for payments',
      'Deletes: 4',
      '  api-60 (platform:Api)',
      '--allow maxDeletes',
      '76 to update',
    ])
      expect(made).toContain(part);
  });

  it('names the dangers of a short plan, too', () => {
    expect(text(plan({ steps: steps.slice(0, 2) }), true)).toContain('Deletes: 1\n  api-0 (platform:Api)\n');
  });
});
