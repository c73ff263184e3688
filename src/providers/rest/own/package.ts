import type { ProviderPackage } from '@platform-sync/core/model/provider';
import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { fieldPatterns, mustRun } from '../schema/field-schemas.js';
import { restPackage } from '../package.js';
import type { RestStyle } from '../style.js';
import { schemaChecks } from '../schema/schema-checks.js';
import { readOwnSettings, secretParts } from './settings.js';
import type { TypeDefinition } from '../definition.js';
import { wrongShape } from '../definition-shape.js';

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

const most = 2_000;
const definitionName = /^[A-Za-z]\w*$/;

/**
 * The definitions of a file that `types compile` wrote, or that somebody wrote by hand: `{"definitions": […]}`. Throws an Error
 * that says what in it is none.
 */
function readTypes(document: JsonObject): readonly TypeDefinition[] {
  const { definitions = null } = document;
  if (!isList(definitions)) throw new Error('it holds no list "definitions"; sync types compile writes such files');
  if (definitions.length > most) throw new Error(`it has more than ${most} definitions`);
  for (const [at, definition] of definitions.entries()) checkShape(definition, at);
  return definitions as unknown as readonly TypeDefinition[];
}

/** What the program relies on before it looks closer; the rest it says itself. */
function checkShape(definition: Json, at: number): void {
  if (!isObject(definition)) throw new Error(`definition ${at + 1} is no object`);
  const called =
    typeof definition['name'] === 'string' && definitionName.test(definition['name']) ? definition['name'] : undefined;
  if (called === undefined) throw new Error(`definition ${at + 1} has no name of letters and digits`);
  const [wrong] = wrongShape(definition);
  if (wrong !== undefined) throw new Error(`${called}: ${wrong}`);
}
