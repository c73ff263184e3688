import type { PlanOptions, PlanResult } from '../api.js';
import { compareText, type Address } from '@platform-sync/core/model/address';
import { sameJson } from '@platform-sync/core/model/canonical';
import { defaultOptions, type DesiredResource, type DesiredState } from '@platform-sync/core/model/desired';
import { type Diagnostic, DiagnosticError, type Place, type SourceRange } from '@platform-sync/core/model/diagnostic';
import { literalOf, type Expression } from '@platform-sync/core/model/expression';
import { rowsOfRun, type RunEntry } from '@platform-sync/core/model/run';
import type { RecordedResource, StackState } from '@platform-sync/core/model/state';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { groupBy } from '@platform-sync/core/model/graph';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { type Json, ownMember } from '@platform-sync/core/model/value';
import { hasSealed } from '@platform-sync/core/value/sealed';
import type { Workspace } from '../workspace.js';
import { expectedDiagnostics } from './expected.js';
import { planProject } from './plan-project.js';

/** What a run did to one record. */
interface Undone {
  readonly address: Address;
  /** Absent: the run made it. */
  readonly before: RecordedResource | undefined;
  /** As the run left it; absent: it removed it. */
  readonly after: RecordedResource | undefined;
  readonly now: RecordedResource | undefined;
}

/** Where what comes from the history is said to stand. */
const historyFile = '(history)';
const fromHistory: SourceRange = { file: historyFile, start: 0, end: 0 };

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
  try {
    const store = await workspace.state();
    const { resources } = await store.read();
    const undone = await changesOf(store, run, addresses, resources, told);
    await workspace.loadPackages(undone.flatMap(({ before }) => before?.type ?? []));
    const targets = undone.map(({ address }) => address);
    const wants = (catalogue: DesiredState): DesiredState => {
      told.push(...undone.flatMap((each) => saidOtherwise(each, catalogue)));
      return withUndone(catalogue, undone, resources, told, workspace.typeOf);
    };
    return await planProject(workspace, { ...options, targets }, { wants });
  } catch (error) {
    return { diagnostics: expectedDiagnostics(error) };
  }
}

async function changesOf(
  store: Pick<StateStore, 'runs'>,
  run: number,
  addresses: readonly Address[],
  resources: StackState['resources'],
  told: Diagnostic[],
): Promise<readonly Undone[]> {
  const rows = await rowsOfRun(store, { run, kinds: ['record', 'move'] });
  const firsts = new Map<Address, RunEntry>();
  const lasts = new Map<Address, RunEntry>();
  for (const row of rows) {
    const { address, content } = row;
    if (address === undefined || (addresses.length > 0 && !addresses.includes(address))) continue;
    if (content.kind === 'move') told.push(movedNotice(address, content.from));
    if (content.kind !== 'record') continue;
    if (!firsts.has(address)) firsts.set(address, row);
    lasts.set(address, row);
  }
  if (firsts.size === 0)
    throw new DiagnosticError([
      {
        severity: 'error',
        code: 'nothing-to-undo',
        summary: `The history has no change of run ${run}${addresses.length === 0 ? '' : ` to ${addresses.join(', ')}`}.`,
        hint: 'The runs, and what one did:\nsync history\nsync history show RUN',
      },
    ]);
  const found: Undone[] = [];
  for (const [address, { content }] of [...firsts].sort(([a], [b]) => compareText(a, b))) {
    const before = content.kind === 'record' ? (content.before ?? undefined) : undefined;
    const after = lasts.get(address)?.number ?? 0;
    const [next] = await store.runs({ address, kinds: ['record'], after, limit: 1 });
    const later = next?.content.kind === 'record' ? (next.content.before ?? undefined) : undefined;
    const now = resources.get(address);
    found.push({ address, before, after: next === undefined ? now : later, now });
  }
  // What the run made and somebody took away since is gone already.
  return found.filter(({ before, now }) => before !== undefined || now !== undefined);
}

/** The catalogue, with what a run did to some of it undone. */
function withUndone(
  catalogue: DesiredState,
  undone: readonly Undone[],
  recorded: StackState['resources'],
  told: Diagnostic[],
  typeOf: Workspace['typeOf'],
): DesiredState {
  const resources = new Map(catalogue.resources);
  const known = referencesTo(catalogue, undone, recorded);
  for (const each of undone) {
    if (each.before === undefined) {
      for (const other of resources.keys())
        if (other === each.address || other.startsWith(`${each.address}/`)) resources.delete(other);
    } else
      resources.set(each.address, resourceBefore(each, each.before, catalogue, told, known(typeOf(each.before.type))));
  }
  const { place } = catalogue.sources;
  const sources = {
    place: (range: SourceRange): Place =>
      range.file === historyFile ? { file: historyFile, line: 1, column: 1 } : place.call(catalogue.sources, range),
  };
  return { ...catalogue, resources, outputs: new Map(), sources };
}

/** The resource that the id in a field of some type refers to. */
type ReferencesOf = (type: Pick<ResourceType, 'fields'>) => (field: string, id: string) => Address | undefined;

/**
 * Whoever refers to an object refers to the one that will be there: it may be made again, or replaced. What is always there in an
 * object has the id of that one, so the field's own type decides which of the two is meant.
 */
function referencesTo(
  { resources }: DesiredState,
  undone: readonly Undone[],
  recorded: StackState['resources'],
): ReferencesOf {
  const ended = new Set(undone.flatMap(({ address, before }) => (before === undefined ? [address] : [])));
  const there = [...recorded.values()].filter(({ address }) => resources.has(address) && !ended.has(address));
  const known = [
    ...there,
    ...undone.flatMap(({ before, now }) => (before === undefined ? [] : [before, now ?? before])),
  ];
  const byId = groupBy(known, ({ identity }) => identity.id);
  return ({ fields }) =>
    (field, id) => {
      const wanted = ownMember(fields, field)?.references;
      return byId.get(id)?.findLast(({ type }) => wanted === undefined || type === wanted)?.address;
    };
}

function resourceBefore(
  { address, after, now }: Undone,
  before: RecordedResource,
  { resources }: DesiredState,
  told: Diagnostic[],
  referred: ReturnType<ReferencesOf>,
): DesiredResource {
  const said = resources.get(address);
  const properties = new Map<string, Expression>();
  const left: string[] = [];
  const names = new Set([...Object.keys(before.inputs), ...Object.keys(now?.inputs ?? {})]);
  for (const name of names) {
    const isChanged = now === undefined || !isSame(before.inputs[name], (after ?? now).inputs[name]);
    const value = isChanged ? before.inputs[name] : now.inputs[name];
    if (value === undefined) continue;
    const expression = said?.properties.get(name);
    // Of a secret there is only a fingerprint: it stays as it is, or as the catalogue says.
    if (!hasSealed(value))
      properties.set(
        name,
        expressionOf(value, (id) => referred(name, id)),
      );
    else if (expression !== undefined) properties.set(name, expression);
    else left.push(name);
    if (hasSealed(value) && isChanged) told.push(secretNotice(address, name));
  }
  const { protect, retainOnDelete } = before;
  const ignoreChanges = [...(said?.options.ignoreChanges ?? []), ...left];
  return {
    ...{ address, type: before.type, properties },
    options: { ...defaultOptions, protect, retainOnDelete, ignoreChanges },
    at: said?.at ?? fromHistory,
    propertyKeys: said?.propertyKeys ?? new Map(),
  };
}

/** To say null is something else than to say nothing. */
function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return (a === undefined) === (b === undefined) && sameJson(a, b);
}

/** Values as data; the id of an object that the plan knows as a reference to it. */
function expressionOf(value: Json, referred: (id: string) => Address | undefined): Expression {
  return literalOf(value, fromHistory, (leaf) => {
    const target = typeof leaf === 'string' ? referred(leaf) : undefined;
    return target === undefined
      ? { kind: 'literal', value: leaf, at: fromHistory }
      : { kind: 'reference', to: 'resource', target, path: ['id'], text: `${target}.id`, at: fromHistory };
  });
}

/** Where the catalogue says something else than what the undo brings back: the next apply would bring that again. */
function saidOtherwise(
  { address, before, after }: Undone,
  { resources, sources }: DesiredState,
): readonly Diagnostic[] {
  const said = resources.get(address);
  const notice = (summary: string, hint: string, at?: SourceRange, field?: string): Diagnostic => ({
    ...{ severity: 'warning', code: 'undo-catalogue', summary, hint, address },
    ...(at === undefined ? {} : { place: sources.place(at) }),
    ...(field === undefined ? {} : { field }),
  });
  if (before === undefined)
    return said === undefined
      ? []
      : [notice(`The catalogue still describes ${address}.`, 'Take it out: the next apply makes it again.', said.at)];
  if (said === undefined)
    return [notice(`The catalogue has no ${address}.`, 'Put it back: the next apply deletes it again.')];
  const names = new Set([...Object.keys(before.inputs), ...said.properties.keys()]);
  return [...names].sort(compareText).flatMap((name) => {
    const [old, expression] = [before.inputs[name], said.properties.get(name)];
    if (after !== undefined && isSame(old, after.inputs[name])) return [];
    if (expression?.kind === 'literal' && isSame(expression.value, old)) return [];
    const shown = old === undefined || hasSealed(old) ? '' : ` to ${JSON.stringify(old).slice(0, 200)}`;
    const hint = old === undefined ? 'Take it out of the file.' : `Set it${shown}.`;
    return [notice(`The catalogue may say otherwise of ${name}.`, hint, said.propertyKeys.get(name) ?? said.at, name)];
  });
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

function movedNotice(address: Address, from: Address): Diagnostic {
  return {
    severity: 'warning',
    code: 'undo-move',
    summary: `${address} came from ${from}; a move is not undone.`,
    hint: `Rename it in the catalogue, with aliases: [${address}].`,
    address,
  };
}
