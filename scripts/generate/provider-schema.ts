import { defined } from '@platform-sync/core/model/value';
import { isEnum } from '@platform-sync/rest/schema/package';
import type { EnumSpec, ObjectSpec, PackageSchema } from '@platform-sync/rest/schema/package-schema';
import type { TypeDefinition } from '@platform-sync/rest/definition';
import { typeToken } from '@platform-sync/rest/resource-type';
import { packageEntry } from './package-entry.js';
import { restType } from '@platform-sync/rest/rest-type';
import type { RestStyle } from '@platform-sync/rest/style';

/** A provider's whole package schema: what it offers beside resources, and the entries of its definitions. */
export function providerSchema(
  base: PackageSchema,
  definitions: readonly TypeDefinition[],
  style: RestStyle,
): PackageSchema {
  const entries = definitions.map((definition) => ({
    token: typeToken(base.name, definition.name),
    ...packageEntry(base.name, restType(definition, style)),
  }));
  const { functions, ...head } = base;
  return {
    ...head,
    types: { ...Object.fromEntries(namedTypes(entries.flatMap((entry) => entry.named))), ...base.types },
    resources: Object.fromEntries(entries.map(({ token, resource }) => [token, resource])),
    ...defined({ functions }),
  };
}

type Named = readonly [token: string, spec: ObjectSpec | EnumSpec, isDeclared: boolean];

/** Choices before records; of choices those people declare first, of records those that the platform answers. */
function namedTypes(all: readonly Named[]): readonly (readonly [string, ObjectSpec | EnumSpec])[] {
  const rank = ([, spec, isDeclared]: Named): number => (isEnum(spec) ? (isDeclared ? 0 : 1) : isDeclared ? 3 : 2);
  return [...all].sort((a, b) => rank(a) - rank(b)).map(([token, spec]) => [token, spec]);
}
