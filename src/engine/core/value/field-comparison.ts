import { type FieldRule, isWritten, type ResourceType } from '../model/resource-type.js';
import type { RecordedResource } from '../model/state.js';
import { hasSecret, hasUnknown, type Json, type JsonObject, reveal, type Value } from '../model/value.js';
import { shownForm } from './equality.js';
import { saysHidden, shownMembers, withHidden } from '../model/hidden-members.js';
import { leavingOut, leftAlone, overRecord, ownParts, type OwnParts } from './parts.js';
import { isSealed, type Seals, secretExpression } from './seal.js';
import { isSealedByParts } from './secret-parts.js';

/** All that is known of an object that exists. */
export interface ObjectFacts {
  readonly type: ResourceType;
  /** What the file says, as far as it is known; null is the type's null. */
  readonly declared: ReadonlyMap<string, Value>;
  /** Absent for an object without a record: then nothing is known to have been wanted or seen. */
  readonly recorded?: Pick<RecordedResource, 'inputs' | 'outputs'> | undefined;
  /** The object as read. */
  readonly actual: JsonObject;
  /** `ignoreChanges`: paths that are left alone. */
  readonly ignored: readonly string[];
  readonly seals: Seals;
}

/** What an object is to hold in a field. */
export type Wanted =
  /** Nobody asks for anything: it stays as it is. */
  | { readonly by: 'nobody' }
  /** This value: what is not the catalogue's to decide is in it as the platform has it. */
  | { readonly by: 'value'; readonly value: Value }
  /** The platform's null. */
  | { readonly by: 'null' }
  /** Whatever the platform has where nothing is said. */
  | { readonly by: 'default' }
  /** A default that the platform can't be asked for: it stays as it is. */
  | { readonly by: 'keeping' };

/** One field of one object, everything about it decided once: plan, apply, record and drift read this. */
export interface FieldComparison {
  readonly rule: FieldRule;
  readonly wanted: Wanted;
  readonly actual: Json | undefined;
  /** Recorded input; undefined: the file said nothing when it was last applied. */
  readonly recorded: Json | undefined;
  /** The last answer, with what is not ours as the platform has it now. */
  readonly lastSeen: Json | undefined;
  /** The file says something else than the record. */
  readonly configured: boolean;
  /** Somebody else changed what the file or the record answers for. */
  readonly drifted: boolean;
  /** Somebody else changed what neither answers for. */
  readonly strayed: boolean;
  /** It is not as the last answer said, and nobody else changed it: what the platform made of our own write. */
  readonly settled?: 'own-revision' | 'first-seen';
  /** The object is as wanted. */
  readonly same: boolean;
  /** A value of the field as reports may show it; undefined where there is none. */
  readonly shown: (value: Json | undefined) => Json | undefined;
  /** The parts of a value that file or record answer for. */
  readonly own: OwnParts;
}

/** All fields that this tool writes, in schema order. */
export function compareObject(facts: ObjectFacts): readonly FieldComparison[] {
  return Object.values(facts.type.fields).flatMap((rule) => (isWritten(rule) ? [compareField(rule, facts)] : []));
}

/** True for an object that is new to us and has all that the file says. Left out: a field that nobody has read yet. */
export function hasAllSaid(facts: Omit<ObjectFacts, 'recorded'>, isRead: (rule: FieldRule) => boolean): boolean {
  return Object.values(facts.type.fields).every((rule) => {
    if (!isWritten(rule) || rule.isMark || !isRead(rule)) return true;
    const { own, same } = compareField(rule, facts);
    return own.extent === 'none' || same;
  });
}

export function compareField(rule: FieldRule, facts: ObjectFacts): FieldComparison {
  const { seals } = facts;
  const declared = facts.declared.get(rule.name);
  const recorded = facts.recorded?.inputs[rule.name];
  const own = ownParts({ rule, declared, recorded: opened(rule, facts, recorded), ignored: facts.ignored });
  const actual = actualValue(rule, facts);
  const wanted = own.extent === 'none' ? nobody : wantedValue(rule, facts, declared, recorded, own, actual);
  const moved = movement(rule, facts, own, actual);
  const isOtherwiseHidden = hasHiddenChange(rule, facts, declared, recorded);
  return {
    ...{ rule, wanted, actual, recorded, own },
    ...moved,
    configured:
      own.extent !== 'none' && (isOtherwiseHidden || isConfigured(rule, seals, declared, recorded, facts, own, actual)),
    same: !isOtherwiseHidden && isSame(rule, seals, wanted, actual, facts.recorded === undefined),
    shown: (value) => shownValue(rule, facts, value),
  };
}

const nobody: Wanted = { by: 'nobody' };

/** A sealed record that is just what the file says is known: it has the file's members. */
function opened(rule: FieldRule, { declared, seals }: ObjectFacts, value: Json | undefined): Json | undefined {
  const said = rule.equality === 'record' && isSealed(value) ? declared.get(rule.name) : undefined;
  if (said === undefined || said === null || hasUnknown(said) || isSealed(said)) return value;
  const plain = reveal(said);
  return seals.same(rule, plain, value) ? plain : value;
}

/** What the platform has; what was sent stands in where it never shows it. */
function actualValue(rule: FieldRule, { recorded, actual }: ObjectFacts): Json | undefined {
  const isShown = !rule.writeOnly || (rule.movesWith !== undefined && rule.name in actual);
  return isShown || recorded === undefined ? actual[rule.name] : recorded.inputs[rule.name];
}

function wantedValue(
  rule: FieldRule,
  facts: ObjectFacts,
  declared: Value | undefined,
  recorded: Json | undefined,
  own: OwnParts,
  actual: Json | undefined,
): Wanted {
  if (declared !== undefined && declared !== null) return { by: 'value', value: own.over(declared, actual) ?? null };
  // A value that the last file held as null was never this file's to give back.
  if (declared === undefined && !isGivenBack(rule, recorded)) return nobody;
  if (declared === null && rule.nullIsValue === true) return { by: 'null' };
  const rest = own.over(undefined, actual);
  const isShared = own.extent === 'some' && rest !== undefined && !isEmptyMap(rest);
  switch (rule.clearing.by) {
    case 'nothing':
      return { by: 'keeping' };
    case 'null':
      if (rule.nullIsValue === true) return { by: 'default' };
      return isShared ? { by: 'value', value: rest } : { by: 'null' };
    case 'value':
      return { by: 'value', value: own.over(rule.clearing.value, actual) ?? null };
    case 'derived': {
      const derived = derivedValue(facts, rule.name);
      return derived === undefined ? { by: 'keeping' } : { by: 'value', value: derived };
    }
  }
}

/**
 * True for what the last file said of a field, once the file is silent. A null counts where it says something of its own; what never
 * changes is nobody's to give back.
 */
function isGivenBack(rule: FieldRule, recorded: Json | undefined): boolean {
  if (rule.stable && rule.onChange === 'replace-if-declared') return false;
  return recorded !== undefined && (recorded !== null || (rule.nullIsValue === true && rule.clearing.by === 'null'));
}

function isEmptyMap(value: Value): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function derivedValue({ type, declared }: ObjectFacts, field: string): Json | undefined {
  const known = new Map<string, Json>();
  for (const [name, value] of declared)
    if (value !== null && !hasUnknown(value) && !isSealed(value)) known.set(name, reveal(value));
  return type.derive(Object.fromEntries(known))[field];
}

/** The one place that says what drift is: the platform's last answer against the one of now, its own parts and others'. */
function movement(
  rule: FieldRule,
  facts: ObjectFacts,
  own: OwnParts,
  actual: Json | undefined,
): Pick<FieldComparison, 'drifted' | 'strayed' | 'settled' | 'lastSeen'> {
  const { declared: file, recorded, ignored, seals } = facts;
  const still = { drifted: false, strayed: false };
  const isHidden = rule.writeOnly && rule.movesWith === undefined;
  if (recorded === undefined || isHidden || rule.isMark || own.extent === 'none') return { ...still, lastSeen: actual };
  const isSeen = rule.name in recorded.outputs;
  const before = isSeen ? recorded.outputs[rule.name] : recorded.inputs[rule.name];
  const [declared, input] = [file.get(rule.name), recorded.inputs[rule.name]];
  const { name, equality, foreignKeys } = rule;
  const whole = { name, equality, foreignKeys, ownsAllKeys: true };
  const everyone = ownParts({ rule: whole, declared, recorded: input, ignored });
  const known = opened(rule, facts, before);
  const hasMoved = (parts: OwnParts): boolean => !seals.same(rule, actual, parts.over(known, actual));
  const lastSeen = everyone.over(before, actual);
  if (!hasMoved(everyone)) return { ...still, lastSeen };
  if (isOwnRevision(rule, facts)) return { ...still, settled: 'own-revision', lastSeen };
  const drifted = (declared !== undefined || input !== undefined) && hasMoved(own);
  if (drifted || !isSeen) return { ...still, drifted, lastSeen };
  if (isFirstSeen(rule, facts, known, actual)) return { ...still, settled: 'first-seen', lastSeen };
  return { ...still, strayed: true, lastSeen };
}

/** The object has not changed since the last answer of our own: whatever differs is what the platform made of what we wrote. */
function isOwnRevision({ movesWith }: FieldRule, { type, recorded, actual }: ObjectFacts): boolean {
  const { revision = '' } = type;
  const now = actual[revision];
  return movesWith === undefined && now !== undefined && now !== null && now === recorded?.outputs[revision];
}

/** All that is new are members of a record that no answer has shown so far. */
function isFirstSeen(
  rule: FieldRule,
  { seals }: ObjectFacts,
  before: Json | undefined,
  actual: Json | undefined,
): boolean {
  if (rule.equality !== 'record' || rule.ownsAllKeys === true || before === undefined || before === null) return false;
  return seals.same(rule, actual, overRecord(before, actual, [before]) as Json | undefined);
}

function isConfigured(
  rule: FieldRule,
  seals: Seals,
  declared: Value | undefined,
  recorded: Json | undefined,
  facts: ObjectFacts,
  own: OwnParts,
  actual: Json | undefined,
): boolean {
  // Whoever took a mark off has changed nothing that is described: it is put back, and that is all.
  if (rule.isMark) return true;
  if (declared === undefined) return isGivenBack(rule, recorded);
  if (facts.recorded === undefined) return true;
  if (declared === null || recorded === null || recorded === undefined) return declared !== recorded;
  if (hasUnknown(declared)) return true;
  // Of what is sealed only all of it can be compared: the file's own words, as they were recorded.
  if (isSealed(recorded)) {
    const kept = leavingOut(rule.name, facts.ignored, declared, recorded);
    return !seals.same(rule, kept === undefined ? undefined : reveal(kept), recorded);
  }
  const asDeclared = own.over(declared, actual);
  return !seals.same(rule, asDeclared === undefined ? undefined : reveal(asDeclared), own.over(recorded, actual));
}

/** What can't be read of an object that is new to us counts as equal. */
function isSame(rule: FieldRule, seals: Seals, wanted: Wanted, actual: Json | undefined, isNew: boolean): boolean {
  if (rule.writeOnly && isNew && actual === undefined) return true;
  switch (wanted.by) {
    case 'nobody':
      return true;
    case 'keeping':
    case 'default':
      return false;
    case 'null':
      return !isSealed(actual) && seals.same(rule, actual, undefined);
    case 'value':
      return !hasUnknown(wanted.value) && seals.same(rule, shownMembers(rule, reveal(wanted.value)), actual);
  }
}

/** What no answer shows of a record is as it was last sent: it moves when the file does. Of an object that is new to us it counts as equal. */
function hasHiddenChange(
  rule: FieldRule,
  { recorded, ignored, seals }: ObjectFacts,
  declared: Value | undefined,
  input: Json | undefined,
): boolean {
  if (rule.hiddenMembers === undefined || recorded === undefined) return false;
  if (declared === undefined || declared === null || hasUnknown(declared)) return false;
  const kept = leavingOut(rule.name, ignored, declared, input);
  const value = kept === undefined ? undefined : reveal(kept);
  // Of what is sealed only all of it can be compared.
  const isTold = isSealed(input) || saysHidden(rule, value) || saysHidden(rule, input);
  const before = value === undefined || isSealed(input) ? input : withHidden(rule, shownMembers(rule, value), input);
  return isTold && !seals.same(rule, value, before);
}

/** Of a record the secret members are sealed, of any other field with anything secret about it the whole, under the catalogue's words. */
function shownValue(rule: FieldRule, facts: ObjectFacts, value: Json | undefined): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (isSealed(value)) return value;
  const { declared, recorded, seals } = facts;
  const said = [declared.get(rule.name), recorded?.inputs[rule.name]];
  const known = [...said, recorded?.outputs[rule.name]];
  if (isSealedByParts(rule)) {
    const shown = seals.seal(rule, value, known);
    return seals.repeatsSecret(shown, ...said) ? seals.sealPlain(rule, value, rule.name) : shown;
  }
  const words = known.flatMap((part) => (part === undefined ? [] : [secretExpression(part)])).find(Boolean);
  const isSecret = rule.secret || seals.repeatsSecret(value, ...said);
  const expression = words ?? (isSecret ? rule.name : undefined);
  return expression === undefined ? shownForm(rule, value) : seals.sealPlain(rule, value, expression);
}

/**
 * What goes into state for a field of an object that is as wanted: the file's own words, and for what is left alone what stood there
 * `before` (recorded inputs, or the object as adopted), said or not: the day it is left alone no more it counts as dropped. Undefined:
 * nothing is recorded.
 */
export function recordedInput(
  rule: FieldRule,
  declared: Value | undefined,
  ignored: readonly string[],
  before: JsonObject | undefined,
  seals: Seals,
): Json | undefined {
  const known = before?.[rule.name];
  if (declared === undefined) return leftAlone(rule, ignored, known);
  if (hasUnknown(declared)) return undefined;
  if (before === undefined) return seals.seal(rule, declared);
  const value = leavingOut(rule.name, ignored, declared, known);
  return value === undefined ? undefined : sealedLike(rule, declared, value, seals);
}

/** A value that stands for a secret one is as secret. */
function sealedLike(rule: FieldRule, declared: Value, value: Value, seals: Seals): Json {
  if (isSealedByParts(rule)) return seals.seal(rule, value, [declared]);
  const expression = hasSecret(value) ? undefined : secretExpression(declared);
  if (expression === undefined || value === null || isSealed(value)) return seals.seal(rule, value);
  return seals.sealPlain(rule, reveal(value), expression);
}

/**
 * What is recorded of an object that was taken over and not changed: of what the file declares, what the platform has,
 * in the file's words where the two are equal. What can't be read is taken to be as the file says.
 */
export function adoptedInput(
  rule: FieldRule,
  declared: Value,
  actual: Json | undefined,
  seals: Seals,
): Json | undefined {
  const isKnown = !hasUnknown(declared);
  if (rule.writeOnly && actual === undefined) return isKnown ? seals.seal(rule, declared) : undefined;
  const own = ownParts({ rule, declared, recorded: undefined, ignored: [] });
  // The parts of others are not ours to record.
  const held = own.extent === 'all' ? actual : own.over(actual, undefined);
  const isSame = isKnown && seals.same(rule, shownMembers(rule, reveal(declared)), held);
  if (isSame && !(declared === null && held !== undefined && held !== null)) return seals.seal(rule, declared);
  if (held === undefined || held === null) return undefined;
  return sealedLike(rule, declared, held, seals);
}
