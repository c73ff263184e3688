import { importIdText } from '@platform-sync/core/model/import-id';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';

/** An object's id as `sync adopt` takes it. */
export function importIdOf(type: ResourceType, object: Pick<RemoteObject, 'identity'>): string {
  return importIdText(type.importId, object.identity);
}

/** The commands that take over one of several objects. */
export function importCommands(
  address: string,
  type: ResourceType,
  objects: readonly Pick<RemoteObject, 'identity'>[],
): readonly string[] {
  return objects.map((object) => `sync adopt ${address} '${importIdOf(type, object)}'`);
}
