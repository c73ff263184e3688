import { sha256 } from '../../src/engine/model/canonical.js';
import { isMarked, labelsOf, markField, markLabels, markParts } from '../../src/engine/model/ownership-mark.js';
import type { RemoteObject } from '../../src/engine/model/provider.js';
import type { ResourceType } from '../../src/engine/model/resource-type.js';
import type { JsonObject } from '../../src/engine/model/value.js';
import { nameOf } from './resource-types.js';

/** Enough of a digest that no two resources of a stack share it. */
const digits = 20;

/**
 * The mark of a resource's object: the stack, and which of its resources. An object that was made, and of which the engine
 * was never told, is found by it again. The same two labels as in a project with `ownership: label`, whose reports
 * then say whose the object is.
 */
export function markFor(urn: string): string {
  return `${stackMark(urn)}/${half(nameOf(urn), urn)}`;
}

/** The first half of the marks of a stack: `pulumi.shop.dev.5c0f…`. */
export function stackMark(urn: string): string {
  const [place = '', project = ''] = urn.split('::');
  const stack = place.replace('urn:pulumi:', '');
  return half(`pulumi.${project}.${stack}`, `${project}::${stack}`);
}

/** What a label may hold: a beginning for people, and a digest that tells. */
function half(words: string, whole: string): string {
  const plain = words.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return `${plain === '' ? 'x' : plain.slice(0, 40)}.${sha256(whole).slice(0, digits)}`;
}

/** The mark as a field to send; nothing for types that bear none. */
export function markInput(type: ResourceType, urn: string): JsonObject {
  return isMarked(type) ? { [markField]: markFor(urn) } : {};
}

/** Does the object bear a mark of the resource's stack? */
export function isOfStack({ values }: RemoteObject, urn: string): boolean {
  const mark = values[markField];
  return typeof mark === 'string' && markParts(mark).stack === stackMark(urn);
}

/** Labels of a program that are for marks alone. */
export function markKeysIn(type: ResourceType, inputs: JsonObject): readonly string[] {
  const given = labelsOf(inputs[type.markedIn ?? '']);
  return isMarked(type) ? Object.values(markLabels).filter((label) => label in given) : [];
}
