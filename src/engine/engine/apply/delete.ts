import { defined } from '@platform-sync/core/model/value';
import { ProviderError } from '@platform-sync/core/model/provider';
import { isSettling, type Intent, type StateChange } from '@platform-sync/core/model/state';
import { momentIn } from '@platform-sync/core/model/world';
import { withForceHint } from '../plan/guards/force.js';
import type { Operation, Step } from '../plan/step.js';
import { isDeniedTwice } from '../refresh/evidence.js';
import { type ApplyContext, callOptions, existing, stepAt } from './context.js';
import type { Progress } from './progress.js';
import { lastLook, mustHoldNothingElse, mustHoldNothingNew } from './staleness.js';

/**
 * Deletes an object after a last look at it and at what goes with it. The call is sent whatever the look says: a 404 to a read may
 * be wrong, and one to the delete is fine. What the platform deletes together with it is deleted then, too.
 */
export async function deleteObject(
  context: ApplyContext,
  step: Step,
  operation: Operation,
  progress: Progress,
): Promise<void> {
  const { actual, type } = existing(context, step);
  const provider = await context.providerOf(type);
  const options = callOptions(context);
  const carried = (operation.carries ?? []).map((each) => [each, stepAt(context, each)] as const);
  const done = (): readonly StateChange[] => [
    ...afterDelete(step, operation, progress),
    ...carried.flatMap(([each, its]) => afterDelete(its, each, progress)),
  ];
  const current = await lastLook(context, step, await progress.looks.at(type, actual.identity));
  const alongside = carried.map(([, its]) => its);
  await mustHoldNothingElse(context, progress.looks, step, alongside, current === undefined);
  await mustHoldNothingNew(context, progress, step, alongside);
  const intent: Intent = {
    id: context.world.id(),
    address: step.address,
    type: type.token,
    action: 'delete',
    // A denial after the delete proves nothing of what was denied before it: the next refresh judges that.
    ...(current !== undefined && { identity: actual.identity }),
    scope: actual.identity.scope,
    inputs: {},
    run: context.run,
    createdAt: momentIn(context.world),
  };
  await progress.journal.begin(intent);
  try {
    const object = { ...options, actual: (current ?? actual).values };
    const how = { ...object, ...defined({ force: step.force, declared: declaredOf(step) }) };
    await progress.journal.send(intent, () => provider.delete(type, actual.identity, how));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind !== 'ambiguous') {
      await progress.journal.close(intent);
      throw withForceHint(step, error);
    }
    const wasSeen = current !== undefined;
    const settledBefore = new Date(context.world.now() - context.settleMs).toISOString();
    // What was written a moment ago may be denied although it is there: the next run sends the delete again.
    const isProof = wasSeen && !isSettling(step.recorded?.writtenAt, settledBefore);
    if (!isProof || !(await isDeniedTwice(() => provider.read(type, actual.identity, options)))) throw error;
  }
  await progress.commit([...done(), { kind: 'close-intent', id: intent.id }]);
}

/** What the files said of it when it was applied last. */
function declaredOf({ recorded, deposedOf }: Step): readonly string[] | undefined {
  return recorded === undefined || deposedOf !== undefined ? undefined : Object.keys(recorded.inputs);
}

function afterDelete(step: Step, operation: Operation, progress: Progress): readonly StateChange[] {
  if (step.actual !== undefined) progress.deleted(step.recorded?.type ?? step.type.token, step.actual.identity);
  if (step.deposedOf === undefined && operation.kind !== 'delete-old')
    return [{ kind: 'remove', address: step.address }];
  const owner = progress.recordAt(step.deposedOf ?? step.address);
  // The record of an object that was replaced no longer lists it; that of any other stays as it is.
  return owner === undefined ? [] : [{ kind: 'put', resource: owner }];
}
