import { isObject, type Json } from '@platform-sync/core/model/value';
import type { FieldDefinition } from '@platform-sync/rest/definition';
import type { Description } from './description.js';
import type { FieldContext } from './field-context.js';
import { isNullable } from './field-contents.js';
import { branchesOf, kindOf, merged } from './merge.js';

/** What an update body says of a member. */
interface Change {
  /** Undefined: bodies of updates don't have it. */
  readonly schema: Json | undefined;
  readonly isRequired: boolean;
  /** Answers may show it as null, or not at all. */
  readonly isShownNull: boolean;
}

/**
 * How a member ends whose line goes. A PATCH empties a map entry by entry where entries may be null. What takes no null, and
 * a list that no answer shows as null, is emptied in another way, or stays. A body that is sent whole leaves it out.
 */
export function clearedBy(
  { description, site }: FieldContext,
  { clearing, type }: FieldDefinition,
  { schema, isRequired, isShownNull }: Change,
): Pick<FieldDefinition, 'clearing' | 'equality'> {
  if (site.update !== 'PATCH' || schema === undefined) return {};
  if (typeof type === 'object' && 'map' in type) {
    if (type.map === 'string') return {};
    if (isMerged(description, schema)) return { equality: 'map' };
  }
  const at = merged(description, schema);
  // So does a record whose members nobody lists.
  if (type === 'any' && kindOf(at) === 'object') return { equality: 'json' };
  if (clearing !== undefined || isRequired) return {};
  const mayBeEmpty = kindOf(at) === 'array' && at['minItems'] === undefined;
  if (isNullable(at) && (isShownNull || !mayBeEmpty)) return {};
  return {
    clearing: mayBeEmpty ? { by: 'value', value: [] } : { by: 'nothing', why: 'the platform refuses null' },
  };
}

/** True for a map of plain values whose entries may be null; one that holds records is put in whole. */
function isMerged(description: Description, schema: Json): boolean {
  const entry = merged(description, schema)['additionalProperties'];
  if (!isObject(entry) || kindOf(merged(description, entry)) === 'object') return false;
  return [entry, ...branchesOf(description.at(entry))].some((each) => isNullable(merged(description, each)));
}
