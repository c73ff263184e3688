import { ownMember } from '@platform-sync/core/model/value';
import { engineVersion } from '@platform-sync/engine/version';
import { cloudPackage, cloudSchema } from '@platform-sync/cloud/package';
import { patternOf } from '@platform-sync/core/model/pattern';
import {
  memberName,
  type EnumSpec,
  type ObjectSpec,
  type PackageSchema,
} from '@platform-sync/rest/schema/package-schema';
import { allDefinitions, platformBase, platformPackage } from '@platform-sync/platform/package';
import { style } from '@platform-sync/platform/style';
import { providerSchema } from '../../scripts/generate/provider-schema.js';
import { restType } from '@platform-sync/rest/rest-type';
import { typeToken } from '@platform-sync/rest/resource-type';
import type { Publication } from './languages.js';
import { emptyOf } from './resource-types.js';
import { pulumiSchema } from './schema.js';

/**
 * The whole schema of a package: of every type, those that rules made out of the platform's description among them, or of those that
 * patterns choose. What is not in it is served all the same, and neither an SDK nor a program in YAML has it.
 */
export function wholeSchema(name: string, goModule: string, types: readonly string[] = ['*']): object {
  const published: Publication = { version: engineVersion, goModule };
  if (name === cloudSchema.name) return pulumiSchema(cloudSchema, cloudPackage, published);
  if (name === platformBase.name) return pulumiSchema(withTypes(platformSchema(), types), platformPackage, published);
  throw new Error(`bug: there is no package ${name}`);
}

/** As its definitions say, but for promises that no answer can keep: of an empty map or text there is one, of a number none. */
function platformSchema(): PackageSchema {
  const definitions = allDefinitions();
  const schema = providerSchema(platformBase, definitions, style);
  const resources = definitions.map((definition) => {
    const { fields } = restType(definition, style);
    const token = typeToken(platformBase.name, definition.name);
    const spec = ownMember(schema.resources ?? {}, token);
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

/** Types that fit a pattern, and the records and enumerations that they and the lookups refer to. Throws on a pattern that none fits. */
function withTypes(schema: PackageSchema, patterns: readonly string[]): PackageSchema {
  if (patterns.includes('*')) return schema;
  const all = Object.entries(schema.resources ?? {});
  const fitting = patterns.map((pattern) => all.filter(([token]) => patternOf(pattern).test(memberName(token))));
  const strange = patterns.find((_, at) => fitting[at]?.length === 0);
  if (strange !== undefined) throw new Error(`No type of ${schema.name} is called ${strange}.`);
  const resources = Object.fromEntries(fitting.flat());
  const needed = new Map<string, ObjectSpec | EnumSpec>();
  const visit = (spec: unknown): void => {
    for (const [, token = ''] of JSON.stringify(spec).matchAll(/"#\/types\/([^"]+)"/g)) {
      const named = ownMember(schema.types ?? {}, token);
      if (named === undefined || needed.has(token)) continue;
      needed.set(token, named);
      visit(named);
    }
  };
  visit([resources, schema.functions]);
  return { ...schema, resources, types: Object.fromEntries(needed) };
}
