import type { Address } from '@platform-sync/core/model/address';
import { groupOf } from '@platform-sync/core/model/graph';
import type { EvaluationScope } from '@platform-sync/core/resolve/evaluate';
import { isNameless, type KeyIndex, knownInputs, uniqueKeyOf, wantedKeys } from './keys.js';
import { collectionOwner, type Marks, type Ownership, scopeOf } from './ownership.js';
import type { Matching } from './matching.js';
import type { DesiredStep, NeededObject, NeededOwner, ProposalInput, Proposals, Step } from './step.js';
import { defined, hasUnknown, type JsonObject } from '@platform-sync/core/model/value';
import { markField, markIn } from '@platform-sync/core/model/ownership-mark';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Destinations } from '@platform-sync/core/model/destination';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { PlanMeta } from '@platform-sync/core/model/plan';
import type { Freeze } from '@platform-sync/core/model/run';
import type { GuardAllowance, GuardSettings } from '@platform-sync/core/model/project';
import type { Inside } from './contents.js';
import type { Judge } from './guards/guard.js';
import type { RecordedElsewhere } from '@platform-sync/core/model/state-store';

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
  /** Whose objects are needed. */
  readonly sought: Set<Address>;
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
  if (isByKey && isNameless(type, inputs) && awaits(planning, base)) return;
  const scope = scopeOf(type, inputs);
  const isUnique = uniqueKeyOf(type) !== undefined;
  // Of a key that others may have, too, only the mark tells the object.
  const mark = isUnique || !isByKey || planning.input.mode === 'adopt' ? undefined : markIn(declared.get(markField));
  planning.sought.add(address);
  planning.neededObjects.push({
    ...{ address, type, scope, inputs, ...how },
    ...defined({ mark }),
    isKeyUnique: isByKey && (mark !== undefined || ((isUnique || isNamesake) && wantedKeys(type, declared).length > 0)),
    ...placeUnder(planning, type, scope),
  });
}

/** True where it says ids of objects that are being looked for: without a name, they tell it from others. */
function awaits({ input, sought }: PlanningState, { address, declared }: DesiredStep): boolean {
  if (![...declared.values()].some(hasUnknown)) return false;
  const below = new Set([address]);
  for (const each of below) {
    if (sought.has(each)) return true;
    for (const needed of groupOf(input.graph, each)) below.add(needed);
  }
  return false;
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

/** Planning's whole input: what to compare, and what the document is bound to. */
export interface PlanInput extends ProposalInput {
  readonly engine: string;
  readonly targets: Readonly<Record<string, string>>;
  readonly guards: GuardSettings;
  readonly allow: readonly GuardAllowance[];
  readonly only: readonly Address[];
  readonly excludes: readonly Address[];
  /** Is it asked what lives in what ends? `unread`: nothing is read, and the plan says so; false: it leads to no end. */
  readonly looksInside: boolean | 'unread';
  /** What an earlier run may have ended, by `identityKey`: that its lists are denied is nothing new. */
  readonly deleting?: ReadonlySet<string>;
  /** What was found in what ends. */
  readonly inside?: Inside;
  /** What other stacks have recorded under the names of what is to be made, whether lists show it or not. */
  readonly beside?: readonly RecordedElsewhere[];
  /** Every list that says something is read, whatever it takes. */
  readonly readsAll?: true;
  /** For `destroy`, which wants nothing: what the catalogue protects. */
  readonly protects?: ReadonlySet<Address>;
  /** Where the operator has secrets go that are shown once: what is there, by output. */
  readonly destinations?: Destinations;
  /** Creates and updates only. */
  readonly noDelete?: true;
  readonly meta: Omit<PlanMeta, 'sources' | 'fieldSources'>;
  /** What holds back whoever writes. */
  readonly frozen?: Freeze;
  /** The rules of the project; absent: it has none. */
  readonly judge?: Judge;
  /** What is said beside that, once it is planned: of specifications that it publishes, of what others still refer to. */
  readonly notices?: readonly Diagnostic[];
  /** True for a look that leads to no write: what can't be carried out is then no reason to see nothing. */
  readonly isCheck: boolean;
}
