import { describe, expect, it } from 'vitest';
import type { Plan } from '@platform-sync/core/model/plan';
import { planNames, recordedPlan } from '../golden-plans.js';
import { hostileNames, hostilePlan, planWith } from '../hostile-plan.js';
import { field, plan, step } from '../plan-builder.js';
import { sarifProblems } from './sarif-schema.js';
import { planSarif } from '../forms.js';

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
  readonly properties: Readonly<Record<string, unknown>>;
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
const failedRead = { type: 'x', diagnostic: { severity: 'error', code: 'x', summary: 'No answer.' } } as const;
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

  it.each<[string, Partial<Plan>, string]>([
    ['nothing to do', {}, 'clean'],
    ['a change', { steps: [update] }, 'changes'],
    ['a deletion', { steps: [step({ address: 'old', action: 'delete', risks: [{ kind: 'deletes' }] })] }, 'dangerous'],
    ['a failed read', { notCompared: [failedRead] }, 'incomplete'],
    ['a guard', { guards: [{ name: 'maxDeletes', summary: 'x', addresses: [] }] }, 'blocked'],
  ])('says in a word what came out: %s', (_name, parts, verdict) => {
    expect(run(parts).properties).toMatchObject({ verdict });
  });
});

describe('the schema of the standard', () => {
  // Guards against a validator that takes everything.
  it.each<[string, object]>([
    ['no version', { runs: [] }],
    ['another level', withResult({ message: { text: 'x' }, level: 'bad' })],
    ['a line before the first', withResult({ message: { text: 'x' }, locations: [at({ startLine: 0 })] })],
    ['an unknown key', withResult({ message: { text: 'x' }, verdict: 'fine' })],
    [
      'a place that is no URI',
      withResult({ message: { text: 'x' }, locations: [at({ startLine: 1 }, 'my pets.yaml')] }),
    ],
  ])('refuses %s', (_name, document) => {
    expect(sarifProblems(document)).not.toEqual([]);
  });

  it.each(planNames)('takes %s', (name) => {
    expect(sarifProblems(JSON.parse(planSarif(recordedPlan(name))))).toEqual([]);
  });

  it('takes every hostile name, alone and with all others, and more results than fit', () => {
    for (const name of hostileNames)
      expect(sarifProblems(JSON.parse(planSarif(planWith(name)))), JSON.stringify(name)).toEqual([]);
    expect(sarifProblems(JSON.parse(planSarif(hostilePlan)))).toEqual([]);
    const steps = Array.from({ length: 5003 }, (_, number) => step({ address: `item-${number}`, action: 'create' }));
    expect(sarifProblems(JSON.parse(planSarif(plan({ steps }))))).toEqual([]);
  });
});

function withResult(result: object): object {
  return { version: '2.1.0', runs: [{ tool: { driver: { name: 'x' } }, results: [result] }] };
}

function at(region: object, uri = 'a.yaml'): object {
  return { physicalLocation: { artifactLocation: { uri }, region } };
}
