import type { PlanOptions, PlanResult } from '../api.js';
import type { Address } from '@platform-sync/core/model/address';
import { defined } from '@platform-sync/core/model/value';
import type { DesiredState } from '@platform-sync/core/model/desired';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Plan } from '@platform-sync/core/model/plan';
import type { StackState } from '@platform-sync/core/model/state';
import type { Lease } from '@platform-sync/core/model/state-store';
import type { Workspace } from '../workspace.js';
import { ApplicablePlan } from './applicable-plan.js';
import type { OpenBase } from './base/plan-base.js';
import type { OpenWatch } from './drift/unmanaged.js';
import { checkedPlan, completePlan, workOf } from './plan/decide.js';
import { load, type Loaded, refuse, type Wants } from './plan/load.js';
import { readActual } from './plan/actual.js';
import { collectionKey } from '@platform-sync/core/model/identity';
import type { AheadOptions } from '@platform-sync/core/model/provider';
import { type Place, selecting } from '../reads/collection.js';
import { inParallel } from '../reads/in-parallel.js';
import type { Judge } from '../plan/guards/guard.js';
import type { ReadsContext } from '../reads/reads.js';
import type { RefreshContext } from '../refresh/context.js';

/** What a plan is made for, where it is not to be looked at or applied. */
export interface PlanPurpose {
  /** Import ids by address, beyond what the catalogue says. */
  readonly imports?: ReadonlyMap<Address, string>;
  /** The lease that is held already. */
  readonly own?: Lease | undefined;
  /** It only compares: the keys of what is to be created are nobody's concern. */
  readonly isCheck?: boolean;
  /** A check whose plan is carried out after all. */
  readonly isCarriedOut?: boolean;
  readonly wants?: Wants;
  /** Which records a look at a part reads, the others being as recorded. Rejects with DiagnosticError for what is not there. */
  readonly readsOnly?: (desired: DesiredState, recorded: StackState['resources']) => Promise<ReadonlySet<Address>>;
}

/** Loads what is wanted and recorded, looks at what exists, and decides what would be done. Writes nothing. */
export async function planProject(
  workspace: Workspace,
  given: PlanOptions = {},
  { imports = new Map(), own = workspace.lease, isCheck = false, isCarriedOut, readsOnly, wants }: PlanPurpose = {},
): Promise<PlanResult | ApplicablePlan> {
  const isWatched = workspace.config.drift?.unmanaged !== undefined;
  const mayRefuse = (isCheck && isWatched) || readsOnly !== undefined || wants !== undefined;
  const { loaded: files, ahead } = await catalogueAndHeadStart(workspace, given, mayRefuse);
  if (files.desired === undefined) return { diagnostics: files.diagnostics };
  let base: OpenBase | undefined;
  try {
    base = given.base === undefined ? undefined : await openBase(workspace, given.base);
    const reads = workspace.reads({ together: ahead?.together ?? {} });
    const isWhole = readsOnly === undefined && given.refresh !== 'none';
    const found = await load(workspace, reads, {
      ...{ catalogue: files.desired, given, imports, wants, own, known: ahead?.stored, isWhole },
    });
    const loaded = isCheck ? found : await movedHere(workspace, found);
    const { stack, pulumi } = loaded;
    const strangers = isWatched ? await openWatch(workspace) : undefined;
    if (isCheck) refuse(strangers?.problems ?? []);
    const only = await readsOnly?.(files.desired, stack.state.resources);
    const whole = isCheck && only === undefined ? strangers?.watch.types : undefined;
    const judge = isCheck ? undefined : await openJudge(workspace);
    const input = {
      ...(await readActual(workspace, reads, loaded, { isCheck, isCarriedOut, ...defined({ only, whole }) })),
      ...defined({ judge }),
    };
    const complete = isCheck
      ? await completePlan(workspace, reads, input)
      : await checkedPlan(workspace, reads, input, base?.specifications);
    if ('errors' in complete) return { diagnostics: [...files.diagnostics, ...complete.errors] };
    const compared = await base?.compare(complete, reads);
    const unmanaged = await strangers?.find(complete);
    const plan = withMeta(complete.planned.plan, { ...compared?.meta, ...defined({ unmanaged: unmanaged?.objects }) });
    const diagnostics = [
      ...untold(files.diagnostics, plan.notices),
      ...(pulumi?.diagnostics ?? []),
      ...(compared?.diagnostics ?? []),
      ...workspace.warnings,
    ];
    return new ApplicablePlan(plan, diagnostics, workOf(workspace, complete, stack, unmanaged));
  } catch (error) {
    const { expectedDiagnostics } = await import('./expected.js');
    return { diagnostics: [...files.diagnostics, ...expectedDiagnostics(error)] };
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

// Likewise for one that names what nobody manages.
async function openWatch(workspace: Workspace): Promise<OpenWatch | undefined> {
  return (await import('./drift/unmanaged.js')).openWatch(workspace);
}

// What every resource has a record of moves nowhere.
async function movedHere(workspace: Workspace, loaded: Loaded): Promise<Loaded> {
  const { desired, stack } = loaded;
  if ([...desired.resources.keys()].every((address) => stack.state.resources.has(address))) return loaded;
  return (await import('./stack-moves.js')).withMoves(workspace, loaded);
}

// And for one that rules judge.
async function openJudge(workspace: Workspace): Promise<Judge | undefined> {
  if (workspace.config.policies === undefined && workspace.permissions.rules.length === 0) return undefined;
  return (await import('../rules/load.js')).projectJudge(workspace);
}

/** Reads that state alone makes certain, begun while the catalogue was still being read. */
interface HeadStart {
  /** The state, if it could be read: else whoever needs it hears why when they ask. */
  readonly stored: StackState | undefined;
  /** What the lists were asked for with. */
  readonly together: object;
}

interface Begun {
  /** The catalogue is there: what was asked for is wanted, and nothing more is asked ahead. */
  readonly wanted: () => Promise<HeadStart>;
  /** There will be no plan: what is under way is broken off, and nobody hears of it. */
  readonly dropped: () => void;
}

/** The catalogue, and what could be asked for meanwhile. `mayRefuse`: something else may keep the plan from reading. */
async function catalogueAndHeadStart(
  workspace: Workspace,
  given: PlanOptions,
  mayRefuse: boolean,
): Promise<{ readonly loaded: Awaited<ReturnType<Workspace['catalogue']>>; readonly ahead?: HeadStart }> {
  const begun = mayRefuse || !isCertain(given) ? undefined : begin(workspace);
  let ahead: HeadStart | undefined;
  try {
    const loaded = await workspace.catalogue();
    if (begun === undefined || loaded.desired === undefined) return { loaded };
    ahead = await begun.wanted();
    return { loaded, ahead };
  } finally {
    if (ahead === undefined) begun?.dropped();
  }
}

/** All that is recorded will be read: nothing chooses, and nothing that only the catalogue tells can refuse it before. */
function isCertain({ refresh, base, targets = [], excludes = [], replace = [], resend = [] }: PlanOptions): boolean {
  const named = targets.length + excludes.length + replace.length + resend.length;
  return refresh !== 'none' && base === undefined && named === 0;
}

/** Whatever goes wrong here is told where it is asked for again. */
function begin(workspace: Workspace): Begun | undefined {
  if (!workspace.mayStartAhead()) return undefined;
  const together = {};
  const ended = new AbortController();
  let isOpen = true;
  const { told, forgotten } = workspace.startAhead();
  const stored = workspace
    .state()
    .then((store) => store.read())
    .catch(() => undefined);
  const read = async (): Promise<void> => {
    const state = await stored;
    // What a run left open is settled first, and may end the plan.
    if (!isOpen || state === undefined || state.intents.length > 0) return;
    await workspace.loadPackages([...state.resources.values()].map(({ type }) => type));
    const { typeOf, providerOf, config } = workspace;
    const context = { recorded: state.resources, typeOf, providerOf, concurrency: config.concurrency };
    await readAhead(context, { together, signal: ended.signal }, () => isOpen);
  };
  read().catch(() => undefined);
  return {
    wanted: async () => {
      isOpen = false;
      told();
      return { stored: await stored, together };
    },
    dropped: () => {
      isOpen = false;
      ended.abort();
      forgotten();
    },
  };
}

/**
 * Asks for the first page of every list that a refresh of these records reads whatever is desired. Stops when the signal fires,
 * and sends nothing more once `isNeeded` says no. What comes is the refresh's to judge: nothing is told here.
 */
async function readAhead(
  context: Pick<RefreshContext, 'recorded' | 'typeOf' | 'concurrency'> & Pick<ReadsContext, 'providerOf'>,
  options: AheadOptions,
  isNeeded: () => boolean,
): Promise<void> {
  await inParallel(placesIn(context, isNeeded), context.concurrency * 2, async ({ type, scope }) => {
    const provider = await context.providerOf(type);
    if (isNeeded()) await provider.ahead?.(type, scope, options);
  });
}

/** Where recorded objects are, one place after the other: most are not come to before the catalogue is read. */
function* placesIn(
  { recorded, typeOf }: Pick<RefreshContext, 'recorded' | 'typeOf'>,
  isNeeded: () => boolean,
): Iterable<Place> {
  const known = new Set<string>();
  for (const record of recorded.values()) {
    const type = typeOf(record.type);
    const { scope } = record.identity;
    const key = collectionKey(type, scope);
    if (type.collection.shownIn !== undefined || known.has(key)) continue;
    if (!isNeeded()) return;
    known.add(key);
    yield { type, scope: selecting(type, scope) };
  }
}
