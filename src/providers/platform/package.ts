import schemaFile from '../../../schemas/platform.base.json' with { type: 'json' };
import type { ProviderPackage } from '@platform-sync/core/model/provider';
import type { PackageSchema } from '@platform-sync/rest/schema/package-schema';
import type { TypeDefinition } from '@platform-sync/rest/definition';
import { definitionFiles } from '@platform-sync/rest/schema/definition-files';
import { lookupTypes, providerSettings } from '@platform-sync/rest/schema/package';
import { contradictions } from '@platform-sync/rest/contradictions';
import { definedTypes } from '@platform-sync/rest/resource-type';
import { validation } from '@platform-sync/rest/schema/validate';
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
const rules = validation(async () => (await import('./generated/validators.js')).validators);

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
  fromSpecification: new Map([
    [
      'platform:index/gatewayService:GatewayService',
      async (document, key) => (await import('./gateway/resources.js')).gatewayResources(document, key, defined),
    ],
  ]),
  originOf: (token) => source.originOf(token.slice(token.lastIndexOf(':') + 1)),
  start: async (context) => (await import('./provider.js')).startPlatform(context, defined, lookups),
};
