import schemaFile from '../../../schemas/platform.base.json' with { type: 'json' };
import type { ProviderPackage } from '../../engine/model/provider.js';
import type { PackageSchema } from '../package-schema.js';
import type { TypeDefinition } from '../rest/definition.js';
import { definitionFiles } from '../definition-files.js';
import { lookupTypes, providerSettings } from '../package.js';
import { contradictions } from '../rest/contradictions.js';
import { definedTypes } from '../rest/types.js';
import { validation } from '../validate.js';
import { planHooks } from './hooks/plan-hooks.js';
import { style } from './style.js';
import { withOwnWords } from './wire.js';

/** What the platform offers beside resources. */
export const platformBase: PackageSchema = schemaFile;

const source = definitionFiles(platformBase.name, withOwnWords);
const defined = definedTypes({
  provider: platformBase.name,
  source,
  style,
  hooks: planHooks,
});
const lookups = lookupTypes(platformBase);
const rules = validation(async () => (await import('../../generated/platform/validators.js')).validators);

/** Every definition, those that rules made among them; one that is used is read for itself alone. */
export function allDefinitions(): readonly TypeDefinition[] {
  return source.names.map((name) => source.load(name).definition);
}

export const platformPackage: ProviderPackage = {
  name: platformBase.name,
  types: defined.types,
  lookups,
  settings: providerSettings(platformBase),
  validate: (token, properties) => {
    const type = defined.types.get(token);
    if (type === undefined) throw new Error(`bug: no resource type ${token}`);
    const contradicted = contradictions(type, defined.restOf(type), properties);
    const broken = rules.resource(type, properties);
    return contradicted.length === 0 ? broken : Promise.resolve(broken).then((all) => [...all, ...contradicted]);
  },
  validateLookup: rules.lookup,
  originOf: (token) => source.originOf(token.slice(token.lastIndexOf(':') + 1)),
  start: async (context) => (await import('./provider.js')).startPlatform(context, defined, lookups),
};
