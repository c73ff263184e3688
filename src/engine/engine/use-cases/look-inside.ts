import type { ListedStrangers } from '@platform-sync/core/model/snapshot';
import type { RecordedElsewhere } from '@platform-sync/core/model/state-store';
import { collectionKey } from '@platform-sync/core/model/identity';
import { goingAlong, idsOfEnds, isEnd, listsInside, type Inside, type ListInside } from '../plan/contents.js';
import type { PlanInput } from '../plan/plan-input.js';
import type { Step } from '../plan/step.js';
import { inParallel } from '../reads/in-parallel.js';
import type { Reads } from '../reads/reads.js';
import { mustBePassing } from '../refresh/list-collection.js';
import { packageNameOf } from '../loaded-packages.js';
import type { Workspace } from '../workspace.js';
import { ownMember } from '@platform-sync/core/model/own-member';

/** Looks for what lives in what ends, beyond what this stack has recorded: in the store, and in lists that nobody has read yet. */
export async function lookInside(
  workspace: Workspace,
  reads: Reads,
  steps: readonly Step[],
  input: PlanInput,
): Promise<Inside> {
  const recorded = await recordedInside(workspace, steps, input.targets);
  // What asks for no keys asks for nothing that a refresh does not read.
  if (!input.looksForKeys) return { recorded, listed: [], unread: [] };
  const ends = steps.filter(isEnd);
  const most = input.readsAll === true ? Infinity : undefined;
  const asked = new Set<string>();
  const seen: ListedStrangers[] = [];
  const failed: Inside['unread'][number][] = [];
  // What nobody manages may hold more of its kind.
  for (;;) {
    const along = goingAlong(input, ends, steps, { recorded, listed: seen, unread: [] });
    const { lists, unread } = listsInside(input, ends, along, asked, most);
    if (lists.length === 0) return { recorded, listed: seen, unread: [...unread, ...failed] };
    for (const { type, scope } of lists) asked.add(collectionKey(type, scope));
    const looked = await inParallel(lists, workspace.config.concurrency * 2, (list) => listed(reads, list));
    for (const each of looked)
      if ('objects' in each) seen.push(each);
      else failed.push(each);
  }
}

async function listed(
  reads: Reads,
  { type, scope, homes }: ListInside,
): Promise<ListedStrangers | Inside['unread'][number]> {
  try {
    const { objects } = await reads.look({ type, scope, of: 'everything' });
    return { type: type.token, scope, morePages: 0, objects };
  } catch (error) {
    const { kind } = mustBePassing(error);
    // Where there is no such place, there is nothing in it.
    if (kind === 'not-found') return { type: type.token, scope, morePages: 0, objects: [] };
    return { type: type.token, homes };
  }
}

/** What other stacks of the same store have recorded at the same targets in what ends, or beside it. */
async function recordedInside(
  workspace: Workspace,
  steps: readonly Step[],
  targets: Readonly<Record<string, string>>,
): Promise<readonly RecordedElsewhere[]> {
  const ids = idsOfEnds(steps);
  if (ids.size === 0) return [];
  const found = await (await workspace.state()).recordedInside(ids);
  const near = found.filter((one) => {
    const name = packageNameOf(one.record.type);
    return one.targets[name] !== undefined && one.targets[name] === ownMember(targets, name);
  });
  await workspace.loadPackages(near.map(({ record }) => record.type));
  return near;
}
