import { expect } from 'vitest';
import type { Plan } from '@platform-sync/core/model/plan';
import { digestOf, parsePlan } from '@platform-sync/engine/plan/saved-plan';
import { field, plan, step } from '../report/plan-builder.js';

export const change = step({ address: 'pets', action: 'update', fields: [field('name', { old: 'a', new: 'b' })] });
const outside: Plan['steps'][number] = {
  ...change,
  cause: 'drift',
  fields: [field('name', { old: 'a', new: 'b', cause: 'drift' })],
};
export const failedRead: Plan['notCompared'][number] = {
  address: 'cats',
  type: 'platform:index/api:Api',
  diagnostic: { severity: 'error', code: 'read-failed', summary: 'No answer from the platform.' },
};
const guard = { name: 'maxDeletes', summary: 'too many deletes', addresses: [] };

export interface PlanOutcome {
  readonly plan: Plan;
  /** Codes of `plan`, `plan --detailed-exitcode`, and `apply` that goes through. */
  readonly codes: readonly [number, number, number];
  /** The one word for machines. */
  readonly verdict: string;
  /** What every format for people says. */
  readonly words: RegExp;
  /** The rule of the finding that the formats for code scanning have; undefined: none at all. */
  readonly rule?: string;
}

export const planOutcomes: Readonly<Record<string, PlanOutcome>> = {
  clean: { plan: sealed({}), codes: [0, 0, 0], verdict: 'clean', words: /No changes/ },
  changes: {
    ...{ plan: sealed({ steps: [change] }), codes: [0, 2, 0], verdict: 'changes' },
    ...{ words: /1 to update/, rule: 'change' },
  },
  drift: {
    ...{ plan: sealed({ steps: [outside] }), codes: [0, 2, 0], verdict: 'changes' },
    ...{ words: /[Cc]hanged outside/, rule: 'changed-outside' },
  },
  blocked: {
    ...{ plan: sealed({ steps: [change], guards: [guard] }), codes: [4, 4, 4], verdict: 'blocked' },
    ...{ words: /too many deletes/, rule: 'guard' },
  },
  incomplete: {
    ...{ plan: sealed({ steps: [change], notCompared: [failedRead] }), codes: [3, 3, 3], verdict: 'incomplete' },
    ...{ words: /No answer from the platform/, rule: 'not-compared' },
  },
  'blocked and incomplete': {
    ...{ plan: sealed({ guards: [guard], notCompared: [failedRead] }), codes: [4, 4, 4], verdict: 'blocked' },
    ...{ words: /too many deletes/, rule: 'not-compared' },
  },
};

/** As a plan file holds it: with the digest of its content. */
export function sealed(parts: Partial<Plan>): Plan {
  const { digest: _digest, meta, ...body } = plan(parts);
  return { ...body, digest: digestOf(body), meta };
}

/** Fails unless the text is the whole report in that format, and says the outcome. */
export const checks: Readonly<Record<string, (text: string, outcome: PlanOutcome) => void>> = {
  text: (text, { words }) => {
    expect(text).toMatch(/^Plan for payments, stack default/);
    expect(text).toMatch(/^(Plan: .*|No changes.*|Blocked.*|.*--allow .*)$/m);
    expect(text).toMatch(words);
  },
  json: (text, { plan: made }) => expect(parsePlan(text)).toEqual({ plan: made }),
  markdown: (text, { words }) => {
    expect(text).toMatch(/^## \S+ /);
    expect(text).toMatch(/<sub>Plan `[0-9a-f]+`, state serial 3<\/sub>\n$/);
    expect(text).toMatch(words);
  },
  html: (text, { words }) => {
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).toMatch(/<\/html>\n$/);
    expect(text).toMatch(words);
  },
  sarif: (text, { verdict, rule }) => {
    const { runs } = JSON.parse(text) as { runs: { properties: unknown; results: { ruleId: string }[] }[] };
    expect(runs).toMatchObject([{ properties: { verdict } }]);
    expectRule(runs[0]?.results.map(({ ruleId }) => ruleId) ?? [], rule);
  },
  gitlab: (text, { rule }) => {
    const entries = JSON.parse(text) as { check_name: string }[];
    expectRule(
      entries.map((entry) => entry.check_name),
      rule,
    );
  },
};

function expectRule(found: readonly string[], rule: string | undefined): void {
  if (rule === undefined) expect(found).toEqual([]);
  else expect(found).toContain(rule);
}
