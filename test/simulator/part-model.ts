import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import { chooses } from '@platform-sync/core/model/address';
import { reach } from '@platform-sync/core/model/graph';
import { type Place, expectedOf, wrongAt } from './plan-model.js';
import { keyFields } from './laws/facts.js';

/** What a plan that leaves something out goes by, beside its places. */
export interface Surroundings {
  /** What a block refers to and what is to be there before it; where there is no block, what its record depends on. */
  readonly needs: ReadonlyMap<string, readonly string[]>;
  /** What records depend on. */
  readonly needed: ReadonlyMap<string, readonly string[]>;
  /** Where what is recorded lives, as the state has it. */
  readonly homes: ReadonlyMap<string, string>;
  /** Something has another address than its record says. */
  readonly moves: boolean;
}

/**
 * What is wrong about the part of a plan that `--target`, `--exclude` or `--no-delete` leave: what is in it is as in the whole plan,
 * what is left out rests on something, and what rests on that is left out, too.
 */
export function wrongPartOf(plan: Plan, places: readonly Place[], around: Surroundings): string | undefined {
  const { partial, leftOut } = plan;
  // Both at once no command line of a world asks for.
  if (partial !== undefined && leftOut !== undefined) return undefined;
  const steps = new Map(plan.steps.map((step) => [step.address, step]));
  const part = partial === undefined ? undefined : chosenPart(partial, places, around);
  for (const place of places) {
    const step = steps.get(place.address);
    const wrong = part === undefined ? wrongWithoutDeletes(plan, place, places, around) : wrongIn(part, place, step);
    if (wrong !== undefined) return `${place.address}: ${wrong}`;
  }
  return undefined;
}

function wrongIn(part: (address: string) => Where, place: Place, step: PlanStep | undefined): string | undefined {
  const at = part(place.address);
  if (at === 'out') return step === undefined ? undefined : `it is to ${step.action}, and is no part of it`;
  return at === 'either' && step === undefined ? undefined : wrongAt(place, step);
}

type Where = 'in' | 'out' | 'either';

/** Targets and what they need, without what is excluded, what needs that, and the homes that stay for its sake. */
function chosenPart(
  { targets, excludes }: NonNullable<Plan['partial']>,
  places: readonly Place[],
  { needs, needed, homes, moves }: Surroundings,
): (address: string) => Where {
  const all = [...needs.keys()];
  const needsOf = (address: string): readonly string[] => needs.get(address) ?? [];
  const neededBy = (address: string): readonly string[] =>
    all.filter((each) => needsOf(each).includes(address) || needed.get(each)?.includes(address) === true);
  const isExcluded = chooses({ targets: excludes, excludes: [] });
  const out = reach(excludes.length === 0 ? [] : all.filter(isExcluded), neededBy);
  const actions = new Map(places.map((place) => [place.address, expectedOf(place)?.action]));
  const gone = new Set(places.flatMap(({ address, truth }) => (truth === undefined ? [address] : [])));
  // Of a home that ends, or of which nobody knows that it doesn't, something that stays may live in it.
  const unsure = new Set<string>();
  for (let count = -1; count < out.size;) {
    count = out.size;
    // What is excluded may just have been made in what it needs.
    const begun = [...out].flatMap((address) =>
      actions.has(address) ? [] : needsOf(address).map((home) => [address, home] as const),
    );
    for (const [address, home] of [...homes, ...begun]) {
      if (gone.has(address)) continue;
      // What moves may be what is excluded, or be gone.
      const isStill = actions.has(address);
      if (!out.has(address) && isStill) continue;
      const does = actions.get(home);
      const waiting = does === 'delete' ? [home] : reach([home], neededBy);
      const isCertain = isStill && isEnd(does);
      if (excludes.length > 0 && (isCertain || !isStill || !actions.has(home)))
        for (const each of waiting) (isCertain ? out : unsure).add(each);
    }
  }
  const isNamed = chooses({ targets, excludes: [] });
  const inside = (address: string): readonly string[] =>
    [...homes].flatMap(([each, home]) => (home === address ? [each] : []));
  // What ends takes along what lives in it, and what needs it, or did so until now, lets go of it first.
  let named = reach(all.filter(isNamed), needsOf);
  for (let count = -1; count < named.size;) {
    count = named.size;
    const ending = [...named].filter((each) => isEnd(actions.get(each)) && !out.has(each));
    named = reach([...named, ...reach(ending, neededBy), ...ending.flatMap(inside)], needsOf);
  }
  // Of what is in motion nobody knows whether it ends, and takes these along.
  const near = reach(named, (address) => [...needsOf(address), ...neededBy(address), ...inside(address)]);
  return (address) => {
    if (out.has(address)) return 'out';
    if (unsure.has(address)) return 'either';
    if (named.has(address)) return 'in';
    return near.has(address) || moves ? 'either' : 'out';
  };
}

function isEnd(action: PlanStep['action'] | 'none' | undefined): boolean {
  return action === 'delete' || action === 'replace';
}

/** Nothing ends; what waits for an end is left out, and nothing else. */
function wrongWithoutDeletes(
  { steps, leftOut = [] }: Plan,
  place: Place,
  places: readonly Place[],
  { needs }: Surroundings,
): string | undefined {
  const { address } = place;
  const isKnown = (other: string): boolean => places.some((each) => each.address === other);
  const step = steps.find((each) => each.address === address);
  const left = leftOut.find((each) => each.address === address);
  const isLeft = (other: string): boolean => leftOut.some((each) => each.address === other);
  // What leaves the files needs nothing any more.
  const needed = place.block === undefined ? [] : (needs.get(address) ?? []);
  const waits = needed.find(isLeft) ?? holderOf(place, places, isLeft);
  const action = expectedOf(place)?.action;
  if (step !== undefined && left !== undefined) return `${left.action} is left out, and it is to ${step.action}`;
  if (waits !== undefined && step !== undefined) return `it is to ${step.action}, and waits for ${waits}`;
  if (isEnd(action) && left === undefined) return `that it is to ${action} is not told as left out`;
  if (isEnd(action) || waits !== undefined) return undefined;
  if (left === undefined) return wrongAt(place, step);
  const hasReason = left.needs !== undefined && (isLeft(left.needs) || !isKnown(left.needs));
  return hasReason ? undefined : `${left.action} is left out, and nothing ends`;
}

/** Who has the name that it is to get, and keeps it. */
function holderOf(
  { address, block, collection, siteId, truth }: Place,
  places: readonly Place[],
  isLeft: (address: string) => boolean,
): string | undefined {
  const field = keyFields[collection];
  const key = block?.properties[field];
  if (key === undefined || collection === 'notes' || collection === 'policy' || truth?.[field] === key)
    return undefined;
  return places.find(
    (other) =>
      other.address !== address &&
      other.collection === collection &&
      isLeft(other.address) &&
      other.truth?.[field] === key &&
      other.truth['siteId'] === siteId,
  )?.address;
}
