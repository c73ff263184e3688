import { canonicalJson, sameJson } from '@platform-sync/core/model/canonical';
import { identityKey } from '@platform-sync/core/model/identity';
import { markField, markIn } from '@platform-sync/core/model/ownership-mark';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import { isAlwaysThere, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity, Intent } from '@platform-sync/core/model/state';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { shownMembers } from '@platform-sync/core/model/hidden-members';
import type { World } from '@platform-sync/core/model/world';
import { ownParts } from '@platform-sync/core/value/parts';
import { isSealed, type Seals } from '@platform-sync/core/value/seal';

/** The clocks of this machine and of the platform may differ by so much, milliseconds. */
const clockSkewMs = 5 * 60_000;

/**
 * When an object whose create may still be under way is looked for, in milliseconds since its answer was lost. A platform that
 * refuses a second object needs the first look only: it would refuse the one that is sent again, and the next look would find
 * the first.
 */
const looksAtMs = [0, 250, 1000, 2500];

/** What became of a create whose answer never came. */
export type CreateOutcome =
  | { readonly kind: 'ours'; readonly object: RemoteObject }
  /** It was not carried out. */
  | { readonly kind: 'absent' }
  /** One of these may be ours, and nothing tells which. */
  | { readonly kind: 'undecided'; readonly candidates: readonly RemoteObject[] };

interface CreateQuestion {
  readonly type: ResourceType;
  /** `inputs` may be sealed. */
  readonly intent: Pick<Intent, 'inputs' | 'createdAt'>;
  /** Objects that are known to belong to something else, by `identityKey`. */
  readonly taken: ReadonlySet<string>;
  /** Creates with this key that were begun before, or sent less, and are open, too: any of them may have made any of the objects. */
  readonly rivals?: readonly Pick<Intent, 'inputs'>[];
  readonly seals: Seals;
}

/**
 * Which of the objects with the key of a create is the one it made: not one that is managed already, not one that is
 * older than the create, and one that has every field that was sent. Where a mark was sent, it alone tells. Of equal creates the last one
 * that was begun before the object made it; what is as another one sent it, and not as this one did, is that one's.
 */
export function whichIsOurs(question: CreateQuestion, found: readonly RemoteObject[]): CreateOutcome {
  const { type, intent, taken, rivals = [], seals } = question;
  const mark = markIn(intent.inputs[markField]);
  const candidates = found.filter(
    (object) =>
      !taken.has(identityKey(type.token, object.identity)) &&
      !isOlder(type, object, intent) &&
      (mark === undefined || object.values[markField] === mark),
  );
  if (candidates.length === 0) return { kind: 'absent' };
  const equal =
    mark === undefined
      ? candidates.filter((object) => correspondsWith(type, intent.inputs, object, seals))
      : candidates;
  const [newest] = [...equal].sort((a, b) => madeAt(type, b) - madeAt(type, a));
  // What is always there is never made twice: what was sent to it may be sent again.
  if (newest === undefined && isAlwaysThere(type)) return { kind: 'absent' };
  const same = rivals.filter(({ inputs }) => sameJson(inputs, intent.inputs)).length;
  const isBefore = (object: RemoteObject): boolean => isOlder(type, object, intent, 0);
  if (newest === undefined) {
    const isTheirs = (object: RemoteObject): boolean =>
      rivals.some(({ inputs }) => correspondsWith(type, inputs, object, seals));
    const left = candidates.filter((object) => !isTheirs(object));
    const isOthers = left.length <= same && left.every(isBefore);
    return isOthers ? { kind: 'absent' } : { kind: 'undecided', candidates: left };
  }
  if (equal.length > 1 + same) return { kind: 'undecided', candidates };
  if (equal.length <= same && isBefore(newest)) return { kind: 'absent' };
  return { kind: 'ours', object: newest };
}

/** What is asked for the objects with the key of a create. */
interface Lists {
  readonly find: () => Promise<readonly RemoteObject[]>;
  readonly findAgain: () => Promise<readonly RemoteObject[]>;
  /** That the first list lacks it is enough to go on. */
  readonly isLackTold: boolean;
  /** One object by itself; undefined where that tells nothing of it. */
  readonly read: (identity: Identity) => Promise<RemoteObject | undefined>;
}

/**
 * Which one it made, by what at least one of two lists shows, as it is by itself. One is enough to find it, but where two of a key are
 * allowed: it may lack what was made, and show another one of its key; and where it has another name by itself, or is denied: a list may be
 * wrong about that. What is denied counts where nothing shows another one.
 */
export async function searchOnce(
  question: CreateQuestion,
  { find, findAgain, isLackTold, read }: Lists,
): Promise<CreateOutcome> {
  const { type, intent, seals } = question;
  const keyOf = ({ identity }: RemoteObject): string => identityKey(type.token, identity);
  const lists = [new Map((await find()).map((object) => [keyOf(object), object] as const))];
  const again = async (): Promise<unknown> =>
    lists.push(new Map((await findAgain()).map((object) => [keyOf(object), object] as const)));
  const name = Object.fromEntries(Object.entries(intent.inputs).filter(([field]) => type.naturalKey.includes(field)));
  const taken = new Set(question.taken);
  const ours = (): CreateOutcome =>
    whichIsOurs({ ...question, taken }, [...new Map(lists.flatMap((list) => [...list])).values()]);
  const first = ours();
  const isTold = first.kind === 'ours' ? type.unique.length > 0 : first.kind === 'undecided' || isLackTold;
  if (!isTold && !isAlwaysThere(type)) await again();
  let denied: Extract<CreateOutcome, { kind: 'ours' }> | undefined;
  for (;;) {
    const outcome = ours();
    if (outcome.kind !== 'ours') return denied ?? outcome;
    const own = await read(outcome.object.identity);
    const object = own ?? outcome.object;
    const key = keyOf(object);
    const found = { kind: 'ours', object: asMade(question, object) } as const;
    const isCalledSo = own !== undefined && correspondsWith(type, name, own, seals);
    if (!isCalledSo && lists.length === 1) await again();
    if (isCalledSo || lists.every((list) => list.has(key))) return found;
    // Each list shows another one, and neither shows by itself: either list may be wrong.
    if (own === undefined && denied !== undefined) return { kind: 'undecided', candidates: [denied.object, object] };
    if (own === undefined) denied = found;
    taken.add(key);
  }
}

function isOlder(
  type: ResourceType,
  object: RemoteObject,
  { createdAt }: Pick<Intent, 'createdAt'>,
  skewMs = clockSkewMs,
): boolean {
  return madeAt(type, object) < Date.parse(createdAt) - skewMs;
}

/** An object without a time of its own counts as new. */
function madeAt(type: ResourceType, { values }: RemoteObject): number {
  const made = values[type.creation ?? ''];
  return typeof made === 'string' ? Date.parse(made) : Infinity;
}

/** True when every field that was sent, and that the answer carries, is what was sent. */
export function correspondsWith(type: ResourceType, inputs: JsonObject, object: RemoteObject, seals: Seals): boolean {
  return movedSince(type, inputs, object, seals).length === 0;
}

/**
 * The object as its create left it. What a later reading says otherwise somebody has changed since: it stands as it was sent, and
 * without the revision of the change, so that the next plan finds it.
 */
export function asMade(
  { type, intent: { inputs }, seals }: Pick<CreateQuestion, 'type' | 'intent' | 'seals'>,
  object: RemoteObject,
): RemoteObject {
  const moved = [...movedSince(type, inputs, object, seals), ...lackedSince(type, inputs, object)];
  if (moved.length === 0) return object;
  const { [type.revision ?? '']: _, ...values } = object.values;
  return { ...object, values: { ...values, ...Object.fromEntries(moved) } };
}

/** Fields that were sent and are otherwise now, with what was sent. */
function movedSince(
  type: ResourceType,
  inputs: JsonObject,
  object: RemoteObject,
  seals: Seals,
): readonly (readonly [field: string, sent: Json])[] {
  const values: JsonObject = { ...object.identity.scope, ...object.values };
  const isAsSent = ([name, value]: readonly [string, Json]): boolean => {
    const rule = type.fields[name];
    // A null was not sent: what the platform makes of it is its own.
    if (rule === undefined || rule.writeOnly || value === null || !(name in values)) return true;
    // Whoever has put a key of their own into a map since then did not make it another object.
    const own = ownParts({ rule, declared: undefined, recorded: value, ignored: [] });
    const sent = own.over(value, values[name]);
    if (rule.hiddenMembers === undefined || sent === undefined) return seals.same(rule, sent, values[name]);
    // What was sent is known by its digest alone, and no answer shows all of it.
    return isSealed(sent) || seals.same(rule, shownMembers(rule, sent), values[name]);
  };
  return Object.entries(inputs).filter((each) => !isAsSent(each));
}

/** Fields that were sent, and that each answer would show: somebody may have taken them away since. */
function lackedSince({ fields }: ResourceType, inputs: JsonObject, object: RemoteObject): [string, Json][] {
  const values: JsonObject = { ...object.identity.scope, ...object.values };
  return Object.entries(inputs).filter(([name, sent]) => {
    const rule = fields[name];
    const isShown = rule?.inList === true && !rule.writeOnly && rule.onChange === 'update';
    return isShown && rule.movesWith === undefined && sent !== null && !(name in values);
  });
}

/** The same text for creates whose objects could be taken for each other. */
export function creationKey(
  type: ResourceType,
  scope: Readonly<Record<string, string>>,
  inputs: JsonObject,
  chosen: JsonObject,
): string {
  return canonicalJson([type.token, scope, type.naturalKey.map((field) => inputs[field] ?? chosen[field] ?? null)]);
}

/** What an intent says openly: of a secret it has a fingerprint alone. */
export function openInputs({ inputs }: Intent): JsonObject {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => !isSealed(value)));
}

interface CreateSearch {
  readonly question: CreateQuestion;
  /** The objects with the key of the create. */
  readonly find: () => Promise<readonly RemoteObject[]>;
  /** It exists for sure, so a read that fails must not count against it: undefined then. */
  readonly read: (identity: Identity) => Promise<RemoteObject | undefined>;
  readonly steady: World['steady'];
  readonly sleep: (ms: number) => Promise<void>;
}

/** Looks whether a create whose answer was lost was carried out; its object is read in full. */
export async function searchCreate({ question, find, read, steady, sleep }: CreateSearch): Promise<CreateOutcome> {
  const lostAt = steady();
  let due: number | undefined = 0;
  for (;;) {
    const outcome = await searchOnce(question, { find, findAgain: find, isLackTold: true, read });
    if (outcome.kind === 'ours') return outcome;
    const passed = steady() - lostAt;
    due = question.type.unique.length > 0 ? undefined : nextLook(due, passed);
    if (outcome.kind === 'undecided' || due === undefined) return outcome;
    await sleep(Math.max(0, due - passed));
  }
}

/** A look that took long takes the place of those that fell due meanwhile, but not of the last one. */
function nextLook(due: number, passed: number): number | undefined {
  const left = looksAtMs.filter((at) => at > due);
  return left.find((at) => at >= passed) ?? left.at(-1);
}
