import { platformPackage } from '@platform-sync/platform/package';

/** Names of the types with a definition of their own that lists show: of what the sandbox begins with there is none of them left. */
export const ownTypes: readonly string[] = [...platformPackage.types.values()]
  .filter(({ collection, derived }) => collection.listed !== false && derived !== true)
  .map(({ name }) => name);
