import { ProviderError } from '../model/provider.js';
import type { Provider, RemoteObject } from '../model/provider.js';
import type { ResourceType } from '../model/resource-type.js';
import type { Reading } from '../model/snapshot.js';
import type { Identity } from '../model/state.js';
import type { JsonObject } from '../model/value.js';
import { asDiagnostic } from './refresh.js';

/** Reads an object that state does not know, with what can be found out about its write-only fields. */
export async function readExisting(provider: Provider, type: ResourceType, identity: Identity): Promise<Reading> {
  return guarded(async () => {
    const object = await provider.read(type, identity);
    return object === undefined ? { kind: 'gone' } : withWriteOnly(provider, type, object);
  });
}

/** Finds the one object with a resource's natural key. */
export async function findExisting(
  provider: Provider,
  type: ResourceType,
  scope: Readonly<Record<string, string>>,
  inputs: JsonObject,
): Promise<Reading> {
  return guarded(async () => {
    const objects = await provider.find(type, scope, inputs);
    const [only] = objects;
    if (only === undefined) return { kind: 'gone' };
    if (objects.length > 1) return severalFound(type, objects);
    return readExisting(provider, type, only.identity);
  });
}

async function withWriteOnly(provider: Provider, type: ResourceType, object: RemoteObject): Promise<Reading> {
  const hidden = Object.values(type.fields).some((rule) => rule.writeOnly)
    ? await provider.readWriteOnly(type, object.identity)
    : {};
  return {
    kind: 'found',
    identity: object.identity,
    values: { ...object.identity.scope, ...object.values, ...hidden },
  };
}

async function guarded(read: () => Promise<Reading>): Promise<Reading> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return error.kind === 'not-found' ? { kind: 'gone' } : { kind: 'failed', diagnostic: asDiagnostic(error) };
  }
}

function severalFound(type: ResourceType, objects: readonly RemoteObject[]): Reading {
  const ids = objects.map((object) => object.identity.id).sort();
  return {
    kind: 'failed',
    diagnostic: {
      severity: 'error',
      code: 'several-found',
      summary: `${objects.length} ${type.name} objects have this natural key: ${ids.join(', ')}.`,
      hint: 'Say which one with: sync import ADDRESS ID',
    },
  };
}
