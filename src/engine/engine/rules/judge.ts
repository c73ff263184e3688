import type { CompareSpecifications, SpecificationChanges } from '../api.js';
import { canonicalJson, sha256 } from '@platform-sync/core/model/canonical';
import type { Address } from '@platform-sync/core/model/address';
import type { Diagnostic, Place } from '@platform-sync/core/model/diagnostic';
import type { BareFinding, PlanStep } from '@platform-sync/core/model/plan';
import type { RuleText } from '@platform-sync/core/model/project';
import { defined } from '@platform-sync/core/model/value';
import type { Seals } from '@platform-sync/core/value/seal';
import type { Judge, Judgement } from '../plan/guards/guard.js';
import type { Step } from '../plan/step.js';
import { type CelOutcome, withBudget } from './cel.js';
import { newOf, oldOf, PlanFacts, ResourceFacts, SpecFacts, StepFacts } from './facts.js';
import type { Rule } from './rule-file.js';

/** What one rule says of one step, or of the plan. */
export interface Violation {
  readonly rule: Rule;
  readonly address?: Address;
  readonly message: string;
  /** Nobody can know whether the rule holds. */
  readonly isUndecided: boolean;
}

/** Everything that the expressions of a rule may name, made when it is first asked for. */
export interface RuleFacts {
  readonly plan: PlanFacts;
  readonly step?: StepFacts;
  readonly resource?: ResourceFacts;
  readonly spec?: SpecFacts;
  readonly old?: unknown;
  readonly new?: unknown;
  /** The same, as Kubernetes calls it. */
  readonly oldObject?: unknown;
  readonly object?: unknown;
  /** Of the rule that is asked. */
  variables?: object;
}

/** More findings of one rule are told as one. */
const mostSingle = 20;

/** Judges plans by rules: pure, like all of planning. */
export function judgeOf(rules: readonly Rule[], files: readonly RuleText[], compare: CompareSpecifications): Judge {
  const digest = sha256(canonicalJson(files.map(({ file, text }) => [file, text])));
  return ({ shown, steps, seals, desired, ...plan }) => {
    const facts = shown.map((step) => new StepFacts(step, step.action));
    const whole = new PlanFacts({ ...plan, steps: facts });
    withBudget();
    const compareNow: Compare = (before, after) => compare(before, after, Date.parse(plan.createdAt));
    const found = shown.flatMap((step, index) => {
      const [made, stepFacts] = [steps.get(step.address), facts[index]];
      return made === undefined || stepFacts === undefined
        ? []
        : violationsOf(rules, stepFactsOf(whole, stepFacts, step, made, seals, compareNow), step);
    });
    const ofPlan = rules.filter(({ isOfPlan }) => isOfPlan).flatMap((rule) => asked(rule, { plan: whole }) ?? []);
    const placeOf = (address: Address): Place | undefined => {
      const at = desired.resources.get(address)?.at;
      return at && desired.sources.place(at);
    };
    return judgement([...ofPlan, ...found], { rules: rules.length, digest }, placeOf);
  };
}

/** What rules say of one step. */
export function violationsOf(
  rules: readonly Rule[],
  facts: RuleFacts,
  { address, type, action }: { readonly address: Address; readonly type: string; readonly action: string },
): readonly Violation[] {
  return rules.flatMap((rule) => {
    if (rule.isOfPlan || rule.types?.has(type) === false || rule.isAt?.(address) === false) return [];
    if (rule.actions?.has(action) === false) return [];
    const found = asked(rule, facts);
    return found === undefined ? [] : [{ ...found, address }];
  });
}

/** What a rule says of some facts; undefined where all is well. */
export function asked(rule: Rule, facts: RuleFacts): Violation | undefined {
  // Few rules have any, and many are asked.
  if (rule.names.has('variables')) facts.variables = rule.variablesOver(facts);
  for (const condition of rule.conditions) {
    const holds = condition.evaluate(facts);
    if (holds.kind !== 'value') return unasked(rule, holds);
    if (holds.value !== true) return undefined;
  }
  const outcome = rule.expression.evaluate(facts);
  if (outcome.kind !== 'value') return unasked(rule, outcome);
  if (outcome.value === true) return undefined;
  return { rule, message: messageOf(rule, facts), isUndecided: false };
}

/** A rule that fails does not hold; one that nobody can answer yet asks for somebody's word. */
function unasked(rule: Rule, { kind, why }: Exclude<CelOutcome, { readonly kind: 'value' }>): Violation {
  return { rule, message: `the rule can't be asked: ${why}`, isUndecided: kind === 'undecided' };
}

function messageOf({ message, name }: Rule, facts: RuleFacts): string {
  if (typeof message === 'string') return message;
  const said: CelOutcome = message.evaluate(facts);
  return said.kind === 'value' && typeof said.value === 'string' ? said.value : `the rule ${name} does not hold`;
}

function stepFactsOf(
  plan: PlanFacts,
  step: StepFacts,
  shown: PlanStep,
  made: Step,
  seals: Seals,
  compare: Compare,
): RuleFacts {
  const old = once(() => oldOf(made, seals));
  const next = once(() => newOf(made, seals, old));
  const spec = once(() => new SpecFacts(specificationChanges(shown, compare)));
  return {
    ...{ plan, step, resource: ResourceFacts.of(made) },
    get spec() {
      return spec();
    },
    get old() {
      return old();
    },
    get new() {
      return next();
    },
    get oldObject() {
      return old();
    },
    get object() {
      return next();
    },
  };
}

type Compare = (before: string, after: string) => SpecificationChanges;

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** A description is told by what it is, in whatever field it stands. */
function specificationChanges({ fields }: PlanStep, compare: Compare): SpecificationChanges {
  const all = fields.flatMap(({ old, new: next }) =>
    typeof old === 'string' && typeof next === 'string' && old.length > 20 ? [compare(old, next)] : [],
  );
  return {
    breaks: all.flatMap(({ breaks }) => breaks),
    mayBreak: all.flatMap(({ mayBreak }) => mayBreak),
    safe: all.flatMap(({ safe }) => safe),
  };
}

/** Advice is said, a warning asks for a reason, and what is denied nobody lifts; what can't be decided asks for a reason, too. */
function judgement(
  found: readonly Violation[],
  by: Judgement['by'],
  placeOf: (address: Address) => Place | undefined,
): Judgement {
  const advice = found.filter(({ rule }) => rule.level === 'advise');
  const holding = found.filter(({ rule }) => rule.level !== 'advise');
  return {
    by,
    guards: grouped(holding).map(guardOf),
    advice: advice.map(({ rule, address, message }): Diagnostic => ({
      severity: 'info',
      code: 'policy-advice',
      summary: `${address === undefined ? '' : `${address}: `}${message}`,
      detail: `The rule ${rule.name} (${rule.place}) advises it.`,
      ...defined({ address, place: address === undefined ? undefined : placeOf(address) }),
    })),
  };
}

/** By rule; of a rule with few findings each alone, so that a reason is given for one address. */
function grouped(found: readonly Violation[]): readonly (readonly [Violation, ...Violation[]])[] {
  const byRule = new Map<string, [Violation, ...Violation[]]>();
  for (const one of found) {
    const key = JSON.stringify([one.rule.name, one.isUndecided]);
    const all = byRule.get(key);
    if (all === undefined) byRule.set(key, [one]);
    else all.push(one);
  }
  return [...byRule.values()].flatMap((all): readonly (readonly [Violation, ...Violation[]])[] =>
    all.length > mostSingle ? [all] : all.map((one): readonly [Violation] => [one]),
  );
}

function guardOf(all: readonly [Violation, ...Violation[]]): BareFinding {
  const [{ rule, message, address, isUndecided }, ...others] = all;
  const addresses = all.flatMap((one) => one.address ?? []);
  const isOne = others.length === 0;
  const name = `policy:${rule.name}${isOne && address !== undefined ? `:${address}` : ''}`;
  const at = isOne ? '' : `${all.length} resources: `;
  return {
    ...{ name, addresses, summary: `${at}${message} (${rule.place})` },
    level: rule.level === 'deny' && !isUndecided ? 'deny' : 'warn',
  };
}
