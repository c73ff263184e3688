import { describe, expect, it } from 'vitest';
import { planCodeQuality, planTerraformReport } from '../../src/report/gitlab.js';
import { plan, step } from './plan-builder.js';

describe('the plan widget', () => {
  it('counts a replacement as a delete and a create; what only touches state does not count', () => {
    const actions = ['create', 'update', 'update', 'replace', 'delete', 'move', 'adopt', 'forget'] as const;
    const steps = actions.map((action, at) => step({ address: `item-${at}`, action }));
    expect(JSON.parse(planTerraformReport(plan({ steps })))).toEqual({ create: 2, update: 2, delete: 2 });
  });
});

describe('the code quality report', () => {
  it('has what the widget needs, and a fingerprint of its own for each entry', () => {
    const made = plan({
      steps: [
        step({ address: 'old', action: 'delete', risks: [{ kind: 'deletes' }] }),
        step({ address: 'new', action: 'create' }),
      ],
      guards: [
        { name: 'maxDeletes', summary: 'too many', addresses: [] },
        { name: 'maxDeletePercent', summary: 'too large a share', addresses: [] },
      ],
      meta: { ...plan().meta, sources: { new: 'catalogue/a.yaml:7:3' } },
    });
    const entries = JSON.parse(planCodeQuality(made)) as Record<string, unknown>[];
    expect(entries.map(({ severity, check_name: name, location }) => [severity, name, location])).toEqual([
      ['critical', 'guard', { path: 'sync.yaml', lines: { begin: 1 } }],
      ['critical', 'guard', { path: 'sync.yaml', lines: { begin: 1 } }],
      ['major', 'deletes', { path: 'sync.yaml', lines: { begin: 1 } }],
      ['info', 'change', { path: 'catalogue/a.yaml', lines: { begin: 7 } }],
    ]);
    expect(new Set(entries.map(({ fingerprint }) => fingerprint)).size).toBe(4);
  });

  it('is an empty list for a plan that changes nothing', () => {
    expect(JSON.parse(planCodeQuality(plan()))).toEqual([]);
  });
});
