import { isMap, isScalar, isSeq, parseDocument, type Document, type ParsedNode } from 'yaml';
import { isList, isObject, type Json } from '../model/value.js';
import { readDocument, sameValue } from './equality.js';

/**
 * A text that spells one document, in the way another text spells its own: what stands in a JSON file stays JSON, and of a YAML file
 * comments, order and layout stay wherever nothing else is said. Texts of one way come back as they are.
 */
export function respelled(text: string, like: string): string {
  if (isJson(text) === isJson(like)) return text;
  const value = readDocument(text);
  if (value === undefined || readDocument(like) === undefined) return text;
  const made = isJson(like) ? `${JSON.stringify(value, null, indentOf(like))}\n` : inYaml(value, like);
  // What does not say the same is no spelling of it.
  return sameValue({ equality: 'document' }, made, text) ? made : text;
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

/** Of a text on one line: none. */
function indentOf(text: string): string | undefined {
  return /\n([ \t]+)\S/.exec(text)?.[1];
}

function inYaml(value: Json, like: string): string {
  const document = parseDocument(like);
  put(document, [], value);
  return document.toString({ lineWidth: 0 });
}

/** Says the value at a place, and leaves alone what says it there already. */
function put(document: Document.Parsed, at: readonly (string | number)[], value: Json): void {
  const node = at.length === 0 ? document.contents : (document.getIn(at, true) as ParsedNode | undefined);
  if (isMap(node) && isObject(value)) {
    const now = Object.keys((node.toJS(document) ?? {}) as object);
    for (const name of now) if (!Object.hasOwn(value, name)) document.deleteIn([...at, keyOf(node, name)]);
    for (const [name, member] of Object.entries(value)) put(document, [...at, keyOf(node, name)], member);
  } else if (isSeq(node) && isList(value) && node.items.length === value.length) {
    value.forEach((item, index) => put(document, [...at, index], item));
  } else if (isScalar(node) && node.toJS(document) === value) {
    return;
  } else if (isScalar(node) && (typeof value !== 'object' || value === null) && typeof node.value === typeof value) {
    node.value = value;
  } else if (at.length === 0) document.contents = document.createNode(value) as ParsedNode;
  else document.setIn(at, document.createNode(value));
}

/** Keys such as 200 are numbers in YAML and texts in JSON. */
function keyOf(node: { readonly items: readonly { readonly key: unknown }[] }, name: string): string {
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
  return (isScalar(pair?.key) ? pair.key.value : name) as string;
}
