import { describe, expect, it } from 'vitest';
import { planSarif } from '../../src/report/sarif.js';
import { field, plan, step } from './plan-builder.js';

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly { readonly physicalLocation: unknown; readonly logicalLocations?: unknown }[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
}

interface Run {
  readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
  readonly automationDetails: { readonly id: string };
  readonly invocations: readonly { readonly toolExecutionNotifications: readonly unknown[] }[];
  readonly results: readonly Result[];
}

function run(parts: Parameters<typeof plan>[0]): Run {
  const { version, runs } = JSON.parse(planSarif(plan(parts))) as { version: string; runs: readonly Run[] };
  expect(version).toBe('2.1.0');
  const [only] = runs;
  if (only === undefined) throw new Error('no run');
  return only;
}

const meta = {
  ...plan().meta,
  sources: { 'pets/guide': 'catalogue/my pets.yaml:12:5' },
  fieldSources: { 'pets/guide': { content: 'catalogue/my pets.yaml:14:9' } },
};
const update = step({ address: 'pets/guide', action: 'update', fields: [field('content', { old: 'a', new: 'b' })] });

describe('SARIF', () => {
  it('puts a change at the line of the field that changes', () => {
    const [result] = run({ steps: [update], meta }).results;
    expect(result).toMatchObject({
      ruleId: 'change',
      level: 'note',
      message: { text: 'pets/guide (platform:Api): update content' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'catalogue/my%20pets.yaml' },
            region: { startLine: 14, startColumn: 9 },
          },
          logicalLocations: [{ fullyQualifiedName: 'pets/guide' }],
        },
      ],
    });
  });

  it('puts what is no longer in the catalogue at the project file', () => {
    const [result] = run({ steps: [step({ address: 'old', action: 'delete', risks: [{ kind: 'deletes' }] })] }).results;
    expect(result?.locations[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'sync.yaml' },
      region: { startLine: 1, startColumn: 1 },
    });
  });

  it('says the worst first, and every result names a rule that is described', () => {
    const found = run({
      steps: [
        update,
        step({ address: 'back', action: 'update', cause: 'drift' }),
        step({ address: 'old', action: 'delete', risks: [{ kind: 'deletes' }] }),
        step({ address: 'new', action: 'create', risks: [{ kind: 'publishes' }] }),
      ],
      guards: [
        { name: 'maxDeletes', summary: 'too many', addresses: [] },
        { name: 'delete:x', summary: 'x', addresses: [], lifted: 'fine' },
      ],
      notCompared: [
        { address: 'shop', type: 'x', diagnostic: { severity: 'error', code: 'x', summary: 'No answer.' } },
      ],
      notices: [{ severity: 'warning', code: 'cannot-clear', summary: 'It stays.' }],
    });
    expect(found.results.map(({ ruleId, level }) => `${level} ${ruleId}`)).toEqual([
      'error guard',
      'error not-compared',
      'warning deletes',
      'warning publishes',
      'warning warning',
      'warning changed-outside',
      'note change',
    ]);
    for (const { ruleId, ruleIndex } of found.results) expect(found.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  });

  it('keeps the fingerprint of a finding whose words change', () => {
    const of = (risks: Parameters<typeof step>[0]['risks']): unknown =>
      run({ steps: [step({ address: 'old', action: 'delete', ...(risks === undefined ? {} : { risks }) })] }).results[0]
        ?.partialFingerprints;
    expect(of([{ kind: 'deletes' }])).toEqual(of([{ kind: 'deletes' }, { kind: 'cascades', what: 'portals: Dev' }]));
    expect(of([{ kind: 'deletes' }])).not.toEqual(of([{ kind: 'publishes' }]));
  });

  it('keeps two targets of one repository apart', () => {
    expect(run({ project: 'shop', stack: 'eu west' }).automationDetails.id).toBe('platform-sync/shop/eu%20west/');
  });

  it('has 5,000 results at most, and says how many are left out', () => {
    const steps = Array.from({ length: 5003 }, (_, at) => step({ address: `item-${at}`, action: 'create' }));
    const found = run({ steps });
    expect(found.results).toHaveLength(5000);
    expect(JSON.stringify(found.invocations)).toContain('3 more results are left out');
  });
});
