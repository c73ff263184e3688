import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FleetPackage } from '@platform-sync/core/model/fleet';

/** It is not part of the program: whoever has one stack needs no job engine. */
export const fleetPackageName = 'platform-sync-fleet';

/** The package beside this program, or of the folder that it runs in; undefined: neither has it. */
export async function fleetPackage(folder: string): Promise<FleetPackage | undefined> {
  for (const from of [import.meta.url, pathToFileURL(join(folder, 'any.js')).href]) {
    const file = placeFrom(from);
    if (file === undefined) continue;
    const found: FleetPackage = await import(pathToFileURL(file).href);
    return found;
  }
  return undefined;
}

function placeFrom(importer: string): string | undefined {
  try {
    return createRequire(importer).resolve(fleetPackageName);
  } catch {
    return undefined;
  }
}
