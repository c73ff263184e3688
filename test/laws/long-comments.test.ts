import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DriftResult } from '@platform-sync/core/model/drift';
import type { Risk, PlanStep } from '@platform-sync/core/model/plan';
import { driftMarkdown } from '@platform-sync/report/markdown/drift';
import { driftResult, finding } from '../report/drift-builder.js';
import { hostileNames } from '../report/hostile-plan.js';
import { field, plan, step } from '../report/plan-builder.js';
import { toldDangers } from '../report/told-dangers.js';
import { lawRuns } from './runs.js';
import { planMarkdown } from '../report/forms.js';

const limit = 60_000;

/** A text of `size` lines of which one in the middle differs. */
const text = (size: number, word: string): string =>
  `${Array.from({ length: size }, (_, at) => (at === Math.floor(size / 2) ? word : `line ${at} of the text`)).join('\n')}\n`;

const riskArbitrary: fc.Arbitrary<Risk> = fc.oneof(
  fc.constantFrom<Risk>({ kind: 'deletes' }, { kind: 'replaces' }, { kind: 'publishes' }, { kind: 'unpublishes' }),
  fc.string({ maxLength: 300 }).map((what): Risk => ({ kind: 'cascades', what })),
);
const nameArbitrary = fc.oneof(fc.string({ maxLength: 400 }), fc.constantFrom(...hostileNames));
const stepArbitrary: fc.Arbitrary<PlanStep> = fc
  .record({
    address: nameArbitrary,
    action: fc.constantFrom('create', 'update', 'replace', 'delete'),
    risks: fc.array(riskArbitrary, { maxLength: 4 }),
    before: fc.string({ maxLength: 50 }),
    size: fc.nat(60),
  })
  .map(({ address, action, risks, before, size }) =>
    step({
      address,
      action,
      risks,
      fields: [
        field('title', { old: before, new: address }),
        field('content', { old: text(size, before), new: text(size, address) }),
      ],
    }),
  );

const unread = {
  ...{ id: 'aaaaaaaaaa', address: 'cats', type: 'platform:index/api:Api', trend: 'new' },
  firstSeen: '2030-05-02T03:00:00.000Z',
  diagnostic: { severity: 'error', code: 'platform-error', summary: 'The platform answered 503.' },
} as const satisfies DriftResult['notCompared'][number];
describe('the limit of a comment', () => {
  it('holds for a plan of texts without end, and every danger is listed or counted', () => {
    fc.assert(
      fc.property(
        fc.array(stepArbitrary, { maxLength: 30 }),
        fc.constantFrom(1, 3, 40),
        fc.array(nameArbitrary, { maxLength: 200 }),
        (some, times, names) => {
          const steps = Array.from({ length: times }, (_, at) =>
            some.map((one) => ({ ...one, address: `${one.address}${at}` })),
          ).flat();
          const made = planMarkdown(
            plan({
              steps,
              guards: names.map((name) => ({ name, summary: name, addresses: names })),
              notices: names.map((name) => ({ severity: 'warning', code: 'x', summary: name, hint: name })),
              outputs: names.map((name) => ({ name, old: names, new: name })),
            }),
          );
          expect(made.length).toBeLessThanOrEqual(limit);
          const dangers = steps.filter((one) => one.risks.length > 0).length;
          expect(toldDangers(made)).toEqual({ titled: dangers, told: dangers });
        },
      ),
      { numRuns: lawRuns(60) },
    );
  });

  it('holds for a drift check of anything at all', () => {
    const text = fc.string({ unit: 'binary', maxLength: 400 });
    const anyFinding = fc
      .record({ address: text, field: text, old: text, new: text, todo: text, source: text })
      .map((given) => finding(given));
    const problem = text.map((summary) => ({ severity: 'error' as const, code: 'x', summary }));
    fc.assert(
      fc.property(
        fc.array(anyFinding, { maxLength: 40 }),
        fc.array(problem, { maxLength: 40 }),
        fc.nat({ max: 20 }),
        (found, problems, times) => {
          const findings = Array.from({ length: times }, () => found).flat();
          const notCompared = problems.map((diagnostic) => ({ ...unread, diagnostic }));
          const result = driftResult({ status: 'incomplete', findings, notCompared, diagnostics: problems });
          expect(driftMarkdown(result).length).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: lawRuns(60) },
    );
  });
});
