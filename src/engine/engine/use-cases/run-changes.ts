import {
  childAddress,
  compareText,
  formerAddress,
  lastKey,
  parentAddress,
  type Address,
} from '@platform-sync/core/model/address';
import { sameJson } from '@platform-sync/core/model/canonical';
import type { DesiredResource, DesiredState } from '@platform-sync/core/model/desired';
import { type Diagnostic, DiagnosticError, type SourceRange } from '@platform-sync/core/model/diagnostic';
import { literalOf, type Expression } from '@platform-sync/core/model/expression';
import { groupBy } from '@platform-sync/core/model/graph';
import { identityKey } from '@platform-sync/core/model/identity';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { rowsOfRun, type RunEntry } from '@platform-sync/core/model/run';
import type { Intent, RecordedResource, StackState } from '@platform-sync/core/model/state';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { type Json, ownMember } from '@platform-sync/core/model/value';
import { sameValue } from '@platform-sync/core/value/equality';
import { heldKey, keyText, uniqueKeyOf } from '../plan/keys.js';

/** What a run did to one record. */
export interface Undone {
  readonly address: Address;
  /** Where the run had it: later runs, or people, may have moved its record. */
  readonly was: Address;
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
  const isMeant = (...names: readonly Address[]): boolean =>
    addresses.length === 0 || names.some((name) => addresses.includes(name));
  const rows = await rowsOfRun(store, { run, kinds: ['record', 'move'] });
  const changed = await recordChanges(store, rows, now, isMeant);
  const begun = stored.intents.filter((intent) => intent.run === String(run) && isMeant(intent.address));
  const undone = [...changed.undone, ...openChanges(rows, begun, stored.resources, now)];
  if (undone.length + changed.notices.length === 0) throw new DiagnosticError([nothingToUndo(run, addresses)]);
  const notices = rows.flatMap(({ address = '', content }) =>
    content.kind === 'move' && isMeant(address) ? [movedNotice(address, content.from)] : [],
  );
  return {
    undone: undone.sort((a, b) => compareText(a.address, b.address)),
    notices: [...changed.notices, ...notices],
  };
}

/**
 * At the addresses that the files have for it: a new key, whose alias no run has recorded yet, is a name of the same resource, and so is
 * the old one of a record that somebody moved without them. So is, of what the run made, one that has its key.
 */
export function asFilesHaveIt(
  undone: readonly Undone[],
  { resources }: Pick<DesiredState, 'resources'>,
  recorded: StackState['resources'],
  typeOf: (token: string) => ResourceType,
): readonly Undone[] {
  const taken = new Set([...recorded.keys(), ...undone.map(({ address }) => address)]);
  const renamed = new Map<Address, Address>();
  for (const { address, options } of resources.values())
    if (!taken.has(address)) for (const alias of options.aliases) renamed.set(formerAddress(address, alias), address);
  // What ends has no other name left: a plan would give its record to the resource that has its key. So it does with what that lives in.
  const brought = new Set(undone.flatMap(({ address, before }) => (before === undefined ? [] : [address])));
  const free = [...resources.values()].filter(({ address }) => !taken.has(address));
  const types = new Set(free.map(({ type }) => type));
  const left = [...recorded.values()].filter(
    ({ address, type }) => types.has(type) && !resources.has(address) && !brought.has(address),
  );
  const withKeys = new Map(renamed);
  for (let known = -1; known < withKeys.size;) {
    known = withKeys.size;
    const former = new Map([...withKeys].map(([from, to]) => [to, from]));
    const idAt = (target: Address): string | undefined =>
      (recorded.get(target) ?? recorded.get(former.get(target) ?? ''))?.identity.id;
    const byKey = new Map(free.map((one) => [keyInFiles(one, typeOf, idAt), one.address]));
    for (const { address, type, identity, inputs, outputs } of left) {
      if (withKeys.has(address)) continue;
      const key = heldKey(typeOf(type), identity.scope, { ...inputs, ...outputs });
      const there = key === undefined ? undefined : byKey.get(key);
      if (there !== undefined) withKeys.set(address, there);
    }
  }
  const nowAt = (address: Address, names: ReadonlyMap<Address, Address>): Address => {
    const parent = parentAddress(address);
    const inherited = parent === undefined ? address : childAddress(nowAt(parent, names), lastKey(address));
    const at = names.get(address) ?? names.get(inherited) ?? inherited;
    return resources.has(address) || !resources.has(at) || taken.has(at) ? address : at;
  };
  const moved = undone.map((each) => {
    const isLeft = resources.has(each.was) && !resources.has(each.address) && !taken.has(each.was);
    const address = isLeft ? each.was : nowAt(each.address, each.before === undefined ? withKeys : renamed);
    return address === each.address ? each : { ...each, address, before: each.before && { ...each.before, address } };
  });
  return moved.sort((a, b) => compareText(a.address, b.address));
}

/** The key that is taken once, as far as the file spells it out, or says whose id it is: it tells the object. */
function keyInFiles(
  { type: token, properties }: DesiredResource,
  typeOf: (token: string) => ResourceType,
  idAt: (address: Address) => string | undefined,
): string | undefined {
  const type = typeOf(token);
  return (
    uniqueKeyOf(type) &&
    keyText(type, type.naturalKey, (field) => {
      const expression = properties.get(field);
      if (expression?.kind === 'literal') return expression.value;
      const isId = expression?.kind === 'reference' && expression.to === 'resource' && expression.path.join() === 'id';
      return isId ? idAt(expression.target) : undefined;
    })
  );
}

/** What is meant of what a run changed, at the addresses that it has now. */
async function recordChanges(
  store: Pick<StateStore, 'runs'>,
  rows: readonly RunEntry[],
  now: StackState['resources'],
  isMeant: (...names: readonly Address[]) => boolean,
): Promise<RunChanges> {
  const records = rows.filter(({ content }) => content.kind === 'record');
  const placeOf = new Map([...now.values()].map((record) => [keyOf(record), record.address]));
  const undone: Undone[] = [];
  const notices: Diagnostic[] = [];
  const moves = records.length === 0 ? [] : await movesAfter(store, records[0]?.number ?? 0);
  for (const said of new Set(records.map((row) => row.address ?? ''))) {
    const own = records.filter((row) => row.address === said);
    const { address: last, next, isOther } = await followed(store, moves, said, own.at(-1));
    const there = now.get(last);
    const left = next === undefined ? there : beforeOf(next);
    const after = isRemoval(own.at(-1)) ? undefined : left;
    // What was let go of and taken over at another address, as settings that left the file and came back into it, is the same object.
    const isMoved = after !== undefined && (there === undefined || keyOf(there) !== keyOf(after));
    const address = isMoved ? (placeOf.get(keyOf(after)) ?? last) : last;
    if (!isMeant(said, address)) continue;
    const before = beforeOf(own[0]);
    const isIt = (one: RecordedResource | undefined): boolean => one !== undefined && placeOf.get(keyOf(one)) === last;
    // An address of another stack has its name before it.
    if (address.includes(':')) notices.push(elsewhereNotice(said, address));
    else if (address === last && there !== undefined && isOther && !isIt(before) && !isIt(after))
      notices.push(takenNotice(address));
    else {
      undone.push({ address, was: said, before: before && { ...before, address }, after, now: now.get(address) });
    }
  }
  return { undone, notices };
}

function keyOf({ type, identity }: RecordedResource): string {
  return identityKey(type, identity);
}

interface Moved {
  readonly number: number;
  readonly from: Address;
  readonly to: Address;
}

async function movesAfter(store: Pick<StateStore, 'runs'>, first: number): Promise<readonly Moved[]> {
  const found: Moved[] = [];
  for (let after = first; ;) {
    const page = await store.runs({ kinds: ['move'], after, limit: 1000 });
    for (const { number, address: to = '', content } of page)
      if (content.kind === 'move') found.push({ number, from: content.from, to });
    const last = page.at(-1);
    if (last === undefined) return found;
    after = last.number;
  }
}

/**
 * Where what a row left stands now, and the next row of it: later runs may have moved it, or ended it where something else came. What is
 * made at an address that is free takes the place of what ended there, as a replacement does; what is moved there does not (`isOther`).
 */
async function followed(
  store: Pick<StateStore, 'runs'>,
  moves: readonly Moved[],
  first: Address,
  left: RunEntry | undefined,
): Promise<{ readonly address: Address; readonly next: RunEntry | undefined; readonly isOther: boolean }> {
  let [address, after, isThere] = [first, left?.number ?? 0, !isRemoval(left)];
  let next: RunEntry | undefined;
  for (;;) {
    const move = moves.find(({ number, from }) => number > after && from === address);
    const isTaken = moves.some(({ number, to }) => number > after && to === address);
    const limit = move === undefined && !isTaken ? 1 : 1000;
    const later = await store.runs({ address, kinds: ['record'], after, limit });
    const rows = later.filter(({ number }) => move === undefined || number < move.number);
    next ??= rows[0];
    for (const row of rows) isThere = !isRemoval(row) && (isThere || beforeOf(row) === undefined);
    if (move === undefined) return { address, next, isOther: isTaken && !isThere };
    after = move.number;
    if (isThere) address = move.to;
  }
}

function isRemoval(row: RunEntry | undefined): boolean {
  return row?.content.kind === 'record' && row.content.removed === true;
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
    return { address, was: address, before: before.get(address), after: there, now: there };
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

function elsewhereNotice(address: Address, to: Address): Diagnostic {
  return {
    severity: 'warning',
    code: 'undo-move',
    summary: `${address} is ${to} now, of another stack; what was done to it is not undone.`,
    hint: 'Change it back in the files of that stack.',
    address,
  };
}

function takenNotice(address: Address): Diagnostic {
  return {
    severity: 'warning',
    code: 'undo-move',
    summary: `${address} is another resource now, which a later run moved there; what was done to the one before is not undone.`,
    hint: 'To bring that back: rename the other one in the catalogue, apply, and undo again.',
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
  const before = undone.flatMap(({ address, before: old, now = old }) =>
    old === undefined || now === undefined ? [] : [old, { ...now, address }],
  );
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

/** Another spelling of the same is no change of it. */
export function isUnchanged(rule: FieldRule | undefined, before: Json | undefined, after: Json | undefined): boolean {
  const isSaid = before !== undefined && after !== undefined && rule !== undefined;
  return isSame(before, after) || (isSaid && sameValue(rule, before, after));
}

/** To say null is something else than to say nothing. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return (a === undefined) === (b === undefined) && sameJson(a, b);
}
