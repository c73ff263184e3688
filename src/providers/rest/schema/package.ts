import type { LookupType, ProviderPackage } from '@platform-sync/core/model/provider';
import { objectSchema } from './json-schema.js';
import { isMethod, memberName, shortToken, type PackageSchema } from './package-schema.js';

/** The functions a package offers to catalogues and programs; methods of the provider are not among them. */
export function lookupTypes(schema: PackageSchema): ReadonlyMap<string, LookupType> {
  return new Map(
    Object.entries(schema.functions ?? {})
      .filter(([token]) => !isMethod(token))
      .map(([token, spec]) => [
        token,
        {
          token,
          shortToken: shortToken(token),
          name: memberName(token),
          provider: schema.name,
          description: spec.description,
          inputs: objectSchema(schema, spec.inputs),
          outputs: objectSchema(schema, spec.outputs),
        },
      ]),
  );
}

/** What a `providers:` block may hold. */
export function providerSettings(schema: PackageSchema): ProviderPackage['settings'] {
  return Object.fromEntries(
    Object.entries(schema.config?.variables ?? {}).map(([name, spec]) => [
      name,
      {
        secret: spec.secret ?? false,
        description: spec.description ?? '',
        env: spec.defaultInfo?.environment ?? [],
      },
    ]),
  );
}
