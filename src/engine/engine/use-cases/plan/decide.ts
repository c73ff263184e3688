import { isSettling } from '@platform-sync/core/model/state';
import { defined, type JsonObject } from '@platform-sync/core/model/value';
import type { Address } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { type Diagnostic, hasErrors } from '@platform-sync/core/model/diagnostic';
import { ProviderError } from '@platform-sync/core/model/provider';
import { carryDeletes } from '../../plan/removal.js';
import { makePlan, type Planned } from '../../plan/plan.js';
import type { PlanInput } from '../../plan/planning-state.js';
import { recordedElsewhere } from '../../plan/problems.js';
import type { NeededLookup, NeededOwner, Step } from '../../plan/step.js';
import type { Reads } from '../../reads/reads.js';
import type { Workspace } from '../../workspace.js';
import type { Work } from '../applicable-plan.js';
import type { Findings } from '../find-needed.js';
import { hasLateValues, type KnownNow, problemsOnceKnown } from '@platform-sync/catalogue/check/late-values';
import {
  brokenSpecifications,
  lateSpecifications,
  plannedSpecifications,
  type TextsBefore,
} from '../specifications.js';
import type { Stack } from './load.js';
import { identityKey } from '@platform-sync/core/model/identity';
import { isEnd, keysAlong, seenInside } from '../../plan/contents.js';
import { settling } from '../../refresh/evidence.js';
import { makesName, namesToMake } from '../../plan/guards/same-name.js';

/** A plan for which nothing more had to be found out, and what it was made from. */
export interface CompletePlan {
  readonly planned: Extract<Planned, { readonly kind: 'plan' }>;
  readonly input: PlanInput;
  readonly strangers: Work['strangers'];
  /** What is recorded since a moment ago. */
  readonly came: ReadonlySet<Address>;
}

/**
 * Plans, finds what planning asks for, and plans again until nothing is asked any more. Lookups and objects that the
 * input already holds are not asked for again.
 */
export async function completePlan(
  workspace: Workspace,
  reads: Reads,
  first: PlanInput,
): Promise<CompletePlan | { readonly errors: readonly Diagnostic[] }> {
  const lookups = new Map<string, JsonObject>(first.lookups);
  let findings: Findings | undefined;
  const elsewhere = new Map(first.elsewhere);
  const lacking: Diagnostic[] = [];
  let inside: PlanInput['inside'];
  let beside: PlanInput['beside'];
  let strangers: Work['strangers'] = new Set();
  let came: ReadonlySet<Address> = new Set();
  // Each round finds something that the one before lacked: a plan that asks on for ever would hold the stack.
  for (let left = 100 + 4 * first.desired.resources.size; left > 0; left -= 1) {
    const input: PlanInput = {
      ...first,
      lookups,
      snapshot: findings?.snapshot ?? first.snapshot,
      elsewhere,
      types: workspace.types(),
      ...defined({ inside, beside }),
      meta: { ...first.meta, requests: await workspace.requests() },
    };
    // A plan of very many takes long: the lease's beats go out before and after.
    await workspace.world.turn();
    const planned = makePlan(input);
    await workspace.world.turn();
    // What can't be had ends it only here, so that it is told with all else that is wrong.
    if (planned.kind !== 'needs' && lacking.length > 0) return { errors: withOthers(lacking, planned) };
    if (planned.kind === 'plan') {
      if (inside === undefined) {
        ({ inside, beside, strangers, came } = await lookAround(workspace, reads, planned.steps, input));
        if ([beside, ...Object.values(inside)].some(({ length }) => length > 0)) continue;
      }
      for (const { declared } of planned.steps.values()) {
        for (const value of declared.values()) if (typeof value === 'object') workspace.redactor.addValue(value);
      }
      return { planned, input, strangers, came };
    }
    if (planned.kind === 'refused') return { errors: planned.problems };
    for (const { call } of planned.lookups) workspace.redactor.addValue(call.given);
    const errors = await callLookups(workspace, reads, planned.lookups, lookups, input.desired);
    findings ??= await newFindings(workspace, reads, first);
    lacking.push(...(await findings.find(workspace, planned.objects, input)));
    if (errors.length > 0) return { errors: [...errors, ...lacking] };
    if (planned.owners.length > 0) {
      for (const [key, owner] of await ownersOf(workspace, planned.owners, first)) elsewhere.set(key, owner);
    }
  }
  throw new Error('bug: what planning asks for is never found');
}

async function ownersOf(
  workspace: Workspace,
  objects: readonly NeededOwner[],
  { targets }: PlanInput,
): Promise<PlanInput['elsewhere']> {
  const { ownersElsewhere } = await import('../../apply/owners-elsewhere.js');
  return ownersElsewhere(await workspace.state(), objects, targets);
}

async function newFindings({ typeOf }: Workspace, reads: Reads, { snapshot }: PlanInput): Promise<Findings> {
  const { Findings } = await import('../find-needed.js');
  return new Findings(snapshot, typeOf, reads);
}

/** Problems of what lacks its object only follow from that. */
function withOthers(
  lacking: readonly Diagnostic[],
  planned: Exclude<Planned, { kind: 'needs' }>,
): readonly Diagnostic[] {
  const told = new Set(lacking.map(({ address }) => address));
  const problems = planned.kind === 'refused' ? planned.problems : [];
  return [...lacking, ...problems.filter(({ address }) => !told.has(address))];
}

async function callLookups(
  workspace: Workspace,
  reads: Reads,
  needed: readonly NeededLookup[],
  results: Map<string, JsonObject>,
  desired: DesiredState,
): Promise<readonly Diagnostic[]> {
  const errors = await Promise.all(
    needed.map(async ({ key, call }) => {
      try {
        results.set(key, await workspace.catalogueLookup(call, reads));
        return [];
      } catch (error) {
        const { lookupFailure } = await import('@platform-sync/core/resolve/lookup-call');
        const told = lookupFailure(error, call, desired.sources);
        if (told instanceof ProviderError) return told.diagnostics;
        throw told;
      }
    }),
  );
  return errors.flat();
}

const writing: ReadonlySet<Step['action']> = new Set(['create', 'update', 'replace', 'adopt']);

/** A complete plan, or what is wrong with values that lookups and other objects turned out to have. */
export async function checkedPlan(
  workspace: Workspace,
  reads: Reads,
  given: Parameters<typeof completePlan>[2],
  before?: TextsBefore,
): ReturnType<typeof completePlan> {
  const complete = await completePlan(workspace, reads, given);
  if ('errors' in complete) return complete;
  const { steps } = complete.planned;
  const { desired } = complete.input;
  const specifications = await brokenSpecifications(
    workspace,
    plannedSpecifications(steps.values(), desired.variables),
    desired,
    before,
  );
  const errors = [...(await managedTwice(workspace, complete)), ...(await wrongOnceKnown(workspace, complete))];
  if (hasErrors([...errors, ...specifications])) return { errors: [...errors, ...specifications] };
  const notices = [...specifications, ...(await toldBeside(complete))];
  return notices.length === 0 ? complete : withNotices(complete, notices);
}

/** What some plans have beside their steps: others load neither. */
async function toldBeside({ planned: { steps }, input }: CompletePlan): Promise<readonly Diagnostic[]> {
  const all = [...steps.values()];
  return [
    ...(all.some(({ order }) => order === 'delete-first')
      ? (await import('../../plan/replaced-in-use.js')).replacedInUse(input.graph, steps)
      : []),
    ...(all.some(({ type }) => type.isWrittenWhole)
      ? (await import('../../plan/left-out-secrets.js')).leftOutSecrets(all)
      : []),
  ];
}

/** What would be updated, and another stack has recorded, too: each of the two would take back what the other one does, for ever. */
async function managedTwice(workspace: Workspace, { planned, input }: CompletePlan): Promise<readonly Diagnostic[]> {
  const written = [...planned.steps.values()].flatMap(({ action, address, desired, recorded }) =>
    // What a move brings from another stack is that one's until then.
    action === 'update' && desired !== undefined && recorded?.address.includes(':') === false
      ? [{ ...recorded, address, desired }]
      : [],
  );
  if (written.length === 0) return [];
  const owners = await ownersOf(workspace, written, input);
  return written.flatMap((each) => {
    const owner = owners.get(identityKey(each.type, each.identity));
    return typeof owner === 'object' ? [recordedElsewhere(input, each, each.identity, owner)] : [];
  });
}

/** The same plan, which says more: planning is pure. */
function withNotices({ planned, input, ...rest }: CompletePlan, notices: readonly Diagnostic[]): CompletePlan {
  const said = { ...input, notices };
  const again = makePlan(said);
  return { ...rest, planned: again.kind === 'plan' ? again : planned, input: said };
}

async function wrongOnceKnown(
  workspace: Workspace,
  { planned, input: { desired } }: CompletePlan,
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const { desired: resource, type, declared, action } of planned.steps.values())
    if (resource !== undefined && writing.has(action) && hasLateValues(resource, desired.variables))
      found.push(...(await wrongValues(workspace, desired, { desired: resource, type, declared })));
  return found;
}

/** What is wrong with the values of a resource, as far as they are known by now. */
export async function wrongValues(
  workspace: Workspace,
  { sources, variables }: DesiredState,
  resource: KnownNow,
): Promise<readonly Diagnostic[]> {
  if (!hasLateValues(resource.desired, variables)) return [];
  const validate: Workspace['validate'] = (token, values) => workspace.validate(token, values);
  return [
    ...(await problemsOnceKnown(resource, validate, { sources, hidesSecrets: workspace.isUnderReview })),
    ...(await brokenSpecifications(workspace, lateSpecifications(resource, variables), { sources })).filter(isError),
  ];
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

/** What `apply` carries out of a plan. */
export function workOf(
  workspace: Workspace,
  { planned, input, strangers, came }: CompletePlan,
  { recovery, recovered }: Stack,
  unmanaged: Work['unmanaged'],
): Work {
  const { steps, along } = planned;
  const ends = [...steps.values()].filter(isEnd);
  const { desired, graph, state, lookups } = input;
  return {
    desired,
    graph,
    state,
    recovery,
    recovered,
    steps: carryDeletes({ ...input, steps, typeOf: workspace.typeOf }),
    along,
    inside: {
      types: input.types,
      lists: seenInside(input, ends, along, input.inside),
      told: new Set(along.flatMap(keysAlong)),
      lagging: new Set(ends.map(({ address }) => address).filter(lagsIn(workspace, input, steps, came))),
    },
    strangers,
    lookups,
    ...defined({ unmanaged }),
  };
}

/**
 * Of which home its lists, if they are denied, say nothing: it was written, or taken over, a moment ago and may not show everywhere yet.
 * What an earlier run may have ended is denied for that.
 */
function lagsIn(
  workspace: Workspace,
  { state, deleting }: PlanInput,
  steps: ReadonlyMap<Address, Step>,
  came: ReadonlySet<Address>,
): (home: Address) => boolean {
  const { settledBefore } = settling(workspace);
  return (home) => {
    const step = steps.get(home);
    const record = step?.recorded ?? state.resources.get(step?.deposedOf ?? home);
    const identity = step?.actual?.identity ?? record?.identity;
    if (record === undefined || identity === undefined) return false;
    const isYoung = isSettling(record.writtenAt, settledBefore) || came.has(record.address);
    return isYoung && deleting?.has(identityKey(record.type, identity)) !== true;
  };
}

/** Looks for what lives in what ends, and for whose names what is to be made would get. Most plans have neither. */
async function lookAround(
  workspace: Workspace,
  reads: Reads,
  steps: ReadonlyMap<Address, Step>,
  input: PlanInput,
): Promise<Required<Pick<PlanInput, 'inside' | 'beside'>> & Pick<CompletePlan, 'strangers' | 'came'>> {
  const names = input.looksForKeys ? namesToMake(steps.values()) : [];
  const all = [...steps.values()];
  if (!all.some((step) => isEnd(step) || makesName(step)))
    return { inside: { recorded: [], listed: [], unread: [] }, beside: [], strangers: new Set(), came: new Set() };
  const { cameNow, lookInside, recordedBeside, strangersBeside } = await import('./look-around.js');
  const came = all.some(isEnd) ? await cameNow(workspace) : new Set<Address>();
  return {
    came,
    inside: await lookInside(workspace, reads, { steps: all, input, lags: lagsIn(workspace, input, steps, came) }),
    beside: await recordedBeside(workspace, names, input),
    strangers: strangersBeside(input, all),
  };
}
