import { engineVersion } from '../../src/engine/version.js';
import { cloudPackage, cloudSchema } from '../../src/providers/cloud/package.js';
import type { PackageSchema } from '../../src/providers/package-schema.js';
import { allDefinitions, platformBase, platformPackage } from '../../src/providers/platform/package.js';
import { style } from '../../src/providers/platform/style.js';
import { providerSchema } from '../../scripts/generate/provider-schema.js';
import { restType } from '../../src/providers/rest/rest-type.js';
import { typeToken } from '../../src/providers/rest/resource-type.js';
import type { Publication } from './languages.js';
import { emptyOf } from './resource-types.js';
import { pulumiSchema } from './schema.js';

/** The whole schema of a package: of every type, those that rules made out of the platform's description among them. */
export function wholeSchema(name: string, goModule: string): object {
  const published: Publication = { version: engineVersion, goModule };
  if (name === cloudSchema.name) return pulumiSchema(cloudSchema, cloudPackage, published);
  if (name === platformBase.name) return pulumiSchema(platformSchema(), platformPackage, published);
  throw new Error(`bug: there is no package ${name}`);
}

/** As its definitions say, but for promises that no answer can keep: of an empty map or text there is one, of a number none. */
function platformSchema(): PackageSchema {
  const definitions = allDefinitions();
  const schema = providerSchema(platformBase, definitions, style);
  const resources = definitions.map((definition) => {
    const { fields } = restType(definition, style);
    const token = typeToken(platformBase.name, definition.name);
    const spec = schema.resources?.[token];
    const type = platformPackage.types.get(token);
    if (spec === undefined || type === undefined) throw new Error(`bug: ${token} is not in the schema`);
    const mayLack = (name: string): boolean => {
      const rule = type.fields[name];
      return fields[name]?.nullable === true && rule !== undefined && emptyOf(rule) === undefined;
    };
    return [token, { ...spec, required: (spec.required ?? []).filter((name) => !mayLack(name)) }] as const;
  });
  return { ...schema, resources: Object.fromEntries(resources) };
}
