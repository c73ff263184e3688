import { parentAddress, type Address } from '@platform-sync/core/model/address';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { addTo, groupBy, groupOf } from '@platform-sync/core/model/graph';
import { identityKey } from '@platform-sync/core/model/identity';
import { importIdWord } from '@platform-sync/core/model/import-id';
import { markField } from '@platform-sync/core/model/ownership-mark';
import type { DesiredState } from '@platform-sync/core/model/desired';
import type { BareFinding } from '@platform-sync/core/model/plan';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { isSettling, type Identity } from '@platform-sync/core/model/state';
import type { Reading } from '@platform-sync/core/model/snapshot';
import type { AlikeQuestion, RecordedElsewhere } from '@platform-sync/core/model/state-store';
import { defined, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { hasAllSaid } from '@platform-sync/core/value/field-comparison';
import { factsOf } from '../change.js';
import { heldKey, isNameless, isPlaceOf, isWithoutName, knownInputs, uniqueKeyOf, wantedKeys } from '../keys.js';
import { type ForeignOwner, scopeOf } from '../ownership.js';
import { handOver, ownerName } from '../problems.js';
import type { ProposalInput, Step } from '../step.js';

/** An object with the name of one that is to be made, or without any and the same contents: it leaves the catalogue, or this stack has no record of it. */
type NamedObject =
  | { readonly left: Address }
  | { readonly identity: Identity; readonly owner?: ForeignOwner; readonly deletedAt?: string }
  | { readonly several: string };

interface SameName {
  readonly step: Step;
  readonly holder: NamedObject;
  /** What both have. */
  readonly what: string;
}

interface Known extends Pick<ProposalInput, 'snapshot' | 'types' | 'state' | 'seals' | 'settledBefore'> {
  readonly desired: { readonly resources: Pick<DesiredState['resources'], 'get'> };
  /** What other stacks have recorded under the names of what is to be made, whether lists show it or not. */
  readonly beside?: readonly RecordedElsewhere[];
}

/**
 * It makes an object under a name that others may have, too: a new one, or in the place of one of another name or type. What has no name
 * is known by all that it says.
 */
export function makesName({ action, type, declared, recorded, changes }: Step): boolean {
  if (uniqueKeyOf(type) !== undefined) return false;
  if (action !== 'replace') return action === 'create';
  if (recorded?.type !== type.token) return true;
  if (changes.some(({ rule }) => type.naturalKey.includes(rule.name))) return true;
  return changes.length > 0 && isNameless(type, knownInputs(declared));
}

/** New objects of a type whose key is not unique, where one of the same name exists: it may be the one that is meant. */
export function sameNames(known: Known, steps: readonly Step[]): readonly SameName[] {
  const creates = steps.filter(makesName);
  if (creates.length === 0) return [];
  // What an earlier run replaced, and this plan ends, is no stranger, either.
  const recorded = new Set([
    ...[...known.state.resources.values()].map(({ type, identity }) => identityKey(type, identity)),
    ...steps.flatMap(({ type, deposedOf, actual }) =>
      deposedOf && actual ? identityKey(type.token, actual.identity) : [],
    ),
  ]);
  const holders = namedObjects(known, steps, recorded);
  const free = freeObjects(known, steps, recorded);
  const kept = keptObjects(known, steps, creates);
  const deleted = new Map(
    (known.beside ?? []).map(({ record, deletedAt }) => [identityKey(record.type, record.identity), deletedAt]),
  );
  return creates.flatMap((step): readonly SameName[] => {
    const { type, declared } = step;
    if (isNameless(type, knownInputs(declared))) {
      // The one that a place has of settings is written, not made.
      if (type.collection.listed === false) return [];
      const others = [...elsewhere(known, type, recorded), ...groupOf(free, type.token)];
      const twin = [...others, ...keptBeside(kept, step, [type.token])].find((object) => isTwin(known, step, object));
      return twin === undefined ? [] : [{ step, holder: twin, what: 'the same contents' }];
    }
    const keys = wantedKeys(type, declared);
    const [ours] = keptBeside(kept, step, keys);
    const held = ours ?? keys.map((key) => holders.get(key)).find((found) => found !== undefined);
    // Who takes a name in the place of another one takes it from who gives it up.
    if (held !== undefined && 'left' in held && step.action === 'replace') return [];
    // What another stack has made may be in no list yet, or in none that is right.
    const isElsewhere = held !== undefined && 'owner' in held;
    const found = foundByName(known.snapshot.found.get(step.address));
    const isOurs = found !== undefined && 'identity' in found && recorded.has(identityKey(type.token, found.identity));
    const shown = isElsewhere || isOurs ? held : (found ?? held);
    const isNobodys = shown !== undefined && 'identity' in shown && shown.owner === undefined;
    const deletedAt = isNobodys ? deleted.get(identityKey(type.token, shown.identity)) : undefined;
    const holder = shown && { ...shown, ...defined({ deletedAt }) };
    return holder === undefined ? [] : [{ step, holder, what: `the same ${type.naturalKey.join(' and ')}` }];
  });
}

/** A second object of a name is made only where somebody says so: a reviewed plan that lacks this finding is another one. */
export function sameNameGuards(input: Known & { readonly steps: readonly Step[] }): readonly BareFinding[] {
  return sameNames(input, input.steps).flatMap(({ step, holder, what }): readonly BareFinding[] => {
    const { address, declared } = step;
    // Where a mark is borne, it alone tells whose an object is.
    if ('left' in holder || declared.has(markField)) return [];
    const summary =
      'several' in holder
        ? `${address} would be created beside others that have ${what}, which the platform allows: ${holder.several}`
        : `${address} would be created beside ${objectOf(holder)}, ${ownedBy(input, holder)}: both have ${what}, and the platform allows that; if ${getIt(input, step, holder)}`;
    return [{ name: `same-name:${address}`, summary, addresses: [address] }];
  });
}

function foundByName(reading: Reading | undefined): NamedObject | undefined {
  if (reading?.kind === 'found') return { identity: reading.identity };
  return reading?.kind === 'failed' && areSeveral(reading) ? { several: reading.diagnostic.summary } : undefined;
}

/** More than one has the name: that is an answer, too. */
export function areSeveral({ diagnostic }: Extract<Reading, { readonly kind: 'failed' }>): boolean {
  return diagnostic.code === 'several-found';
}

type Found = Extract<NamedObject, { readonly identity: Identity }>;

/** What has the name: a run that was interrupted, or is under way, has made it or not. */
export function objectOf({ identity: { id } }: Found): string {
  return id === '' ? 'what a run has begun to make' : `the object ${id}`;
}

/** Whose it is. */
export function ownedBy(known: Known, { identity, owner, deletedAt }: Found): string {
  if (deletedAt !== undefined) return `which this stack deleted at ${deletedAt}`;
  if (owner === undefined) return 'of which this stack has no record';
  if (isManaged(known, identity, owner)) return `which this stack manages as ${owner.address}`;
  if (isOwn(known, owner)) return `which this stack managed as ${owner.address} a moment ago`;
  return `which ${ownerName(known, owner)} manages as ${owner.address}`;
}

/** This very stack has it under another address. */
function isManaged(known: Known, { id }: Identity, owner: ForeignOwner): boolean {
  return isOwn(known, owner) && known.state.resources.get(owner.address)?.identity.id === id;
}

/** This very stack has it, or has let go of it. */
function isOwn({ state }: Known, { project, stack }: ForeignOwner): boolean {
  return project === state.project && stack === state.stack;
}

/** When this stack may have it, and how: the rest of a sentence that begins with if. */
export function getIt(known: Known, { address, type }: Step, { identity, owner, deletedAt }: Found): string {
  if (deletedAt !== undefined) return 'an old answer shows it still, plan again a little later';
  const meant = 'it is the one that is meant, ';
  if (owner !== undefined && isManaged(known, identity, owner))
    return `${meant}move it: sync state mv ${owner.address} ${address}`;
  if (owner === undefined || isOwn(known, owner)) return `${meant}take it over: ${takeOver(address, type, identity)}`;
  return owner.project === known.state.project
    ? `${meant}hand it over: ${handOver(known, owner, address)}`
    : `${meant}the project ${owner.project} has to let go of it: sync state rm ${owner.address}`;
}

/** What is to be made under a name that others may have, too, by type: what is asked of the records of other stacks. */
export function namesToMake(steps: Iterable<Step>): readonly AlikeQuestion[] {
  const asked = new Map<string, AlikeQuestion & { readonly values: Json[] }>();
  for (const step of steps) {
    const { type, declared } = step;
    if (!makesName(step)) continue;
    const inputs = knownInputs(declared);
    const values = { ...type.derive(inputs), ...inputs };
    // Without a name, any plain value that lists show tells who may be meant.
    const isTelling = (name: string): boolean =>
      type.fields[name]?.inList === true && !type.fields[name].secret && !isObject(values[name] ?? null);
    const named = wantedKeys(type, declared).length > 0 ? type.naturalKey : [];
    const telling = isNameless(type, inputs) ? Object.keys(inputs).filter(isTelling) : named;
    const field = telling.find((name) => !isPlaceOf(type, name) && (values[name] ?? null) !== null);
    if (field === undefined) continue;
    const key = `${type.token} ${field}`;
    const question = asked.get(key) ?? { type: type.token, field, values: [] };
    asked.set(key, question);
    question.values.push(values[field] ?? null);
  }
  return [...asked.values()];
}

/** The command that takes one object over. */
function takeOver(address: Address, { importId }: ResourceType, identity: Identity): string {
  return `sync adopt ${address} ${importIdWord(importId, identity)}`;
}

/** Objects that nobody manages, as far as they were listed, by the token of their type. */
function freeObjects(
  { snapshot }: Known,
  steps: readonly Step[],
  recorded: ReadonlySet<string>,
): ReadonlyMap<string, RemoteObject[]> {
  const planned = steps.flatMap(({ type, actual }) =>
    actual === undefined ? [] : [identityKey(type.token, actual.identity)],
  );
  const taken = new Set([...recorded, ...planned]);
  const free = new Map<string, RemoteObject[]>();
  for (const { type, objects } of snapshot.listed)
    for (const object of objects) if (!taken.has(identityKey(type, object.identity))) addTo(free, type, object);
  return free;
}

/** What another stack has recorded, or this one has let go of a moment ago: no list need show it. */
function elsewhere(
  { beside = [] }: Known,
  { token }: ResourceType,
  recorded: ReadonlySet<string>,
): readonly (RemoteObject & Pick<KeptObject, 'owner'>)[] {
  return beside.flatMap(({ project, stack, record: { address, type, identity, inputs, outputs }, deletedAt }) =>
    type !== token || deletedAt !== undefined || recorded.has(identityKey(type, identity))
      ? []
      : [{ identity, values: { ...inputs, ...outputs }, owner: { project, stack, address } }],
  );
}

/** What this stack manages under another address, and keeps. */
interface KeptObject extends RemoteObject {
  readonly owner: ForeignOwner;
  /** It stands in the files. */
  readonly isSaid: boolean;
}

/**
 * What keeps its name, by its key, and by its type: a plan of some addresses, or one that ends less than it could, makes no room for
 * what it makes. Files may say two of a name; what an undo brings back was not asked beside what there is, nor what they say beside that.
 */
function keptObjects(
  { state, types, desired, snapshot, settledBefore }: Known,
  steps: readonly Step[],
  creates: readonly Step[],
): ReadonlyMap<string, KeptObject[]> {
  const kept = new Map<string, KeptObject[]>();
  const isUndo = creates.some((step) => step.desired?.isBroughtBack === true);
  const stepOf = new Map(steps.map((step) => [step.movedFrom ?? step.address, step]));
  for (const [was, { type: token, identity, inputs, outputs, writtenAt }] of state.resources) {
    const step = stepOf.get(was);
    const said = desired.resources.get(step?.address ?? was);
    const isSaid = said !== undefined && said.isBroughtBack !== true;
    const type = isSaid && !isUndo ? undefined : types.get(token);
    const reading = snapshot.readings.get(was);
    if (type === undefined || uniqueKeyOf(type) !== undefined || reading?.kind === 'gone') continue;
    // What is forgotten stays on the platform, where nothing else has it.
    if (step?.action === 'delete' || (step?.action === 'forget' && step.actual === undefined)) continue;
    if (step?.changes.some(({ rule }) => type.naturalKey.includes(rule.name)) === true) continue;
    const recorded = { ...inputs, ...outputs };
    const values = { ...recorded, ...(reading?.kind === 'found' ? reading.values : {}) };
    const owner = { project: state.project, stack: state.stack, address: was };
    // What was written a moment ago may show as before.
    for (const each of isSettling(writtenAt, settledBefore) ? [values, recorded] : [values]) {
      const object = { identity, values: each, owner, isSaid };
      const key = heldKey(type, identity.scope, each);
      if (key !== undefined) addTo(kept, key, object);
      addTo(kept, token, object);
    }
  }
  return kept;
}

function keptBeside(
  kept: ReadonlyMap<string, KeptObject[]>,
  { address, desired, movedFrom }: Step,
  names: readonly string[],
): readonly KeptObject[] {
  return names.flatMap((name) =>
    groupOf(kept, name).filter(
      ({ owner, isSaid }) => owner.address !== (movedFrom ?? address) && (!isSaid || desired?.isBroughtBack === true),
    ),
  );
}

/** It lives in the same place, has no name either, and has what the file says, as far as the list shows it. */
function isTwin({ seals }: Known, step: Step, { identity, values }: RemoteObject): boolean {
  const { type, declared } = step;
  const scope = Object.entries(scopeOf(type, knownInputs(declared)));
  if (!isWithoutName(type, values) || scope.some(([field, id]) => (identity.scope[field] ?? id) !== id)) return false;
  const actual = { ...identity.scope, ...values };
  return hasAllSaid(factsOf(step, actual, seals), ({ name, inList }) => inList || name in actual);
}

/** Objects that leave the catalogue and objects that nobody manages, by their natural key. */
function namedObjects(
  { snapshot, types, beside = [] }: Known,
  steps: readonly Step[],
  recorded: ReadonlySet<string>,
): ReadonlyMap<string, NamedObject> {
  const holders = new Map<string, NamedObject>();
  const add = (key: string | undefined, holder: NamedObject): void => {
    if (key !== undefined && !holders.has(key)) holders.set(key, holder);
  };
  for (const { project, stack, record, deletedAt } of beside) {
    // What was deleted counts where a list shows it.
    if (deletedAt !== undefined) continue;
    const { address, identity, inputs, outputs } = record;
    const type = types.get(record.type);
    const owner = { project, stack, address };
    // What was let go of may have been taken over again.
    if (type !== undefined && !recorded.has(identityKey(record.type, identity)))
      add(heldKey(type, identity.scope, { ...inputs, ...outputs }), { identity, owner });
  }
  for (const { type: token, objects } of snapshot.listed) {
    const type = types.get(token);
    if (type === undefined || uniqueKeyOf(type) !== undefined) continue;
    // A list that was read for names alone shows what is managed, too.
    for (const { identity, values } of objects)
      if (!recorded.has(identityKey(token, identity))) add(heldKey(type, identity.scope, values), { identity });
  }
  // That one of a name leaves says nothing of another, which stays.
  for (const { action, address, type, actual, deposedOf } of steps)
    if (action === 'delete' && deposedOf === undefined) add(heldKey(type, {}, actual?.values ?? {}), { left: address });
  return holders;
}

/** A new resource and one that leaves the catalogue, which say the same of everything but their keys. */
interface LikelyRename {
  readonly created: Step;
  readonly left: Step;
}

/** Where both the key in the file and the name are new, contents alone tell; what is nested in such a one goes with it. */
export function likelyRenames(steps: readonly Step[]): readonly LikelyRename[] {
  const left = groupBy(
    steps.filter(({ action }) => action === 'delete'),
    ({ type, recorded }) => contentsText(type, recorded?.inputs ?? {}),
  );
  if (left.size === 0) return [];
  const found = new Map<Address, LikelyRename>();
  for (const created of steps) {
    if (created.action !== 'create' || created.recorded !== undefined) continue;
    const text = contentsText(created.type, knownInputs(created.declared));
    const [only, ...others] = text === undefined ? [] : groupOf(left, text);
    if (only === undefined || others.length > 0 || found.has(parentAddress(created.address) ?? '')) continue;
    found.set(created.address, { created, left: only });
  }
  return [...found.values()];
}

/** What a resource says, but for its key, its place and its mark; undefined where that is nothing. */
function contentsText(type: ResourceType, inputs: JsonObject): string | undefined {
  const place = new Set([...type.naturalKey, ...type.collection.scope, type.parent?.field, type.nameField, markField]);
  const said = Object.entries(inputs).filter(([name, value]) => !place.has(name) && value !== null);
  return said.length === 0 ? undefined : `${type.token} ${canonicalJson(Object.fromEntries(said))}`;
}
