import type { DesiredResource } from '../model/desired.js';
import type { ResourceType } from '../model/resource-type.js';
import type { Deposed, Identity, RecordedResource } from '../model/state.js';
import { hasUnknown, reveal } from '../model/value.js';
import type { Json, JsonObject, Value } from '../model/value.js';
import { seal, sealObject } from '../plan/seal.js';
import type { Fingerprint } from '../plan/seal.js';

/** What goes into state for a resource whose object was just written or found to be right. */
export interface RecordInput {
  readonly resource: DesiredResource;
  readonly type: ResourceType;
  readonly identity: Identity;
  /** Declared properties, all known. */
  readonly declared: ReadonlyMap<string, Value>;
  /** The object as the platform answered. */
  readonly answer: JsonObject;
  readonly previous?: RecordedResource | undefined;
  readonly dependencies: readonly string[];
  readonly deposed?: readonly Deposed[];
  readonly fingerprint: Fingerprint;
}

export function recordOf(input: RecordInput): RecordedResource {
  const { resource, type, identity, declared, fingerprint } = input;
  const inputs: Record<string, Json> = {};
  const sent: Record<string, Json> = {};
  for (const [name, value] of declared) {
    const rule = type.fields[name];
    if (rule === undefined || value === null || hasUnknown(value)) continue;
    // A field left alone keeps what was recorded: the object does not correspond with the file there.
    const isIgnored = resource.options.ignoreChanges.includes(name) || resource.options.ignoreChanges.includes('*');
    const kept =
      isIgnored && input.previous !== undefined ? input.previous.inputs[name] : seal(rule, value, fingerprint);
    if (kept !== undefined) inputs[name] = kept;
    if (rule.writeOnly) sent[name] = reveal(value);
  }
  const answer = { ...sent, ...identity.scope, ...input.answer };
  return {
    address: resource.address,
    type: type.token,
    identity,
    inputs,
    outputs: sealObject(type, answer, { ...Object.fromEntries(declared) }, fingerprint),
    dependencies: input.dependencies,
    protect: resource.options.protect,
    retainOnDelete: resource.options.retainOnDelete,
    deposed: input.deposed ?? input.previous?.deposed ?? [],
  };
}
