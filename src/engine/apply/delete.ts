import { randomUUID } from 'node:crypto';
import { defined } from '../model/defined.js';
import { ProviderError } from '../model/provider.js';
import type { Intent, StateChange } from '../model/state.js';
import { withForceHint } from '../plan/forced.js';
import type { Operation } from '../plan/operation.js';
import type { Proposal } from '../plan/proposal.js';
import { managedDigest } from '../plan/steps.js';
import { found } from '../refresh/agreed.js';
import { callOptions } from './context.js';
import type { ApplyContext } from './context.js';
import { StepFailure } from './failure.js';
import type { Progress } from './progress.js';

/** Deletes an object after a last look at it; one that is already gone is fine. */
export async function deleteObject(
  context: ApplyContext,
  proposal: Proposal,
  operation: Operation,
  progress: Progress,
): Promise<void> {
  const actual = proposal.actual;
  if (actual === undefined) throw new Error(`bug: nothing to delete at ${proposal.address}`);
  const type = proposal.recorded === undefined ? proposal.type : context.typeOf(proposal.recorded.type);
  const provider = await context.providerOf(type);
  const options = callOptions(context);
  const current = await provider.read(type, actual.identity, options);
  if (current === undefined) {
    await progress.commit(afterDelete(proposal, operation, progress));
    return;
  }
  const reading = found(type, { outputs: proposal.recorded?.outputs ?? {} }, current, 'read');
  if (proposal.deposedOf === undefined && reading.kind === 'found') mustBeAsPlanned(context, proposal, reading.values);
  const intent: Intent = {
    id: randomUUID(),
    address: proposal.address,
    type: type.token,
    action: 'delete',
    identity: actual.identity,
    scope: actual.identity.scope,
    inputs: {},
    run: context.run,
    createdAt: context.now(),
  };
  await progress.journal.begin(intent);
  try {
    await provider.delete(type, actual.identity, {
      ...options,
      actual: current.values,
      ...defined({ force: proposal.force }),
    });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind !== 'ambiguous') {
      await progress.journal.close(intent);
      throw withForceHint(proposal, error);
    }
    if ((await provider.read(type, actual.identity, options)) !== undefined) throw error;
  }
  await progress.commit([...afterDelete(proposal, operation, progress), { kind: 'close-intent', id: intent.id }]);
}

function mustBeAsPlanned(
  context: ApplyContext,
  proposal: Proposal,
  values: Parameters<typeof managedDigest>[1]['values'],
): void {
  const actual = proposal.actual;
  const revision = context.typeOf(proposal.recorded?.type ?? proposal.type.token).revision ?? '';
  const isKnown = actual?.values[revision] !== undefined;
  if (actual === undefined || (isKnown && actual.values[revision] === values[revision])) return;
  const same =
    managedDigest(proposal, actual, context.seals) === managedDigest(proposal, { ...actual, values }, context.seals);
  if (same) return;
  throw new StepFailure([
    {
      severity: 'error',
      code: 'changed-since-plan',
      summary: `${proposal.address} was changed on the platform after the plan was made, so it was not deleted.`,
      hint: 'Plan again and look at the change before it is lost.',
    },
  ]);
}

function afterDelete(proposal: Proposal, operation: Operation, progress: Progress): readonly StateChange[] {
  if (proposal.actual !== undefined)
    progress.deleted(proposal.recorded?.type ?? proposal.type.token, proposal.actual.identity);
  if (proposal.deposedOf === undefined && operation.kind !== 'delete-old')
    return [{ kind: 'remove', address: proposal.address }];
  const owner = progress.recordAt(proposal.deposedOf ?? proposal.address);
  // The record of an object that was replaced no longer lists it; that of any other stays as it is.
  return owner === undefined ? [] : [{ kind: 'put', resource: owner }];
}
