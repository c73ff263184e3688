import { defined } from '@platform-sync/core/model/value';
import { ProviderError, type RemoteObject } from '@platform-sync/core/model/provider';
import type { Identity, Intent, StateChange } from '@platform-sync/core/model/state';
import { momentIn } from '@platform-sync/core/model/world';
import { withForceHint } from '../plan/guards/force.js';
import type { Operation, Step } from '../plan/step.js';
import { isDeniedTwice, isSettling } from '../refresh/evidence.js';
import { type ApplyContext, callOptions, stepAt } from './context.js';
import type { Progress } from './progress.js';
import type { Address } from '@platform-sync/core/model/address';
import { identityKey, parentIdentity } from '@platform-sync/core/model/identity';
import { isWholeInLists, type ResourceType } from '@platform-sync/core/model/resource-type';
import { managedDigest } from '../plan/plan-steps.js';
import { byCollection } from '../reads/collection.js';
import { found } from '../refresh/confirmed-reading.js';
import { StepFailure } from './failure.js';
import type { LastLooks } from './last-looks.js';

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

/** The object that is to be deleted, and what it is. */
function existing(
  context: ApplyContext,
  { address, actual, recorded, type }: Step,
): { readonly actual: RemoteObject; readonly type: ResourceType } {
  if (actual === undefined) throw new Error(`bug: nothing to delete at ${address}`);
  return { actual, type: recorded === undefined ? type : context.typeOf(recorded.type) };
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
  if (current === undefined || !isChecked || isAsPlanned(context, type, step, current, 'read')) return current;
  throw changed(step.address, 'was changed on the platform after the plan was made');
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
  { address }: Step,
  carried: readonly Step[],
  isDenied = false,
): Promise<void> {
  const each = carried.map((step) => ({ step, ...existing(context, step) }));
  const kinds = byCollection(each, ({ type, actual }) => ({ type, scope: actual.identity.scope }));
  await Promise.all(
    kinds.map(async ({ type, scope, members }) => {
      const known = new Map(members.map((member) => [identityKey(type.token, member.actual.identity), member]));
      const homes = new Set(members.map(({ actual }) => homeOf(type, actual.identity)));
      const listed = looks.all(type, scope);
      for (const [key, object] of await (isDenied ? listed.catch(nothingThere) : listed)) {
        const member = known.get(key);
        if (member !== undefined) await lastLook(context, member.step, object);
        else if (homes.has(homeOf(type, object.identity)))
          throw changed(address, `holds ${type.name} ${object.identity.id}, which the plan does not show`);
      }
    }),
  );
}

/** A place that is not found holds nothing. */
function nothingThere(error: unknown): ReadonlyMap<string, RemoteObject> {
  if (error instanceof ProviderError && (error.kind === 'not-found' || error.status === 404)) return new Map();
  throw error;
}

/** What an object lives in, as one text. */
function homeOf(type: ResourceType, identity: Identity): string {
  const above = parentIdentity(type, identity);
  return above === undefined ? '' : identityKey('', above);
}

function changed(address: Address, what: string): StepFailure {
  return new StepFailure([
    {
      severity: 'error',
      code: 'changed-since-plan',
      summary: `${address} ${what}, so it was not deleted.`,
      hint: 'Plan again and look at the change before it is lost.',
    },
  ]);
}
