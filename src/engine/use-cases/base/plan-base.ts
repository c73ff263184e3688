import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { PlanBase } from '../../api.js';
import { loadCatalogue } from '../../catalogue/load.js';
import { loadProjectConfig } from '../../project/project-file.js';
import { defined } from '../../model/defined.js';
import type { DesiredState } from '../../model/desired.js';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.js';
import type { ProjectConfig } from '../../model/project.js';
import type { PlanMeta } from '../../model/plan.js';
import type { Reading } from '../../model/snapshot.js';
import type { Reads } from '../../reads/reads.js';
import { topologicalOrder } from '../../model/graph.js';
import { dependencyGraph } from '../../resolve/graph.js';
import type { Workspace } from '../../workspace.js';
import { checkOut } from './checkout.js';
import { originsOf } from './origins.js';
import { asProposal } from '../open-config.js';
import { completePlan, type CompletePlan } from '../plan/decide.js';

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
  close(): Promise<void>;
}

/** Finds the base before anything is read from the platform. Rejects with DiagnosticError when there is none. */
export async function openBase(workspace: Workspace, base: PlanBase): Promise<OpenBase> {
  const { folder, name, close } =
    'ref' in base ? await checkOut(workspace.config.root, base.ref) : await givenFolder(base.folder);
  return {
    compare: async (head, reads) => {
      const loaded: LoadedBase = folder === undefined ? missing(name) : await loadBase(workspace, folder, name);
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

type LoadedBase = { readonly desired: DesiredState } | { readonly desired?: undefined; readonly problem: Diagnostic };

/** The catalogue as of the commit, or why it can't be had. */
export async function loadBase(workspace: Workspace, folder: string, name: string): Promise<LoadedBase> {
  const given = { ...workspace.reading, stack: workspace.config.stack };
  const values = defined({ vars: workspace.options.vars, varFiles: workspace.options.varFiles });
  const options = workspace.isUnderReview ? asProposal(given) : { ...given, ...values, isOtherCommit: true as const };
  const { config: own, diagnostics } = await loadProjectConfig(folder, options);
  const config = own && workspace.isUnderReview ? withParameters(own, workspace.config) : own;
  // A project or a stack that the branch brings along: none of its changes was there before.
  if (diagnostics.some(({ code }) => code === 'no-project' || code === 'unknown-stack')) return missing(name);
  if (config === undefined) return broken(name, diagnostics);
  const loaded = await loadCatalogue(config, workspace.reading);
  return loaded.desired === undefined ? broken(name, loaded.diagnostics) : { desired: loaded.desired };
}

/** What a value is, another commit does not say. */
function withParameters({ parameters: _, ...rest }: ProjectConfig, { parameters }: ProjectConfig): ProjectConfig {
  return { ...rest, ...defined({ parameters }) };
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

function missing(name: string): { readonly problem: Diagnostic } {
  return {
    problem: {
      severity: 'warning',
      code: 'base-without-project',
      summary: `There is no such project or stack in ${name}, so the plan can't tell this branch's changes from others.`,
    },
  };
}

function broken(name: string, diagnostics: readonly Diagnostic[]): { readonly problem: Diagnostic } {
  const errors = diagnostics.filter((found) => hasErrors([found]));
  const [first] = errors;
  const where = first?.place === undefined ? '' : `${first.place.file}:${first.place.line}: `;
  return {
    problem: {
      severity: 'warning',
      code: 'base-not-planned',
      summary: `The catalogue of ${name} can't be planned, so the plan can't tell this branch's changes from others.`,
      ...(first === undefined
        ? {}
        : { detail: `${where}${first.summary}${errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''}` }),
    },
  };
}
