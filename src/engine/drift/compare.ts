import type { FieldRule, ResourceType } from '../model/resource-type.js';
import type { RecordedResource } from '../model/state.js';
import { hasSecret, hasUnknown, reveal } from '../model/value.js';
import type { Json, JsonObject } from '../model/value.js';
import { shownForm } from '../plan/equality.js';
import type { Proposal } from '../plan/proposal.js';
import { isSealed, planValue, sameSealed, sealPlain } from '../plan/seal.js';
import type { Fingerprint } from '../plan/seal.js';
import { leftOut, withActualParts } from './parts.js';

/** An object that state knows and the platform showed. */
export interface Compared {
  readonly type: ResourceType;
  readonly recorded: RecordedResource;
  readonly actual: JsonObject;
  readonly proposal: Proposal;
}

/** A field that is not as recorded. */
export interface FieldDrift {
  readonly rule: FieldRule;
  readonly class: 'modified' | 'undeclared-changed' | 'converged';
  readonly old?: Json;
  readonly new?: Json;
  readonly alsoInFile: boolean;
  /** True when it is no difference without the parts that these paths leave out. */
  readonly isOnly: (paths: readonly string[]) => boolean;
}

/** Recorded against actual, field by field; fields that the platform never shows can't drift. */
export function compareFields(compared: Compared, fingerprint: Fingerprint): readonly FieldDrift[] {
  const { type, recorded, actual, proposal } = compared;
  const ignored = proposal.desired?.options.ignoreChanges ?? [];
  return Object.values(type.fields).flatMap((rule): readonly FieldDrift[] => {
    const before = rule.name in recorded.outputs ? recorded.outputs[rule.name] : recorded.inputs[rule.name];
    if (!rule.input || rule.writeOnly || before === undefined) return [];
    const now = actual[rule.name];
    const differs = (paths: readonly string[]): boolean => {
      const parts = leftOut(rule.name, paths);
      if (parts === 'all') return false;
      const expected = isSealed(before) ? before : withActualParts(before, now, parts);
      return !sameSealed(rule, now, expected, fingerprint);
    };
    if (!differs(ignored)) return [];
    const drift = { rule, ...shown(compared, rule, before, now, fingerprint), ...against(compared, rule, fingerprint) };
    return [{ ...drift, isOnly: (paths) => !differs([...ignored, ...paths]) }];
  });
}

/** What the catalogue says to the change. */
function against(
  { type, recorded, actual, proposal }: Compared,
  rule: FieldRule,
  fingerprint: Fingerprint,
): Pick<FieldDrift, 'class' | 'alsoInFile'> {
  const input = recorded.inputs[rule.name];
  const isDesired = proposal.desired !== undefined && proposal.type === type;
  const declared = isDesired ? (proposal.declared.get(rule.name) ?? undefined) : undefined;
  if (declared === undefined) {
    if (input === undefined) return { class: 'undeclared-changed', alsoInFile: false };
    // The line is gone from the file: the planner knows whether the platform is at its default.
    const atDefault = isDesired && !proposal.decisions.some((decision) => decision.rule.name === rule.name);
    return { class: atDefault ? 'converged' : 'modified', alsoInFile: true };
  }
  if (hasUnknown(declared)) return { class: 'modified', alsoInFile: false };
  const plain = reveal(declared);
  if (sameSealed(rule, plain, actual[rule.name], fingerprint)) return { class: 'converged', alsoInFile: false };
  return { class: 'modified', alsoInFile: !sameSealed(rule, plain, input, fingerprint) };
}

/** Both sides as reports may show them: a field with anything secret about it is sealed whole. */
function shown(
  { recorded, proposal }: Compared,
  rule: FieldRule,
  before: Json,
  now: Json | undefined,
  fingerprint: Fingerprint,
): Pick<FieldDrift, 'old' | 'new'> {
  const expression = secretExpression(rule, [before, recorded.inputs[rule.name]], proposal, fingerprint);
  const form = (value: Json | undefined): Json | undefined => {
    if (value === undefined || value === null) return undefined;
    if (isSealed(value)) return value;
    return expression === undefined ? shownForm(rule, value) : sealPlain(rule, value, expression, fingerprint);
  };
  const [old, next] = [form(before), form(now)];
  return { ...(old === undefined ? {} : { old }), ...(next === undefined ? {} : { new: next }) };
}

function secretExpression(
  rule: FieldRule,
  recorded: readonly (Json | undefined)[],
  proposal: Proposal,
  fingerprint: Fingerprint,
): string | undefined {
  const sealed = recorded.find(isSealed);
  if (sealed !== undefined) return sealed.$secret.expression;
  const declared = proposal.declared.get(rule.name);
  if (declared !== undefined && hasSecret(declared)) {
    const value = hasUnknown(declared) ? undefined : planValue(rule, declared, fingerprint);
    return isSealed(value) ? value.$secret.expression : '(secret)';
  }
  return rule.secret ? rule.name : undefined;
}
