import type { CommandManifest } from './manifest-entry.js';
import { entriesFromSource } from './oclif-config.js';
import { packageFacts } from '../process/package-facts.js';

/** What the build keeps beside the bundle, so that help loads no command. */
export async function commandManifest(): Promise<CommandManifest> {
  return { version: packageFacts().version, commands: await entriesFromSource() };
}
