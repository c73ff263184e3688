import { hostname } from 'node:os';
import type { PlanOptions, PlanResult } from '../api.js';
import { recover, type RecoveredEvent, type Recovery } from '../apply/recover.js';
import type { Address } from '../model/address.js';
import { defined } from '../model/defined.js';
import type { DesiredState } from '../model/desired.js';
import type { Diagnostic } from '../model/diagnostic.js';
import type { Reading, Snapshot } from '../model/snapshot.js';
import type { StackState, StateChange } from '../model/state.js';
import type { ProjectConfig } from '../model/project.js';
import type { Plan } from '../model/plan.js';
import type { Lease } from '../model/state-store.js';
import { carryDeletes } from '../plan/cascade-deletes.js';
import { handedOutputs, uselessDestinations, type HandedOutput } from '../plan/handed-outputs.js';
import type { PlanInput } from '../plan/plan-input.js';
import type { Seals } from '../value/seal.js';
import type { Reads } from '../reads/reads.js';
import type { RefreshContext } from '../refresh/context.js';
import { refresh } from '../refresh/refresh.js';
import { topologicalOrder } from '../model/graph.js';
import { dependencyGraph } from '../resolve/graph.js';
import { sealsOf } from '../seals.js';
import { withChanges } from '../state-overlay.js';
import { engineVersion } from '../version.js';
import { packageNameOf } from '../loaded-packages.js';
import type { Workspace } from '../workspace.js';
import { catalogueChoice } from './selection/catalogue-choice.js';
import { selected, sinceCommit, unknownAddresses } from './selection/select.js';
import type { PulumiMatch, PulumiMatchInput } from './adopt-pulumi.js';
import type { OpenBase } from './base/plan-base.js';
import type { OpenWatch, UnmanagedFound } from './drift/unmanaged.js';
import { expectedDiagnostics } from './expected.js';
import { expectReads, typesAskedAgain } from './expected-reads.js';
import { catalogueAndHeadStart } from './read-while-loading.js';
import { otherRun } from './other-run.js';
import { readContext, settling } from './read-context.js';
import { nothingToResend } from './resend.js';
import { checkedPlan } from './checked-plan.js';
import { ApplicablePlan, type Work } from './applicable-plan.js';
import { shareTexts } from './share-texts.js';
import { completePlan, type CompletePlan } from './complete-plan.js';

/** What a plan is made for, where it is not to be looked at or applied. */
export interface PlanPurpose {
  /** Import ids by address, beyond what the catalogue says. */
  readonly imports?: ReadonlyMap<Address, string>;
  /** The lease that is held already. */
  readonly own?: Lease | undefined;
  /** It only compares: the keys of what is to be created are nobody's concern. */
  readonly isCheck?: boolean;
  /** Which records a look at a part reads, the others being as recorded. Rejects with DiagnosticError for what is not there. */
  readonly readsOnly?: (desired: DesiredState, recorded: StackState['resources']) => Promise<ReadonlySet<Address>>;
}

/** Reads what exists, compares, and says what would be done. Writes nothing. */
export async function planProject(
  workspace: Workspace,
  given: PlanOptions = {},
  { imports: named = new Map(), own, isCheck = false, readsOnly }: PlanPurpose = {},
): Promise<PlanResult | ApplicablePlan> {
  const mayRefuse = isCheck && workspace.config.drift?.unmanaged !== undefined;
  const { loaded, ahead } = await catalogueAndHeadStart(workspace, given, mayRefuse || readsOnly !== undefined);
  if (loaded.desired === undefined) return { diagnostics: loaded.diagnostics };
  const desired = given.mode === 'destroy' ? nothingOf(loaded.desired) : loaded.desired;
  const withDiagnostics = (found: readonly Diagnostic[]): PlanResult => ({
    diagnostics: [...loaded.diagnostics, ...found],
  });
  let base: OpenBase | undefined;
  try {
    base = given.base === undefined ? undefined : await openBase(workspace, given.base);
    const reads = workspace.reads({ together: ahead?.together ?? {} });
    const isWhole = readsOnly === undefined && given.refresh !== 'none';
    const stack = await readStack(workspace, reads, desired, named, own ?? workspace.lease, ahead?.stored, isWhole);
    if (stack.diagnostics.length > 0) return withDiagnostics(stack.diagnostics);
    const recorded = stack.state.resources;
    const pulumi =
      given.fromPulumi === undefined ? undefined : await matchPulumi(workspace, given.fromPulumi, desired, recorded);
    const imports = new Map([...(pulumi?.imports ?? []), ...named]);
    const choice = catalogueChoice(loaded.desired, recorded);
    const options = { ...given, ...(await selected(given, choice, sinceCommit(workspace, loaded.desired))) };
    const { replace = [], resend = [] } = options;
    const unknown = [
      ...misdirected(given, loaded.desired, workspace),
      ...unknownAddresses([...replace, ...resend], (named) => desired.resources.has(named) || recorded.has(named)),
      ...nothingToResend(resend, desired, workspace.typeOf),
    ];
    if (unknown.length > 0) return withDiagnostics(unknown);
    const strangers = workspace.config.drift?.unmanaged === undefined ? undefined : await openWatch(workspace);
    const misnamed = isCheck ? (strangers?.problems ?? []) : [];
    if (misnamed.length > 0) return withDiagnostics(misnamed);
    const only = await readsOnly?.(loaded.desired, recorded);
    const whole = isCheck && only === undefined ? strangers?.watch.types : undefined;
    const protects = protectedIn(given, loaded.desired);
    const purpose = { imports, isCheck, handedOver: pulumi?.stackMarks, ...defined({ only, whole, protects }), reads };
    const input = await readPlatform(workspace, stack, desired, options, purpose);
    const complete = await (isCheck ? completePlan : checkedPlan)(workspace, reads, input);
    if ('errors' in complete) return withDiagnostics(complete.errors);
    const compared = base === undefined ? undefined : await base.compare(complete, reads);
    const unmanaged = await strangers?.find(complete);
    const plan = withMeta(complete.planned.plan, { ...compared?.meta, ...defined({ unmanaged: unmanaged?.objects }) });
    const diagnostics = [
      ...untold(loaded.diagnostics, plan.notices),
      ...(pulumi?.diagnostics ?? []),
      ...(compared?.diagnostics ?? []),
      ...workspace.warnings,
    ];
    return new ApplicablePlan(plan, diagnostics, workOf(complete, stack, unmanaged, workspace.typeOf));
  } catch (error) {
    return withDiagnostics(expectedDiagnostics(error));
  } finally {
    await base?.close();
  }
}

/** What is copied is worked out (see `fieldSources`): a plan that gets nothing more stays the same one. */
function withMeta(plan: Plan, added: Partial<Plan['meta']>): Plan {
  return Object.keys(added).length === 0 ? plan : { ...plan, meta: { ...plan.meta, ...added } };
}

/** What the plan itself does not say. */
function untold(found: readonly Diagnostic[], notices: readonly Diagnostic[]): readonly Diagnostic[] {
  const keyOf = ({ code, address, field }: Diagnostic): string => JSON.stringify([code, address, field]);
  const told = new Set(notices.map(keyOf));
  return found.filter((one) => one.code !== 'deprecated-property' || !told.has(keyOf(one)));
}

// Only a plan that compares with a base pays for the code that makes one.
async function openBase(workspace: Workspace, base: NonNullable<PlanOptions['base']>): Promise<OpenBase> {
  return (await import('./base/plan-base.js')).openBase(workspace, base);
}

// Likewise for one that takes over what another program made.
async function matchPulumi(
  workspace: Workspace,
  text: string,
  desired: DesiredState,
  recorded: PulumiMatchInput['recorded'],
): Promise<PulumiMatch> {
  const { matchPulumiStack } = await import('./adopt-pulumi.js');
  await workspace.loadPackages(workspace.options.packages.names.map((name) => `${name}:`));
  return matchPulumiStack({ text, desired, recorded, types: workspace.types() });
}

// Likewise for one that names what nobody manages.
async function openWatch(workspace: Workspace): Promise<OpenWatch | undefined> {
  return (await import('./drift/unmanaged.js')).openWatch(workspace);
}

function workOf(
  { planned, input }: CompletePlan,
  { recovery, recovered }: Pick<StackReading, 'recovery' | 'recovered'>,
  unmanaged: UnmanagedFound | undefined,
  typeOf: Workspace['typeOf'],
): Work {
  return {
    desired: input.desired,
    graph: input.graph,
    state: input.state,
    recovery,
    recovered,
    proposals: planned.proposals,
    operations: carryDeletes(planned.operations, { ...input, proposals: planned.proposals, typeOf }),
    along: planned.along,
    lookups: input.lookups,
    ...defined({ unmanaged }),
  };
}

/** What is recorded, with what earlier runs left open recovered. */
interface StackReading extends Pick<Recovery, 'held' | 'deleting'> {
  readonly state: StackState;
  /** Recovered intents, not written yet. */
  readonly recovery: readonly StateChange[];
  readonly recovered: readonly RecoveredEvent[];
  readonly seals: Seals;
  /** Intents that could not be decided: no plan can be made. */
  readonly diagnostics: readonly Diagnostic[];
}

async function readStack(
  workspace: Workspace,
  reads: Reads,
  desired: DesiredState,
  imports: ReadonlyMap<Address, string>,
  own: Lease | undefined,
  known: StackState | undefined,
  isWhole: boolean,
): Promise<StackReading> {
  const store = await workspace.state();
  const stored = known ?? (await store.read());
  shareTexts(desired, stored.resources);
  workspace.warnings.push(...(await otherRun(store, stored, own)));
  await workspace.loadPackages([
    ...tokensOf(desired.resources.values(), stored.resources.values(), stored.intents),
    ...(desired.lookups ?? []).map((lookup) => lookup.function),
  ]);
  if (isWhole) expectReads(workspace, reads, desired, stored);
  const seals = sealsOf(stored, workspace.redactor, workspace.isUnderReview);
  const { changes, recovered, ...found } = await recover({
    state: stored,
    typeOf: workspace.typeOf,
    reads,
    seals,
    ...settling(workspace.config.timing),
    imported: new Set(imports.keys()),
    kept: stored.intents.length === 0 || workspace.isUnderReview ? [] : await (await workspace.outbox()).read(),
  });
  workspace.warnings.push(...maybeLost(handedOutputs(desired, workspace.types()), recovered));
  // Whatever else a refresh reads, nobody asks for again.
  reads.keepOnly(typesAskedAgain(workspace, desired, stored));
  return { ...found, state: withChanges(stored, changes), recovery: changes, recovered, seals };
}

/** Destinations that the operator names and that nothing would go to. */
function misdirected(
  { destinations }: PlanOptions,
  desired: DesiredState,
  workspace: Workspace,
): readonly Diagnostic[] {
  if (destinations === undefined) return [];
  return uselessDestinations(destinations, handedOutputs(desired, workspace.types()));
}

/** A run that was killed between the answer and the record may have handed the secret over, or not. */
function maybeLost(handed: readonly HandedOutput[], recovered: readonly RecoveredEvent[]): readonly Diagnostic[] {
  const adopted = new Set(recovered.flatMap(({ address, outcome }) => (outcome === 'adopted' ? [address] : [])));
  return handed
    .filter(({ address }) => adopted.has(address))
    .map(({ name, address, field }) => ({
      severity: 'warning',
      code: 'secret-maybe-lost',
      summary: `${address} was made by a run that was interrupted: its ${field} may not have arrived where the output ${name} went.`,
      hint: `If it did not, make a new one: sync apply --replace ${address} --output ${name}=…`,
      address,
    }));
}

/** Everything planning looks at: what exists is read here, and nowhere again. */
async function readPlatform(
  workspace: Workspace,
  { state, seals, held, deleting }: StackReading,
  desired: DesiredState,
  options: PlanOptions,
  {
    imports,
    isCheck,
    handedOver,
    protects,
    ...how
  }: Required<Pick<PlanPurpose, 'imports' | 'isCheck'>> & {
    readonly handedOver: ReadonlySet<string> | undefined;
    readonly protects?: ReadonlySet<Address>;
  } & Pick<RefreshContext, 'only' | 'whole' | 'reads'>,
): Promise<PlanInput> {
  const graph = dependencyGraph(desired);
  const seen = await refresh({
    ...readContext(workspace, state, seals, how.reads, options.allow),
    deleting,
    mode: options.refresh ?? 'auto',
    desired: desired.resources,
    ...how,
  });
  const snapshot = withHeld(seen, held, state);
  return {
    mode: options.mode ?? 'apply',
    desired,
    graph,
    order: topologicalOrder(graph),
    state,
    snapshot,
    types: workspace.types(),
    seals,
    lookups: new Map(),
    replace: new Set(options.replace ?? []),
    resend: new Set(options.resend ?? []),
    imports,
    isCheck,
    looksForKeys: !isCheck && options.refresh !== 'none' && how.only === undefined,
    elsewhere: new Map(),
    engine: engineVersion,
    targets: await targetsOf(workspace, desired, state.resources.values()),
    guards: guardsOf(workspace.config),
    ...defined({ adopt: workspace.config.adopt, handedOver, protects, destinations: options.destinations }),
    allow: options.allow ?? [],
    only: options.targets ?? [],
    excludes: options.excludes ?? [],
    ...(options.refresh === 'full' ? { readsAll: true as const } : {}),
    ...(options.noDelete === true && options.mode !== 'destroy' ? { noDelete: true as const } : {}),
    meta: { createdAt: new Date().toISOString(), host: hostname(), requests: 0 },
  };
}

/** What an interrupted run may have made is not made again meanwhile, nor is what it was to take the place of touched. */
function withHeld(snapshot: Snapshot, held: Recovery['held'], { resources }: StackState): Snapshot {
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

/** `destroy`: nothing is desired. */
function nothingOf(desired: DesiredState): DesiredState {
  return { ...desired, resources: new Map(), outputs: new Map(), variables: new Map(), lookups: [] };
}

function tokensOf(...lists: readonly Iterable<{ readonly type: string }>[]): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (const list of lists) for (const { type } of list) tokens.add(type);
  return tokens;
}

async function targetsOf(
  workspace: Workspace,
  desired: DesiredState,
  recorded: Iterable<{ readonly type: string }>,
): Promise<Readonly<Record<string, string>>> {
  const names = new Set([...tokensOf(desired.resources.values(), recorded)].map(packageNameOf));
  const targets: [string, string][] = [];
  for (const name of [...names].sort()) targets.push([name, (await workspace.provider(name)).target]);
  return Object.fromEntries(targets);
}
