import type { PlanOptions } from '../../api.js';
import type { recover, RecoveredEvent, Recovery } from '../../apply/recover.js';
import type { Address } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { type Diagnostic, DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { Freeze } from '@platform-sync/core/model/run';
import { isSettling, type RecordedResource, type StackState, type StateChange } from '@platform-sync/core/model/state';
import type { Lease, StateStore } from '@platform-sync/core/model/state-store';
import { type HandedOutput, handedOutputs, uselessDestinations } from '../../plan/handed-outputs.js';
import type { Reads } from '../../reads/reads.js';
import { sealsOf } from '../../sealed-state.js';
import type { Seals } from '@platform-sync/core/value/seal';
import type { Workspace } from '../../workspace.js';
import type { PulumiMatch, PulumiMatchInput } from '../adopt-pulumi.js';
import { catalogueChoice, selected, sinceCommit, unknownAddresses } from '../selection/terms.js';
import { identityKey } from '@platform-sync/core/model/identity';
import { isListed, mustBe } from '@platform-sync/core/lookups/by-rule';
import { collectionsOf } from '../../refresh/list-collection.js';
import { evaluate, writtenScope } from '@platform-sync/core/resolve/evaluate';
import type { LookupCall } from '@platform-sync/core/resolve/lookup-call';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { canResend } from '../../plan/change.js';
import type { GuardAllowance } from '@platform-sync/core/model/project';
import { momentIn } from '@platform-sync/core/model/world';
import type { RefreshContext } from '../../refresh/context.js';
import { leftBy, settling } from '../../refresh/evidence.js';
import { refresh } from '../../refresh/refresh.js';
import { defined, isObject, type Json } from '@platform-sync/core/model/value';
import type { Snapshot } from '@platform-sync/core/model/snapshot';
import { holds } from '../../plan/guards/guard.js';

/** What a plan compares: what is wanted, what is recorded, and what of it is meant. */
export interface Loaded {
  /** All that the catalogue says. */
  readonly catalogue: DesiredState;
  /** What the plan wants of it: for `destroy`, nothing. */
  readonly desired: DesiredState;
  readonly stack: Stack;
  /** As given, with the addresses that terms stand for. */
  readonly options: PlanOptions;
  /** Import ids by address, beyond what the catalogue says. */
  readonly imports: ReadonlyMap<Address, string>;
  readonly pulumi: PulumiMatch | undefined;
}

/** What is recorded, with what earlier runs left open recovered. */
export interface Stack extends Pick<Recovery, 'held' | 'deleting'> {
  readonly state: StackState;
  /** Recovered intents, not written yet. */
  readonly recovery: readonly StateChange[];
  readonly recovered: readonly RecoveredEvent[];
  readonly seals: Seals;
  readonly frozen: Freeze | undefined;
}

/** What a plan wants in place of what the catalogue says, and of which addresses alone. */
export type Wants = (
  catalogue: DesiredState,
  recorded: { readonly stored: StackState; readonly recovered: StackState },
) => Promise<{ readonly catalogue: DesiredState; readonly targets: readonly Address[] }>;

interface LoadInput {
  readonly catalogue: DesiredState;
  readonly wants: Wants | undefined;
  readonly given: PlanOptions;
  readonly imports: ReadonlyMap<Address, string>;
  /** The lease that is held already. */
  readonly own: Lease | undefined;
  /** The state, where it was read ahead. */
  readonly known: StackState | undefined;
  /** All that is recorded will be read. */
  readonly isWhole: boolean;
}

/** Reads state and settles what earlier runs left open. Rejects with DiagnosticError for names that nothing has. */
export async function load(
  workspace: Workspace,
  reads: Reads,
  { catalogue: said, given: asked, imports: named, wants, ...how }: LoadInput,
): Promise<Loaded> {
  const before = asked.mode === 'destroy' ? nothingOf(said) : said;
  const { stored, ...stack } = await readStack(workspace, reads, before, named, how);
  const meant = await wants?.(said, { stored, recovered: stack.state });
  const [catalogue, desired] = meant === undefined ? [said, before] : [meant.catalogue, meant.catalogue];
  const given = meant === undefined ? asked : { ...asked, targets: meant.targets };
  const recorded = stack.state.resources;
  const pulumi =
    given.fromPulumi === undefined ? undefined : await matchPulumi(workspace, given.fromPulumi, desired, recorded);
  const choice = catalogueChoice(catalogue, recorded);
  const options = { ...given, ...(await selected(given, choice, sinceCommit(workspace, catalogue))) };
  const { replace = [], resend = [] } = options;
  refuse([
    ...misdirected(given, catalogue, workspace),
    ...unknownAddresses([...replace, ...resend], (address) => desired.resources.has(address) || recorded.has(address)),
    ...nothingToResend(resend, desired, workspace.typeOf),
  ]);
  return { catalogue, desired, stack, options, imports: new Map([...(pulumi?.imports ?? []), ...named]), pulumi };
}

/** Ends the plan where anything is wrong. */
export function refuse(problems: readonly Diagnostic[]): void {
  if (problems.length > 0) throw new DiagnosticError(problems);
}

/** `destroy`: nothing is desired. */
function nothingOf(desired: DesiredState): DesiredState {
  return { ...desired, resources: new Map(), outputs: new Map(), variables: new Map(), lookups: [] };
}

async function readStack(
  workspace: Workspace,
  reads: Reads,
  desired: DesiredState,
  imports: ReadonlyMap<Address, string>,
  { own, known, isWhole }: Pick<LoadInput, 'own' | 'known' | 'isWhole'>,
): Promise<Stack & { readonly stored: StackState }> {
  const store = await workspace.state();
  const stored = known ?? (await store.read());
  workspace.warnings.push(...(await otherRun(store, stored, own)));
  await workspace.loadPackages([
    ...tokensOf(desired.resources.values(), stored.resources.values(), stored.intents),
    ...(desired.lookups ?? []).map((lookup) => lookup.function),
  ]);
  if (isWhole) expectReads(workspace, reads, desired, stored);
  const seals = sealsOf(stored, workspace.redactor, workspace.isUnderReview);
  const kept = stored.intents.length === 0 || workspace.isUnderReview ? [] : await (await workspace.outbox()).read();
  const wanted = desired.resources;
  const left = {
    state: stored,
    store,
    typeOf: workspace.typeOf,
    seals,
    imported: imports,
    wanted,
    kept,
  };
  await untilItShows(workspace, left);
  const { changes, recovered, diagnostics, held, deleting } = await settled({ ...left, reads, ...settling(workspace) });
  workspace.warnings.push(...maybeLost(handedOutputs(desired, workspace.types()), recovered));
  // Whatever else a refresh reads, nobody asks for again.
  reads.keepOnly(typesAskedAgain(workspace, desired, stored));
  // Intents that could not be decided: no plan can be made.
  refuse(diagnostics);
  const frozen = await store.frozen();
  const state = withChanges(stored, changes);
  return { stored, state, recovery: changes, recovered, seals, held, deleting, frozen };
}

/** What became of the writes that a run left open. Most leave none, and pay nothing for it. */
export async function settled(left: Parameters<typeof recover>[0]): Promise<Recovery> {
  if (left.state.intents.length === 0)
    return { changes: [], recovered: [], diagnostics: [], held: new Map(), deleting: new Set() };
  return (await import('../../apply/recover.js')).recover(left);
}

/**
 * A killed run's create counts as never sent only once it would show. Who waits for other runs waits for what one of them left, too,
 * as long as the time that was given reaches; nobody else does.
 */
async function untilItShows(
  workspace: Workspace,
  left: Omit<Parameters<typeof recover>[0], 'reads' | 'settledBefore' | 'settleMs'>,
): Promise<void> {
  const { intents } = left.state;
  const { world, patienceMs } = workspace;
  if (patienceMs <= 0 || intents.length === 0) return;
  const now = settling(workspace);
  const { held } = await settled({ ...left, reads: workspace.reads({ isFresh: true }), ...now });
  const open = intents.filter(({ address }) => held.has(address)).map((intent) => Date.parse(leftBy(intent)));
  if (open.length === 0) return;
  const ms = Math.max(...open) + (now.settleMs ?? 0) + 1 - world.now();
  // The look itself may have taken longer than what was left.
  if (ms <= 0 || ms > patienceMs) return;
  const [first = ''] = held.keys();
  const others = held.size === 1 ? '' : ` and ${held.size - 1} more`;
  workspace.emit({ type: 'waiting', ms, reason: `${first}${others}: an interrupted run may have created it` });
  await world.sleep(ms);
  workspace.patienceMs -= ms;
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

export function tokensOf(...lists: readonly Iterable<{ readonly type: string }>[]): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (const list of lists) for (const { type } of list) tokens.add(type);
  return tokens;
}

// Only who takes over what another program made pays for the code that knows it.
async function matchPulumi(
  workspace: Workspace,
  text: string,
  desired: DesiredState,
  recorded: PulumiMatchInput['recorded'],
): Promise<PulumiMatch> {
  const { matchPulumiStack } = await import('../adopt-pulumi.js');
  await workspace.loadPackages(workspace.options.packages.names.map((name) => `${name}:`));
  return matchPulumiStack({ text, desired, recorded, types: workspace.types() });
}

/**
 * Tells a run's reads what will be asked of lists, as far as files and state say before: a list is then read as far as takes the
 * fewest calls for all of it. Packages of types and lookups must be loaded.
 */
function expectReads(
  workspace: Workspace,
  reads: Reads,
  desired: DesiredState,
  { resources, intents }: StackState,
): void {
  const { lookups = [] } = desired;
  if (intents.length + lookups.length === 0) return;
  for (const { key, type, members } of collectionsOf(resources, desired.resources, workspace.typeOf))
    reads.expected.objects(key, new Set(members.map(({ identity }) => identityKey(type.token, identity))));
  const scope = writtenScope(
    desired,
    (address) => resources.get(address)?.identity,
    (call) => expectLookup(workspace, reads, call),
    (address, name) => resources.get(address)?.outputs[name],
  );
  for (const lookup of lookups) evaluate(lookup, scope);
}

/** Types (tokens) of which objects are asked for once a refresh is through: by lookups, or because state knows none at an address. */
function typesAskedAgain(
  workspace: Workspace,
  { lookups = [], resources }: DesiredState,
  stored: Pick<StackState, 'resources'>,
): ReadonlySet<string> {
  const sought = [...resources.values()].filter(({ address }) => !stored.resources.has(address));
  const lookedUp = lookups.flatMap((lookup) => workspace.lookedUpType(lookup.function) ?? []);
  return new Set([...lookedUp.map(({ token }) => token), ...sought.map(({ type }) => type)]);
}

function expectLookup(workspace: Workspace, reads: Reads, { token, args }: LookupCall): void {
  const type = workspace.lookedUpType(token);
  if (type === undefined || !isListed(type)) return;
  const scope = Object.fromEntries(type.collection.scope.map((field) => [field, String(args[field])]));
  reads.expectHaving(type, scope, mustBe(args));
}

/** Open writes belong to a run that died, or to one that is at work right now: then a plan soon is out of date. */
async function otherRun(
  store: StateStore,
  { intents }: Pick<StackState, 'intents'>,
  own: Lease | undefined,
): Promise<readonly Diagnostic[]> {
  if (intents.length === 0) return [];
  const holder = await store.holder();
  if (holder === undefined || holder.id === own?.id) return [];
  if (holder.isGone === true)
    return [
      {
        severity: 'warning',
        code: 'dead-run',
        summary: `The run of ${holder.owner} (${holder.purpose}), which began at ${holder.since}, died on this machine; the next apply takes the stack over at once and settles what that run left open.`,
        detail: `last sign of life: ${holder.seen}`,
      },
    ];
  return [
    {
      severity: 'warning',
      code: 'other-run',
      summary: `The stack is locked by ${holder.owner} (${holder.purpose}) since ${holder.since}; this plan may soon be out of date.`,
      detail: `last sign of life: ${holder.seen}`,
    },
  ];
}

/** Addresses of the catalogue whose values are to be sent again, and that declare none which could be. */
function nothingToResend(
  addresses: readonly Address[],
  desired: DesiredState,
  typeOf: (token: string) => ResourceType,
): readonly Diagnostic[] {
  return addresses.flatMap((address): Diagnostic[] => {
    const resource = desired.resources.get(address);
    if (resource === undefined) return [];
    const type = typeOf(resource.type);
    const able = Object.values(type.fields).filter((rule) => canResend(type, rule));
    if (able.some(({ name }) => resource.properties.has(name))) return [];
    const names = able.map(({ name }) => name).join(', ');
    return [
      {
        severity: 'error',
        code: 'nothing-to-resend',
        summary: `${address} declares nothing that could be sent again.`,
        hint:
          able.length === 0
            ? `The platform shows every field of a ${type.name} that an update can change. To send everything, replace it: --replace ${address}`
            : `Of a ${type.name}, these can be: ${names}.`,
      },
    ];
  });
}

/** Missing objects that are always asked for: in a small stack every one is a large share. */
const fewMissing = 10;

/** What every reading of a stack has in common. `allow`: guards lifted for this run. */
export function readContext(
  workspace: Workspace,
  state: Pick<StackState, 'resources'>,
  seals: Seals,
  reads: Reads,
  allow: readonly GuardAllowance[] = [],
): Omit<RefreshContext, 'mode' | 'desired'> {
  const today = momentIn(workspace.world).slice(0, 10);
  const { guards, concurrency } = workspace.config;
  const isLifted = [...guards.allow, ...allow].some((one) => one.guard === 'maxMissing' && holds(one, today));
  const share = Math.floor((guards.maxDeletePercent * state.resources.size) / 100);
  return {
    recorded: state.resources,
    typeOf: workspace.typeOf,
    reads,
    concurrency,
    // A plan that takes more for gone would hardly be let through; lists that lack that much are rather wrong.
    maxMissing: isLifted ? Number.POSITIVE_INFINITY : Math.max(fewMissing, Math.min(guards.maxDeletes, share)),
    ...settling(workspace),
    same: (rule, actual, recorded) => seals.same(rule, actual, recorded),
    onEvent: workspace.emit,
  };
}

/** What exists; of what was taken out of an object a moment ago, no answer that is old is believed. */
export async function seenNow(workspace: Workspace, seals: Seals, context: RefreshContext): Promise<Snapshot> {
  const seen = await refresh(context);
  const { mode, recorded, typeOf, settledBefore } = context;
  if (mode === 'none') return seen;
  // Quick and without types: most show nothing that their record lacks, and need no history.
  const young = [...recorded.values()].filter((record) => {
    const reading = isSettling(record.writtenAt, settledBefore) ? seen.readings.get(record.address) : undefined;
    if (reading?.kind !== 'found') return false;
    return Object.entries(reading.values).some(([name, value]) => {
      const known = record.outputs[name] ?? null;
      return name in record.inputs || isObject(known)
        ? showsMore(value, known)
        : JSON.stringify(value) !== JSON.stringify(known);
    });
  });
  if (young.length === 0) return seen;
  const { withoutOldParts } = await import('../../apply/taken-away.js');
  const history = { store: await workspace.state(), seals, ...defined({ settledBefore }) };
  return withoutOldParts(history, seen, young, typeOf);
}

/** Has it a member, at any depth, that the other lacks? */
function showsMore(value: Json | undefined, known: Json | undefined): boolean {
  if (!isObject(value) || !isObject(known)) return false;
  return Object.keys(value).some((key) => !(key in known) || showsMore(value[key], known[key]));
}

/** A state as it will be after changes that are not written yet. The serial stays the one that was read. */
export function withChanges(state: StackState, changes: readonly StateChange[]): StackState {
  if (changes.length === 0) return state;
  const resources = new Map<Address, RecordedResource>(state.resources);
  const closed = new Set<string>();
  let { outputs, targets } = state;
  for (const change of changes) {
    if (change.kind === 'put') resources.set(change.resource.address, change.resource);
    else if (change.kind === 'remove') resources.delete(change.address);
    else if (change.kind === 'close-intent') closed.add(change.id);
    else if (change.kind === 'outputs') outputs = change.outputs;
    else if (change.kind === 'targets') targets = change.targets;
    else throw new Error('bug: moves are never overlaid');
  }
  return { ...state, resources, outputs, targets, intents: state.intents.filter((intent) => !closed.has(intent.id)) };
}
