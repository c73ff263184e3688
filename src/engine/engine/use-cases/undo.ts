import type { PlanOptions, PlanResult, UndoEditsResult } from '../api.js';
import type { Address } from '@platform-sync/core/model/address';
import { defaultOptions, type DesiredResource, type DesiredState } from '@platform-sync/core/model/desired';
import { type Diagnostic, DiagnosticError, type Place, type SourceRange } from '@platform-sync/core/model/diagnostic';
import { type Expression, visitExpression } from '@platform-sync/core/model/expression';
import { reach } from '@platform-sync/core/model/graph';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { hasSealed } from '@platform-sync/core/value/secret-parts';
import type { Workspace } from '../workspace.js';
import { dependencyGraph } from '@platform-sync/core/resolve/graph';
import { expectedDiagnostics } from './expected.js';
import type { Wants } from './plan/load.js';
import { planProject } from './plan-project.js';
import { differenceNotice, differencesOf } from './undo-differences.js';
import { writeDifferences } from './undo-edits.js';
import {
  asFilesHaveIt,
  changesOfRun,
  expressionOf,
  fromHistory,
  historyFile,
  idsOf,
  isSame,
  isUnchanged,
  nothingToUndo,
  type Known,
  type Undone,
} from './run-changes.js';

/**
 * A plan that brings what a run changed back to what was recorded before it: fields of objects that are there, objects that it deleted
 * under new ids; what it made ends. `addresses`: only these. The catalogue stays; what of it says otherwise is told.
 */
export async function undoRun(
  workspace: Workspace,
  run: number,
  addresses: readonly Address[],
  options: Pick<PlanOptions, 'allow'> = {},
): Promise<PlanResult> {
  const told = workspace.warnings;
  const wants: Wants = async (catalogue, { stored, recovered }) => {
    const now = recovered.resources;
    const { undone: all, notices } = await changesOfRun(await workspace.state(), run, addresses, { stored, now });
    const undone = asFilesHaveIt(all, catalogue, now, workspace.typeOf);
    await workspace.loadPackages(undone.flatMap(({ before }) => before?.type ?? []));
    const known = idsOf(catalogue, undone, now, workspace.typeOf);
    const differences = differencesOf(undone, catalogue, known, workspace.typeOf);
    told.push(...notices, ...differences.map((one) => differenceNotice(one, run)));
    const left = undone.filter((one) => one.before !== undefined || one.now !== undefined);
    if (left.length === 0) throw new DiagnosticError([nothingToUndo(run, addresses, true)]);
    const wanted = withUndone(catalogue, undone, { known, typeOf: workspace.typeOf }, told);
    const needed = neededStill(catalogue, wanted, run);
    if (needed.length > 0) throw new DiagnosticError(needed);
    return { catalogue: wanted, targets: [...new Set(left.flatMap(targetsOf))] };
  };
  try {
    return await planProject(workspace, options, { wants });
  } catch (error) {
    return { diagnostics: expectedDiagnostics(error) };
  }
}

/** What is to end is known to the state alone; what it has elsewhere than the files comes along. */
function targetsOf({ address, before, now = before }: Undone): readonly Address[] {
  const recorded = now?.address ?? address;
  return before === undefined ? [recorded] : [address, recorded];
}

/** Writes into the catalogue files what they say otherwise than an undo of a run brings back. Sends nothing, and asks nobody but state. */
export async function editUndone(
  workspace: Workspace,
  run: number,
  addresses: readonly Address[],
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<UndoEditsResult> {
  const nothing = { edits: [], skipped: [], files: [] };
  const { desired, diagnostics } = await workspace.catalogue();
  if (desired === undefined) return { ...nothing, diagnostics };
  try {
    const store = await workspace.state();
    const stored = await store.read();
    const now = stored.resources;
    const { undone: all, notices } = await changesOfRun(store, run, addresses, { stored, now });
    const undone = asFilesHaveIt(all, desired, now, workspace.typeOf);
    await workspace.loadPackages(undone.flatMap(({ before }) => before?.type ?? []));
    const differences = differencesOf(undone, desired, idsOf(desired, undone, now, workspace.typeOf), workspace.typeOf);
    const written = await writeDifferences(workspace, desired, differences, dryRun);
    const secrets = undone.flatMap((each) => secretsOf(each));
    return { ...written, diagnostics: [...diagnostics, ...notices, ...secrets] };
  } catch (error) {
    return { ...nothing, diagnostics: [...diagnostics, ...expectedDiagnostics(error)] };
  }
}

/** What changed and can't be brought back. */
function secretsOf({ address, before, after, now }: Omit<Undone, 'was'>): readonly Diagnostic[] {
  if (before === undefined) return [];
  const last = after ?? now;
  return Object.entries(before.inputs).flatMap(([name, value]) =>
    hasSealed(value) && !isSame(value, last?.inputs[name]) ? [secretNotice(address, name)] : [],
  );
}

interface Surroundings {
  readonly known: Known;
  readonly typeOf: (token: string) => ResourceType;
}

/** The catalogue, with what a run did to some of it undone. */
function withUndone(
  catalogue: DesiredState,
  undone: readonly Undone[],
  { known, typeOf }: Surroundings,
  told: Diagnostic[],
): DesiredState {
  const resources = new Map(catalogue.resources);
  const needs = (address: Address): readonly Address[] => {
    const resource = resources.get(address);
    if (resource === undefined) return [];
    return dependencyGraph({ ...catalogue, resources: new Map([[address, resource]]) }).get(address) ?? [];
  };
  // What needs the resource itself by now is named by the id that it has: nothing of a ring could be planned.
  const outside =
    (address: Address): Known =>
    (of, field) =>
    (id) => {
      const target = known(of, field)(id);
      return target === undefined || reach([target], needs).has(address) ? undefined : target;
    };
  for (const each of undone) {
    if (each.before === undefined) {
      for (const other of resources.keys())
        if (other === each.address || other.startsWith(`${each.address}/`)) resources.delete(other);
    } else {
      const around = { known: outside(each.address), typeOf };
      resources.set(each.address, resourceBefore(each, each.before, catalogue, around, told));
    }
  }
  const { place } = catalogue.sources;
  const sources = {
    place: (range: SourceRange): Place =>
      range.file === historyFile ? { file: historyFile, line: 1, column: 1 } : place.call(catalogue.sources, range),
  };
  return { ...catalogue, resources, outputs: outputsOf(catalogue, resources), sources };
}

/** What a run made and others are in, or refer to, by now: what these would be then nobody can say. */
function neededStill(catalogue: DesiredState, wanted: DesiredState, run: number): readonly Diagnostic[] {
  const [wasKnown, isKnown] = [knownIn(catalogue), knownIn(wanted)];
  return [...wanted.resources.values()].flatMap(({ address, properties, at, propertyKeys }): readonly Diagnostic[] => {
    const lost = [...properties].find(([, expression]) => wasKnown(expression) && !isKnown(expression));
    if (lost === undefined) return [];
    const [field] = lost;
    const summary = `${address}.${field} refers to what run ${run} made, which would end.`;
    const hint = 'Write something else there and apply, or undo first the run that wrote it.';
    const place = wanted.sources.place(propertyKeys.get(field) ?? at);
    return [{ severity: 'error', code: 'home-ends', summary, hint, address, field, place }];
  });
}

/** Outputs that say something of what is left. */
function outputsOf(
  { outputs, variables }: Pick<DesiredState, 'outputs' | 'variables'>,
  resources: DesiredState['resources'],
): DesiredState['outputs'] {
  const isKnown = knownIn({ variables, resources });
  return new Map([...outputs].filter(([, expression]) => isKnown(expression)));
}

/** True for what refers to resources that there are, and to nothing else. */
function knownIn({
  variables,
  resources,
}: Pick<DesiredState, 'variables' | 'resources'>): (expression: Expression) => boolean {
  const isKnown = (expression: Expression): boolean => {
    let known = true;
    visitExpression(expression, {
      reference: ({ to, target }) => {
        const variable = to === 'variable' ? variables.get(target) : undefined;
        known &&= to === 'resource' ? resources.has(target) : variable === undefined || isKnown(variable);
      },
    });
    return known;
  };
  return isKnown;
}

function resourceBefore(
  { address, was, after, now }: Undone,
  before: RecordedResource,
  { resources }: DesiredState,
  { known, typeOf }: Surroundings,
  told: Diagnostic[],
): DesiredResource {
  const type = typeOf(before.type);
  const said = resources.get(address);
  const properties = new Map<string, Expression>();
  const left: string[] = [];
  const names = new Set([...Object.keys(before.inputs), ...Object.keys(now?.inputs ?? {})]);
  for (const name of names) {
    const isChanged =
      now === undefined || !isUnchanged(type.fields[name], before.inputs[name], (after ?? now).inputs[name]);
    const value = isChanged ? before.inputs[name] : now.inputs[name];
    if (value === undefined) continue;
    const expression = said?.properties.get(name);
    // Of a secret there is only a fingerprint: it stays as it is, or as the catalogue says.
    if (!hasSealed(value)) properties.set(name, expressionOf(value, known(before.type, name)));
    else if (expression !== undefined) properties.set(name, expression);
    else left.push(name);
  }
  told.push(...secretsOf({ address, before, after, now }));
  const { protect, retainOnDelete } = before;
  // The files have it again where the run had it: it comes back there, whether its key tells the object or not.
  const former = was === address && now !== undefined && now.address !== was ? [now.address] : [];
  const aliases = [...(said?.options.aliases ?? []), ...former];
  const ignoreChanges = [...(said?.options.ignoreChanges ?? []), ...left];
  return {
    ...{ address, type: before.type, properties },
    options: { ...defaultOptions, aliases, protect, retainOnDelete, ignoreChanges },
    at: said?.at ?? fromHistory,
    propertyKeys: said?.propertyKeys ?? new Map(),
    isBroughtBack: true,
  };
}

function secretNotice(address: Address, field: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'undo-secret',
    summary: `${address}: ${field} holds a secret, of which the history has only a fingerprint; it is not brought back.`,
    hint: 'Set the variable to what it was before, and apply.',
    ...{ address, field },
  };
}
