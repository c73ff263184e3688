import { importIdText } from '@platform-sync/core/model/import-id';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';

/** An object's id as `sync adopt` takes it. */
export function importIdOf(type: ResourceType, object: Pick<RemoteObject, 'identity'>): string {
  return importIdText(type.importId, object.identity);
}

/** What helps where nothing tells which object a create made: the last one that is left is taken for it. */
export function rightOneHint(
  address: string,
  type: ResourceType,
  candidates: readonly Pick<RemoteObject, 'identity'>[],
): string {
  const ended = candidates.length === 1 ? 'it' : 'all but the right one';
  const commands = candidates.map((object) => `sync adopt ${address} '${importIdOf(type, object)}'`);
  return `Delete ${ended} on the platform and run the command again, or take the right one over:\n${commands.join('\n')}`;
}
