import type { DesiredResource } from '@platform-sync/core/model/desired';
import { isMarked, labelsOf, markLabels } from '@platform-sync/core/model/ownership-mark';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Catalogue } from '../build/catalogue.js';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { BuildContext } from '../read/build-context.js';

const marks = Object.values(markLabels);

/** What says whose an object is is not for a file to say. */
export function checkMarks(
  known: JsonObject,
  { address, at, properties }: DesiredResource,
  { markedIn = '' }: ResourceType,
  { problems }: BuildContext,
): void {
  const labels = labelsOf(known[markedIn]);
  const expression = properties.get(markedIn);
  for (const key of marks) {
    if (!(key in labels)) continue;
    const place = expression?.kind === 'map' ? expression.entries.get(key)?.key : expression?.at;
    problems.add('mark-key', place ?? at, `"${markedIn}.${key}" of ${address} is for ownership marks alone.`, {
      hint: 'Take the line out. ownership: label in sync.yaml writes it.',
      address,
    });
  }
}

/** A mark takes labels of the number that the platform allows. */
export function checkRoomForMarks({ resources }: Catalogue, { problems }: BuildContext): void {
  for (const [address, { desired, type }] of resources) {
    const expression = desired.properties.get(type.markedIn ?? '');
    const most = type.fields[type.markedIn ?? '']?.schema['maxProperties'];
    if (!isMarked(type) || expression?.kind !== 'map' || typeof most !== 'number') continue;
    const { size } = expression.entries;
    if (size <= most - marks.length || size > most) continue;
    const summary = `"${type.markedIn ?? ''}" of ${address} must have at most ${String(most - marks.length)} entries: an ownership mark takes ${String(marks.length)} of ${String(most)}.`;
    problems.add('too-many', expression.at, summary, { address });
  }
}
