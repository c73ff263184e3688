import { describe, expect, it } from 'vitest';
import { originCounts, originLine, originOf } from '@platform-sync/report/words/origin';
import { plainStyle } from '@platform-sync/report/text/style';
import { planText } from '@platform-sync/report/text/plan';
import type { PlanMeta } from '@platform-sync/core/model/plan';
import { plan, step } from '../plan-builder.js';

const steps = ['mine', 'theirs', 'clicked'].map((address) => step({ address, action: 'update' }));
const meta = (parts: Partial<PlanMeta>): PlanMeta => ({ ...plan().meta, ...parts });
const marked = plan({
  steps,
  meta: meta({ base: 'main at 1a2b3c', origins: { mine: 'branch', theirs: 'pending', clicked: 'drift' } }),
});

describe('origins', () => {
  it('are counted, the branch first', () => {
    expect(originCounts(marked)).toEqual([
      ['branch', 1],
      ['pending', 1],
      ['drift', 1],
    ]);
    expect(originLine(marked)).toBe(
      'Compared with main at 1a2b3c: 1 by this branch, 1 pending before it, 1 by hand on the platform (drift).',
    );
  });

  it('are silent without a base, and say so when the base could not be planned', () => {
    expect([originLine(plan({ steps })), originOf(plan({ steps }), 'mine')]).toEqual([undefined, undefined]);
    expect(originLine(plan({ steps, meta: meta({ base: 'main\u001b[2J' }) }))).toBe(
      'Could not be compared with main\\u001b[2J: it is not known which changes come from this branch.',
    );
  });

  it('never come out of a name that every object has', () => {
    expect(originOf(marked, 'constructor')).toBeUndefined();
  });

  it('mark in the text what this branch did not cause', () => {
    const text = planText(marked, { style: plainStyle });
    expect(text.match(/pending before this branch/g)).toHaveLength(1);
    expect(text.match(/changed by hand/g)).toHaveLength(1);
    expect(text).not.toContain('caused by this branch');
    expect(text).toContain('Compared with main at 1a2b3c');
  });
});
