import type { Address } from '@platform-sync/core/model/address';
import { defined, hasUnknown, isList, isObject, type Json, reveal, type Value } from '@platform-sync/core/model/value';
import type { DesiredResource, ResourceOptions } from '@platform-sync/core/model/desired';
import {
  type FieldRule,
  fieldsWhere,
  isWritten,
  mayHoldSecret,
  type ResourceType,
  isAskedAlone,
} from '@platform-sync/core/model/resource-type';
import type { Cause, FieldChange, UndeclaredChange } from '@platform-sync/core/model/plan';
import {
  compareField,
  type FieldComparison,
  type ObjectFacts,
  recordedInput,
  type Wanted,
} from '@platform-sync/core/value/field-comparison';
import { isAlike, sameValue } from '@platform-sync/core/value/equality';
import { isSealed, type Seals } from '@platform-sync/core/value/seal';
import type { RecordedResource } from '@platform-sync/core/model/state';

interface DiffInput extends ObjectFacts {
  readonly address: Address;
  readonly replaceOnChanges: ResourceOptions['replaceOnChanges'];
  /** What the platform never shows is sent again. */
  readonly resend: boolean;
}

/** One field to change: what the plan shows, and what the executor sends. */
export interface Change {
  readonly rule: FieldRule;
  readonly shown: FieldChange;
  /** What the field is to hold; where parts are unknown, as far as it is known. */
  readonly wanted: Wanted;
  /** It is sent although nothing differs. */
  readonly resent?: true;
}

export interface ResourceDiff {
  readonly changes: readonly Change[];
  readonly undeclared: readonly UndeclaredChange[];
  /** Fields that were written as the file says, and that the platform does not keep so. */
  readonly unkept: readonly string[];
  /** File and platform agree, but the record says something else: only the record must be written. */
  readonly converged: boolean;
}

const writtenFields = fieldsWhere(isWritten);

/** What has to change of an object, field by field. */
export function diffResource(input: DiffInput): ResourceDiff {
  const changes: Change[] = [];
  const undeclared: UndeclaredChange[] = [];
  const unkept: string[] = [];
  let converged = false;
  for (const rule of writtenFields(input.type)) {
    if (isUnmoved(rule, input)) continue;
    const field = compareField(rule, input);
    if (field.strayed) undeclared.push(strayedChange(input.address, field));
    if (needsChange(field)) changes.push({ rule: field.rule, shown: fieldChange(input, field), wanted: field.wanted });
    else if (isResent(input, field))
      changes.push({
        rule: field.rule,
        shown: { ...fieldChange(input, field), rule: 'update', cause: 'config' },
        wanted: field.wanted,
        resent: true,
      });
    else {
      if (field.settled !== undefined && !field.same) unkept.push(rule.name);
      converged ||= field.settled !== undefined || !isRecorded(input, field) || isUnknownToRecord(input, rule);
    }
  }
  // What had to be asked alone, and is as recorded, need not be asked alone again.
  const { recorded, actual: values } = input;
  if (recorded !== undefined && changes.length + undeclared.length === 0)
    converged ||= isAskedAlone(input.type, recorded.outputs, values);
  return { changes, undeclared, unkept, converged };
}

/** Where neither file nor platform moved, the platform shows the value in a form of its own: that is no difference. */
export function needsChange(field: FieldComparison): boolean {
  // What is kept elsewhere is shown in the words in which it was sent.
  return !field.same && (field.configured || field.drifted || field.rule.movesWith !== undefined);
}

/** A value that can be sent again without a replacement, and whose form on the platform nobody can see. */
function isResent(input: DiffInput, { rule, wanted, actual }: FieldComparison): boolean {
  const isAble = input.resend && canResend(input.type, rule) && wanted.by === 'value';
  return isAble && isTakenByUpdate(rule, actual, wanted);
}

/** True for a field that an update can send again to put right what reading does not show. */
export function canResend(type: ResourceType, rule: FieldRule): boolean {
  return (rule.writeOnly || mayHoldSecret(rule)) && type.updatable && rule.onChange === 'update';
}

/** The file newly says it, of what it leaves alone: as long as no record knows what stands there, each plan would ask twice. */
function isUnknownToRecord({ recorded, declared, actual }: DiffInput, { name, writeOnly }: FieldRule): boolean {
  if (recorded === undefined || writeOnly || name in recorded.outputs) return false;
  return (declared.get(name) ?? null) !== null && (actual[name] ?? null) !== null;
}

function isRecorded(input: DiffInput, { rule, recorded }: FieldComparison): boolean {
  if (input.recorded === undefined) return true;
  const next = recordedInput(rule, input.declared.get(rule.name), input.ignored, input.recorded.inputs, input.seals);
  if (next === undefined || recorded === undefined) return next === recorded;
  return (next === null) === (recorded === null) && input.seals.same(rule, next, recorded);
}

function fieldChange(input: DiffInput, field: FieldComparison): FieldChange {
  const { rule, wanted } = field;
  const old = field.shown(field.actual);
  const next =
    wanted.by === 'value' ? input.seals.planValue(rule, wanted.value, [input.declared.get(rule.name)]) : undefined;
  const isKept = wanted.by === 'keeping';
  return {
    field: rule.name,
    rule: isKept ? 'update' : updateOrReplace(input, field),
    cause: causeOf(field),
    ...defined({ old, new: next }),
    ...(isKept ? { cannotClear: true } : {}),
  };
}

function causeOf({ configured, drifted }: FieldComparison): Cause {
  if (!configured) return 'drift';
  return drifted ? 'both' : 'config';
}

/** Somebody set what the file leaves to the platform. */
function strayedChange(address: Address, { rule, shown, lastSeen, actual }: FieldComparison): UndeclaredChange {
  const [old, next] = [shown(lastSeen), shown(actual)];
  return {
    ...{ address, field: rule.name },
    ...defined({ old, new: next }),
  };
}

/** How a field that changes does: in place, or by a new object. */
function updateOrReplace(
  { type, replaceOnChanges }: { readonly type: ResourceType } & Pick<ResourceOptions, 'replaceOnChanges'>,
  { rule, configured, actual, wanted }: Pick<FieldComparison, 'rule' | 'configured' | 'actual' | 'wanted'>,
): 'update' | 'replace' {
  if (rule.isMark) return 'update';
  const asked = replaceOnChanges.some((path) => path === '*' || path.split('.')[0] === rule.name);
  if (asked || !type.updatable || rule.onChange === 'replace') return 'replace';
  if (!isTakenByUpdate(rule, actual, wanted)) return 'replace';
  // What others did to it is put right where it is kept: only an edit of the file is worth the object.
  if (rule.movesWith !== undefined && !configured) return 'update';
  return rule.onChange === 'replace-if-declared' && wanted.by === 'value' ? 'replace' : 'update';
}

/**
 * True where an update takes a change of a field: what it was and what it is to be are of kinds that updates take, and
 * nothing moves that only a create takes. What is not known, or was kept as a digest alone, counts as not taken.
 */
export function isTakenByUpdate(
  { updatesOnly }: Pick<FieldRule, 'updatesOnly'>,
  actual: Json | undefined,
  wanted: Wanted,
): boolean {
  if (updatesOnly === undefined) return true;
  if (isSealed(actual)) return false;
  const next = wanted.by === 'value' ? plainWhereKnown(wanted.value) : undefined;
  const kinds = Object.entries(updatesOnly.kinds ?? {});
  const areTaken = kinds.every(([path, taken]) =>
    [actual, next]
      .flatMap((value) => valuesAt(value, path.split('.')))
      .every((kind) => typeof kind === 'string' && taken.includes(kind)),
  );
  if (!areTaken || wanted.by !== 'value') return areTaken;
  return (updatesOnly.fixed ?? []).every((path) => isUnmovedAt(path.split('.'), actual, next));
}

function isUnmovedAt(path: readonly string[], actual: Json | undefined, next: Value | undefined): boolean {
  const said = (value: Value | undefined): readonly Value[] =>
    valuesAt(value, path).flatMap((each) => (each === undefined || each === null ? [] : [each]));
  const wanted = said(next);
  if (wanted.some(hasUnknown)) return false;
  return sameValue({ equality: 'record' }, said(actual).map(reveal), wanted.map(reveal));
}

function plainWhereKnown(value: Value): Value {
  return hasUnknown(value) ? value : reveal(value);
}

/** What stands at a path, in all items of a list and under all keys for `*`; undefined where a record has none. */
function valuesAt(value: Value | undefined, path: readonly string[]): readonly (Value | undefined)[] {
  const [name, ...inner] = path;
  if (name === undefined) return [value];
  if (value === undefined || value === null) return [];
  if (isList(value)) return value.flatMap((item) => valuesAt(item, path));
  // Nobody knows yet what it holds.
  if (!isObject(value)) return [value];
  if (name === '*') return Object.values(value).flatMap((member) => valuesAt(member, inner));
  return valuesAt(value[name], inner);
}

/** What is known of an object's resource, whatever is decided about it. */
interface Known extends Pick<ObjectFacts, 'type' | 'declared'> {
  readonly desired?: DesiredResource | undefined;
  readonly recorded?: RecordedResource | undefined;
}

const noValues: ReadonlyMap<string, Value> = new Map();

/**
 * What is known of a step's object, as one comparison takes it. `type` is the type that state knows the object
 * under, where the catalogue has changed it: then the file says nothing about it.
 */
export function factsOf(step: Known, actual: ObjectFacts['actual'], seals: Seals, type = step.type): ObjectFacts {
  const isDesired = step.desired !== undefined && step.type === type;
  return {
    type,
    declared: isDesired ? comparable(step, seals) : noValues,
    recorded: step.recorded,
    actual,
    ignored: step.desired?.options.ignoreChanges ?? [],
    seals,
  };
}

/** Most files say nothing of a secret: then it is what they say. */
function comparable({ type, declared, recorded }: Known, seals: Seals): ReadonlyMap<string, Value> {
  let changed: Map<string, Value> | undefined;
  for (const [name, value] of declared) {
    const rule = type.fields[name];
    const now = rule === undefined ? value : seals.comparable(rule, value, recorded?.inputs[name]);
    if (now !== value) (changed ??= new Map(declared)).set(name, now);
  }
  return changed ?? declared;
}

/**
 * True where the file says the very words that are recorded, and the object shows the very value of the last answer: whatever the
 * rule counts as equal, and whoever answers for the parts, there is nothing to decide. False says nothing.
 */
export function isUnmoved(
  rule: FieldRule,
  { declared, recorded, actual }: Pick<ObjectFacts, 'declared' | 'recorded' | 'actual'>,
): boolean {
  const { name } = rule;
  if (
    recorded === undefined ||
    mayHoldSecret(rule) ||
    rule.writeOnly ||
    rule.isMark === true ||
    rule.movesWith !== undefined
  )
    return false;
  const { inputs, outputs } = recorded;
  return (
    isAlike(declared.get(name), inputs[name]) && isAlike(actual[name], name in outputs ? outputs[name] : inputs[name])
  );
}
