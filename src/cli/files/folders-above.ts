import { dirname } from 'node:path';

/** This folder and all above it, the nearest first. */
export function* foldersAbove(folder: string): Iterable<string> {
  yield folder;
  const above = dirname(folder);
  if (above !== folder) yield* foldersAbove(above);
}
