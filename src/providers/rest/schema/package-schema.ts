import { ownMember } from '@platform-sync/core/model/value';

export { memberName, shortToken } from '@platform-sync/core/model/resource-type';

/**
 * A package schema, as far as this project uses the format: what a provider offers, in the standard JSON form of the
 * ecosystem its tokens come from. `schemas/package.schema.json` checks files against the same rules.
 */
export interface PackageSchema {
  readonly name: string;
  readonly description: string;
  readonly config?: { readonly variables: Readonly<Record<string, PropertySpec>> };
  readonly types?: Readonly<Record<string, ObjectSpec | EnumSpec>>;
  readonly resources?: Readonly<Record<string, ResourceSpec>>;
  readonly functions?: Readonly<Record<string, FunctionSpec>>;
}

/** A type: a primitive, one of two, a list, a map, or a reference (`#/types/<token>`, or `pulumi.json#/Any` for any JSON). */
export interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  /** Of two primitives: a number or a text. */
  readonly oneOf?: readonly TypeSpec[];
  readonly additionalProperties?: TypeSpec;
}

export interface PropertySpec extends TypeSpec {
  readonly description?: string;
  readonly secret?: boolean;
  readonly willReplaceOnChanges?: boolean;
  readonly deprecationMessage?: string;
  readonly defaultInfo?: { readonly environment: readonly string[] };
}

export interface ObjectSpec {
  readonly type: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required?: readonly string[];
}

export interface EnumSpec {
  readonly type: string;
  readonly description: string;
  readonly enum: readonly { readonly name: string; readonly value: string; readonly description: string }[];
}

/** `properties` are what the platform answers (`required` of them always), `inputProperties` what a user may write. */
export interface ResourceSpec extends ObjectSpec {
  readonly inputProperties: Readonly<Record<string, PropertySpec>>;
  readonly requiredInputs?: readonly string[];
}

export interface FunctionSpec {
  readonly description: string;
  readonly inputs: ObjectSpec;
  readonly outputs: ObjectSpec;
}

/** A call that nothing is given to. */
export function takesNothing({ properties }: FunctionSpec['inputs']): boolean {
  return Object.keys(properties).length === 0;
}

/** A member of `types` by a reference's text; undefined for a reference to something else. */
export function referencedType(schema: PackageSchema, ref: string): ObjectSpec | EnumSpec | undefined {
  return ref.startsWith(typePrefix) ? ownMember(schema.types ?? {}, ref.slice(typePrefix.length)) : undefined;
}

const typePrefix = '#/types/';

/** Any JSON value, as the format spells it. */
export const anyType = 'pulumi.json#/Any';

/** Methods of the provider share the functions' table; their tokens name the provider itself, not the package. */
export function isMethod(token: string): boolean {
  return token.startsWith('pulumi:providers:');
}
