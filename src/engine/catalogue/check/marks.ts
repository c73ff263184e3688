import type { DesiredResource } from '../../model/desired.js';
import { labelsOf, markLabels } from '../../model/ownership-mark.js';
import type { ResourceType } from '../../model/resource-type.js';
import type { JsonObject } from '../../model/value.js';
import type { BuildContext } from '../read/build-context.js';

/** What says whose an object is is not for a file to say. */
export function checkMarks(
  known: JsonObject,
  { address, at, properties }: DesiredResource,
  { markedIn = '' }: ResourceType,
  { problems }: BuildContext,
): void {
  const expression = properties.get(markedIn);
  for (const key of Object.values(markLabels).filter((label) => label in labelsOf(known[markedIn]))) {
    const place = expression?.kind === 'map' ? expression.entries.get(key)?.key : expression?.at;
    problems.add('mark-key', place ?? at, `"${markedIn}.${key}" of ${address} is for ownership marks alone.`, {
      hint: 'Take the line out. ownership: label in sync.yaml writes it.',
      address,
    });
  }
}
