import { type Provider, ProviderError, type RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { ValueObject } from '@platform-sync/core/model/value';
import { identityKey } from '@platform-sync/core/model/identity';
import { realWorld } from '@platform-sync/core/model/world';
import { type CreateOutcome, searchCreate } from '@platform-sync/engine/apply/lost-create';
import { scopeOf } from '@platform-sync/engine/plan/ownership';
import { HalfMade, isTimeout, sentences, TimedOut } from '../failures.js';
import { markInput } from '../mark.js';
import { idText, outputsOf, ownInputs } from '../resource-types.js';
import type { Session } from '../session.js';
import { knownMembers } from '../wire/values.js';
import { leftBehind, mayBeDoubled, takeOver, withKey, type Wish } from './left-behind.js';
import { withSecrets } from './secrets.js';
import { withConsent } from './with-consent.js';
import { isMarked } from '@platform-sync/core/model/ownership-mark';

/** How often a create that the platform proved not to have is sent again. */
const maxResends = 2;

interface Made {
  readonly id: string;
  readonly outputs: ValueObject;
}

interface ToCreate {
  readonly type: ResourceType;
  readonly urn: string;
  readonly inputs: ValueObject;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes an object, or finds the one that an earlier run made for this resource. What became of a create whose answer was
 * lost is settled here: the engine would keep nothing of it.
 */
export async function create(session: Session, { type, urn, inputs, signal }: ToCreate): Promise<Made> {
  const provider = await session.writer();
  const plain = knownMembers(ownInputs(session.loaded, type, inputs));
  const wish: Wish = { type, urn, inputs, sent: { ...plain, ...markInput(type, urn) }, signal };
  const object = await settled(session, provider, wish);
  session.known.add(identityKey(type.token, object.identity));
  const id = idText(type, object.identity);
  try {
    const outputs = withConsent(type, outputsOf(type, object, plain), inputs);
    return { id, outputs: withSecrets(type, outputs, inputs) };
  } catch (error) {
    // It exists: whatever goes wrong from here on must not make the engine forget it.
    throw new HalfMade(id, {}, inputs, error instanceof Error ? error.message : 'its answer could not be understood');
  }
}

async function settled(session: Session, provider: Provider, wish: Wish): Promise<RemoteObject> {
  const createdAt = new Date().toISOString();
  const { type } = wish;
  const before = mayBeDoubled(wish)
    ? await leftBehind(session, provider, wish, await withKey(provider, wish))
    : undefined;
  if (before !== undefined) return takeOver(session, provider, wish, before);
  for (let resends = 0; ; resends += 1) {
    try {
      return await provider.create(type, scopeOf(type, wish.sent), wish.sent, callOptions(wish));
    } catch (error) {
      const isLate = isTimeout(error, wish.signal);
      if (!(error instanceof ProviderError) && !isLate) throw error;
      const kind = isLate ? 'ambiguous' : (error as ProviderError).kind;
      if (kind === 'conflict' && resends === 0) return takeConflicting(session, provider, wish, error as ProviderError);
      if (kind !== 'ambiguous' && kind !== 'conflict') throw error;
      const lost = isLate ? [] : [sentences((error as ProviderError).diagnostics)];
      const outcome = await search(session, provider, wish, { createdAt, lost });
      if (outcome.kind === 'ours') return outcome.object;
      if (outcome.kind === 'undecided') throw undecided(wish, outcome.candidates, lost);
      if (isLate) throw new TimedOut(wordsFor(wish), 'If the platform creates it after all, the next update finds it.');
      if (kind === 'conflict')
        throw withExisting(wish, error as ProviderError, await listed(provider, wish).catch(() => []));
      if (resends === maxResends) throw error;
    }
  }
}

function callOptions({ signal }: Wish): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

/** Its key is taken: by what a run that was killed left behind, or by somebody else's, whose id is told. */
async function takeConflicting(
  session: Session,
  provider: Provider,
  wish: Wish,
  error: ProviderError,
): Promise<RemoteObject> {
  const look = async (): Promise<RemoteObject | undefined> => {
    found = await listed(provider, wish);
    return leftBehind(session, provider, wish, found);
  };
  let found: readonly RemoteObject[] = [];
  const left = await look().catch((why: unknown) => {
    throw why instanceof ProviderError && why.kind !== 'conflict' ? withWhy(error, why) : why;
  });
  if (left !== undefined) return takeOver(session, provider, wish, left);
  throw withExisting(wish, error, found);
}

/** How long a list is waited for that does not show yet what the platform says is there, in milliseconds. */
const listLagMs = [250, 750, 1500];

/** Something has the key, so that a list without it is behind. */
async function listed(provider: Provider, wish: Wish): Promise<readonly RemoteObject[]> {
  for (const ms of listLagMs) {
    const found = await withKey(provider, wish);
    if (found.length > 0) return found;
    await realWorld.sleep(ms);
  }
  return withKey(provider, wish);
}

/** That it is there is known, and whose it is could not be looked up. */
function withWhy(error: ProviderError, why: ProviderError): ProviderError {
  return new ProviderError(error.kind, [...error.diagnostics, ...why.diagnostics]);
}

interface Lost {
  readonly createdAt: string;
  /** What is known of how the answer was lost. */
  readonly lost: readonly string[];
}

function search(session: Session, provider: Provider, wish: Wish, { createdAt, lost }: Lost): Promise<CreateOutcome> {
  const { type, sent: inputs } = wish;
  return searchCreate({
    question: { type, intent: { inputs, createdAt }, taken: session.known, seals: session.seals },
    find: () =>
      provider.find(type, scopeOf(type, inputs), inputs).catch((why: unknown) => {
        throw why instanceof ProviderError ? unclear(wish, lost, why) : why;
      }),
    read: (identity) => provider.read(type, identity).catch(() => undefined),
    steady: realWorld.steady,
    sleep: realWorld.sleep,
  });
}

/** The object by its key, as a person would look for it: `Api (name "Pets", version "1")`. */
function wordsFor({ type, sent }: Wish): string {
  const key = type.naturalKey.flatMap((name) => {
    const value = sent[name];
    return value === undefined || value === null ? [] : [`${name} ${JSON.stringify(value)}`];
  });
  return key.length === 0 ? type.name : `${type.name} (${key.join(', ')})`;
}

/** Its answer was lost, and so was the look for it: the engine keeps nothing of it, so the message has to name it. */
function unclear(wish: Wish, lost: readonly string[], why: ProviderError): ProviderError {
  const { type } = wish;
  const isFound = isMarked(type) || type.unique.length > 0;
  return new ProviderError('ambiguous', [
    {
      severity: 'error',
      code: 'undecided-create',
      summary: `It is unclear whether ${wordsFor(wish)} was created: the answer was lost, and it could not be looked for.`,
      detail: [...lost, sentences(why.diagnostics)].join('\n'),
      hint: isFound
        ? 'Run the update again: it makes no second one, and takes over the existing one or names its id.'
        : 'Check whether it exists before you run the update again: the platform would make a second one.',
    },
  ]);
}

/** It may be one of these. */
function undecided(wish: Wish, candidates: readonly RemoteObject[], cause: readonly string[]): ProviderError {
  const ids = candidates.map(({ identity }) => idText(wish.type, identity)).join(', ');
  return new ProviderError('ambiguous', [
    {
      severity: 'error',
      code: 'undecided-create',
      summary: `It is unclear whether ${wordsFor(wish)} was created: there is ${ids}, which has its key and is not as sent.`,
      ...(cause.length === 0 ? {} : { detail: cause.join('\n') }),
      hint: 'Import the right one, or delete it, and run the update again.',
    },
  ]);
}

/** "Already exists" says which object it is, where its key tells. */
function withExisting({ type }: Wish, error: ProviderError, found: readonly RemoteObject[]): ProviderError {
  const ids = found.map(({ identity }) => idText(type, identity));
  if (ids.length === 0) return error;
  const hint = `To take it over: pulumi import ${type.token} NAME '${ids.join("' or '")}'`;
  return new ProviderError(
    error.kind,
    error.diagnostics.map((one) => ({ ...one, hint })),
    error.status === undefined ? {} : { status: error.status },
  );
}
