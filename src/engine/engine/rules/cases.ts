import type { RuleCheck, RuleTests } from '../api.js';
import type { Address } from '@platform-sync/core/model/address';
import { type ResourceType, shortToken } from '@platform-sync/core/model/resource-type';
import { defined, isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { summaryOf } from '../plan/plan.js';
import { sealsOf } from '../sealed-state.js';
import type { Workspace } from '../workspace.js';
import { withBudget } from './cel.js';
import { celOf, oldOf, PlanFacts, ResourceFacts, SpecFacts, StepFacts } from './facts.js';
import { asked, type RuleFacts, type Violation, violationsOf } from './judge.js';
import { projectRules } from './load.js';
import type { Rule, RuleCase } from './rule-file.js';

/** Runs the cases that stand beside the rules of a project. Sends nothing, and opens no state. */
export async function testRules(workspace: Workspace): Promise<RuleTests> {
  const { rules, cases, diagnostics } = await projectRules(workspace);
  return { rules: rules.length, diagnostics, cases: cases.map((one) => ran(one, rules, workspace.types())) };
}

/** What the rules of a project say of every record of the stack: what is there, whoever put it there. */
export async function judgeRecords(workspace: Workspace): Promise<RuleCheck> {
  const { rules, diagnostics } = await projectRules(workspace);
  const stored = await (await workspace.state()).read();
  await workspace.loadPackages([...stored.resources.values()].map(({ type }) => type));
  const seals = sealsOf(stored, workspace.redactor, workspace.isUnderReview);
  const { project, stack } = workspace.config;
  const plan = planOf({ project, stack, createdAt: new Date(workspace.world.now()).toISOString() }, []);
  withBudget();
  const found = [...stored.resources.values()].flatMap((recorded) => {
    const { address, identity } = recorded;
    const type = workspace.typeOf(recorded.type);
    const old = oldOf({ type, declared: new Map(), recorded }, seals);
    const none = { address, type: type.token, id: identity.id, fields: [], risks: [], reasons: [] };
    const facts: RuleFacts = {
      ...{ plan, old, new: old, oldObject: old, object: old, step: new StepFacts(none, 'none') },
      ...{ resource: ResourceFacts.of({ address, type, recorded }), spec: noSpec },
    };
    // What is there was made or changed once.
    const lasting = rules.filter(
      ({ actions }) => actions === undefined || actions.has('create') || actions.has('update'),
    );
    return violationsOf(lasting.map(withoutActions), facts, { address, type: type.token, action: 'none' });
  });
  return { rules: rules.length, diagnostics, findings: found.map(findingOf) };
}

function withoutActions({ actions: _actions, ...rule }: Rule): Rule {
  return rule;
}

function findingOf({ rule, address, message }: Violation): RuleCheck['findings'][number] {
  const { name, level, place } = rule;
  return { rule: name, level, place, message, ...(address === undefined ? {} : { address }) };
}

const noSpec = new SpecFacts({ breaks: [], mayBreak: [], safe: [] });

/** A case against the rules of its own file. */
function ran(
  given: RuleCase,
  all: readonly Rule[],
  types: ReadonlyMap<string, ResourceType>,
): RuleTests['cases'][number] {
  const rules = all.filter(({ file }) => file === given.file);
  withBudget();
  const { facts, about } = factsOf(given.facts, types);
  const ofPlan = rules.filter(({ isOfPlan }) => isOfPlan).flatMap((rule) => asked(rule, facts) ?? []);
  const found = [...ofPlan, ...violationsOf(rules, facts, about)];
  const broken = new Set(found.map(({ rule }) => rule.name));
  const missed = given.breaks.filter((name) => !broken.has(name));
  const unexpected = found.filter(({ rule }) => !given.breaks.includes(rule.name));
  return {
    ...{ name: given.name, place: given.place, passes: missed.length + unexpected.length === 0 },
    problems: [
      ...missed.map((name) => `"${name}" holds`),
      ...unexpected.map(({ rule, message }) => `"${rule.name}" does not hold: ${message}`),
    ],
  };
}

/** What a case leaves out is as in a plain plan on a Monday, which makes an object. */
function factsOf(
  given: JsonObject,
  types: ReadonlyMap<string, ResourceType>,
): {
  readonly facts: RuleFacts;
  readonly about: { readonly address: Address; readonly type: string; readonly action: string };
} {
  const [step, resource, plan, spec] = ['step', 'resource', 'plan', 'spec'].map((name) => objectIn(given, name));
  const [old = null, next = null] = [given['old'], given['new']];
  const action = textIn(step, 'action') ?? (next === null ? 'delete' : old === null ? 'create' : 'update');
  const address = textIn(step, 'address') ?? textIn(resource, 'address') ?? 'example';
  const short = textIn(step, 'type') ?? textIn(resource, 'type') ?? 'platform:Api';
  const known = [...types.keys()].find((token) => shortToken(token) === short);
  const type = known ?? short;
  const changed = listIn(step, 'changed') ?? changedBetween(old, next);
  const shown = {
    ...{
      address,
      type,
      fields: changed.map((field) => ({ field, rule: 'update' as const, cause: 'config' as const })),
    },
    ...{ id: textIn(step, 'id') ?? '', from: textIn(step, 'from') ?? '', risks: [], reasons: [] },
  };
  const stepFacts = new StepFacts(shown, action, listIn(step, 'risks'), listIn(step, 'reasons'));
  const [before, after] = [celOf(old), celOf(next)];
  const facts: RuleFacts = {
    plan: planOf(plan ?? {}, [stepFacts]),
    step: stepFacts,
    resource: new ResourceFacts({ address, type: short, ...said(resource) }),
    ...{ old: before, new: after, oldObject: before, object: after },
    spec: new SpecFacts({
      breaks: listIn(spec, 'breaks') ?? [],
      mayBreak: listIn(spec, 'mayBreak') ?? [],
      safe: listIn(spec, 'safe') ?? [],
    }),
  };
  return { facts, about: { address, type, action } };
}

function said(resource: JsonObject | undefined): Partial<ResourceFacts> {
  const { protect, retainOnDelete } = resource ?? {};
  const [parent, file] = [textIn(resource, 'parent'), textIn(resource, 'file')];
  return defined({ parent, file, protect: protect === true, retainOnDelete: retainOnDelete === true });
}

const aMonday = '2026-01-05T10:00:00Z';

function planOf(given: JsonObject, steps: readonly StepFacts[]): PlanFacts {
  const counts = objectIn(given, 'summary') ?? {};
  const summary = { ...summaryOf([], 0) };
  const numbers = Object.fromEntries(
    Object.keys(summary).flatMap((name) => (typeof counts[name] === 'number' ? [[name, counts[name]]] : [])),
  );
  return new PlanFacts({
    mode: given['mode'] === 'destroy' || given['mode'] === 'adopt' ? given['mode'] : 'apply',
    project: textIn(given, 'project') ?? 'example',
    stack: textIn(given, 'stack') ?? 'default',
    createdAt: textIn(given, 'createdAt') ?? aMonday,
    isPartial: given['partial'] === true,
    summary: { ...summary, ...countsOf(steps), ...numbers },
    targets: {},
    parameters: objectIn(given, 'parameters') ?? {},
    steps,
  });
}

function countsOf(steps: readonly StepFacts[]): Readonly<Record<string, number>> {
  return Object.fromEntries(steps.map(({ action }) => [action, 1]));
}

function changedBetween(old: Json, next: Json): readonly string[] {
  const [before, after] = [isObject(old) ? old : {}, isObject(next) ? next : {}];
  const all = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...all].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

function objectIn(given: JsonObject, name: string): JsonObject | undefined {
  return isObject(given[name]) ? given[name] : undefined;
}

function textIn(given: JsonObject | undefined, name: string): string | undefined {
  const value = given?.[name];
  return typeof value === 'string' ? value : undefined;
}

function listIn(given: JsonObject | undefined, name: string): readonly string[] | undefined {
  const value = given?.[name];
  return isList(value) ? value.map(String) : undefined;
}
