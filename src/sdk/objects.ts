import { invoke, invokeOutput, type InvokeOptions, type InvokeOutputOptions } from './invoke.js';
import type { AnyProvider } from './provider-instance.js';
import { refuse } from './refuse.js';
import type { Input, Output } from './types.js';
import { ownMember } from '@platform-sync/core/model/value';

/** Of each type by its token: what says where objects lie, and what is shown of one. */
type ObjectTypes = Readonly<Record<string, { readonly place: object; readonly object: object }>>;

/** What a text may have to be. */
export interface TextFilter {
  readonly eq?: string;
  readonly neq?: string;
  /** Capitals or not. */
  readonly contains?: string;
  /** One of several, separated by commas. */
  readonly oeq?: string;
  readonly ocontains?: string;
}

/** Fields that lists carry, and the values they must have. */
export type ObjectFilter<O> = {
  readonly [K in keyof O as NonNullable<O[K]> extends string | number | boolean ? K : never]?:
    NonNullable<O[K]> | (NonNullable<O[K]> extends string ? TextFilter : never);
};

/** Which objects are meant: where they lie, what they are known by (a name, a key or an id), what holds for their fields. */
export type ObjectArgs<T extends { readonly place: object; readonly object: object }> = T['place'] & {
  readonly name?: string;
  readonly filter?: ObjectFilter<T['object']>;
};

export interface ObjectList<O> {
  /** In the order of their names. */
  readonly datas: readonly O[];
  /** The same for the same question. */
  readonly id: string;
}

/** Lookups that follow from types. `providers` makes the instance that is used when none is named. */
interface ObjectFunctions<Types extends ObjectTypes> {
  /** The one object that is meant. Rejects when there is none, or when there are several. */
  get<T extends keyof Types & string>(
    type: T,
    args: ObjectArgs<Types[T]>,
    options?: InvokeOptions<AnyProvider>,
  ): Promise<Types[T]['object']>;
  getOutput<T extends keyof Types & string>(
    type: T,
    args: Input<ObjectArgs<Types[T]>>,
    options?: InvokeOutputOptions<AnyProvider>,
  ): Output<Types[T]['object']>;
  /** All objects that are meant. */
  getList<T extends keyof Types & string>(
    type: T,
    args: ObjectArgs<Types[T]>,
    options?: InvokeOptions<AnyProvider>,
  ): Promise<ObjectList<Types[T]['object']>>;
  getListOutput<T extends keyof Types & string>(
    type: T,
    args: Input<ObjectArgs<Types[T]>>,
    options?: InvokeOutputOptions<AnyProvider>,
  ): Output<ObjectList<Types[T]['object']>>;
}

export function objectFunctions<Types extends ObjectTypes>(
  providers: Readonly<Record<string, () => AnyProvider>>,
): ObjectFunctions<Types> {
  const instance = (type: string, given: AnyProvider | undefined): AnyProvider => {
    const name = type.slice(0, type.indexOf(':'));
    const made = given ?? ownMember(providers, name)?.();
    if (made === undefined) throw refuse('invalid-arguments', `There is no such type: ${type}.`);
    return made;
  };
  return {
    get: async (type, args, { provider } = {}) => invoke(instance(type, provider), { type, many: 'one' }, args),
    getOutput: (type, args, { provider, dependsOn } = {}) =>
      invokeOutput(instance(type, provider), { type, many: 'one' }, args, dependsOn),
    getList: async (type, args, { provider } = {}) => invoke(instance(type, provider), { type, many: 'all' }, args),
    getListOutput: (type, args, { provider, dependsOn } = {}) =>
      invokeOutput(instance(type, provider), { type, many: 'all' }, args, dependsOn),
  };
}
