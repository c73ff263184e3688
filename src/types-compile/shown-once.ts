import type { Description } from './description.js';
import { isSecretText } from './field-contents.js';
import { merged } from './merge.js';
import type { TypeSite } from './type-site.js';

/** Secrets that the answer to a create has and no read: who does not take them there never sees them. */
export function shownOnce(description: Description, { calls }: TypeSite): readonly string[] | undefined {
  if (calls.create === undefined || calls.read === undefined) return undefined;
  const made = description.at(merged(description, description.answerOf(calls.create))['properties']);
  const read = description.at(merged(description, description.answerOf(calls.read))['properties']);
  if (Object.keys(read).length === 0) return undefined;
  const found = Object.entries(made).flatMap(([wire, schema]) => {
    const at = merged(description, schema);
    const isSeen = read[wire] !== undefined && merged(description, read[wire])['writeOnly'] !== true;
    return isSeen || at['writeOnly'] === true || !isSecretText(wire, at) ? [] : [description.nameOf(wire)];
  });
  return found.length === 0 ? undefined : found;
}
