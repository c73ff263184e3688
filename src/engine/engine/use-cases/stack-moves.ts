import type { ApplyOptions } from '../api.js';
import { addressesAbove, type Address } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { type Diagnostic, DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { RecordedResource, StackState } from '@platform-sync/core/model/state';
import type { Lease, LeaseHolder, StateStore, Takeover } from '@platform-sync/core/model/state-store';
import { ownMember } from '@platform-sync/core/model/value';
import { packageNameOf } from '@platform-sync/core/model/resource-type';
import type { Step } from '../plan/step.js';
import type { Workspace } from '../workspace.js';
import type { Loaded } from './plan/load.js';

/**
 * A declared move between stacks. The stack that takes plans with the records of the other one, each under `STACK:ADDRESS`, and takes
 * them over before its first write; the one that gives keeps them until then. Whichever never runs leaves all as it was.
 */

/** What a plan compares, with the records that come from other stacks. Rejects with DiagnosticError where one can't come. */
export async function withMoves(workspace: Workspace, loaded: Loaded): Promise<Loaded> {
  const { desired, stack } = loaded;
  const { resources } = stack.state;
  const open = [...desired.resources.values()].filter(({ address }) => !resources.has(address));
  if (open.length === 0) return loaded;
  const store = await workspace.state();
  await refuseTaken(
    store,
    open.map(({ address }) => address),
    desired,
  );
  const coming = await comingRecords(
    workspace,
    store,
    desired,
    open.map(({ address }) => address),
  );
  if (coming.length === 0) return loaded;
  await workspace.loadPackages(coming.map(({ type }) => type));
  const state = {
    ...stack.state,
    resources: new Map([...resources, ...coming.map((each) => [each.address, each] as const)]),
  };
  return { ...loaded, stack: { ...stack, state } };
}

/** What a resource was called elsewhere: said of itself, or of what it stands under. */
function formerElsewhere({ resources }: DesiredState, address: Address): string | undefined {
  for (const above of addressesAbove(address).toReversed()) {
    const from = resources.get(above)?.options.aliases.find((alias) => alias.includes(':'));
    if (from !== undefined) return `${from}${address.slice(above.length)}`;
  }
  return undefined;
}

async function comingRecords(
  workspace: Workspace,
  store: StateStore,
  desired: DesiredState,
  open: readonly Address[],
): Promise<readonly RecordedResource[]> {
  const wanted = open.flatMap((address) => formerElsewhere(desired, address) ?? []);
  const names = new Set(wanted.map((from) => stackOf(from)));
  const there = names.size === 0 ? [] : await store.stacks();
  const coming: RecordedResource[] = [];
  for (const name of names) {
    if (name === workspace.config.stack || !there.includes(name)) continue;
    const given = await store.sibling(name).read();
    const found = wanted.flatMap((from) =>
      stackOf(from) === name ? (given.resources.get(addressOf(from)) ?? []) : [],
    );
    for (const { type } of found) await mustBeSameTarget(workspace, type, given);
    const all = new Set(found.map(({ address }) => address));
    for (const record of found)
      coming.push({
        ...record,
        address: `${name}:${record.address}`,
        // What it depended on outside of what moves is no resource of this stack.
        dependencies: record.dependencies.filter((each) => all.has(each)).map((each) => `${name}:${each}`),
      });
  }
  return coming;
}

function stackOf(from: string): string {
  return from.slice(0, from.indexOf(':'));
}

function addressOf(from: string): Address {
  return from.slice(from.indexOf(':') + 1);
}

async function mustBeSameTarget(workspace: Workspace, type: string, given: StackState): Promise<void> {
  const name = packageNameOf(type);
  const [theirs, own] = [ownMember(given.targets, name), (await workspace.provider(name)).target];
  if (theirs === undefined || theirs === own) return;
  throw refused('state-other-target', `The stack ${given.stack} lives at ${theirs}, this one at ${own}.`, {
    hint: 'An object can only be handed over between stacks of one server.',
  });
}

/** A stack whose files still have what another one has taken over would make it a second time. */
async function refuseTaken(store: StateStore, open: readonly Address[], desired: DesiredState): Promise<void> {
  const rows = await store.runs({ kinds: ['move', 'plan'], limit: 200 });
  const since = rows.findIndex(({ content }) => content.kind === 'plan');
  const taken = new Map(
    rows
      .slice(0, since < 0 ? rows.length : since)
      .flatMap(({ address = '', content }) =>
        content.kind === 'move' && address.includes(':') ? [[content.from, address] as const] : [],
      ),
  );
  const problems = open.flatMap((address): readonly Diagnostic[] => {
    const to = taken.get(address);
    const resource = desired.resources.get(address);
    if (to === undefined || resource === undefined) return [];
    return [
      {
        severity: 'error',
        code: 'state-moved-on',
        summary: `${address} has moved to another stack, as ${to}: this one would make it a second time.`,
        hint: 'Take its block out of this catalogue. Another object gets another address.',
        address,
        place: desired.sources.place(resource.at),
      },
    ];
  });
  if (problems.length > 0) throw new DiagnosticError(problems);
}

function refused(code: 'state-other-target', summary: string, more: { readonly hint: string }): DiagnosticError {
  return new DiagnosticError([{ severity: 'error', code, summary, ...more }]);
}

/** Takes over what a plan moves here from other stacks, before anything else is written. */
export async function takeOverMoved(
  workspace: Workspace,
  steps: ReadonlyMap<Address, Step>,
  lease: Lease,
  options: ApplyOptions,
): Promise<void> {
  const moved = [...steps.values()].filter(({ movedFrom }) => movedFrom?.includes(':') === true);
  const store = await workspace.state();
  for (const stack of new Set(moved.map(({ movedFrom = '' }) => stackOf(movedFrom)))) {
    const given = store.sibling(stack);
    const onWait = ({ owner, purpose, since }: LeaseHolder): void =>
      workspace.emit({
        type: 'waiting',
        ms: options.lockTimeoutMs ?? 0,
        reason: `the stack ${stack} is locked by ${owner} (${purpose}) since ${since}`,
      });
    const waiting = { waitMs: options.lockTimeoutMs ?? 0, onWait };
    const giving = await given.acquire(workspace.options.purpose, waiting);
    try {
      const { resources } = await given.read();
      await store.takeOver(lease, { stack, lease: giving }, movesOf(moved, stack, resources));
    } finally {
      await giving.release();
    }
  }
}

function movesOf(
  moved: readonly Step[],
  stack: string,
  there: ReadonlyMap<Address, RecordedResource>,
): readonly Takeover[] {
  const now = new Map(moved.map(({ movedFrom = '', address }) => [movedFrom, address]));
  return moved.flatMap(({ movedFrom = '', address, recorded }): readonly Takeover[] => {
    if (stackOf(movedFrom) !== stack || recorded === undefined) return [];
    const from = addressOf(movedFrom);
    const dependencies = recorded.dependencies.flatMap((each) => now.get(each) ?? []).sort();
    // Of what it depended on there, the plan kept what comes along.
    const seen = { ...recorded, address: from, dependencies: there.get(from)?.dependencies ?? [] };
    return [{ from, seen, record: { ...recorded, address, dependencies } }];
  });
}
