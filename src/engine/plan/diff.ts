import type { Address } from '../model/address.js';
import { defined } from '../model/defined.js';
import type { ResourceOptions } from '../model/desired.js';
import { fieldsWhere } from '../model/fields-where.js';
import type { Cause, FieldChange, UndeclaredChange } from '../model/plan.js';
import { mayHoldSecret, isWritten, type FieldRule, type ResourceType } from '../model/resource-type.js';
import { compareField, type FieldComparison, type ObjectFacts, type Wanted } from '../value/field-comparison.js';
import { recordedInput } from '../value/recorded-input.js';
import { isUnmoved } from '../value/unmoved.js';
import { isTakenByUpdate, updateOrReplace } from './update-or-replace.js';

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
    if (field.own.extent === 'none') continue;
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
      converged ||= field.settled !== undefined || !isRecorded(input, field);
    }
  }
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
    rule: isKept ? 'update' : updateOrReplace(input, field, next !== undefined),
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
