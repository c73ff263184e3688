import { setImmediate as nextTurn } from 'node:timers/promises';
import { defined } from '../model/defined.js';
import type { DesiredState } from '../model/desired.js';
import type { Diagnostic } from '../model/diagnostic.js';
import { ProviderError } from '../model/provider.js';
import type { JsonObject } from '../model/value.js';
import { makePlan, type Planned } from '../plan/plan.js';
import type { PlanInput } from '../plan/plan-input.js';
import type { NeededLookup } from '../plan/proposal.js';
import type { Reads } from '../reads/reads.js';
import { lookupFailure } from '../resolve/lookup-call.js';
import type { Workspace } from '../workspace.js';
import { Findings } from './find-needed.js';
import { lookInside } from './look-inside.js';
import { ownersElsewhere } from './owners-elsewhere.js';

/** A plan for which nothing more had to be found out, and what it was made from. */
export interface CompletePlan {
  readonly planned: Extract<Planned, { readonly kind: 'plan' }>;
  readonly input: PlanInput;
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
  const findings = new Findings(first.snapshot, workspace.typeOf, reads);
  const elsewhere = new Map(first.elsewhere);
  const lacking: Diagnostic[] = [];
  let inside: PlanInput['inside'];
  for (;;) {
    const input: PlanInput = {
      ...first,
      lookups,
      snapshot: findings.snapshot,
      elsewhere,
      types: workspace.types(),
      ...defined({ inside }),
      meta: { ...first.meta, requests: await workspace.requests() },
    };
    // A plan of very many takes long: the lease's beats go out before and after.
    await nextTurn();
    const planned = makePlan(input);
    await nextTurn();
    // What can't be had ends it only here, so that it is told with all else that is wrong.
    if (planned.kind !== 'needs' && lacking.length > 0) return { errors: withOthers(lacking, planned) };
    if (planned.kind === 'plan') {
      if (inside === undefined) {
        inside = await lookInside(workspace, reads, [...planned.proposals.values()], input);
        if (Object.values(inside).some(({ length }) => length > 0)) continue;
      }
      for (const { declared } of planned.proposals.values()) {
        for (const value of declared.values()) if (typeof value === 'object') workspace.redactor.addValue(value);
      }
      return { planned, input };
    }
    if (planned.kind === 'refused') return { errors: planned.problems };
    for (const { call } of planned.lookups) workspace.redactor.addValue(call.given);
    const errors = await callLookups(workspace, reads, planned.lookups, lookups, input.desired);
    lacking.push(...(await findings.find(workspace, planned.objects, input)));
    if (errors.length > 0) return { errors: [...errors, ...lacking] };
    if (planned.owners.length > 0)
      for (const [key, owner] of await ownersElsewhere(workspace, planned.owners, first.targets))
        elsewhere.set(key, owner);
  }
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
        const told = lookupFailure(error, call, desired.sources);
        if (told instanceof ProviderError) return told.diagnostics;
        throw told;
      }
    }),
  );
  return errors.flat();
}
