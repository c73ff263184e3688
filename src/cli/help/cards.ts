import type { CommandManifest } from './command-card.js';
import { cardsFromSource } from './oclif-config.js';
import { packageFacts } from '../process/package-facts.js';

/** What the build keeps beside the bundle, so that help loads no command. */
export async function commandManifest(): Promise<CommandManifest> {
  return { version: packageFacts().version, commands: await cardsFromSource() };
}
