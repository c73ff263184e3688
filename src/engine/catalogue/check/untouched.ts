import { canonicalJson, sameOrNothing } from '../../model/canonical.js';
import type { Json, JsonObject } from '../../model/value.js';
import type { Assembled } from '../build/assembled.js';
import type { Hole } from '../build/known-value.js';
import type { Problems } from '../problem/problems.js';

/** One of a fixed set is there before anybody changes it: a block that changes nothing would be made again and again. */
export function checkUntouched(
  { desired: { address, at }, type: { untouched } }: Assembled,
  known: JsonObject,
  holes: readonly Hole[],
  problems: Problems,
): void {
  if (untouched === undefined) return;
  const changes = ([field, first]: [string, Json]): boolean =>
    holes.some(({ path }) => path[0] === field) || !sameOrNothing(known[field] ?? first, first);
  if (Object.entries(untouched).some(changes)) return;
  const first = Object.entries(untouched).map(([field, value]) => `${field} ${canonicalJson(value)}`);
  problems.add('nothing-changed', at, `${address} changes nothing: without it, the platform has ${first.join(', ')}.`, {
    hint: 'Say what is to be otherwise, or take the block out.',
    address,
  });
}
