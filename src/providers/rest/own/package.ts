import type { ProviderPackage } from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import { fieldPatterns, mustRun } from '../schema/field-schemas.js';
import { restPackage } from '../package.js';
import type { RestStyle } from '../style.js';
import { schemaChecks } from '../schema/schema-checks.js';
import { readTypes } from './read-types.js';
import { readOwnSettings, secretParts } from './settings.js';

/** What compiled definitions take for granted: each list says itself how it comes in pages. */
const style: RestStyle = {
  naming: { rule: 'snake_case', names: {} },
  paging: { by: 'none', items: '' },
  kinds: {},
};

const name = /^[a-z][a-z0-9-]{0,40}$/;

/** The package of a provider that a project describes by a file of types. Throws an Error that says what is wrong with it. */
export async function ownPackage(provider: string, document: JsonObject): Promise<ProviderPackage> {
  if (!name.test(provider)) throw new Error('a provider is called by small letters, digits and dashes');
  const definitions = readTypes(document);
  const patterns = fieldPatterns(definitions);
  // The engine that runs them comes with the first.
  if (patterns.length > 0) mustRun(patterns, (await import('@platform-sync/core/model/linear-pattern')).unfitPattern);
  const made = restPackage(
    {
      name: provider,
      style,
      definitions,
      connect: async (context) => (await import('./connect.js')).connectOwn(provider, context),
    },
    schemaChecks(),
  );
  // What contradicts itself is told before anything is done with it.
  for (const type of made.types.values()) void type.fields;
  const setting = (description: string): { secret: boolean; description: string; env: readonly string[] } => ({
    ...{ secret: false, description, env: [] },
  });
  return {
    ...made,
    checkSettings: (settings) => readOwnSettings(provider, settings).problems,
    settings: {
      types: setting('File of types, inside the project.'),
      serverUrl: setting('Address of the server.'),
      auth: { ...setting('Who is calling: bearer, header, basic or clientCredentials.'), secretParts },
    },
  };
}
