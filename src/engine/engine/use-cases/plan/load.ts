import type { PlanOptions } from '../../api.js';
import { recover, type RecoveredEvent, type Recovery } from '../../apply/recover.js';
import type { Address } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { DiagnosticError, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Freeze } from '@platform-sync/core/model/run';
import type { StackState, StateChange } from '@platform-sync/core/model/state';
import type { Lease } from '@platform-sync/core/model/state-store';
import { handedOutputs, uselessDestinations, type HandedOutput } from '../../plan/handed-outputs.js';
import type { Reads } from '../../reads/reads.js';
import { sealsOf } from '../../seals.js';
import { withChanges } from '../../state-overlay.js';
import type { Seals } from '@platform-sync/core/value/seal';
import type { Workspace } from '../../workspace.js';
import type { PulumiMatch, PulumiMatchInput } from '../adopt-pulumi.js';
import { expectReads, typesAskedAgain } from '../expected-reads.js';
import { otherRun } from '../other-run.js';
import { settling } from '../read-context.js';
import { nothingToResend } from '../resend.js';
import { catalogueChoice } from '../selection/catalogue-choice.js';
import { selected, sinceCommit, unknownAddresses } from '../selection/select.js';
import { shareTexts } from '../share-texts.js';

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

interface LoadInput {
  readonly catalogue: DesiredState;
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
  { catalogue, given, imports: named, ...how }: LoadInput,
): Promise<Loaded> {
  const desired = given.mode === 'destroy' ? nothingOf(catalogue) : catalogue;
  const stack = await readStack(workspace, reads, desired, named, how);
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
): Promise<Stack> {
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
  const kept = stored.intents.length === 0 || workspace.isUnderReview ? [] : await (await workspace.outbox()).read();
  const left = { state: stored, typeOf: workspace.typeOf, seals, imported: new Set(imports.keys()), kept };
  await untilItShows(workspace, left);
  const { changes, recovered, diagnostics, held, deleting } = await recover({ ...left, reads, ...settling(workspace) });
  workspace.warnings.push(...maybeLost(handedOutputs(desired, workspace.types()), recovered));
  // Whatever else a refresh reads, nobody asks for again.
  reads.keepOnly(typesAskedAgain(workspace, desired, stored));
  // Intents that could not be decided: no plan can be made.
  refuse(diagnostics);
  const frozen = await store.frozen();
  return { state: withChanges(stored, changes), recovery: changes, recovered, seals, held, deleting, frozen };
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
  const { held } = await recover({ ...left, reads: workspace.reads({ isFresh: true }), ...now });
  const open = intents.filter(({ address }) => held.has(address)).map(({ createdAt }) => Date.parse(createdAt));
  if (open.length === 0) return;
  const ms = Math.max(...open) + (now.settleMs ?? 0) + 1 - world.now();
  if (ms > patienceMs) return;
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
