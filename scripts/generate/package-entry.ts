import { defined } from '@platform-sync/core/model/value';
import {
  type EnumSpec,
  type ObjectSpec,
  type PropertySpec,
  type ResourceSpec,
  type TypeSpec,
  anyType,
} from '@platform-sync/rest/schema/package-schema';
import type { ChoiceType, FieldType, RecordType } from '@platform-sync/rest/definition';
import { memberOf } from '@platform-sync/rest/field-schema';
import type { RestField, RestType } from '@platform-sync/rest/rest-type';

/** What a type adds to its provider's package schema. */
export interface PackageEntry {
  readonly resource: ResourceSpec;
  /** Named types, and whether people declare values of them. */
  readonly named: readonly (readonly [token: string, spec: ObjectSpec | EnumSpec, isDeclared: boolean])[];
}

/** The entry of a type in the package schema. */
export function packageEntry(provider: string, { definition, fields }: RestType): PackageEntry {
  const all = Object.entries(fields);
  const inputs = all.filter(([, field]) => !field.output);
  const types = new Map<string, ObjectSpec | EnumSpec>();
  for (const [, field] of inputs) addNamed(provider, field.type, types);
  const declared = new Set(types.keys());
  for (const [, field] of all) addNamed(provider, field.type, types);
  const properties = (chosen: typeof all): Record<string, PropertySpec> =>
    Object.fromEntries(chosen.map(([name, field]) => [name, propertySpec(provider, field)]));
  const names = (chosen: typeof all): readonly string[] => chosen.map(([name]) => name);
  const required = names(all.filter(([, field]) => field.always));
  const requiredInputs = names(inputs.filter(([, field]) => field.required));
  return {
    resource: {
      description: definition.description,
      properties: properties(all),
      type: 'object',
      ...(required.length === 0 ? {} : { required }),
      inputProperties: properties(inputs),
      ...(requiredInputs.length === 0 ? {} : { requiredInputs }),
    },
    named: [...types].map(([token, spec]) => [token, spec, declared.has(token)]),
  };
}

function propertySpec(provider: string, field: RestField): PropertySpec {
  return {
    ...typeSpec(provider, field.type),
    ...(field.description === '' ? {} : { description: field.description }),
    ...(field.secret === true ? { secret: true } : {}),
    ...defined({ deprecationMessage: field.deprecated }),
    ...(field.replaces === undefined ? {} : { willReplaceOnChanges: true }),
  };
}

function typeSpec(provider: string, type: FieldType): TypeSpec {
  if (type === 'any') return { $ref: anyType };
  if (type === 'number-or-text' || type === 'integer-or-text')
    return { oneOf: [{ type: type === 'number-or-text' ? 'number' : 'integer' }, { type: 'string' }] };
  if (typeof type === 'string') return { type };
  if ('list' in type) return { type: 'array', items: typeSpec(provider, type.list) };
  if ('map' in type) return { type: 'object', additionalProperties: typeSpec(provider, type.map) };
  return { $ref: `#/types/${namedToken(provider, type)}` };
}

function namedToken(provider: string, type: ChoiceType | RecordType): string {
  const name = 'choice' in type ? type.choice : type.record;
  return `${provider}:index/${name}:${name}`;
}

function addNamed(provider: string, type: FieldType, types: Map<string, ObjectSpec | EnumSpec>): void {
  if (typeof type === 'string') return;
  if ('list' in type) return addNamed(provider, type.list, types);
  if ('map' in type) return addNamed(provider, type.map, types);
  const token = namedToken(provider, type);
  if (types.has(token)) return;
  if ('choice' in type) {
    types.set(token, enumSpec(type));
    return;
  }
  const members = Object.entries(type.members).map(([name, said]) => [name, memberOf(said)] as const);
  const required = members.filter(([, { optional }]) => optional !== true).map(([name]) => name);
  types.set(token, {
    description: type.description,
    properties: Object.fromEntries(
      members.map(([name, { type: own = 'string', description }]) => [
        name,
        { ...typeSpec(provider, own), ...defined({ description }) },
      ]),
    ),
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
  });
  for (const [, member] of members) addNamed(provider, member.type ?? 'string', types);
}

function enumSpec({ description, values }: ChoiceType): EnumSpec {
  return {
    description,
    type: 'string',
    enum: Object.entries(values).map(([value, about]) => ({ name: memberName(value), value, description: about })),
  };
}

/** `gateway_entity_binding` → `GatewayEntityBinding`. */
function memberName(value: string): string {
  const name = value
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  // A sign alone stands for anything. Behind the name of the enumeration, Go says these of values of it that are not known yet.
  return name === '' ? 'Any' : /^(?:Ptr|Array|Map)?(?:Input|Output)?$/.test(name) ? `${name}Value` : name;
}
