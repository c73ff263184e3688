import { ruledLookup, ruledToken } from '@platform-sync/core/lookups/by-rule';
import { outputLookup } from '@platform-sync/core/lookups/stack-output';
import type { LookupType, ProviderPackage } from '@platform-sync/core/model/provider';
import { type ResourceType, shortToken } from '@platform-sync/core/model/resource-type';
import type { JsonObject } from '@platform-sync/core/model/value';
import { expressible, named, type Named, oneOfNames } from './editor-values.js';

/** Types that editors know in full, and lookups. */
export interface Known extends Pick<ProviderPackage, 'types' | 'lookups'> {
  /** Types of whose lookups editors know the arguments, beside those known in full. */
  readonly lookedUp?: readonly ResourceType[];
}

/** Lookups that follow from types. */
function ruledNames(packages: readonly Known[], derived: readonly Named[]): readonly Named[] {
  const own = new Set(packages.flatMap(({ lookups }) => [...lookups.keys()]));
  const types = [...packages.flatMap((each) => [...each.types.keys()]), ...derived.map(({ token }) => token)];
  return types
    .flatMap((type) => [ruledToken(type, 'one'), ruledToken(type, 'all')])
    .filter((token) => !own.has(token))
    .map((token) => ({ token, shortToken: shortToken(token) }));
}

/** The lookups of one type take the same arguments. */
function ruledArguments(packages: readonly Known[]): readonly JsonObject[] {
  return packages.flatMap(({ types, lookups, lookedUp = [] }) =>
    [...new Set([...types.values(), ...lookedUp])].flatMap((type) => {
      const both = (['one', 'all'] as const)
        .map((many) => ruledLookup(type, many))
        .filter((each) => each !== undefined);
      const free = both.filter(({ token }) => !lookups.has(token));
      const [first] = free;
      return first === undefined ? [] : [argumentsOf(free, first)];
    }),
  );
}

function argumentsOf(
  called: readonly LookupType[],
  { shortToken: title, description, inputs }: LookupType,
): JsonObject {
  return {
    if: { properties: { function: named(...called) }, required: ['function'] },
    then: { title, description, properties: { arguments: expressible(inputs) } },
  };
}

/** A lookup: which there are, and the arguments of those that are known in full. */
export function lookupSchema(packages: readonly Known[], derived: readonly Named[]): JsonObject {
  const lookups = [...packages.flatMap((each) => [...each.lookups.values()]), outputLookup];
  return {
    type: 'object',
    additionalProperties: false,
    required: ['function'],
    properties: {
      function: { description: 'The lookup to run.', ...oneOfNames([...lookups, ...ruledNames(packages, derived)]) },
      arguments: { description: 'What to look for.' },
      return: { description: 'The one output to use instead of the whole record.', type: 'string' },
    },
    allOf: [...lookups.map((lookup) => argumentsOf([lookup], lookup)), ...ruledArguments(packages)],
  };
}
