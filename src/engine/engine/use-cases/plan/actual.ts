import type { PlanOptions } from '../../api.js';
import { packageNameOf } from '@platform-sync/core/model/resource-type';
import type { Address } from '@platform-sync/core/model/address';
import { defined } from '@platform-sync/core/model/value';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { topologicalOrder } from '@platform-sync/core/model/graph';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import type { Reading, Snapshot } from '@platform-sync/core/model/snapshot';
import type { StackState } from '@platform-sync/core/model/state';
import { momentIn } from '@platform-sync/core/model/world';
import type { PlanInput } from '../../plan/planning-state.js';
import type { Reads } from '../../reads/reads.js';
import type { RefreshContext } from '../../refresh/context.js';
import { dependencyGraph } from '@platform-sync/core/resolve/graph';
import { engineVersion } from '../../version.js';
import type { Workspace } from '../../workspace.js';
import { type Loaded, readContext, seenNow, type Stack, tokensOf } from './load.js';

interface ActualInput extends Pick<RefreshContext, 'only' | 'whole'> {
  /** It only compares: the keys of what is to be created are nobody's concern. */
  readonly isCheck: boolean;
  /** A check whose plan is carried out after all. */
  readonly isCarriedOut?: boolean | undefined;
}

/** Everything planning looks at: what exists is read here, and nowhere again. */
export async function readActual(
  workspace: Workspace,
  reads: Reads,
  { catalogue, desired, stack, options, imports, pulumi }: Loaded,
  { isCheck, isCarriedOut = !isCheck, ...how }: ActualInput,
): Promise<PlanInput> {
  const { state, seals, held, deleting } = stack;
  const graph = dependencyGraph(desired);
  const context = readContext(workspace, state, seals, reads, options.allow);
  const { settledBefore } = context;
  const seen = await seenNow(workspace, seals, {
    ...context,
    deleting,
    mode: options.refresh ?? 'auto',
    desired: desired.resources,
    ...how,
  });
  return {
    mode: options.mode ?? 'apply',
    desired,
    deleting,
    graph,
    order: topologicalOrder(graph),
    state,
    snapshot: withHeld(seen, held, state),
    types: workspace.types(),
    seals,
    lookups: new Map(),
    replace: new Set(options.replace ?? []),
    resend: new Set(options.resend ?? []),
    imports,
    isCheck,
    looksForKeys: !isCheck && options.refresh !== 'none' && how.only === undefined,
    looksInside: options.refresh === 'none' && !isCheck ? 'unread' : isCarriedOut && how.only === undefined,
    elsewhere: new Map(),
    engine: engineVersion,
    targets: await targetsOf(workspace, tokensOf(desired.resources.values(), state.resources.values())),
    guards: guardsOf(workspace.config),
    ...defined({
      settledBefore,
      adopt: workspace.config.adopt,
      handedOver: pulumi?.stackMarks,
      protects: protectedIn(options, catalogue),
      destinations: options.destinations,
      frozen: stack.frozen,
    }),
    allow: options.allow ?? [],
    only: options.targets ?? [],
    excludes: options.excludes ?? [],
    ...(options.refresh === 'full' ? { readsAll: true as const } : {}),
    ...(options.noDelete === true && options.mode !== 'destroy' ? { noDelete: true as const } : {}),
    meta: { createdAt: momentIn(workspace.world), host: workspace.world.processes.host(), requests: 0 },
  };
}

/** What an interrupted run may have made is not made again meanwhile, nor is what it was to take the place of touched. */
function withHeld(snapshot: Snapshot, held: Stack['held'], { resources }: StackState): Snapshot {
  if (held.size === 0) return snapshot;
  const failed = [...held].map(([address, diagnostic]): [Address, Reading] => [
    address,
    { kind: 'failed', diagnostic },
  ]);
  const isRecorded = ([address]: readonly [Address, Reading]): boolean => resources.has(address);
  return {
    ...snapshot,
    readings: new Map([...snapshot.readings, ...failed.filter(isRecorded)]),
    found: new Map([...snapshot.found, ...failed.filter((each) => !isRecorded(each))]),
  };
}

/** `adopt: byKey` is a guard lifted for good. */
function guardsOf({ guards, adopt }: ProjectConfig): ProjectConfig['guards'] {
  if (adopt === undefined) return guards;
  return { ...guards, allow: [...guards.allow, { guard: 'adopt', reason: 'adopt: byKey in sync.yaml' }] };
}

function protectedIn({ mode }: PlanOptions, { resources }: DesiredState): ReadonlySet<Address> | undefined {
  if (mode !== 'destroy') return undefined;
  return new Set([...resources.values()].flatMap(({ address, options }) => (options.protect ? [address] : [])));
}

/** Where the objects of these types (tokens) are, by package. */
export async function targetsOf(workspace: Workspace, tokens: Iterable<string>): Promise<StackState['targets']> {
  const names = new Set([...tokens].map(packageNameOf));
  const targets: [string, string][] = [];
  for (const name of [...names].sort()) targets.push([name, (await workspace.provider(name)).target]);
  return Object.fromEntries(targets);
}
