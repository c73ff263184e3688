import {
  defined,
  hasUnknown,
  type Json,
  type JsonObject,
  ownMember,
  reveal,
  type Value,
} from '@platform-sync/core/model/value';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import { isWholeInLists, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { Intent, RecordedResource } from '@platform-sync/core/model/state';
import { factsOf } from '../plan/change.js';
import type { Step } from '../plan/step.js';
import { leftBy } from '../refresh/evidence.js';
import { adoptedInput, compareObject, recordedInput } from '@platform-sync/core/value/field-comparison';
import type { Seals } from '@platform-sync/core/value/seal';
import type { ApplyContext } from './context.js';

type Place = Pick<ApplyContext, 'graph' | 'seals'>;

/** What a record says beside what file and platform say. */
interface RecordRest extends Partial<Pick<RecordedResource, 'deposed' | 'replacedFor'>> {
  readonly previous?: RecordedResource | undefined;
  /** The object as it was read before it was written, with what its own answers lack. */
  readonly seen?: JsonObject;
  /** Recorded inputs of what was not written to the platform: they stand as they are given. */
  readonly unwritten?: JsonObject;
}

/**
 * The record of an object that now is as the file says, once the platform has answered; what is left alone is recorded as it stands there,
 * or as it was where no answer shows it.
 * For one resource and several answers what they do not change is worked out once.
 */
export function recordOf(
  { graph, seals }: Place,
  { address, type, declared, desired }: Pick<Step, 'address' | 'type' | 'declared' | 'desired'>,
  { previous, seen, unwritten = {}, deposed, replacedFor }: RecordRest = {},
): (object: Pick<RemoteObject, 'identity' | 'values'>) => RecordedResource {
  if (desired === undefined) throw new Error(`bug: nothing to record at ${address}`);
  const { ignoreChanges, protect, retainOnDelete } = desired.options;
  const sent = new Map<string, Json>();
  const inputsAfter = (before: JsonObject | undefined): JsonObject => {
    const inputs = new Map<string, Json>();
    for (const name of new Set([...declared.keys(), ...Object.keys(before ?? {})])) {
      const [rule, value] = [type.fields[name], declared.get(name)];
      // What takes the place of the whole takes away what no answer shows and nobody says.
      const isLost = value === undefined && rule?.writeOnly === true && type.isWrittenWhole === true;
      if (rule === undefined || isLost) continue;
      const kept = recordedInput(rule, value, ignoreChanges, before, seals);
      if (kept !== undefined && !(name in unwritten)) inputs.set(name, kept);
      if (rule.writeOnly && value !== undefined && !hasUnknown(value)) sent.set(name, reveal(value));
    }
    for (const [name, value] of Object.entries(unwritten)) if (value !== null) inputs.set(name, value);
    return Object.fromEntries(inputs);
  };
  const recorded = inputsAfter(previous?.inputs);
  // What others have made of a part that is left alone is not what the platform made of ours.
  const inputsFor = (values: JsonObject): JsonObject => {
    if (ignoreChanges.length === 0 || previous === undefined) return recorded;
    const { [type.revision ?? '']: _, ...outputs } = previous.outputs;
    return inputsAfter(refreshedRecord({ ...previous, outputs }, type, { ...outputs, ...values }, seals).inputs);
  };
  const outputs = { ...keptElsewhere(type, { ...previous?.outputs, ...seen }), ...Object.fromEntries(sent) };
  const sealedLike = Object.fromEntries(declared);
  return ({ identity, values }) => ({
    address,
    type: type.token,
    identity,
    inputs: inputsFor(values),
    outputs: seals.sealObject(type, { ...outputs, ...identity.scope, ...values }, sealedLike),
    dependencies: graph.get(address) ?? [],
    protect,
    retainOnDelete,
    deposed: deposed ?? previous?.deposed ?? [],
    ...defined({ writtenAt: previous?.writtenAt, replacedFor: replacedFor ?? previous?.replacedFor }),
  });
}

/** The record of an object that is already as the file says. */
export function recordAsIs(place: Place, step: Step): RecordedResource | undefined {
  const { desired, actual, recorded, unkept = [] } = step;
  if (desired === undefined || actual === undefined) return undefined;
  // That an answer lacks what was written is known, too.
  const values = { ...Object.fromEntries(unkept.map((name) => [name, null])), ...actual.values };
  return recordOf(place, step, { previous: recorded })({ identity: actual.identity, values });
}

/** What an object's own answers lack and others show stays known, whether the file still speaks of it or not. */
function keptElsewhere({ fields }: ResourceType, known: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(known).filter(([name]) => fields[name]?.movesWith !== undefined));
}

/** The record of an object that is only taken over: what the platform has, in the file's own words where the two are equal. */
export function adoptedRecord(place: Place, step: Step): RecordedResource {
  const { actual, declared } = step;
  if (actual === undefined) throw new Error(`bug: nothing to adopt at ${step.address}`);
  const unwritten = adoptedInputs(step, [...declared.keys()], place.seals);
  return recordOf(place, step, { unwritten })(actual);
}

/** What is recorded of fields that an adoption does not write; null where the platform has nothing. */
export function adoptedInputs({ type, declared, actual }: Step, fields: readonly string[], seals: Seals): JsonObject {
  return Object.fromEntries(
    fields.flatMap((name) => {
      const rule = type.fields[name];
      const value = declared.get(name);
      if (rule === undefined || value === undefined) return [];
      return [[name, adoptedInput(rule, value, actual?.values[name], seals) ?? null]];
    }),
  );
}

/** The record that a create was to leave, of the object that it turned out to have made. */
export function foundRecord(
  intent: Intent,
  type: ResourceType,
  { identity, values }: RemoteObject,
  seals: Seals,
): RecordedResource {
  const { record, address } = intent;
  if (record === undefined) throw new Error(`bug: the create of ${address} has no record`);
  const answer = seals.sealObject(type, { ...identity.scope, ...values }, record.inputs);
  return { ...record, identity, outputs: { ...record.outputs, ...answer }, writtenAt: leftBy(intent) };
}

/** What is to be done where an object is gone whose record alone knows of others. */
export function oldOneLeft({ deposed }: Pick<RecordedResource, 'deposed'>): string {
  const ids = deposed.map(({ identity }) => identity.id).join(', ');
  return `It alone knows of ${ids}, which is still to be deleted since a replacement: sync apply does that, and drops it.`;
}

/**
 * The record with what the platform has now. A declared field that was changed behind our back is recorded with the value it has, so
 * that the next plan still sees a difference to the file instead of taking the change for the platform's own spelling.
 */
export function refreshedRecord(
  record: RecordedResource,
  type: ResourceType,
  values: JsonObject,
  seals: Seals,
): RecordedResource {
  const outputs: Record<string, Json> = { ...seals.sealObject(type, values, record.inputs) };
  const inputs = new Map(Object.entries(record.inputs));
  const facts = { type, declared: new Map<string, Value>(), recorded: record, actual: values, ignored: [], seals };
  const compared = compareObject(facts);
  // A list that shows nothing new may be wrong: whatever moved the revision, the next reading finds it by the old one.
  const known = record.outputs[type.revision ?? ''];
  const isUnmoved = isWholeInLists(type) && compared.every(({ drifted, strayed }) => !drifted && !strayed);
  if (isUnmoved && type.revision !== undefined && known !== undefined) outputs[type.revision] = known;
  for (const { rule, drifted, settled, own } of compared) {
    // That an answer lacks what was written is known, too.
    if (settled !== undefined) outputs[rule.name] ??= null;
    // Where an edit of the file replaces, the file's own words stay, so that one can be told.
    if (!drifted || !(rule.name in record.outputs) || rule.movesWith !== undefined) continue;
    const held = own.over(ownMember(outputs, rule.name), undefined);
    if (held === undefined || held === null) inputs.delete(rule.name);
    else inputs.set(rule.name, held);
  }
  return { ...record, inputs: Object.fromEntries(inputs), outputs };
}

/** The record with what the platform has of some fields, or of all that somebody changed: none of it is drift any more. */
export function settledRecord(
  record: RecordedResource,
  step: Step,
  { values: actual }: Pick<RemoteObject, 'values'>,
  fields: 'all' | readonly string[],
  seals: Seals,
): RecordedResource {
  const values = seals.sealObject(step.type, actual, record.inputs);
  const inputs = new Map(Object.entries(record.inputs));
  // `updatedAt` stays the old one where other fields still differ: the next reading must look at them again.
  const outputs = new Map(Object.entries(fields === 'all' ? { ...record.outputs, ...values } : record.outputs));
  const compared = compareObject({ ...factsOf(step, actual, seals), ignored: [] });
  for (const { rule, own, drifted, strayed } of compared) {
    const isMeant = fields === 'all' ? drifted || strayed : fields.includes(rule.name);
    if (!isMeant) continue;
    const value = values[rule.name] ?? null;
    // What is not there is recorded as that: set again, it has moved.
    outputs.set(rule.name, value);
    // Where an edit of the file replaces, the file's own words stay, so that one can be told.
    if (rule.movesWith !== undefined) continue;
    if (value === null) inputs.delete(rule.name);
    else if (inputs.has(rule.name)) inputs.set(rule.name, own.over(value, undefined) ?? null);
  }
  return { ...record, inputs: Object.fromEntries(inputs), outputs: Object.fromEntries(outputs) };
}
