import type { Address } from '@platform-sync/core/model/address';
import type { EvaluationScope } from '@platform-sync/core/resolve/evaluate';
import { type KeyIndex, knownInputs, uniqueKeyOf, wantedKeys } from './keys.js';
import { type Marks, type Ownership, collectionOwner, scopeOf } from './ownership.js';
import type { Matching } from './matching.js';
import type { NeededObject, NeededOwner, Step, ProposalInput, Proposals, DesiredStep } from './step.js';
import { defined } from '@platform-sync/core/model/defined';
import { markField, markIn } from '@platform-sync/core/model/ownership-mark';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { hasUnknown, type JsonObject } from '@platform-sync/core/model/value';

/** What planning one resource needs to know of the others; it grows resource by resource. */
export interface PlanningState {
  readonly input: ProposalInput;
  readonly matching: Matching;
  readonly ownership: Ownership;
  readonly keys: KeyIndex;
  readonly marks: Marks;
  readonly scope: EvaluationScope;
  readonly done: Map<Address, Step>;
  readonly neededObjects: NeededObject[];
  readonly neededOwners: NeededOwner[];
  readonly problems: Proposals['problems'][number][];
}

/** Asks for an object: by its import id, as what a list showed of it, or else by its natural key. */
export function need(
  planning: PlanningState,
  base: DesiredStep,
  {
    isNamesake = false,
    ...how
  }: Pick<NeededObject, 'importId' | 'isChosen' | 'listed' | 'isTwinSought'> & { readonly isNamesake?: boolean },
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
