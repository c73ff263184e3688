import { isList, isObject, type Json, type JsonObject } from '../../engine/model/value.js';
import type { TypeDefinition } from '../rest/definition.js';
import { wrongShape } from '../rest/definition-shape.js';

const most = 2_000;
const name = /^[A-Za-z]\w*$/;

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
  const [wrong] = wrongShape(definition);
  if (wrong !== undefined) throw new Error(`${called}: ${wrong}`);
}
