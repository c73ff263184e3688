import { describe, expect, it } from 'vitest';
import type { Plan } from '@platform-sync/core/model/plan';
import { planNames, recordedPlan } from '../golden-plans.js';
import { hostileNames, hostilePlan, planWith } from '../hostile-plan.js';
import { plan, step } from '../plan-builder.js';
import { planCodeQuality, planTerraformReport } from '../forms.js';

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

/** The fields that GitLab documents for an entry; others it ignores. */
interface Entry {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}
const severities = ['info', 'minor', 'major', 'critical', 'blocker'];

/** Keys and kinds of the document, as the documentation lists them. */
function expectEntries(made: Plan, name: string): void {
  const entries = JSON.parse(planCodeQuality(made)) as readonly Entry[];
  for (const entry of entries) {
    expect(Object.keys(entry).sort(), name).toEqual([
      'check_name',
      'description',
      'fingerprint',
      'location',
      'severity',
    ]);
    expect(severities).toContain(entry.severity);
    expect(
      [entry.description, entry.check_name].every((text) => text.trim() !== ''),
      name,
    ).toBe(true);
    expect(entry.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    const { path, lines, ...more } = entry.location;
    expect([path === '' || path.startsWith('.//'), Number.isInteger(lines.begin) && lines.begin >= 1, more]).toEqual([
      false,
      true,
      {},
    ]);
  }
  // Of entries with one fingerprint only the first would be shown.
  expect(new Set(entries.map(({ fingerprint }) => fingerprint)).size, name).toBe(entries.length);
}

function expectCounts(made: Plan, name: string): void {
  const counts = JSON.parse(planTerraformReport(made)) as Record<string, number>;
  expect(Object.keys(counts), name).toEqual(['create', 'update', 'delete']);
  expect(
    Object.values(counts).every((count) => Number.isInteger(count) && count >= 0),
    name,
  ).toBe(true);
}

describe('both reports have the documented shape', () => {
  it.each(planNames)('for %s', (name) => {
    expectEntries(recordedPlan(name), name);
    expectCounts(recordedPlan(name), name);
  });

  it('for hostile names', () => {
    for (const name of hostileNames) expectEntries(planWith(name), JSON.stringify(name));
    expectEntries(hostilePlan, 'all');
    expectCounts(hostilePlan, 'all');
  });
});
