import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PlanBase } from '../../api.js';
import type { DesiredState } from '@platform-sync/core/model/desired';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { PlanMeta, PlanStep, StepOrigin } from '@platform-sync/core/model/plan';
import type { Reading } from '@platform-sync/core/model/snapshot';
import type { Reads } from '../../reads/reads.js';
import { topologicalOrder } from '@platform-sync/core/model/graph';
import { dependencyGraph } from '@platform-sync/core/resolve/graph';
import type { Workspace } from '../../workspace.js';
import { checkOut } from './checkout.js';
import { broken, loadBase, type LoadedBase, missing } from './load-base.js';
import { completePlan, type CompletePlan } from '../plan/decide.js';
import { textsOf, type TextsBefore } from '../specifications.js';
import type { Address } from '@platform-sync/core/model/address';
import { canonicalJson } from '@platform-sync/core/model/canonical';

/** The catalogue as it stands without this branch, ready to be compared with. */
export interface OpenBase {
  /** Plans it against what the other plan has read, and says which steps are whose. */
  compare(
    head: CompletePlan,
    reads: Reads,
  ): Promise<{
    readonly meta: Pick<PlanMeta, 'base' | 'origins'>;
    /** Warnings: why there is nothing to compare with. */
    readonly diagnostics: readonly Diagnostic[];
  }>;
  /** Its specifications, where its catalogue can be read. */
  readonly specifications: TextsBefore;
  close(): Promise<void>;
}

/** Finds the base before anything is read from the platform. Rejects with DiagnosticError when there is none. */
export async function openBase(workspace: Workspace, base: PlanBase): Promise<OpenBase> {
  const { folder, name, close } =
    'ref' in base ? await checkOut(workspace.world, workspace.config.root, base.ref) : await givenFolder(base.folder);
  let known: Promise<LoadedBase> | undefined;
  const load = (): Promise<LoadedBase> =>
    (known ??= folder === undefined ? Promise.resolve(missing(name)) : loadBase(workspace, folder, name));
  return {
    specifications: async () => {
      const { desired } = await load();
      if (desired === undefined) return undefined;
      await workspace.loadPackages([...desired.resources.values()].map((resource) => resource.type));
      return textsOf(desired, workspace.typeOf);
    },
    compare: async (head, reads) => {
      const loaded = await load();
      if (loaded.desired === undefined) return { meta: { base: name }, diagnostics: [loaded.problem] };
      return compareWith(workspace, reads, head, loaded.desired, name);
    },
    close,
  };
}

async function givenFolder(folder: string): Promise<{ folder: string; name: string; close(): Promise<void> }> {
  // A folder that does not exist is told when its sync.yaml is read.
  const path = await realpath(folder).catch(() => resolve(folder));
  return { folder: path, name: folder, close: async () => undefined };
}

async function compareWith(
  workspace: Workspace,
  reads: Reads,
  head: CompletePlan,
  desired: DesiredState,
  name: string,
): ReturnType<OpenBase['compare']> {
  await workspace.loadPackages([...desired.resources.values()].map((resource) => resource.type));
  const graph = dependencyGraph(desired);
  const complete = await completePlan(workspace, reads, {
    ...head.input,
    desired,
    graph,
    order: topologicalOrder(graph),
    types: workspace.types(),
    // What was asked for on the command line is nothing the base would do.
    replace: new Set(),
    resend: new Set(),
    snapshot: { ...head.input.snapshot, found: sharedFindings(head, desired) },
  });
  if ('errors' in complete) return { meta: { base: name }, diagnostics: [broken(name, complete.errors).problem] };
  const origins = originsOf(head.planned.plan.steps, complete.planned.plan.steps);
  return { meta: { base: name, origins }, diagnostics: [] };
}

/** Objects found for the other plan, where both catalogues look for the same one. */
function sharedFindings({ input }: CompletePlan, desired: DesiredState): ReadonlyMap<string, Reading> {
  const sought = (state: DesiredState, address: string): string | undefined =>
    state.resources.get(address)?.options.import;
  return new Map(
    [...input.snapshot.found].filter(
      ([address]) =>
        sought(input.desired, address) !== undefined && sought(input.desired, address) === sought(desired, address),
    ),
  );
}

/**
 * Whose change each step is, given the steps that the base catalogue would need at the very same moment. A step that
 * the base would need just like this is not the branch's; one that it would need in another form is.
 */
export function originsOf(head: readonly PlanStep[], base: readonly PlanStep[]): Readonly<Record<Address, StepOrigin>> {
  const others = new Map(base.map((step) => [step.address, changeOf(step)]));
  return Object.fromEntries(
    head.map((step): [Address, StepOrigin] => {
      if (others.get(step.address) !== changeOf(step)) return [step.address, 'branch'];
      return [step.address, step.cause === 'drift' ? 'drift' : 'pending'];
    }),
  );
}

/** What a step does, without what it waits for and what it puts at risk: those follow from other steps, too. */
function changeOf({ type, action, order, id, from, fields }: PlanStep): string {
  return canonicalJson([type, action, order ?? null, id ?? null, from ?? null, fields]);
}
