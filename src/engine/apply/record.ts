import { defined } from '../model/defined.js';
import type { DesiredResource } from '../model/desired.js';
import type { ResourceType } from '../model/resource-type.js';
import type { Deposed, Identity, RecordedResource } from '../model/state.js';
import { hasUnknown, reveal, type Json, type JsonObject, type Value } from '../model/value.js';
import type { Proposal } from '../plan/proposal.js';
import { adoptedInput, recordedInput } from '../value/recorded-input.js';
import type { Seals } from '../value/seal.js';

/** What goes into state for a resource whose object is written or found to be right, whatever the platform answers. */
interface RecordBasis {
  readonly resource: DesiredResource;
  readonly type: ResourceType;
  /** Declared properties, all known. */
  readonly declared: ReadonlyMap<string, Value>;
  readonly previous?: RecordedResource | undefined;
  /** The object as it was read before it was written, with what its own answers lack. */
  readonly seen?: JsonObject;
  /** Recorded inputs of what was not written to the platform: they stand as they are given. */
  readonly unwritten?: JsonObject;
  readonly dependencies: readonly string[];
  readonly deposed?: readonly Deposed[];
  readonly replacedFor?: readonly string[];
  readonly seals: Seals;
}

export interface RecordInput extends RecordBasis {
  readonly identity: Identity;
  /** The object as the platform answered. */
  readonly answer: JsonObject;
}

/** The record of an object that now is as the file says; what is left alone stays recorded as it was. */
export function recordOf(input: RecordInput): RecordedResource {
  return recordUpon(input)(input.identity, input.answer);
}

/** The same for one basis and several answers: what they do not change is worked out once. */
export function recordUpon(basis: RecordBasis): (identity: Identity, answer: JsonObject) => RecordedResource {
  const { resource, type, declared, seals, previous, seen, unwritten = {} } = basis;
  const { ignoreChanges, protect, retainOnDelete } = resource.options;
  const inputs = new Map<string, Json>();
  const sent = new Map<string, Json>();
  for (const [name, value] of declared) {
    const rule = type.fields[name];
    if (rule === undefined || hasUnknown(value)) continue;
    const kept = recordedInput(rule, value, ignoreChanges, previous?.inputs, seals);
    if (kept !== undefined && !(name in unwritten)) inputs.set(name, kept);
    if (rule.writeOnly) sent.set(name, reveal(value));
  }
  for (const [name, value] of Object.entries(unwritten)) if (value !== null) inputs.set(name, value);
  const outputs = { ...keptElsewhere(type, { ...previous?.outputs, ...seen }), ...Object.fromEntries(sent) };
  const recorded = Object.fromEntries(inputs);
  const sealedLike = Object.fromEntries(declared);
  return (identity, answer) => ({
    address: resource.address,
    type: type.token,
    identity,
    inputs: recorded,
    outputs: seals.sealObject(type, { ...outputs, ...identity.scope, ...answer }, sealedLike),
    dependencies: basis.dependencies,
    protect,
    retainOnDelete,
    deposed: basis.deposed ?? previous?.deposed ?? [],
    ...defined({ writtenAt: previous?.writtenAt, replacedFor: basis.replacedFor ?? previous?.replacedFor }),
  });
}

/** What an object's own answers lack and others show stays known, whether the file still speaks of it or not. */
function keptElsewhere({ fields }: ResourceType, known: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(known).filter(([name]) => fields[name]?.movesWith !== undefined));
}

/** The record of an object that is only taken over: what the platform has, in the file's own words where the two are equal. */
export function adoptedRecord(proposal: Proposal, dependencies: readonly string[], seals: Seals): RecordedResource {
  const { desired: resource, actual, type } = proposal;
  if (resource === undefined || actual === undefined) throw new Error(`bug: nothing to adopt at ${proposal.address}`);
  const { identity, values: answer } = actual;
  const unwritten = adoptedInputs(proposal, [...proposal.declared.keys()], seals);
  return recordOf({ resource, type, identity, declared: proposal.declared, answer, dependencies, seals, unwritten });
}

/** What is recorded of fields that an adoption does not write; null where the platform has nothing. */
export function adoptedInputs(
  { type, declared, actual }: Proposal,
  fields: readonly string[],
  seals: Seals,
): JsonObject {
  return Object.fromEntries(
    fields.flatMap((name) => {
      const rule = type.fields[name];
      const value = declared.get(name);
      if (rule === undefined || value === undefined) return [];
      return [[name, adoptedInput(rule, value, actual?.values[name], seals) ?? null]];
    }),
  );
}
