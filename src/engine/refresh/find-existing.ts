import { canonicalJson } from '../model/canonical.js';
import type { Diagnostic } from '../model/diagnostic.js';
import { identityKey } from '../model/identity.js';
import { markField } from '../model/ownership-mark.js';
import { ProviderError, type RemoteObject } from '../model/provider.js';
import type { ResourceType } from '../model/resource-type.js';
import type { Reading } from '../model/snapshot.js';
import type { Identity } from '../model/state.js';
import type { JsonObject } from '../model/value.js';
import type { Reads } from '../reads/reads.js';
import { asDiagnostic } from './as-diagnostic.js';
import type { SecondLook } from './second-looks.js';

/** Reads an object that state does not know, with what can be found out about its write-only fields. */
export async function readExisting(reads: Reads, type: ResourceType, identity: Identity): Promise<Reading> {
  return guarded(async () => {
    const object = await reads.read(type, identity);
    return object === undefined ? { kind: 'gone' } : withWriteOnly(reads, type, object);
  });
}

/** What narrows a search down. */
interface Narrowing {
  /** Write-only fields count only where these declare one. */
  readonly inputs: JsonObject;
  /** The ownership mark that the object must bear. */
  readonly mark?: string | undefined;
}

/** Finds the one object with a resource's natural key. `gone`: there is none, by a complete list. */
export async function findExisting(
  reads: Reads,
  type: ResourceType,
  scope: Readonly<Record<string, string>>,
  inputs: JsonObject,
  { mark, inputs: compared }: Partial<Narrowing> = {},
): Promise<Reading> {
  return guarded(async () => {
    const found = await reads.find(type, scope, inputs);
    const objects = mark === undefined ? found : found.filter(({ values }) => values[markField] === mark);
    const [only] = objects;
    if (only === undefined) return { kind: 'gone' };
    if (objects.length > 1) return { kind: 'failed', diagnostic: severalFound(type, objects) };
    return confirmed(reads, type, only, compared);
  });
}

/**
 * Reads an object that a list showed. `inputs`: write-only fields count only where these declare one. `again`: a second
 * answer that is there already.
 */
export async function readListed(
  reads: Reads,
  type: ResourceType,
  listed: RemoteObject,
  inputs: JsonObject,
  again?: SecondLook,
): Promise<Reading> {
  return guarded(() => confirmed(reads, type, listed, inputs, again));
}

async function confirmed(
  reads: Reads,
  type: ResourceType,
  listed: RemoteObject,
  inputs?: JsonObject,
  again?: SecondLook,
): Promise<Reading> {
  const object = again ?? (await reads.read(type, listed.identity));
  if (object === undefined || object === 'missing' || !isSame(type, listed, object))
    return { kind: 'failed', diagnostic: contradictory(type, listed) };
  return withWriteOnly(reads, type, object, inputs);
}

/** The list and the object itself must name it alike. */
function isSame(type: ResourceType, a: RemoteObject, b: RemoteObject): boolean {
  const key = ({ identity, values }: RemoteObject): string =>
    canonicalJson([
      identityKey(type.token, identity),
      type.naturalKey.map((field) => identity.scope[field] ?? values[field] ?? null),
    ]);
  return key(a) === key(b);
}

async function withWriteOnly(
  reads: Reads,
  type: ResourceType,
  object: RemoteObject,
  inputs?: JsonObject,
): Promise<Reading> {
  const hidden = Object.values(type.fields).some(
    (rule) => rule.writeOnly && (inputs === undefined || rule.name in inputs),
  )
    ? await (await reads.providerOf(type)).readWriteOnly(type, object.identity)
    : {};
  return {
    kind: 'found',
    identity: object.identity,
    values: { ...object.identity.scope, ...object.values, ...hidden },
  };
}

/** Whatever goes wrong proves nothing: not even a place that is not found says anything about what it should hold. */
async function guarded(read: () => Promise<Reading>): Promise<Reading> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { kind: 'failed', diagnostic: asDiagnostic(error) };
  }
}

function contradictory(type: ResourceType, { identity }: RemoteObject): Diagnostic {
  return {
    severity: 'error',
    code: 'contradictory-answers',
    summary: `A list shows the ${type.name} ${identity.id} otherwise than the object itself, so neither is believed.`,
    hint: 'Somebody may be changing it right now. Try again a little later.',
  };
}

function severalFound(type: ResourceType, objects: readonly RemoteObject[]): Diagnostic {
  const ids = objects.map((object) => object.identity.id).sort();
  return {
    severity: 'error',
    code: 'several-found',
    summary: `${objects.length} ${type.name} objects have this natural key: ${ids.join(', ')}.`,
    hint: 'Say which one with: sync import ADDRESS ID',
  };
}
