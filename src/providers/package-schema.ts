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

/** A type: a primitive, a list, a map, or a reference (`#/types/<token>`, or `pulumi.json#/Any` for any JSON). */
export interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
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

/** A member of `types` by a reference's text; undefined for a reference to something else. */
export function referencedType(schema: PackageSchema, ref: string): ObjectSpec | EnumSpec | undefined {
  return ref.startsWith(typePrefix) ? schema.types?.[ref.slice(typePrefix.length)] : undefined;
}

const typePrefix = '#/types/';

/** Any JSON value, as the format spells it. */
export const anyType = 'pulumi.json#/Any';

/** The last part of a token: `Api` of `platform:index/api:Api`. */
export function memberName(token: string): string {
  return token.slice(token.lastIndexOf(':') + 1);
}

/** The token people write: `platform:Api`, or `cloud:endpoints:getServiceIamPolicy` outside the module `index`. */
export function shortToken(token: string): string {
  const [provider = '', modulePath = ''] = token.split(':');
  const module = modulePath.split('/')[0];
  return module === 'index' ? `${provider}:${memberName(token)}` : `${provider}:${module}:${memberName(token)}`;
}

/** Methods of the provider share the functions' table; their tokens name the provider itself, not the package. */
export function isMethod(token: string): boolean {
  return token.startsWith('pulumi:providers:');
}
