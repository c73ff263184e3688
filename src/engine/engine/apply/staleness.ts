import type { Address } from '@platform-sync/core/model/address';
import type { Reading } from '@platform-sync/core/model/snapshot';
import { compareField, type FieldComparison } from '@platform-sync/core/value/field-comparison';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { type FieldRule, isWholeInLists, isWritten, type ResourceType } from '@platform-sync/core/model/resource-type';
import { hasSealed } from '@platform-sync/core/value/secret-parts';
import { identityKey, parentIdentity } from '@platform-sync/core/model/identity';
import { type JsonObject, ownMember } from '@platform-sync/core/model/value';
import { ProviderError, type RemoteObject } from '@platform-sync/core/model/provider';
import { isSettling, type Identity, type RecordedResource } from '@platform-sync/core/model/state';
import { type Change, factsOf } from '../plan/change.js';
import {
  atTargets,
  endsById,
  Homes,
  type HomesInput,
  idsOfEnds,
  keysAlong,
  othersAlong,
  typeName,
  typeNow,
} from '../plan/contents.js';
import { withDropped } from '../plan/dropped-parts.js';
import { managedDigest } from '../plan/plan-steps.js';
import type { Step } from '../plan/step.js';
import { byCollection } from '../reads/collection.js';
import type { Need } from '../reads/look.js';
import { found } from '../refresh/confirmed-reading.js';
import { settling } from '../refresh/evidence.js';
import { withoutTakenAway } from './taken-away.js';
import { type ApplyContext, callOptions, existing } from './context.js';
import { StepFailure } from './failure.js';
import type { LastLooks } from './last-looks.js';
import type { Progress } from './progress.js';

/**
 * The object that a write goes upon. Where the write takes the place of the whole, or of a record whose secrets were not read (of
 * `--refresh none`), that is the object as it is now: what moved
 * since the plan and is ours makes the step stale, what is not stays and is told. `passing`: what this run itself gave it; `parked`: as
 * the platform showed it then, which tells as much where nothing else is read.
 */
export async function objectBeforeWrite(
  context: ApplyContext,
  step: Step,
  actual: RemoteObject,
  passing: JsonObject = {},
  parked?: RemoteObject,
): Promise<RemoteObject> {
  const { address, type } = step;
  const isSent = ({ rule: { name } }: Change): boolean => hasSealed(actual.values[name]);
  const isRead = type.isWrittenWhole === true || step.changes.some(isSent);
  if (!isRead && parked === undefined) return actual;
  const shown = isRead
    ? await (await context.providerOf(type)).read(type, actual.identity, callOptions(context))
    : parked;
  if (shown === undefined) throw unwritten(step, 'is not there any more');
  const now = await withoutOld(context, step, shown);
  const moved = movedFields(context, step, actual, now).filter(({ rule }) => !Object.hasOwn(passing, rule.name));
  // A revert writes what no file mentions, as a whole.
  const known = new Set([...step.declared.keys(), ...Object.keys(step.recorded?.inputs ?? {})]);
  const reverted = new Set(step.changes.flatMap(({ rule: { name } }) => (known.has(name) ? [] : [name])));
  const ours = moved.filter(({ drifted, rule }) => drifted || reverted.has(rule.name));
  if (ours.length > 0) throw unwritten(step, `was changed on the platform after the plan was made (${namesOf(ours)})`);
  if (moved.length > 0)
    context.onEvent({
      type: 'diagnostic',
      diagnostic: {
        severity: 'warning',
        code: 'kept-change',
        summary: `${address} was changed on the platform after the plan, in fields that the file does not mention (${namesOf(moved)}). That change is kept.`,
        address,
      },
    });
  // What single answers never show stays as it was read elsewhere.
  return { ...now, values: { ...keptElsewhere(type.fields, actual.values), ...now.values } };
}

/** The object without what this stack took away a moment ago, and with what it wrote then and the file drops: an answer may be old. */
async function withoutOld(context: ApplyContext, step: Step, object: RemoteObject): Promise<RemoteObject> {
  const { recorded, type } = step;
  if (recorded === undefined) return object;
  const history = { ...context, ...settling(context) };
  const values = await withoutTakenAway(history, recorded, type, object.values);
  const isYoung = isSettling(recorded.writtenAt, history.settledBefore);
  return { ...object, values: isYoung ? withDropped({ ...factsOf(step, values, context.seals), recorded }) : values };
}

/** What differs from the reading that was planned with, which stands here for the one that is recorded. */
function movedFields(
  context: ApplyContext,
  step: Step,
  actual: RemoteObject,
  now: RemoteObject,
): readonly FieldComparison[] {
  const { inputs = {}, outputs = {} }: Partial<RecordedResource> = step.recorded ?? {};
  const { revision = '' } = step.type;
  // A list that shows the present revision may be wrong about the rest: only what this stack made of it is known by that.
  const own = { [revision]: outputs[revision] ?? null };
  // What that reading left out was not there.
  const nothing = Object.fromEntries(Object.keys(step.type.fields).map((name) => [name, null]));
  const facts = {
    ...factsOf(step, now.values, context.seals),
    recorded: { inputs, outputs: { ...nothing, ...actual.values, ...own } },
  };
  return Object.values(step.type.fields).flatMap((rule) => {
    // A list that was planned with may not have shown it.
    const isUnread = !rule.inList && !(rule.name in actual.values) && !(rule.name in inputs);
    if (!isWritten(rule) || isUnread) return [];
    const field = compareField(rule, facts);
    return (field.drifted && !field.same) || field.strayed || field.settled === 'first-seen' ? [field] : [];
  });
}

function keptElsewhere(fields: Readonly<Record<string, FieldRule>>, values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => ownMember(fields, name)?.movesWith !== undefined),
  );
}

function namesOf(fields: readonly FieldComparison[]): string {
  return fields.map(({ rule }) => rule.name).join(', ');
}

/**
 * The object as it is now; undefined when it is gone. `listed`: as a list showed it a moment ago, which is enough where it
 * is as planned. Throws StepFailure for one that was changed since the plan.
 */
export async function lastLook(
  context: ApplyContext,
  step: Step,
  listed: RemoteObject | undefined,
): Promise<RemoteObject | undefined> {
  const { actual, type } = existing(context, step);
  const isChecked = step.deposedOf === undefined;
  if (listed !== undefined && isChecked && isShownAsPlanned(context, type, step, listed)) return listed;
  const current = await (await context.providerOf(type)).read(type, actual.identity, callOptions(context));
  if (!isChecked) return current;
  const isShown = current === undefined || isAsPlanned(context, type, step, current, 'read');
  if (isShown && !isOlder(context, type, step, current, listed)) return current;
  throw unended(step, 'was changed on the platform after the plan was made');
}

/**
 * The list shows a revision that is new, or, where there are none, what was not planned: the read is the old answer, or denies it wrongly.
 * Of what this stack wrote a moment ago the list may be.
 */
function isOlder(
  context: ApplyContext,
  type: ResourceType,
  step: Step,
  current: RemoteObject | undefined,
  listed: RemoteObject | undefined,
): boolean {
  const { actual, recorded } = step;
  if (listed === undefined || isSettling(recorded?.writtenAt, settling(context).settledBefore)) return false;
  const { revision = '' } = type;
  const shown = listed.values[revision];
  if (shown === undefined) return isWholeInLists(type) && !isAsPlanned(context, type, step, listed, 'list');
  return ![current?.values, actual?.values, recorded?.outputs].some((values) => values?.[revision] === shown);
}

/** What lists leave out has not changed while the revision is the same. */
function isShownAsPlanned(context: ApplyContext, type: ResourceType, step: Step, listed: RemoteObject): boolean {
  const { revision = '' } = type;
  const isUnmoved = listed.values[revision] !== undefined && listed.values[revision] === step.actual?.values[revision];
  return isUnmoved || (isWholeInLists(type) && isAsPlanned(context, type, step, listed, 'list'));
}

function isAsPlanned(
  context: ApplyContext,
  type: ResourceType,
  step: Step,
  object: RemoteObject,
  by: 'list' | 'read',
): boolean {
  const { actual } = step;
  const { revision = '' } = type;
  const reading = found(type, { outputs: step.recorded?.outputs ?? {} }, object, by);
  if (actual === undefined || reading.kind !== 'found') return true;
  const { values } = reading;
  if (actual.values[revision] !== undefined && actual.values[revision] === values[revision]) return true;
  const digest = (it: RemoteObject): string => managedDigest(step, it, context.seals);
  return digest(actual) === digest({ ...actual, values });
}

/**
 * What goes with an object must be what the plan shows, each as it was then: a list of each kind tells. `isDenied`: a read of the
 * object found nothing, so its lists may not be found, either.
 */
export async function mustHoldNothingElse(
  context: ApplyContext,
  looks: LastLooks,
  step: Step,
  carried: readonly Step[],
  isDenied = false,
): Promise<void> {
  const known = carried.map((each) => ({ step: each, ...existing(context, each) }));
  const kinds = byCollection(known, ({ type, actual }) => ({ type, scope: actual.identity.scope }));
  await Promise.all(
    kinds.map(async ({ type, scope, members }) => {
      const shown = new Map(members.map((member) => [identityKey(type.token, member.actual.identity), member]));
      const homes = new Set(members.map(({ actual }) => homeOf(type, actual.identity)));
      const place = { type, scope };
      for (const [key, object] of await (isDenied ? shownIn(context, looks, place, step) : looks.all(type, scope))) {
        const member = shown.get(key);
        if (member !== undefined) await lastLook(context, member.step, object);
        else if (homes.has(homeOf(type, object.identity)))
          throw unended(step, `holds ${type.name} ${object.identity.id}, which the plan does not show`);
      }
    }),
  );
}

/** Nothing lives in an object that ends, nor in what goes with it, but what lists showed there when the plan was made, or what is managed. */
export async function mustHoldNothingNew(
  context: ApplyContext,
  { looks, progress: { managed } }: { readonly looks: LastLooks; readonly progress: Pick<Progress, 'managed'> },
  step: Step,
  carried: readonly Step[],
): Promise<void> {
  const { inside } = context;
  const homes = new Homes(recordedHomes(context));
  const end = endsById([step]);
  const places = new Set([step, ...carried].map(({ address }) => address));
  const lists = inside.lists.filter((list) => list.homes.some((home) => places.has(home)));
  await Promise.all(
    lists.map(async ({ type, scope, shown }) => {
      for (const [key, object] of await shownIn(context, looks, { type, scope }, step))
        if (!shown.has(key) && !managed.has(key) && homes.nearest({ type: type.token, ...object }, end) !== undefined)
          throw unended(step, `holds ${type.name} ${object.identity.id}, which the plan does not show`);
    }),
  );
}

/** What other stacks have in it, lists may not show yet: the store is asked after them. */
export async function mustHoldNothingOfOthers(
  context: ApplyContext,
  { journal, managed }: Pick<Progress, 'journal' | 'managed'>,
  step: Step,
  carried: readonly Step[],
): Promise<void> {
  const { inside, state } = context;
  if ((inside.types.get(typeNow(step))?.contents ?? []).length === 0) return;
  const ids = idsOfEnds([step, ...carried]);
  const found = atTargets(await journal.recordedInside(ids), state.targets);
  const others = found.map(({ record }) => record);
  for (const other of othersAlong(new Homes(recordedHomes(context), others), [step], found)) {
    const { type, object, address, owner } = other;
    if (!managed.has(identityKey(type, object.identity)) && !keysAlong(other).some((key) => inside.told.has(key)))
      throw unended(step, `holds ${typeName(type)} ${address} of ${owner}, which the plan does not show`);
  }
}

function recordedHomes({ state, inside }: ApplyContext): HomesInput {
  return { state, types: inside.types, snapshot: { readings: new Map<Address, Reading>() } };
}

/**
 * What is in a place now. One that is denied, and once more since what ends was there a moment ago, holds nothing, unless it may not show
 * everywhere yet.
 */
function shownIn(
  { inside }: ApplyContext,
  looks: LastLooks,
  { type, scope }: Pick<Need, 'type' | 'scope'>,
  step: Step,
): Promise<ReadonlyMap<string, RemoteObject>> {
  const look = (): Promise<ReadonlyMap<string, RemoteObject>> => looks.all(type, scope);
  const nothing = (): ReadonlyMap<string, RemoteObject> => {
    if (inside.lagging.has(step.address)) throw unended(step, 'does not show yet what lives in it');
    return new Map();
  };
  return look().catch(ifDenied(look)).catch(ifDenied(nothing));
}

function ifDenied<T>(otherwise: () => T): (error: unknown) => T {
  return (error) => {
    if (!(error instanceof ProviderError) || (error.kind !== 'not-found' && error.status !== 404)) throw error;
    return otherwise();
  };
}

/** What an object lives in, as one text. */
function homeOf(type: ResourceType, identity: Identity): string {
  const above = parentIdentity(type, identity);
  return above === undefined ? '' : identityKey('', above);
}

function unwritten({ address }: Step, what: string): StepFailure {
  return stale({ summary: `${address} ${what}, so it was not written.`, address });
}

function unended({ address }: Step, what: string): StepFailure {
  return stale({ summary: `${address} ${what}, so it was not deleted.` });
}

function stale(said: Pick<Diagnostic, 'summary' | 'address'>): StepFailure {
  const hint = 'Plan again and look at the change before it is lost.';
  return new StepFailure([{ severity: 'error', code: 'changed-since-plan', hint, ...said }]);
}
