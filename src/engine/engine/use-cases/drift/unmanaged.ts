import {
  byPlace,
  unmanagedObject,
  watchedStrangers,
  type Stranger,
  type UnmanagedFound,
  watchOf,
  type Watch,
} from '../../drift/unmanaged.js';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { identityKey } from '@platform-sync/core/model/identity';
import { markField, markIn, markParts, stackOf } from '@platform-sync/core/model/ownership-mark';
import type { StackState } from '@platform-sync/core/model/state';
import type { Workspace } from '../../workspace.js';
import { targetsOf } from '../plan/actual.js';
import type { CompletePlan } from '../plan/decide.js';
import { ownersElsewhere } from '../../apply/owners-elsewhere.js';

/** What sync.yaml asks for, and how it is found in a plan. */
export interface OpenWatch {
  readonly watch: Watch;
  /** Names that no type has: a check that asks for what does not exist would find nothing for ever. */
  readonly problems: readonly Diagnostic[];
  readonly find: (plan: CompletePlan) => Promise<UnmanagedFound>;
}

/** Types by name of any package, else those of the packages in use; undefined: nothing is asked for. */
export async function openWatch(workspace: Workspace): Promise<OpenWatch | undefined> {
  const setting = workspace.config.drift?.unmanaged;
  const { packages } = workspace.options;
  if (Array.isArray(setting)) await workspace.loadPackages(packages.names.map((name) => `${name}:`));
  const watch = watchOf(setting, workspace.types());
  if (watch === undefined) return undefined;
  return {
    watch,
    problems: watch.unknown.map(unknownType),
    find: (plan) => unmanagedObjects(workspace, watch, plan),
  };
}

function unknownType(name: string): Diagnostic {
  return {
    severity: 'error',
    code: 'unknown-watched-type',
    summary: `"drift.unmanaged" in sync.yaml names the type "${name}", which does not exist.`,
    hint: 'All types: sync schema',
  };
}

/**
 * What the lists of a plan showed and nobody manages: no record of this stack or another of the same store, no resource
 * that takes it over, no mark of another stack. Sends no request to the platform.
 */
async function unmanagedObjects(
  workspace: Workspace,
  watch: Watch,
  { planned, input }: CompletePlan,
): Promise<UnmanagedFound> {
  const types = new Set([...watch.types].map(({ name }) => name));
  const own = managedKeys(input.state);
  for (const { actual, type } of planned.steps.values())
    if (actual !== undefined) own.add(identityKey(type.token, actual.identity));
  const strangers = watchedStrangers(input.snapshot.listed, watch, workspace.typeOf).filter(
    (stranger) => !own.has(keyOf(stranger)) && !isMarkedElsewhere(stranger, workspace.config),
  );
  if (strangers.length === 0) return { types, objects: [], busy: new Set() };
  // What a run at the same time has made since, or is about to record.
  const store = await workspace.state();
  const now = await store.read();
  const recorded = managedKeys(now);
  const holder = now.intents.length === 0 ? undefined : await store.holder();
  const isOther = holder !== undefined && holder.id !== workspace.lease?.id;
  const making = isOther ? now.intents.filter(({ action }) => action === 'create').map(({ type }) => type) : [];
  const left = strangers.filter((one) => !recorded.has(keyOf(one)) && !making.includes(one.type.token));
  const owners = await ownersElsewhere(
    store,
    left.map(({ type, object }) => ({ type: type.token, identity: object.identity })),
    // A stack that has nothing left, and wants nothing, has no targets of its own.
    await targetsOf(
      workspace,
      left.map(({ type }) => type.token),
    ),
  );
  return {
    types,
    objects: left
      .filter((one) => owners.get(keyOf(one)) === 'nobody')
      .map(unmanagedObject)
      .sort(byPlace),
    busy: new Set(making.map((token) => workspace.typeOf(token).name)),
  };
}

function keyOf({ type, object }: Stranger): string {
  return identityKey(type.token, object.identity);
}

function managedKeys({ resources }: Pick<StackState, 'resources'>): Set<string> {
  const keys = new Set<string>();
  for (const { type, identity, deposed } of resources.values())
    for (const one of [identity, ...deposed.map((old) => old.identity)]) keys.add(identityKey(type, one));
  return keys;
}

function isMarkedElsewhere({ object }: Stranger, config: Workspace['config']): boolean {
  const mark = markIn(object.values[markField]);
  if (mark === undefined) return false;
  const { stack } = markParts(mark);
  return stack !== '' && stack !== stackOf(config);
}
