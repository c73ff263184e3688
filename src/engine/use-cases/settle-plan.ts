import type { Address } from '../model/address.js';
import type { DesiredState } from '../model/desired.js';
import type { Diagnostic } from '../model/diagnostic.js';
import { ProviderError } from '../model/provider.js';
import type { Reading } from '../model/snapshot.js';
import type { JsonObject } from '../model/value.js';
import { parseImportId } from '../plan/import-id.js';
import { makePlan } from '../plan/plan.js';
import type { Planned, PlanInput } from '../plan/plan.js';
import type { NeededLookup, NeededObject } from '../plan/proposal.js';
import { findExisting, readExisting } from '../refresh/find-existing.js';
import { lookupFailure } from '../resolve/lookup-call.js';
import type { Workspace } from '../workspace.js';

/** A plan for which nothing more had to be found out, and what it was made from. */
export interface SettledPlan {
  readonly planned: Extract<Planned, { readonly kind: 'plan' }>;
  readonly input: PlanInput;
}

/**
 * Plans, finds what planning asks for, and plans again until nothing is asked any more. Lookups and objects that the
 * input already holds are not asked for again.
 */
export async function settlePlan(
  workspace: Workspace,
  first: PlanInput,
): Promise<SettledPlan | { readonly errors: readonly Diagnostic[] }> {
  const lookups = new Map<string, JsonObject>(first.lookups);
  const found = new Map<Address, Reading>(first.snapshot.found);
  for (;;) {
    const input: PlanInput = {
      ...first,
      lookups,
      snapshot: { ...first.snapshot, found },
      meta: { ...first.meta, requests: await workspace.requests() },
    };
    const planned = makePlan(input);
    if (planned.kind === 'plan') {
      for (const { declared } of planned.proposals.values()) {
        for (const value of declared.values()) workspace.redactor.addValue(value);
      }
      return { planned, input };
    }
    for (const { call } of planned.lookups) workspace.redactor.addValue(call.given);
    const errors = [
      ...(await callLookups(workspace, planned.lookups, lookups, input.desired)),
      ...(await findObjects(workspace, planned.objects, found, input.desired)),
    ];
    if (errors.length > 0) return { errors };
  }
}

async function callLookups(
  workspace: Workspace,
  needed: readonly NeededLookup[],
  results: Map<string, JsonObject>,
  desired: DesiredState,
): Promise<readonly Diagnostic[]> {
  const errors = await Promise.all(
    needed.map(async ({ key, call }) => {
      try {
        results.set(key, await workspace.lookup(call.token, call.args));
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

async function findObjects(
  workspace: Workspace,
  needed: readonly NeededObject[],
  found: Map<Address, Reading>,
  desired: DesiredState,
): Promise<readonly Diagnostic[]> {
  const errors: Diagnostic[] = [];
  await Promise.all(
    needed.map(async ({ address, type, scope, inputs, importId }) => {
      const provider = await workspace.providerOf(type);
      if (importId === undefined) {
        found.set(address, await findExisting(provider, type, scope, inputs));
        return;
      }
      const at = desired.resources.get(address)?.at;
      const place = at === undefined ? {} : { place: desired.sources.place(at) };
      const parsed = parseImportId(type, importId);
      if ('problem' in parsed) {
        errors.push({ ...parsed.problem, address, ...place });
        return;
      }
      const reading = await readExisting(provider, type, parsed.identity);
      found.set(address, reading);
      if (reading.kind === 'gone') errors.push({ ...notFound(address, importId), ...place });
    }),
  );
  return errors;
}

function notFound(address: Address, importId: string): Diagnostic {
  return {
    severity: 'error',
    code: 'import-not-found',
    summary: `${address} says it should take over ${importId}, but the platform has no such object.`,
    hint: 'Correct options.import, or take it out to create a new object.',
    address,
  };
}
