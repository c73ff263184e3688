import { compareText, type Address } from '@platform-sync/core/model/address';
import { sameJson } from '@platform-sync/core/model/canonical';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { type Diagnostic, DiagnosticError, type SourceRange } from '@platform-sync/core/model/diagnostic';
import { literalOf, type Expression } from '@platform-sync/core/model/expression';
import { groupBy } from '@platform-sync/core/model/graph';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { rowsOfRun, type RunEntry } from '@platform-sync/core/model/run';
import type { Intent, RecordedResource, StackState } from '@platform-sync/core/model/state';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { type Json, ownMember } from '@platform-sync/core/model/value';

/** What a run did to one record. */
export interface Undone {
  readonly address: Address;
  /** Absent: the run made it. */
  readonly before: RecordedResource | undefined;
  /** As the run left it; absent: it removed it. */
  readonly after: RecordedResource | undefined;
  readonly now: RecordedResource | undefined;
}

/** Where what comes from the history is said to stand. */
export const historyFile = '(history)';
export const fromHistory: SourceRange = { file: historyFile, start: 0, end: 0 };

interface RunChanges {
  readonly undone: readonly Undone[];
  readonly notices: readonly Diagnostic[];
}

/**
 * What a run changed, of some addresses or of all; also what it only began, when it was killed. `stored`: the state; `now`: with what
 * became of open writes. Rejects with DiagnosticError where there is nothing.
 */
export async function changesOfRun(
  store: Pick<StateStore, 'runs'>,
  run: number,
  addresses: readonly Address[],
  { stored, now }: { readonly stored: StackState; readonly now: StackState['resources'] },
): Promise<RunChanges> {
  const isMeant = (address: Address): boolean => addresses.length === 0 || addresses.includes(address);
  const rows = await rowsOfRun(store, { run, kinds: ['record', 'move'] });
  const meant = rows.filter(({ address }) => address !== undefined && isMeant(address));
  const begun = stored.intents.filter((intent) => intent.run === String(run) && isMeant(intent.address));
  const undone = [...(await recordChanges(store, meant, now)), ...openChanges(meant, begun, stored.resources, now)];
  if (undone.length === 0) throw new DiagnosticError([nothingToUndo(run, addresses)]);
  const notices = meant.flatMap(({ address = '', content }) =>
    content.kind === 'move' ? [movedNotice(address, content.from)] : [],
  );
  return { undone: undone.sort((a, b) => compareText(a.address, b.address)), notices };
}

async function recordChanges(
  store: Pick<StateStore, 'runs'>,
  rows: readonly RunEntry[],
  now: StackState['resources'],
): Promise<readonly Undone[]> {
  const records = rows.filter(({ content }) => content.kind === 'record');
  const found: Undone[] = [];
  for (const address of new Set(records.map((row) => row.address ?? ''))) {
    const own = records.filter((row) => row.address === address);
    const [next] = await store.runs({ address, kinds: ['record'], after: own.at(-1)?.number ?? 0, limit: 1 });
    const there = now.get(address);
    found.push({ address, before: beforeOf(own[0]), after: next === undefined ? there : beforeOf(next), now: there });
  }
  return found;
}

function beforeOf(row: RunEntry | undefined): RecordedResource | undefined {
  return row?.content.kind === 'record' ? (row.content.before ?? undefined) : undefined;
}

/** A run that was killed has no row of what it began; whatever became of that, it is to be as it was. */
function openChanges(
  rows: readonly RunEntry[],
  begun: readonly Intent[],
  before: StackState['resources'],
  now: StackState['resources'],
): readonly Undone[] {
  const told = new Set(rows.flatMap(({ address, content }) => (content.kind === 'record' ? [address] : [])));
  const open = new Set(begun.map(({ address }) => address).filter((address) => !told.has(address)));
  return [...open].map((address) => {
    const there = now.get(address);
    return { address, before: before.get(address), after: there, now: there };
  });
}

/** `isGone`: the run made something, and somebody took it away since. */
export function nothingToUndo(run: number, addresses: readonly Address[], isGone = false): Diagnostic {
  const of = addresses.length === 0 ? '' : ` to ${addresses.join(', ')}`;
  return {
    severity: 'error',
    code: 'nothing-to-undo',
    summary: isGone ? `Nothing is left of what run ${run} did${of}.` : `The history has no change of run ${run}${of}.`,
    hint: 'The runs, and what one did:\nsync history\nsync history show RUN',
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

/** The resource that an id in a field of a type refers to. */
export type Known = (type: string, field: string) => (id: string) => Address | undefined;

/**
 * Ids of objects, as the plan knows these: they may be made again, or replaced. What is always there in an object has the id of
 * that one, so the field's own type decides which of the two is meant.
 */
export function idsOf(
  { resources }: Pick<DesiredState, 'resources'>,
  undone: readonly Undone[],
  recorded: StackState['resources'],
  typeOf: (token: string) => ResourceType,
): Known {
  const ended = new Set(undone.flatMap(({ address, before }) => (before === undefined ? [address] : [])));
  const there = [...recorded.values()].filter(({ address }) => resources.has(address) && !ended.has(address));
  const before = undone.flatMap((one) => (one.before === undefined ? [] : [one.before, one.now ?? one.before]));
  const byId = groupBy([...there, ...before], ({ identity }) => identity.id);
  return (of, field) => {
    const wanted = ownMember(typeOf(of).fields, field)?.references;
    return (id) => byId.get(id)?.findLast(({ type }) => wanted === undefined || type === wanted)?.address;
  };
}

/** Values as data; the id of an object that the plan knows as a reference to it. */
export function expressionOf(value: Json, known: ReturnType<Known>): Expression {
  return literalOf(value, fromHistory, (leaf) => {
    const target = typeof leaf === 'string' ? known(leaf) : undefined;
    return target === undefined
      ? { kind: 'literal', value: leaf, at: fromHistory }
      : { kind: 'reference', to: 'resource', target, path: ['id'], text: `${target}.id`, at: fromHistory };
  });
}

/** To say null is something else than to say nothing. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return (a === undefined) === (b === undefined) && sameJson(a, b);
}
