import { sameOrNothing } from '@platform-sync/core/model/canonical';
import type { JsonObject } from '@platform-sync/core/model/value';
import { valueAt } from './member-paths.js';
import { shownName, type RestType } from './rest-type.js';

/** True for one of a fixed set that is as the service has it at first: it counts as not there. */
export function isUntouched(rest: RestType, item: JsonObject): boolean {
  const { untouched } = rest.definition;
  if (untouched === undefined) return false;
  return Object.entries(untouched).every(([field, first]) =>
    sameOrNothing(valueAt(item, shownName(rest, field)) ?? null, first),
  );
}
