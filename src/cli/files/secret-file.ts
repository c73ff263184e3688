import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { isWithin } from '@platform-sync/core/model/within';
import { realPlace, treeOf } from '@platform-sync/engine/trust/paths';
import { fileReason } from './file-reason.js';
import { realWorld } from '@platform-sync/core/model/world';

/** Why a file can't take a secret, as the end of a sentence about it; `folder`: that of the project. */
export function whyNoSecretFile(path: string, folder: string): string | undefined {
  const place = realPlace(path);
  if (isWithin(treeOf(folder), place)) return 'lies in the checkout, where it would be shared';
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) return 'is a link or no file';
  const above = lstatSync(dirname(place), { throwIfNoEntry: false });
  return above?.isDirectory() === true ? undefined : 'lies in a folder that does not exist';
}

/** Written beside its place and put there at once: who reads it sees all of it, and nobody else may. Gives why it failed. */
export function writeSecretFile(path: string, secret: string): string | undefined {
  const place = realPlace(path);
  const beside = `${place}.${realWorld.id()}`;
  try {
    const file = openSync(beside, 'wx', 0o600);
    try {
      writeSync(file, secret);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, place);
    return undefined;
  } catch (error) {
    rmSync(beside, { force: true });
    return `the file can't be written: ${fileReason(error)}`;
  }
}
