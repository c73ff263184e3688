import {
  type FieldRule,
  fieldsWhere,
  isAskedAlone,
  isWholeInLists,
  isWritten,
  type ResourceType,
} from '@platform-sync/core/model/resource-type';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { Reading } from '@platform-sync/core/model/snapshot';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { Json } from '@platform-sync/core/model/value';
import type { RefreshContext } from './context.js';
import { sameJson } from '@platform-sync/core/model/canonical';

/** An object to be compared with its record. */
export interface Question extends Recorded {
  /** Reads it alone. */
  readonly read: () => Promise<RemoteObject | undefined>;
  /** By another call. */
  readonly readAgain: () => Promise<RemoteObject | undefined>;
  /** As a list showed it. */
  readonly listed?: RemoteObject;
  /** A complete list lacks it. */
  readonly isLacking?: boolean;
}

/**
 * The object as a list shows it, if that is enough, and says nothing else than the record: most objects, for each of which a
 * promise would cost more than all the comparing.
 */
export function unmoved(
  context: RefreshContext,
  type: ResourceType,
  record: RecordedResource,
  listed: RemoteObject,
): Reading | Promise<Reading> | undefined {
  const compared = { type, record };
  // What a recovery or a lookup has read may be newer than what a list shows as recorded.
  if (context.reads.hasShown(type, record.identity)) return undefined;
  return needsBody(context, compared, listed) || differs(context, compared, listed)
    ? undefined
    : withKept(context, compared, found(type, record, listed, 'list'));
}

/**
 * The object as it is, where no list has told. An answer that says nothing new is believed at once; one that differs from the
 * record is believed when a second one says the same. What every plan costs stays the same, and a difference costs one more read.
 */
export async function agreed(context: RefreshContext, question: Question): Promise<Reading> {
  const reading = await compared(context, question);
  return reading.kind === 'found' ? withKept(context, question, reading) : reading;
}

async function compared(context: RefreshContext, question: Question): Promise<Reading> {
  const { type, record, read, readAgain, listed, isLacking } = question;
  const first = await read();
  if (first === undefined) {
    const isDenied = listed === undefined && (isLacking === true || (await readAgain()) === undefined);
    return isDenied ? { kind: 'gone' } : contradictory(record);
  }
  const isUnseen = hasMovedUnseen(context, question, first);
  const isAgreed = listed === undefined ? !differs(context, question, first) : isSame(context, type, listed, first);
  if (isAgreed && !isUnseen) return found(type, record, first, 'read');
  const second = await readAgain();
  const hasMoved = isAgreed || listed === undefined || revisionOf(type, listed) !== revisionOf(type, first);
  return second !== undefined && hasMoved && isSame(context, type, first, second)
    ? found(type, record, second, 'read')
    : contradictory(record);
}

function needsBody({ mode }: RefreshContext, { type, record }: Recorded, item: RemoteObject): boolean {
  if (isAskedAlone(type, record.outputs, item.values)) return true;
  return !isWholeInLists(type) && (mode === 'full' || revisionOf(type, item) === undefined);
}

function revisionOf(type: ResourceType, object: Pick<RemoteObject, 'values'>): Json | undefined {
  return type.revision === undefined ? undefined : object.values[type.revision];
}

/** What only a read shows is another, and the revision, which every change moves, is the recorded one: nobody else vouches for it. */
function hasMovedUnseen({ same }: RefreshContext, { type, record }: Question, { values }: RemoteObject): boolean {
  const revision = revisionOf(type, { values });
  if (revision === undefined || revision !== record.outputs[type.revision ?? '']) return false;
  const isHidden = (rule: FieldRule): boolean => rule.input && !rule.inList && !rule.writeOnly;
  return Object.values(type.fields)
    .filter((rule) => isHidden(rule) && rule.name in record.outputs)
    .some((rule) => !same(rule, values[rule.name] ?? null, record.outputs[rule.name]));
}

const shownFields = fieldsWhere((rule) => isWritten(rule) && !rule.writeOnly);
const fieldsCarried = {
  list: fieldsWhere((rule) => rule.writeOnly || !rule.inList),
  read: fieldsWhere((rule) => rule.writeOnly),
};

/** Does the answer say something else than the record about a field that catalogues may declare? */
function differs({ same, desired }: RefreshContext, { type, record }: Recorded, { values }: RemoteObject): boolean {
  const { properties } = desired.get(record.address) ?? {};
  // What ends is told with all that it has, and what a file newly says with what stood there.
  const isTold = ({ name }: FieldRule): boolean =>
    properties === undefined || (properties.has(name) && name !== type.parent?.field);
  return shownFields(type).some((rule) => {
    if (!(rule.name in record.outputs)) return isTold(rule) && rule.inList && (values[rule.name] ?? null) !== null;
    return rule.name in values
      ? !same(rule, values[rule.name], record.outputs[rule.name])
      : rule.inList && (record.outputs[rule.name] ?? null) !== null && rule.name !== type.parent?.field;
  });
}

/** Two answers about one object: in every field that catalogues may declare, the later one says what the earlier one said. */
function isSame({ same }: RefreshContext, type: ResourceType, a: RemoteObject, b: RemoteObject): boolean {
  const isCarried = (rule: FieldRule): boolean =>
    isWritten(rule) && rule.name in a.values && (rule.name in b.values || a.values[rule.name] !== null);
  return Object.values(type.fields)
    .filter(isCarried)
    .every((rule) => same(rule, a.values[rule.name], b.values[rule.name]));
}

/** Fields that kind of answer never carries are as recorded; the ids of the object's place count as fields. */
export function found(
  type: ResourceType,
  record: Pick<RecordedResource, 'outputs'>,
  object: RemoteObject,
  by: 'list' | 'read',
): Extract<Reading, { kind: 'found' }> {
  const carried = new Map<string, RecordedResource['outputs'][string]>();
  for (const { name } of fieldsCarried[by](type)) {
    const recorded = record.outputs[name];
    if (recorded !== undefined && !(name in object.values)) carried.set(name, recorded);
  }
  return {
    kind: 'found',
    identity: object.identity,
    values: { ...Object.fromEntries(carried), ...object.identity.scope, ...object.values },
  };
}

/** What the platform answered last is taken as what it has. */
export function recordedReading({ identity, outputs }: RecordedResource): Reading {
  return { kind: 'found', identity, values: outputs };
}

function contradictory(record: RecordedResource): Reading {
  return {
    kind: 'failed',
    diagnostic: {
      severity: 'error',
      code: 'contradictory-answers',
      summary: `Two reads of ${record.address} differ, so neither is used.`,
      hint: 'Somebody may be changing it right now. Plan again a little later.',
    },
  };
}

type Found = Extract<Reading, { kind: 'found' }>;

interface Recorded {
  readonly type: ResourceType;
  readonly record: RecordedResource;
}

const moving = fieldsWhere(({ movesWith }) => movesWith !== undefined);

/**
 * The object with what it does not show itself. That is looked for when the output that moves with it has moved since it was
 * recorded, and a file or the record speaks of it; else it is as recorded. The list said that it moved, so one answer is enough.
 */
export function withKept(context: RefreshContext, object: Recorded, reading: Found): Reading | Promise<Reading> {
  const rules = moving(object.type).filter((rule) => isAsked(context, rule, object.record, reading));
  return rules.length === 0 ? reading : looked(context, object, reading, rules);
}

async function looked(
  context: RefreshContext,
  { type, record }: Recorded,
  reading: Found,
  rules: readonly FieldRule[],
): Promise<Reading> {
  const provider = await context.reads.providerOf(type);
  const before = { ...record.inputs, ...record.outputs };
  const shown = await provider.readWriteOnly(type, reading.identity, { known: { now: reading.values, before } });
  const isMoved = ({ name }: FieldRule): boolean => shown[name] !== undefined;
  const moved = rules.filter((rule) => isMoved(rule) && !context.same(rule, shown[rule.name], before[rule.name]));
  const values = Object.fromEntries(moved.map(({ name }) => [name, shown[name] ?? null]));
  return { ...reading, values: { ...reading.values, ...values } };
}

function isAsked(
  { mode, desired }: RefreshContext,
  { name, movesWith }: FieldRule,
  { address, inputs, outputs }: RecordedResource,
  { values }: Found,
): boolean {
  if (movesWith === undefined) return false;
  const isSpoken = name in inputs || desired.get(address)?.properties.has(name) === true;
  const isMoved = !sameJson(values[movesWith], outputs[movesWith]);
  return isSpoken && (isMoved || mode === 'full' || !(name in outputs));
}
