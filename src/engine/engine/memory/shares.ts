import { type Address, topKey } from '@platform-sync/core/model/address';
import type { Plan } from '@platform-sync/core/model/plan';
import type { Step } from '../plan/step.js';
import { type BlockNumber, mostBlocks } from './blocks.js';
import { keysHeld, knownKeys, knownPlan } from './learn.js';
import type { KnownBlocks, KnownPlan, KnownStack, Lesson, Recollection } from './memory-file.js';
import { numbersOf } from './warm-part.js';

/** What a plan of a share found, and the addresses of all records that it saw. */
export interface SharePlan {
  readonly made: Plan;
  readonly steps: ReadonlyMap<Address, Step>;
  readonly recorded: Iterable<Address>;
}

interface Sharing {
  /** Resources of a share. */
  readonly atOnce: number;
  /** Of the state, all of them. */
  readonly records: number;
  readonly history: KnownPlan['history'];
  /** A plan of these blocks and all that they need; undefined where it says more than what changes. */
  readonly planned: (share: ReadonlySet<BlockNumber>) => Promise<SharePlan | undefined>;
}

/**
 * What a plan of the whole would teach, of which a check is known: planned in shares, since all of it takes more memory than there
 * is. Undefined where the shares do not tell of every record.
 */
export async function lessonInShares(
  known: Recollection,
  { whole: _whole, ...stack }: KnownStack,
  { atOnce, records, history, planned }: Sharing,
): Promise<Lesson | undefined> {
  const [names, keys, numbers] = [await known.names(), await known.keys(), await numbersOf(known, 'all')];
  const all = await Promise.all(stack.files.map((_, nth) => known.blocks(nth)));
  const blocks = all.filter((each) => each !== undefined);
  if (names === undefined || keys === undefined || numbers === undefined || blocks.length < all.length)
    return undefined;
  const isAlive = blocks.map(({ digests }) => digests.map((digest) => digest === ''));
  const owned = { digests: [keys.digests], owners: [...keys.owners] };
  const steps: Plan['steps'][number][] = [];
  let seen: Plan | undefined;
  let recorded = 0;
  for (const share of sharesOf(blocks, atOnce)) {
    const isOwn = (address: Address): boolean => share.has(numbers.get(topKey(address)) ?? -1);
    const found = await planned(share);
    const { made } = found ?? {};
    seen ??= made;
    if (found === undefined || made === undefined || targetsOf(made) !== targetsOf(seen)) return undefined;
    steps.push(...made.steps.filter(({ address }) => isOwn(address)));
    for (const address of found.recorded) if (isOwn(address)) recorded += 1;
    const held = knownKeys(
      [...keysHeld(found.steps)].filter(([address]) => isOwn(address)),
      numbers,
      { isAlive },
    );
    owned.digests.push(held.digests);
    for (const owner of held.owners) owned.owners.push(owner);
  }
  if (seen === undefined || recorded !== records) return undefined;
  const plan = knownPlan({ made: { ...seen, steps }, history, isWritten: false }, numbers);
  const own = { digests: owned.digests.join(''), owners: owned.owners };
  return { stack: { ...stack, plan }, blocks, names, keys: own, meanings: [], lists: undefined };
}

const targetsOf = (plan: Plan | undefined): string => JSON.stringify([plan?.lineage, plan?.serial, plan?.targets]);

/** Blocks, file by file, of about so many resources. */
function* sharesOf(blocks: readonly KnownBlocks[], atOnce: number): Iterable<ReadonlySet<BlockNumber>> {
  let share = new Set<BlockNumber>();
  let resources = 0;
  for (const [nth, { trees, treeOf }] of blocks.entries()) {
    const sizes = trees.map((tree) => tree.split('\n').length - 1);
    for (const [at, tree] of treeOf.entries()) {
      share.add(nth * mostBlocks + at);
      resources += sizes[tree] ?? 0;
    }
    if (resources < atOnce) continue;
    yield share;
    [share, resources] = [new Set(), 0];
  }
  if (share.size > 0) yield share;
}
