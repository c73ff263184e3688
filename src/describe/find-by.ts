import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { snakeCase } from '@platform-sync/rest/names';
import type { Description } from './description.js';
import type { CompiledField } from './body-fields.js';
import { branchesOf, merged } from './merge.js';

/**
 * Query parameters that narrow a list to a key, by the field they take: those that ask for equality in so many words,
 * `filter[name][eq]`. One that is only called like the field may as well search in it, and says nothing of what it leaves out.
 * What must not be seen in an address narrows nothing.
 */
export function findByOf(
  description: Description,
  list: JsonObject,
  key: readonly CompiledField[],
): Readonly<Record<string, string>> | undefined {
  const asked = new Set(equalities(description, list));
  const found = key.flatMap(({ name, field, isOutput }): [string, string][] => {
    const parameter = equality(field.wire ?? snakeCase(name));
    const isText = !isOutput && field.type === undefined && field.as === undefined;
    const isHidden = field.secret === true || field.writeOnly === true;
    return isText && !isHidden && asked.has(parameter) ? [[parameter, name]] : [];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

const equality = (member: string): string => `filter[${member}][eq]`;

/** Every such parameter: written out, or a member of the object `filter`. */
function equalities(description: Description, { parameters }: JsonObject): readonly string[] {
  const queries = (isList(parameters) ? parameters : [])
    .map((each) => description.at(each))
    .filter((each) => each['in'] === 'query');
  return queries.flatMap(({ name, style, schema }) => {
    if (name !== 'filter' || style !== 'deepObject') return typeof name === 'string' ? [name] : [];
    const members = Object.entries(membersOf(description, schema));
    return members.flatMap(([member, its]) => (mayEqual(description, its) ? [equality(member)] : []));
  });
}

/** One of several ways to ask is enough. */
function mayEqual(description: Description, filter: Json): boolean {
  const ways = [filter, ...branchesOf(description.at(filter))];
  return ways.some((way) => 'eq' in membersOf(description, way));
}

function membersOf(description: Description, schema: Json | undefined): JsonObject {
  return description.at(merged(description, schema)['properties']);
}
