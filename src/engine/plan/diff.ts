import type { Address } from '../model/address.js';
import type { ResourceOptions } from '../model/desired.js';
import type { Cause, FieldChange, UndeclaredChange } from '../model/plan.js';
import type { FieldRule, ResourceType } from '../model/resource-type.js';
import { hasUnknown, isObject, reveal } from '../model/value.js';
import type { Json, JsonObject, Value, ValueObject } from '../model/value.js';
import { sameValue, shownForm } from './equality.js';
import { isSealed, planValue, sameSealed, sealPlain } from './seal.js';
import type { Fingerprint } from './seal.js';

/** Desired, recorded and actual of one resource. */
export interface DiffInput {
  readonly address: Address;
  readonly type: ResourceType;
  /** Declared properties; null counts as not declared. */
  readonly declared: ReadonlyMap<string, Value>;
  /** Recorded inputs and outputs (sealed); for an object without a record, both as read. */
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  /** The object as read. */
  readonly actual: JsonObject;
  readonly options: Pick<ResourceOptions, 'ignoreChanges' | 'replaceOnChanges'>;
  readonly fingerprint: Fingerprint;
}

/** One field to change, for the plan and for the executor. */
export interface FieldDecision {
  readonly rule: FieldRule;
  readonly change: FieldChange;
}

export interface ResourceDiff {
  readonly decisions: readonly FieldDecision[];
  readonly undeclared: readonly UndeclaredChange[];
  /** File and platform agree, but the record says something else: only the record must be written. */
  readonly converged: boolean;
}

/** Three-way comparison, field by field. */
export function diffResource(input: DiffInput): ResourceDiff {
  const decisions: FieldDecision[] = [];
  const undeclared: UndeclaredChange[] = [];
  let converged = false;
  for (const rule of Object.values(input.type.fields)) {
    if (!rule.input) continue;
    if (isIgnored(rule.name, input.options.ignoreChanges)) continue;
    const declared = declaredValue(input, rule);
    const recorded = input.inputs[rule.name];
    if (declared === undefined && recorded === undefined) {
      undeclared.push(...undeclaredChange(input, rule));
      continue;
    }
    const change = declared === undefined ? clearField(input, rule) : changeField(input, rule, declared);
    if (change !== undefined) decisions.push({ rule, change });
    else if (
      declared === undefined ||
      hasUnknown(declared) ||
      !sameSealed(rule, reveal(declared), recorded, input.fingerprint)
    ) {
      converged = true;
    }
  }
  return { decisions, undeclared, converged };
}

function isIgnored(field: string, paths: readonly string[]): boolean {
  return paths.includes('*') || paths.includes(field);
}

/** The declared value, with the parts under `ignoreChanges` taken from the platform. */
function declaredValue(input: DiffInput, rule: FieldRule): Value | undefined {
  let value: Value | undefined = input.declared.get(rule.name);
  if (value === null) value = undefined;
  for (const path of input.options.ignoreChanges) {
    const [field, ...rest] = path.split('.');
    if (field !== rule.name || rest.length === 0 || value === undefined) continue;
    value = withPart(value, rest, partOf(input.actual[rule.name], rest));
  }
  return value;
}

function partOf(value: Json | undefined, path: readonly string[]): Json | undefined {
  let current: Json | undefined = value;
  for (const key of path) current = isObject(current) ? (current as JsonObject)[key] : undefined;
  return current;
}

function withPart(value: Value, path: readonly string[], part: Json | undefined): Value {
  const [key, ...rest] = path;
  if (key === undefined || !isObject(value)) return part ?? null;
  const members = { ...(value as ValueObject) };
  if (rest.length > 0) members[key] = withPart(members[key] ?? {}, rest, part);
  else if (part === undefined) return Object.fromEntries(Object.entries(members).filter(([name]) => name !== key));
  else members[key] = part;
  return members;
}

function changeField(input: DiffInput, rule: FieldRule, declared: Value): FieldChange | undefined {
  const { fingerprint } = input;
  const recorded = input.inputs[rule.name];
  const actual = actualValue(input, rule);
  const next = (): Json => planValue(rule, declared, fingerprint);
  if (hasUnknown(declared))
    return fieldChange(input, rule, causeOf(true, isDrifted(input, rule, actual)), actual, next());
  const plain = reveal(declared);
  if (sameSealed(rule, plain, actual, fingerprint)) return undefined;
  const configured = !sameSealed(rule, plain, recorded, fingerprint);
  const drifted = isDrifted(input, rule, actual);
  // Neither moved: the platform shows the value in a form of its own, and that is no difference.
  if (!configured && !drifted) return undefined;
  return fieldChange(input, rule, causeOf(configured, drifted), actual, next());
}

/** The line is gone from the file: back to the platform's default. */
function clearField(input: DiffInput, rule: FieldRule): FieldChange | undefined {
  const actual = actualValue(input, rule);
  const drifted = isDrifted(input, rule, actual);
  const cause = causeOf(true, drifted);
  const keep = (): FieldChange => ({
    ...fieldChange(input, rule, cause, actual, undefined),
    rule: 'update',
    cannotClear: true,
  });
  switch (rule.clearing.by) {
    case 'nothing':
      return keep();
    case 'null':
      return sameValue(rule, plainOrAbsent(actual), undefined) && !isSealed(actual)
        ? undefined
        : fieldChange(input, rule, cause, actual, undefined);
    case 'value':
      return sameSealed(rule, rule.clearing.value, actual, input.fingerprint)
        ? undefined
        : fieldChange(input, rule, cause, actual, rule.clearing.value);
    case 'derived': {
      const derived = derivedValue(input, rule.name);
      if (derived === undefined) return keep();
      return sameSealed(rule, derived, actual, input.fingerprint)
        ? undefined
        : fieldChange(input, rule, cause, actual, derived);
    }
  }
}

function derivedValue(input: DiffInput, field: string): Json | undefined {
  const known: Record<string, Json> = {};
  for (const [name, value] of input.declared) if (value !== null && !hasUnknown(value)) known[name] = reveal(value);
  return input.type.derive(known)[field];
}

function fieldChange(
  input: DiffInput,
  rule: FieldRule,
  cause: Cause,
  old: Json | undefined,
  next: Json | undefined,
): FieldChange {
  const isSecret = isSealed(next) || isSealed(input.inputs[rule.name]);
  const expression = isSealed(next) ? next.$secret.expression : '(secret)';
  const shown =
    old !== undefined && isSecret && !isSealed(old) ? sealPlain(rule, old, expression, input.fingerprint) : old;
  return {
    field: rule.name,
    rule: ruleOf(input, rule, next !== undefined),
    cause,
    ...(shown === undefined || shown === null ? {} : { old: shownValue(rule, shown) }),
    ...(next === undefined ? {} : { new: next }),
  };
}

function ruleOf(input: DiffInput, rule: FieldRule, declared: boolean): 'update' | 'replace' {
  const asked = input.options.replaceOnChanges.some((path) => path === '*' || path.split('.')[0] === rule.name);
  if (asked || !input.type.updatable || rule.onChange === 'replace') return 'replace';
  return rule.onChange === 'replace-if-declared' && declared ? 'replace' : 'update';
}

/** What the platform has; what was sent stands in where it never shows it. */
function actualValue(input: DiffInput, rule: FieldRule): Json | undefined {
  return rule.writeOnly ? input.inputs[rule.name] : input.actual[rule.name];
}

function isDrifted(input: DiffInput, rule: FieldRule, actual: Json | undefined): boolean {
  if (rule.writeOnly) return false;
  const before = rule.name in input.outputs ? input.outputs[rule.name] : input.inputs[rule.name];
  return !sameSealed(rule, actual, before, input.fingerprint);
}

function causeOf(configured: boolean, drifted: boolean): Cause {
  return configured ? (drifted ? 'both' : 'config') : 'drift';
}

/** Somebody set a field that the file leaves to the platform. */
function undeclaredChange(input: DiffInput, rule: FieldRule): readonly UndeclaredChange[] {
  const actual = actualValue(input, rule);
  if (rule.writeOnly || !(rule.name in input.outputs) || !isDrifted(input, rule, actual)) return [];
  const old = input.outputs[rule.name];
  // What was made out of a secret stays hidden when it changes.
  const next =
    isSealed(old) && actual !== undefined ? sealPlain(rule, actual, old.$secret.expression, input.fingerprint) : actual;
  return [
    {
      address: input.address,
      field: rule.name,
      ...(old === undefined || old === null ? {} : { old: shownValue(rule, old) }),
      ...(next === undefined || next === null ? {} : { new: shownValue(rule, next) }),
    },
  ];
}

function shownValue(rule: FieldRule, value: Json): Json {
  return isSealed(value) ? value : shownForm(rule, value);
}

function plainOrAbsent(value: Json | undefined): Json | undefined {
  return isSealed(value) ? undefined : value;
}
