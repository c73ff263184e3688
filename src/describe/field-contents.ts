import type { JsonObject } from '@platform-sync/core/model/value';
import { isCredential, type Holder } from '@platform-sync/rest/marked-members';
import type { FieldDefinition, FieldType } from '@platform-sync/rest/definition';
import { snakeCase } from '@platform-sync/rest/names';
import type { Description } from './description.js';
import { fieldType, type Elsewhere } from './field-type.js';
import { isNullable, limitRows } from './limits.js';
import type { FieldContext } from './field-context.js';
import { isMarked, isMarkedSecret } from './marked-secrets.js';
import { kindOf, merged, valuesOf } from './merge.js';
import { pascal, singular } from './words.js';

const setName = /^(?:tags|labels|scopes|.*_?ids)$/i;

/** Rules 3 to 6: what a field holds, whatever its bodies make of it. */
export function fieldRows(
  { description, site, typeNamed }: FieldContext,
  wire: string,
  schema: JsonObject,
  elsewhere: Elsewhere = {},
): FieldDefinition & { readonly name: string } {
  const asIs = description.nameOf(wire);
  const idObject = isIdObject(description, schema) ? typeNamed(pascal(singular(asIs))) : undefined;
  const isList = kindOf(schema) === 'array';
  const name = idObject === undefined ? asIs : isList ? `${singular(asIs)}Ids` : `${asIs}Id`;
  const type: FieldType =
    idObject === undefined
      ? fieldType(description, schema, `${site.name}${pascal(asIs)}`, elsewhere)
      : isList
        ? { list: 'string' }
        : 'string';
  const reference = idObject ?? referenceOf(name, typeNamed);
  // Ids are texts, whatever they are on the wire.
  const isNumber = idObject === undefined && reference !== undefined && isWholeNumber(type);
  const value = schema['default'];
  const isDefault = value !== undefined && value !== null && typeof value !== 'object';
  const equality = equalityOf(description, schema, wire, type);
  return {
    name,
    ...(type === 'string' || (isNumber && !isList) ? {} : { type: isNumber ? { list: 'string' as const } : type }),
    ...description.textOf(name, site.name),
    ...(snakeCase(name) === wire ? {} : { wire }),
    ...(idObject === undefined ? {} : { as: 'id-object' as const }),
    ...(isNumber ? { as: 'integer' as const } : {}),
    ...(isMarked(description, schema) || isWhollySecret(holder(wire, type, schema), equality) ? { secret: true } : {}),
    ...(reference === undefined ? {} : { references: reference }),
    ...(equality === undefined ? {} : { equality }),
    ...(isNullable(schema) ? { nullable: true } : {}),
    ...(isDefault ? { clearing: { by: 'value' as const, value } } : {}),
    ...(isNumber ? {} : limitRows(schema, type)),
    ...(name === 'updatedAt' && type === 'string' ? { role: 'revision' as const } : {}),
    ...(name === 'createdAt' ? { ...(type === 'string' ? { role: 'creation' as const } : {}), stable: true } : {}),
  };
}

function isWholeNumber(type: FieldType): boolean {
  return type === 'integer' || (typeof type === 'object' && 'list' in type && type.list === 'integer');
}

/** `{"id": …}` and nothing else, alone or in a list. */
function isIdObject(description: Description, schema: JsonObject): boolean {
  const one = kindOf(schema) === 'array' ? merged(description, schema['items']) : schema;
  const members = description.at(one['properties']);
  return Object.keys(members).join() === 'id' && kindOf(merged(description, members['id'])) === 'string';
}

/** Members that a file leaves out of a record are the platform's choice; what its order means nothing to is a set. */
function equalityOf(
  description: Description,
  schema: JsonObject,
  wire: string,
  type: FieldType,
): FieldDefinition['equality'] {
  // JSON as a text is the value that it spells.
  if (type === 'string' && schema['contentMediaType'] === 'application/json') return 'json';
  if (type === 'any') return kindOf(schema) === 'object' ? 'record' : undefined;
  if (typeof type === 'string' || 'choice' in type || 'map' in type) return undefined;
  if ('record' in type) return 'record';
  const { list } = type;
  if (typeof list === 'object' && 'record' in list) return 'record';
  const isSaid = schema['format'] === 'set' || schema['uniqueItems'] === true || setName.test(wire);
  const isChoices = valuesOf(merged(description, schema['items'])) !== undefined;
  return isSaid || isChoices ? 'set' : undefined;
}

/** A text that only one answer shows, and that is marked as a secret, or called one. */
export function isShownSecret(wire: string, schema: JsonObject): boolean {
  return kindOf(schema) === 'string' && (isMarkedSecret(schema) || isCredential({ name: wire, isUnseen: true }));
}

/** Of a record the members tell. */
function isWhollySecret(held: Holder, equality: FieldDefinition['equality']): boolean {
  return equality !== 'record' && isCredential(held);
}

function holder(name: string, type: FieldType, schema: JsonObject): Holder {
  return { name, type, isUnseen: schema['writeOnly'] === true };
}

/** Rule 6: `portalId`, `portalIds` where there is a type Portal. */
function referenceOf(name: string, typeNamed: (stem: string) => string | undefined): string | undefined {
  const stem = /^(.+?)Ids?$/.exec(name)?.[1];
  return stem === undefined ? undefined : typeNamed(pascal(singular(stem)));
}
