import { valueIn } from '@platform-sync/core/model/derived-map';
import { LazyMap } from '@platform-sync/core/model/lazy-map';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { DefinitionSource } from './definition-source.js';
import { resourceType, typeToken } from './resource-type.js';
import { restType, type RestType } from './rest-type.js';
import type { PlanHooks, RestStyle } from './style.js';

/** The types of a provider, each made of its definition when it is first used. */
export interface DefinedTypes {
  readonly types: ReadonlyMap<string, ResourceType>;
  readonly restOf: (type: Pick<ResourceType, 'token'>) => RestType;
}

interface TypesOptions {
  readonly provider: string;
  readonly source: DefinitionSource;
  readonly style: RestStyle;
  readonly hooks?: PlanHooks;
}

export function definedTypes({ provider, source, style, hooks = {} }: TypesOptions): DefinedTypes {
  const nameOf = new Map(source.names.map((name) => [typeToken(provider, name), name]));
  const made = new LazyMap(nameOf.keys(), (token) => {
    const { definition, cascades, contents = [] } = source.load(valueIn(nameOf, token));
    const rest = restType(definition, style);
    return { type: resourceType(rest, { provider, cascades, contents, hooks }), rest };
  });
  return {
    types: new LazyMap(nameOf.keys(), (token) => valueIn(made, token).type),
    restOf: ({ token }) => valueIn(made, token).rest,
  };
}
