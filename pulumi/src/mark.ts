import { isMarked, labelsOf, markField, markLabels, markParts } from '@platform-sync/core/model/ownership-mark';
import { markWord, pulumiStackMark } from '@platform-sync/core/model/pulumi-mark';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { JsonObject } from '@platform-sync/core/model/value';
import { nameOf } from './resource-types.js';

/**
 * The mark of a resource's object: the stack, and which of its resources. An object that was made, and of which the engine
 * was never told, is found by it again. The same two labels as in a project with `ownership: label`, whose reports
 * then say whose the object is.
 */
export function markFor(urn: string): string {
  return `${pulumiStackMark(urn)}/${markWord(nameOf(urn), urn)}`;
}

/** The mark as a field to send; nothing for types that bear none. */
export function markInput(type: ResourceType, urn: string): JsonObject {
  return isMarked(type) ? { [markField]: markFor(urn) } : {};
}

/** Does the object bear a mark of the resource's stack? */
export function isOfStack({ values }: RemoteObject, urn: string): boolean {
  const mark = values[markField];
  return typeof mark === 'string' && markParts(mark).stack === pulumiStackMark(urn);
}

/** Labels of a program that are for marks alone. */
export function markKeysIn(type: ResourceType, inputs: JsonObject): readonly string[] {
  const given = labelsOf(inputs[type.markedIn ?? '']);
  return isMarked(type) ? Object.values(markLabels).filter((label) => label in given) : [];
}
