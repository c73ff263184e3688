import { identityKey } from '@platform-sync/core/model/identity';
import { defined } from '@platform-sync/core/model/value';
import { type Provider, ProviderError, type RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { isSettling, type Intent, type StateChange } from '@platform-sync/core/model/state';
import { NotSentError } from '@platform-sync/core/model/state-store';
import { momentIn } from '@platform-sync/core/model/world';
import { withForceHint } from '../plan/guards/force.js';
import type { Operation, Step } from '../plan/step.js';
import { isDeniedTwice, settling } from '../refresh/evidence.js';
import { type ApplyContext, callOptions, existing, stepAt } from './context.js';
import { mayStillSend } from './in-time.js';
import { NotStarted, StepFailure } from './failure.js';
import { type Denials, unlessHomeIsGone } from './gone-along.js';
import type { Progress } from './progress.js';
import { lastLook, mustHoldNothingElse, mustHoldNothingNew, mustHoldNothingOfOthers } from './staleness.js';

/** Deletes an object. What an earlier run replaced no plan has looked for: it may have gone along with what it lived in. */
export async function deleteObject(
  context: ApplyContext,
  step: Step,
  operation: Operation,
  progress: Progress,
): Promise<void> {
  const id = context.world.id();
  const { actual, type } = existing(context, step);
  const end = (): Promise<void> => endObject(context, step, operation, progress, id);
  const along = { type, identity: actual.identity, otherwise: undefined };
  await (step.deposedOf === undefined ? end() : unlessHomeIsGone(denialsOf(context), along, end));
  const carried = (operation.carries ?? []).map((each) => [each, stepAt(context, each)] as const);
  await progress.commit([
    ...afterDelete(step, operation, progress),
    ...carried.flatMap(([each, its]) => afterDelete(its, each, progress)),
    { kind: 'close-intent', id },
  ]);
}

function denialsOf(context: ApplyContext): Denials {
  const { state, typeOf } = context;
  return {
    typeOf,
    recordOf: (key) => [...state.resources.values()].find(({ type, identity }) => identityKey(type, identity) === key),
    ...settling(context),
    isGone: async (type, identity) => {
      const provider = await context.providerOf(type);
      return isDeniedTwice(() => provider.read(type, identity, callOptions(context)));
    },
  };
}

/**
 * Deletes it after a last look at it and at what goes with it. The call is sent whatever the look says: a 404 to a read may
 * be wrong, and one to the delete is fine. What the platform deletes together with it is deleted then, too. What had to wait until its
 * looks are too old (for the state store, for its turn, for another attempt) looks again.
 */
async function endObject(
  context: ApplyContext,
  step: Step,
  operation: Operation,
  progress: Progress,
  id: string,
): Promise<void> {
  const { actual, type } = existing(context, step);
  const provider = await context.providerOf(type);
  const alongside = (operation.carries ?? []).map((each) => stepAt(context, each));
  let wasSeen = false;
  let lost: ProviderError | undefined;
  for (;;) {
    let isLate = false;
    try {
      const looks = progress.looks.forOne();
      const current = await lastLook(context, step, await looks.at(type, actual.identity));
      await mustHoldNothingElse(context, looks, step, alongside, current === undefined);
      await mustHoldNothingNew(context, { looks, progress }, step, alongside);
      const isFresh = looks.freshness();
      // While the store takes its time, the looks get older.
      await mustHoldNothingOfOthers(context, progress, step, alongside);
      wasSeen ||= current !== undefined;
      // What was to take its place may have been given up meanwhile.
      const isLast = (): boolean => operation.kind === 'delete' && progress.givenUp.has(step.address);
      if (isLast()) throw new NotStarted([]);
      const intent = deleteIntent(context, step, type, id, wasSeen);
      await progress.journal.begin(intent);
      const mayLeave = (): boolean => !isLast() && !(isLate = !isFresh());
      await sendDelete(context, step, progress, {
        provider,
        type,
        intent,
        current,
        mayLeave,
        isAgain: lost !== undefined,
      });
      break;
    } catch (error) {
      if (isAmbiguous(error)) lost = error;
      const isWaiting = error instanceof NotSentError || error === lost;
      if (isLate && isWaiting && mayStillSend(context)) continue;
      // That it was not sent again says nothing of the first one: the step has begun.
      throw error instanceof NotSentError || error instanceof StepFailure ? (lost ?? error) : error;
    }
  }
}

function deleteIntent(context: ApplyContext, step: Step, type: ResourceType, id: string, wasSeen: boolean): Intent {
  const { identity } = existing(context, step).actual;
  return {
    id,
    address: step.address,
    type: type.token,
    action: 'delete',
    // A denial after the delete proves nothing of what was denied before it: the next refresh judges that.
    ...(wasSeen && { identity }),
    scope: identity.scope,
    inputs: {},
    run: context.run,
    createdAt: momentIn(context.world),
  };
}

function isAmbiguous(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.kind === 'ambiguous';
}

interface Sending {
  readonly provider: Provider;
  readonly type: ResourceType;
  readonly intent: Intent;
  /** Undefined: nothing showed it. */
  readonly current: RemoteObject | undefined;
  readonly mayLeave: () => boolean;
  /** One before may have been carried out. */
  readonly isAgain: boolean;
}

/** Resolves when it is gone. */
async function sendDelete(
  context: ApplyContext,
  step: Step,
  { journal }: Progress,
  { provider, type, intent, current, mayLeave, isAgain }: Sending,
): Promise<void> {
  const { actual } = existing(context, step);
  const options = callOptions(context);
  try {
    // No run may have ended it before, and so soon after it was written a denial may be of before that.
    const mayNotShow = context.inside.lagging.has(step.address);
    const object = { ...options, mayLeave, mayNotShow, actual: (current ?? actual).values };
    const how = { ...object, ...defined({ force: step.force, declared: declaredOf(step) }) };
    const send = (): Promise<void> => provider.delete(type, actual.identity, how);
    await (isAgain ? send() : journal.send(intent, send));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // A refusal is of the last one sent alone: one before may have been carried out.
    if (!isAmbiguous(error) && !isAgain) {
      await journal.close(intent);
      throw withForceHint(step, error);
    }
    const { settledBefore } = settling(context);
    // What was written a moment ago may be denied although it is there: the next run sends the delete again.
    const isDenied = error.status === 404 || !isSettling(step.recorded?.writtenAt, settledBefore);
    const isProof = intent.identity !== undefined && isDenied;
    if (!isProof || !(await isDeniedTwice(() => provider.read(type, actual.identity, options))))
      throw withForceHint(step, error);
  }
}

/** What the files said of it when it was applied last. */
function declaredOf({ recorded, deposedOf }: Step): readonly string[] | undefined {
  return recorded === undefined || deposedOf !== undefined ? undefined : Object.keys(recorded.inputs);
}

function afterDelete(step: Step, operation: Operation, progress: Progress): readonly StateChange[] {
  if (step.actual !== undefined) progress.deleted(step.recorded?.type ?? step.type.token, step.actual.identity);
  if (step.deposedOf === undefined && operation.kind !== 'delete-old')
    return [{ kind: 'remove', address: step.address }];
  const owner = progress.ownerOf(step);
  // The record of an object that was replaced no longer lists it; that of any other stays as it is.
  return owner === undefined ? [] : [{ kind: 'put', resource: owner }];
}
