import { isList, isObject, type Json, type JsonObject } from '../../engine/model/value.js';
import type { TypeDefinition } from '../rest/definition.js';

const most = 2_000;
const name = /^[A-Za-z]\w*$/;
const call = /^(?:GET|POST|PUT|PATCH|DELETE) \/(?!\/)\S*$/;

/**
 * The definitions of a file that `types compile` wrote, or that somebody wrote by hand: `{"definitions": […]}`. Throws an Error
 * that says what in it is none.
 */
export function readTypes(document: JsonObject): readonly TypeDefinition[] {
  const { definitions = null } = document;
  if (!isList(definitions)) throw new Error('it holds no list "definitions"; sync types compile writes such files');
  if (definitions.length > most) throw new Error(`it has more than ${most} definitions`);
  for (const [at, definition] of definitions.entries()) checkShape(definition, at);
  return definitions as unknown as readonly TypeDefinition[];
}

/** What the program relies on before it looks closer; the rest it says itself. */
function checkShape(definition: Json, at: number): void {
  if (!isObject(definition)) throw new Error(`definition ${at + 1} is no object`);
  const called =
    typeof definition['name'] === 'string' && name.test(definition['name']) ? definition['name'] : undefined;
  if (called === undefined) throw new Error(`definition ${at + 1} has no name of letters and digits`);
  const must = (holds: boolean, what: string): void => {
    if (!holds) throw new Error(`${called}: ${what}`);
  };
  must(typeof definition['description'] === 'string', '"description" is no text');
  const { operations = null, list = null, fields = null, outputs = {}, naturalKey = null } = definition;
  const calls = isObject(operations) ? operations : {};
  must(typeof calls['create'] === 'string', 'it has no "operations.create"');
  for (const key of ['create', 'read', 'update', 'delete']) {
    const text = calls[key];
    must(
      text === undefined || (typeof text === 'string' && call.test(text)),
      `"operations.${key}" is no call such as GET /shelves/{id}`,
    );
  }
  if (list !== null) must(isObject(list) && /^\/(?!\/)\S*$/.test(textIn(list['get'])), '"list.get" is no path');
  must(isList(naturalKey) && naturalKey.every((each) => typeof each === 'string'), '"naturalKey" is no list of names');
  for (const group of [fields, outputs]) {
    must(isObject(group), '"fields" and "outputs" are maps');
    for (const [field, rows] of Object.entries(isObject(group) ? group : {}))
      must(name.test(field) && isObject(rows), `the field "${field}" is none`);
  }
  must(definition['hooks'] === undefined, 'hooks are for programs; a file of types has none');
}

function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
