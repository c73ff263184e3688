import { identityKey, parentIdentity } from '@platform-sync/core/model/identity';
import { isMarked, markField } from '@platform-sync/core/model/ownership-mark';
import { ProviderError, type Provider, type RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import type { JsonObject, Value, ValueObject } from '@platform-sync/core/model/value';
import { correspondsWith } from '@platform-sync/engine/apply/lost-create';
import { isSent, unreadInputs, updateRequest } from '@platform-sync/engine/apply/update-request';
import { diffResource, type Change } from '@platform-sync/engine/plan/change';
import { scopeOf } from '@platform-sync/engine/plan/ownership';
import { isOfStack, markFor } from '../mark.js';
import { HalfMade, reasonOf } from '../failures.js';
import { idText, inForm, outputsOf, ownInputs, readWhole } from '../resource-types.js';
import type { Session } from '../session.js';
import { knownMembers } from '../wire/values.js';
import { withSecrets } from './secrets.js';
import { withConsent } from './with-consent.js';

/** A create as the engine asks for it. */
export interface Wish {
  readonly type: ResourceType;
  readonly urn: string;
  /** As the program says them, marks of secrets and all. */
  readonly inputs: ValueObject;
  /** What is sent, the ownership mark among it. */
  readonly sent: JsonObject;
  readonly signal: AbortSignal | undefined;
}

/**
 * True where a second object would be made without a word: no key keeps it out, so that an object that a run left behind which
 * was killed has to be looked for first.
 */
export function mayBeDoubled({ type }: Wish): boolean {
  return isMarked(type) && type.unique.length === 0;
}

/** The objects with its key. */
export function withKey(provider: Provider, { type, sent }: Wish): Promise<readonly RemoteObject[]> {
  return provider.find(type, scopeOf(type, sent), sent);
}

/**
 * Of the objects with its key, the one that an earlier run made for this very resource, and was killed before the engine could note it. It bears the mark of the
 * resource; where objects bear none, what it lives in bears one of the stack, and it is as the program wants it.
 * Objects that the engine knows are never meant: one is about to be replaced.
 */
export async function leftBehind(
  session: Session,
  provider: Provider,
  wish: Wish,
  found: readonly RemoteObject[],
): Promise<RemoteObject | undefined> {
  const { type, urn } = wish;
  const strange = found.filter(({ identity }) => !session.known.has(identityKey(type.token, identity)));
  const candidates = isMarked(type)
    ? strange.filter(({ values }) => values[markField] === markFor(urn))
    : strange.filter((object) => correspondsWith(type, wish.sent, object, session.seals));
  const [first] = candidates;
  if (first === undefined) return undefined;
  if (candidates.length > 1) throw several(wish, candidates);
  if (!isMarked(type) && !(await livesInStack(session, provider, wish, first.identity))) return undefined;
  return first;
}

/** Does it live, however deep, in an object that bears a mark of the stack? */
async function livesInStack(
  session: Session,
  provider: Provider,
  { type, urn }: Wish,
  identity: Identity,
): Promise<boolean> {
  let at = { type, identity };
  for (;;) {
    const above = at.type.parent === undefined ? undefined : session.loaded.types.get(at.type.parent.type);
    const place = parentIdentity(at.type, at.identity);
    if (above === undefined || place === undefined) return false;
    at = { type: above, identity: place };
    if (!isMarked(above)) continue;
    const object = await provider.read(above, place);
    return object !== undefined && isOfStack(object, urn);
  }
}

/** Takes the object over: what the program says otherwise since is changed. Throws where only another object would do. */
export async function takeOver(
  session: Session,
  provider: Provider,
  wish: Wish,
  left: RemoteObject,
): Promise<RemoteObject> {
  const { type, urn, inputs } = wish;
  const declared = new Map(Object.entries(ownInputs(session.loaded, type, inputs)));
  const changesFor = (actual: JsonObject): readonly Change[] =>
    diffResource({
      ...{ address: '', type, declared, actual, ignored: [], seals: session.seals },
      ...{ replaceOnChanges: [], resend: false },
    }).changes;
  const halfway = (object: RemoteObject, why: unknown): HalfMade => {
    session.adopted.add(identityKey(type.token, object.identity));
    return halfTaken(wish, object, changesFor(allOf(object)), why);
  };
  const now = await wholeNow(provider, type, left).catch((why: unknown) => {
    throw halfway(left, why);
  });
  const actual = allOf(now);
  const changes = changesFor(actual);
  const stays = changes.find(({ shown }) => shown.rule === 'replace');
  if (stays !== undefined) throw another(wish, now, stays.rule.name);
  const sent = changes.filter(isSent);
  const request = {
    ...updateRequest(sent, { identity: now.identity, values: actual }),
    unread: unreadInputs({ type, declared }, actual),
  };
  const update = (): Promise<RemoteObject> =>
    provider.update(type, request).catch((why: unknown) => {
      throw halfway(now, why);
    });
  const object = sent.length === 0 ? now : await update();
  session.adopted.add(identityKey(type.token, object.identity));
  session.say(
    'info',
    `${idText(type, object.identity)} was made by an update that was cut off; it is taken over.`,
    urn,
  );
  return object;
}

async function wholeNow(provider: Provider, type: ResourceType, left: RemoteObject): Promise<RemoteObject> {
  return readWhole(provider, type, (await provider.read(type, left.identity)) ?? left);
}

function allOf({ identity, values }: RemoteObject): JsonObject {
  return { ...identity.scope, ...values };
}

/**
 * It is this resource's object, and could not be brought to what the program says. The engine is told of it with what it has
 * now, so that the next update sees what is to be changed.
 */
function halfTaken({ type, inputs }: Wish, object: RemoteObject, changes: readonly Change[], why: unknown): HalfMade {
  const actual = allOf(object);
  const differing = new Map(changes.map((change) => [change.rule.name, change]));
  const held: ValueObject = Object.fromEntries(
    Object.entries(inputs).flatMap(([name, said]): [string, Value][] => {
      const change = differing.get(name);
      const value = actual[name] ?? null;
      if (change === undefined) return [[name, said]];
      if (value !== null) return [[name, inForm(change.rule, value)]];
      // What was not seen is sent again, except where that would make another object.
      return change.shown.rule === 'replace' ? [[name, said]] : [];
    }),
  );
  const hide = (values: ValueObject): ValueObject => withSecrets(type, values, inputs);
  const outputs = withConsent(type, outputsOf(type, object, knownMembers(held)), held);
  return new HalfMade(idText(type, object.identity), hide(outputs), hide(held), reasonOf(why));
}

function several(wish: Wish, candidates: readonly RemoteObject[]): ProviderError {
  const ids = candidates.map(({ identity }) => idText(wish.type, identity)).join(', ');
  return refusal(
    `There are several objects with the mark of this ${wish.type.name}: ${ids}.`,
    'Keep one (pulumi import), delete the others, and run the update again.',
  );
}

function another(wish: Wish, { identity }: RemoteObject, field: string): ProviderError {
  const id = idText(wish.type, identity);
  return refusal(
    `${id} was made by an update that was cut off, with another ${field} than the program says now; it can't be changed to it.`,
    `Delete ${id}, or import it (pulumi import ${wish.type.token} NAME '${id}'), and run the update again.`,
  );
}

function refusal(summary: string, hint: string): ProviderError {
  return new ProviderError('conflict', [{ severity: 'error', code: 'undecided-create', summary, hint }]);
}
