import { defined } from '../model/defined.js';
import { markField, markIn } from '../model/ownership-mark.js';
import type { ResourceType } from '../model/resource-type.js';
import { hasUnknown, type JsonObject } from '../model/value.js';
import { collectionOwner, scopeOf } from './object-scope.js';
import type { PlanningState } from './planning-state.js';
import type { NeededObject, DesiredProposal } from './proposal.js';
import { knownInputs, uniqueKeyOf, wantedKeys } from './keys.js';

/** Asks for an object: by its import id, as what a list showed of it, or else by its natural key; `isNamesake`: whoever has that counts. */
export function need(
  planning: PlanningState,
  base: DesiredProposal,
  {
    isNamesake = false,
    ...how
  }: Pick<NeededObject, 'importId' | 'listed' | 'isTwinSought'> & { readonly isNamesake?: boolean },
): void {
  const { type, address, declared } = base;
  const isByKey = how.importId === undefined && how.listed === undefined;
  const fields = isByKey ? [...type.collection.scope, ...type.naturalKey] : [];
  // Its place or key is not known yet: there is nothing to look for.
  if (fields.some((name) => hasUnknown(declared.get(name) ?? null))) return;
  const inputs: JsonObject = knownInputs(declared);
  const scope = scopeOf(type, inputs);
  const isUnique = uniqueKeyOf(type) !== undefined;
  // Of a key that others may have, too, only the mark tells the object.
  const mark = isUnique || !isByKey || planning.input.mode === 'adopt' ? undefined : markIn(declared.get(markField));
  planning.neededObjects.push({
    ...{ address, type, scope, inputs, ...how },
    ...defined({ mark }),
    isKeyUnique: isByKey && (mark !== undefined || ((isUnique || isNamesake) && wantedKeys(type, declared).length > 0)),
    ...placeUnder(planning, type, scope),
  });
}

/** The resource in whose object the collection with this scope lies, by the address that it has now. */
export function placeUnder(
  { ownership, matching }: Pick<PlanningState, 'ownership' | 'matching'>,
  type: ResourceType,
  scope: Readonly<Record<string, string>>,
): Pick<NeededObject, 'under'> {
  const under = collectionOwner(type, scope, ownership);
  return under === undefined ? {} : { under: matching.movedTo.get(under) ?? under };
}
