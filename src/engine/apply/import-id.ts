import type { RemoteObject } from '../model/provider.js';
import type { ResourceType } from '../model/resource-type.js';

/** An object's id as `sync import` takes it. */
export function importIdOf(type: ResourceType, object: Pick<RemoteObject, 'identity'>): string {
  if (type.importId.form === 'plain') return object.identity.id;
  const parts = Object.entries(type.importId.keys).map(([key, field]) => [
    key,
    field === 'id' ? object.identity.id : (object.identity.scope[field] ?? ''),
  ]);
  return JSON.stringify(Object.fromEntries(parts));
}

/** The commands that take over one of several objects. */
export function importCommands(
  address: string,
  type: ResourceType,
  objects: readonly Pick<RemoteObject, 'identity'>[],
): readonly string[] {
  return objects.map((object) => `sync import ${address} '${importIdOf(type, object)}'`);
}
