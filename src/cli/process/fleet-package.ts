import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { errorCode } from '@platform-sync/core/model/diagnostic';
import type { FleetPackage } from '@platform-sync/core/model/console';

/** It is not part of the program: whoever has one stack needs no job engine. */
export const fleetPackageName = 'platform-sync-fleet';

/**
 * The package beside this program; undefined: it is not installed. Never one of the folder that the program runs in: that may be
 * somebody's proposal, and this code gets the database's address.
 */
export async function fleetPackage(): Promise<FleetPackage | undefined> {
  try {
    const file = createRequire(import.meta.url).resolve(fleetPackageName);
    const found: FleetPackage = await import(pathToFileURL(file).href);
    return found;
  } catch (error) {
    if (errorCode(error) === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
