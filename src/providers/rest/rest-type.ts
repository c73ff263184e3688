import { defined, type JsonObject, recordByNames, ownMember } from '@platform-sync/core/model/value';
import type { FieldDefinition, FieldRows, FieldType, TypeDefinition } from './definition.js';
import { fieldsIn } from './http/path.js';
import { isCredential, isUntyped, secretMembers } from './marked-members.js';
import { wireName } from './names.js';
import type { Naming, RestStyle, WireNames } from './style.js';

/** A field with the rows of its kind. */
export interface RestField extends FieldRows {
  readonly type: FieldType;
  readonly description: string;
  /** Set by the platform only. */
  readonly output: boolean;
  readonly required: boolean;
  readonly always: boolean;
  /** Paths of the members that are secrets. */
  readonly secretMembers?: readonly string[];
}

/** A definition with what follows from it. */
export interface RestType {
  readonly definition: TypeDefinition;
  readonly style: RestStyle;
  readonly fields: Readonly<Record<string, RestField>>;
  /** Names of members at any depth. */
  readonly naming: Naming;
  /** Fields whose ids stand above the object, outermost first. */
  readonly scope: readonly string[];
  /** The one of them that holds the object this one lives in. */
  readonly parent?: string;
  /** `id`, or the field whose value is the object's id in its place. */
  readonly idField: string;
  /** Id of the only object of the type, where no path holds one: the last word of its path. */
  readonly onlyId?: string;
  /** Path of one object, as far as any call has one. */
  readonly item: string;
}

/** Throws when a definition contradicts itself or its provider: that is a bug of whoever wrote it. */
export function restType(definition: TypeDefinition, style: RestStyle): RestType {
  const { operations } = definition;
  checkMethods(definition);
  const fields = fieldsOf(definition, style);
  const item = pathOfCall(operations.read ?? operations.update ?? operations.delete ?? operations.create);
  const inPath = fieldsIn(item);
  const idField = definition.member ?? inPath.at(-1) ?? 'id';
  const onlyId = inPath.length > 0 || definition.list !== undefined ? undefined : (item.split('/').at(-1) ?? '');
  const above = definition.member === undefined ? inPath.slice(0, -1) : inPath;
  const parent = definition.parent ?? above.at(-1);
  const scope = [...new Set([...above, ...(parent === undefined ? [] : [parent])])];
  const names = { ...style.naming.names, ...memberNames(definition.name, fields) };
  return {
    definition,
    style,
    fields,
    naming: { ...style.naming, names },
    scope,
    ...defined({ parent, onlyId }),
    idField,
    item,
  };
}

/** Fields whose ids say which list an object is in; of a type without a list, where its only object is. */
export function collectionScope({ definition: { list }, scope }: RestType): readonly string[] {
  return list === undefined ? scope : fieldsIn(list.get);
}

const methods = [
  ['create', ['POST', 'PUT', 'PATCH']],
  ['read', ['GET']],
  ['update', ['PATCH', 'PUT']],
  ['delete', ['DELETE', 'POST']],
] as const satisfies readonly (readonly [keyof TypeDefinition['operations'], readonly string[]])[];

/** Definitions may come from files, where no compiler has looked at them. */
function checkMethods({ name, operations }: TypeDefinition): void {
  for (const [operation, known] of methods) {
    const call = operations[operation];
    if (call !== undefined && !known.some((method) => method === methodOfCall(call)))
      throw new Error(`${name}: ${operation} is "${call}", and may be ${known.join(', ')}`);
  }
}

/** `/v3/apis/{id}` of `GET /v3/apis/{id}`. */
export function pathOfCall(call: string): string {
  return call.slice(call.indexOf(' ') + 1);
}

export function methodOfCall<M extends string>(call: `${M} /${string}`): M {
  return call.slice(0, call.indexOf(' ')) as M;
}

/** True where an update puts the whole object in the place of what is there. */
export function isWholeUpdate({ definition: { operations } }: RestType): boolean {
  const { update, body = update?.startsWith('PUT ') === true ? 'whole' : 'part' } = operations;
  return update !== undefined && body === 'whole';
}

/** The host that a type's calls go to, where it is not the ordinary one. */
export function hostOf({ definition }: RestType): { readonly host?: string } {
  return definition.host === undefined ? {} : { host: definition.host };
}

/** The name a field has on the wire. */
export function fieldName({ fields, naming }: Pick<RestType, 'fields' | 'naming'>, name: string): string {
  return fields[name]?.wire ?? ownName(fields, naming, name);
}

/** Names in the words of the wire are made once a type: every field of every answer asks for its own. */
function ownName(fields: RestType['fields'], naming: RestType['naming'], name: string): string {
  const known = wireNames.get(fields);
  const before = known?.get(name);
  if (before !== undefined) return before;
  const made = wireName(naming, name);
  if (known === undefined) wireNames.set(fields, new Map([[name, made]]));
  else known.set(name, made);
  return made;
}

const wireNames = new WeakMap<RestType['fields'], Map<string, string>>();

/** Where answers have the id. */
export function idWire(rest: RestType): string {
  return rest.idField === 'id' ? (rest.definition.idWire ?? 'id') : fieldName(rest, rest.idField);
}

/** Where answers have a field. */
export function shownName(rest: Pick<RestType, 'fields' | 'naming'>, name: string): string {
  return rest.fields[name]?.shown ?? fieldName(rest, name);
}

/** True for a field whose value is part of where the object is. */
export function isPlace({ scope, idField }: RestType, name: string): boolean {
  return name === idField || scope.includes(name);
}

function fieldsOf(definition: TypeDefinition, style: RestStyle): RestType['fields'] {
  const { fields, outputs = {}, required = [], always = [] } = definition;
  const all = { ...fields, ...outputs };
  const listed = 'but' in always ? always.but : always;
  const unknown = [...required, ...listed].find((name) => !Object.hasOwn(all, name));
  if (unknown !== undefined) throw new Error(`${definition.name}: there is no field "${unknown}"`);
  return recordByNames(
    Object.entries(all).map(([name, field]) => [
      name,
      {
        ...secrecy(definition, name, withKind(`${definition.name}.${name}`, field, style)),
        output: Object.hasOwn(outputs, name),
        required: required.includes(name),
        always: listed.includes(name) !== 'but' in always,
      },
    ]),
  );
}

/** A field of which nothing says whether it is a secret is one where it is a credential, and has one where a member is. */
function secrecy<Field extends FieldRows & Pick<RestField, 'type'>>(
  { shownOnce = [] }: TypeDefinition,
  name: string,
  field: Field,
): Field & Pick<RestField, 'secretMembers'> {
  const { type, writeOnly: isUnseen = false } = field;
  if (field.secret !== undefined) return field;
  if (shownOnce.includes(name)) return { ...field, secret: true };
  const holds = isCredential({ name, type, isUnseen });
  const members = holds || !isUntyped(type) ? secretMembers(type, isUnseen) : undefined;
  if (members === undefined) return holds ? { ...field, secret: true } : field;
  // Only a record is compared member by member: of anything else with a secret in it the whole is one.
  return field.equality === 'record' ? { ...field, secretMembers: members } : { ...field, secret: true };
}

function withKind(
  path: string,
  { kind: name, ...own }: FieldDefinition,
  style: RestStyle,
): FieldRows & Pick<RestField, 'type' | 'description'> {
  const kind = name === undefined ? undefined : ownMember(style.kinds, name);
  if (name !== undefined && kind === undefined) throw new Error(`${path}: there is no kind "${name}"`);
  const { type = 'string', description = '', size, ...rows } = { ...kind, ...own };
  const limits: JsonObject = { ...kind?.limits, ...sizeLimits(type, size), ...own.limits };
  return { ...rows, type, description, ...(Object.keys(limits).length === 0 ? {} : { limits }) };
}

function sizeLimits(type: FieldType, size: FieldRows['size']): JsonObject {
  if (size === undefined) return {};
  const what = typeof type === 'string' || 'choice' in type ? 'Length' : 'list' in type ? 'Items' : 'Properties';
  return { [`min${what}`]: size[0], [`max${what}`]: size[1] };
}

/** Wire names that members of records say for themselves. */
function memberNames(type: string, fields: Readonly<Record<string, RestField>>): WireNames {
  const names = new Map<string, string>();
  const visit = (fieldType: FieldType): void => {
    if (typeof fieldType === 'string' || 'choice' in fieldType) return;
    if ('list' in fieldType) visit(fieldType.list);
    else if ('map' in fieldType) visit(fieldType.map);
    else
      for (const [name, member] of Object.entries(fieldType.members)) {
        if (typeof member === 'string') continue;
        visit(member.type ?? 'string');
        if (member.wire === undefined) continue;
        if ((names.get(name) ?? member.wire) !== member.wire) throw new Error(`${type}: two wire names for "${name}"`);
        names.set(name, member.wire);
      }
  };
  for (const field of Object.values(fields)) visit(field.type);
  return Object.fromEntries(names);
}
