import { importIdText, readImportId } from '@platform-sync/core/model/import-id';
import type { Provider, ProviderPackage, RemoteObject } from '@platform-sync/core/model/provider';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import {
  isList,
  isObject,
  isSecret,
  isUnknown,
  secret,
  type Json,
  type JsonObject,
  type Value,
  type ValueObject,
} from '@platform-sync/core/model/value';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { InvalidRequest } from './failures.js';

/** Token of the type in `urn:pulumi:stack::project::parent$platform:index/api:Api::name`. */
export function tokenOf(urn: string): string {
  return urn.split('::')[2]?.split('$').at(-1) ?? '';
}

export function nameOf(urn: string): string {
  return urn.split('::').slice(3).join('::');
}

export function typeOf({ types }: Pick<ProviderPackage, 'types'>, urn: string): ResourceType {
  const type = types.get(tokenOf(urn));
  if (type === undefined) throw new InvalidRequest(`There is no resource type ${tokenOf(urn)}.`);
  return type;
}

/** An input of types whose end is guarded, known to this world only: elsewhere a guard of the plan says it. */
export const emptyOnDelete = {
  name: 'allowEmptyOnDelete',
  schema: {
    allowEmptyOnDelete: {
      type: 'boolean',
      description: 'Whether it may be emptied when it is deleted or replaced. Default: no, the delete fails.',
    },
  },
} as const;

export function hasGuardedEnd({ guardedEnd }: ResourceType): boolean {
  return guardedEnd !== undefined;
}

/** Null says something of its own, here as in a catalogue: clear it, or a value of the platform's. Elsewhere it says nothing. */
export function takesNull({ fields }: ResourceType, name: string): boolean {
  const rule = fields[name];
  if (rule === undefined || rule.required) return false;
  return rule.clearing.by !== 'nothing' || rule.nullIsValue === true;
}

/** Without the nulls that are no values of the object's: of what is cleared there is nothing to see. */
export function withoutCleared({ fields }: ResourceType, members: ValueObject): ValueObject {
  const kept = Object.entries(members).filter(([name, value]) => value !== null || fields[name]?.nullIsValue === true);
  return Object.fromEntries(kept);
}

/** The id as programs see and import it. */
export function idText(type: ResourceType, identity: Identity): string {
  return importIdText(type.importId, identity);
}

export function identityOf(type: ResourceType, id: string): Identity {
  const read = readImportId(type.importId, id);
  if ('identity' in read) return read.identity;
  throw new InvalidRequest(`"${id}" is not an id of the type ${type.name}: ${read.why}.`);
}

/** Inputs of the provider: references in the platform's form, what is ours alone left out. */
export function ownInputs(loaded: ProviderPackage, type: ResourceType, inputs: ValueObject): ValueObject {
  const members = Object.entries(inputs).filter(([name]) => type.fields[name]?.input === true);
  return Object.fromEntries(members.map(([name, value]) => [name, plainReference(loaded, type.fields[name], value)]));
}

/** Programs refer to an object by the id it is imported by, which may hold its place as well. */
function plainReference(loaded: ProviderPackage, rule: FieldRule | undefined, value: Value): Value {
  if (isSecret(value)) return secret(plainReference(loaded, rule, value.value), value.expression);
  const target = rule?.references === undefined ? undefined : loaded.types.get(rule.references);
  if (target === undefined) return rule === undefined ? value : plainInside(rule.schema, value);
  if (target.importId.form === 'plain' || typeof value !== 'string') return value;
  const read = readImportId(target.importId, value);
  return 'identity' in read ? read.identity.id : value;
}

/** Inside of records and lists no rule says of which type an id is; that it is one, its form tells. */
function plainInside(schema: Json = null, value: Value): Value {
  if (!isObject(schema) || isSecret(value) || isUnknown(value)) return value;
  const { allOf } = schema;
  return (isList(allOf) ? allOf : []).reduce<Value>((now, part) => plainInside(part, now), plainBelow(schema, value));
}

function plainBelow({ format, items, properties = null }: JsonObject, value: Value): Value {
  if (typeof value === 'string') return format === 'uuid' ? idInside(value) : value;
  if (isList(value)) return value.map((item) => plainInside(items, item));
  if (!isObject(value) || !isObject(properties)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, plainInside(properties[name], member)]),
  );
}

/** `{"api_id":"…","id":"…"}`, as programs know an object that lives in another. */
function idInside(text: string): string {
  return (text.startsWith('{') ? /"id"\s*:\s*"([^"]+)"/.exec(text)?.[1] : undefined) ?? text;
}

/** All that is known of an object, in the forms that the schema promises; what the platform never shows as it was sent. */
export function outputsOf(type: ResourceType, { identity, values }: RemoteObject, inputs: JsonObject): JsonObject {
  const all: JsonObject = { ...identity.scope, ...values };
  const fields = Object.values(type.fields).flatMap((rule): [string, Json][] => {
    if (rule.isMark === true) return [];
    const value = rule.writeOnly ? inputs[rule.name] : all[rule.name];
    const isNothing = value === undefined || (value === null && rule.nullIsValue !== true);
    const shown = isNothing ? emptyOf(rule) : inForm(rule, value);
    return shown === undefined ? [] : [[rule.name, shown]];
  });
  return Object.fromEntries(fields);
}

/** Of what every object is said to have, an empty one stands for none; other kinds of values know no empty one. */
export function emptyOf({ alwaysReturned, schema }: FieldRule): Json | undefined {
  return alwaysReturned ? emptyBy(schema) : undefined;
}

export function emptyBy(schema: JsonObject): Json | undefined {
  if (schema['type'] === 'string') return '';
  if (schema['type'] === 'array') return [];
  return schema['type'] === 'object' && schema['properties'] === undefined ? {} : undefined;
}

/** A field that takes a map or its JSON text is a text to programs. */
export function inForm(rule: FieldRule, value: Json): Json {
  const isText = rule.type === 'string' && isObject(value);
  return isText ? canonicalJson(value as Json) : value;
}

/** Reads an object with what can be found out about its write-only fields. */
export async function readWhole(provider: Provider, type: ResourceType, object: RemoteObject): Promise<RemoteObject> {
  const hidden = Object.values(type.fields).some((rule) => rule.writeOnly);
  if (!hidden) return object;
  return { ...object, values: { ...object.values, ...(await provider.readWriteOnly(type, object.identity)) } };
}
