import type { Address } from '@platform-sync/core/model/address';
import { collectionKey, identityKey } from '@platform-sync/core/model/identity';
import type { RunEntry } from '@platform-sync/core/model/run';
import type { ListedStrangers } from '@platform-sync/core/model/snapshot';
import { isSettling } from '@platform-sync/core/model/state';
import type { RecordedElsewhere } from '@platform-sync/core/model/state-store';
import { defined } from '@platform-sync/core/model/value';
import {
  atTargets,
  goingAlong,
  idsOfEnds,
  type Inside,
  isEnd,
  type ListInside,
  listsInside,
  type Unread,
} from '../../plan/contents.js';
import { makesName, type namesToMake } from '../../plan/guards/same-name.js';
import type { PlanInput } from '../../plan/planning-state.js';
import type { Step } from '../../plan/step.js';
import { inParallel } from '../../reads/in-parallel.js';
import type { Need } from '../../reads/look.js';
import type { Reads } from '../../reads/reads.js';
import { settling } from '../../refresh/evidence.js';
import { asDiagnostic, mustBePassing } from '../../refresh/list-collection.js';
import type { Workspace } from '../../workspace.js';

interface LookInside {
  readonly steps: readonly Step[];
  readonly input: PlanInput;
  /** Of which home its lists, if they are denied, say nothing. */
  readonly lags: (home: Address) => boolean;
}

/** Looks for what lives in what ends, beyond what this stack has recorded: in the store, and in lists that nobody has read yet. */
export async function lookInside(
  workspace: Workspace,
  reads: Reads,
  { steps, input, lags }: LookInside,
): Promise<Inside> {
  const recorded = await recordedInside(workspace, steps, input.targets);
  if (input.looksInside === false) return { recorded, listed: [], unread: [] };
  const ends = steps.filter(isEnd);
  if (input.looksInside === 'unread') {
    const along = goingAlong(input, steps, steps, { recorded, listed: [], unread: [] });
    const { lists } = listsInside(input, ends, along, new Set(), Infinity);
    const unread = lists.map(({ type, homes }) => ({ type: type.token, homes, why: 'nothing is read' }));
    return { recorded, listed: [], unread };
  }
  const most = input.readsAll === true ? Infinity : undefined;
  const asked = new Set<string>();
  const seen: ListedStrangers[] = [];
  const failed: Unread[] = [];
  // What nobody manages may hold more of its kind.
  for (;;) {
    const along = goingAlong(input, steps, steps, { recorded, listed: seen, unread: [] });
    const { lists, unread } = listsInside(input, ends, along, asked, most);
    if (lists.length === 0) {
      // Lists may take their time, and what was made meanwhile need not show in them.
      const since = asked.size === 0 ? recorded : await recordedInside(workspace, steps, input.targets);
      return { recorded: since, listed: seen, unread: [...unread, ...failed] };
    }
    for (const { type, scope } of lists) asked.add(collectionKey(type, scope));
    const looked = await inParallel(lists, workspace.config.concurrency * 2, (list) => listed(reads, list, lags));
    for (const each of looked) {
      if ('objects' in each) seen.push(each);
      if ('homes' in each) failed.push(each);
    }
  }
}

/** What a list inside shows; with homes where it does not show all, and with those alone where it can't be read. */
async function listed(
  reads: Reads,
  { type, scope, homes }: ListInside,
  lags: (home: Address) => boolean,
): Promise<ListedStrangers | Unread | (ListedStrangers & Unread)> {
  const place: ListedStrangers = { type: type.token, scope, morePages: 0, objects: [] };
  const need: Need = { type, scope, of: 'everything' };
  try {
    const { objects, isComplete } = await reads.look(need).catch((error: unknown) => {
      // One answer that there is no such place is not enough: what ends was there a moment ago.
      if (mustBePassing(error).kind === 'not-found') return reads.lookAgain(need);
      throw error;
    });
    return { ...place, objects, ...(isComplete ? {} : { homes, why: 'its list is not complete' }) };
  } catch (error) {
    const failure = mustBePassing(error);
    if (failure.kind === 'not-found' && !homes.some(lags)) return place;
    return { type: type.token, homes, why: asDiagnostic(failure).summary };
  }
}

/**
 * Addresses of what the stack has recorded since answers may be old: whoever made that may have done so a moment before. What only got
 * another address is as old as it was.
 */
export async function cameNow(workspace: Workspace): Promise<ReadonlySet<Address>> {
  const { settledBefore } = settling(workspace);
  const store = await workspace.state();
  const young: RunEntry[] = [];
  for (let before: number | undefined; settledBefore !== undefined;) {
    const rows = await store.runs({ kinds: ['record', 'move'], ...defined({ before }), limit: 100 });
    young.push(...rows.filter(({ at }) => isSettling(at, settledBefore)));
    before = rows.at(-1)?.number;
    if (before === undefined || young.at(-1)?.number !== before) break;
  }
  const came = new Set<Address>();
  const isNew = (content: RunEntry['content']): boolean =>
    content.kind === 'move'
      ? content.from.includes(':') || came.has(content.from)
      : content.kind === 'record' && content.before === null;
  for (const { address, content } of young.toReversed()) if (address !== undefined && isNew(content)) came.add(address);
  return came;
}

/** What other stacks of the same store have recorded at the same targets in what ends, or beside it. */
async function recordedInside(
  workspace: Workspace,
  steps: readonly Step[],
  targets: Readonly<Record<string, string>>,
): Promise<readonly RecordedElsewhere[]> {
  const ids = idsOfEnds(steps);
  if (ids.size === 0) return [];
  const near = atTargets(await (await workspace.state()).recordedInside(ids), targets);
  await workspace.loadPackages(near.map(({ record }) => record.type));
  return near;
}

/** What they have recorded under the names of what is to be made, and what this one let go of a moment ago. */
export async function recordedBeside(
  workspace: Workspace,
  names: ReturnType<typeof namesToMake>,
  { targets }: PlanInput,
): Promise<readonly RecordedElsewhere[]> {
  if (names.length === 0) return [];
  const store = await workspace.state();
  const since = defined({ since: settling(workspace).settledBefore });
  const found = await Promise.all(names.map((question) => store.recordedAlike({ ...question, ...since })));
  return atTargets(found.flat(), targets);
}

/** What nobody manages and lists have shown, of types of which the platform takes two of a name: of any other the platform tells what has the name. */
export function strangersBeside({ snapshot }: PlanInput, steps: readonly Step[]): ReadonlySet<string> {
  const made = steps.filter(makesName);
  const types = new Set(made.map(({ type }) => type.token));
  const listed = snapshot.listed.filter(({ type }) => types.has(type));
  const found = made.flatMap(({ address, type: { token } }) => {
    const reading = snapshot.found.get(address);
    return reading?.kind === 'found' ? [identityKey(token, reading.identity)] : [];
  });
  return new Set([
    ...listed.flatMap(({ type, objects }) => objects.map((one) => identityKey(type, one.identity))),
    ...found,
  ]);
}
