import type { StepResult } from '../api.js';
import type { Address } from '../model/address.js';
import { canonicalJson } from '../model/canonical.js';
import type { StepAction } from '../model/event.js';
import type { StateChange } from '../model/state.js';
import { hasUnknown } from '../model/value.js';
import type { Json } from '../model/value.js';
import type { Operation } from '../plan/operation.js';
import type { Proposal } from '../plan/proposal.js';
import { seal } from '../plan/seal.js';
import type { ApplyContext } from './context.js';
import { createObject } from './create.js';
import { deleteObject } from './delete.js';
import { diagnosticsOf, locate } from './failure.js';
import { Progress } from './progress.js';
import { recordOf } from './record.js';
import { walkGraph } from './schedule.js';
import type { OperationOutcome } from './schedule.js';
import { parkObject, updateObject } from './update.js';

export interface Execution {
  readonly steps: readonly StepResult[];
  readonly interrupted: boolean;
}

/** Carries out a plan's operations and writes state after each. */
export async function execute(context: ApplyContext): Promise<Execution> {
  const progress = new Progress(context);
  const results = new Map<Address, StepResult>();
  let failed = 0;
  context.onEvent({
    type: 'apply-started',
    steps: new Set(context.operations.map((operation) => operation.address)).size,
  });
  const isInterrupted = (): boolean => context.drain?.aborted === true || context.signal?.aborted === true;
  await walkGraph(context.operations, {
    concurrency: context.concurrency,
    isStopped: () => isInterrupted() || (context.failFast && failed > 0),
    perform: async (operation) => {
      const outcome = await perform(context, progress, operation, results);
      if (outcome === 'failed') failed += 1;
      return outcome;
    },
    onSkip: (operation, because) => {
      const reason = because?.address ?? (isInterrupted() ? 'interrupted' : 'fail-fast');
      const action = actionOf(context, operation);
      results.set(operation.address, { address: operation.address, action, outcome: 'skipped', because: reason });
      context.onEvent({ type: 'step-skipped', address: operation.address, action, because: reason });
    },
  });
  const steps = [...results.values()];
  await writeConverged(context, progress, results);
  await writeOutputs(context, progress);
  const count = (outcome: StepResult['outcome']): number => steps.filter((step) => step.outcome === outcome).length;
  context.onEvent({ type: 'apply-finished', done: count('done'), failed: count('failed'), skipped: count('skipped') });
  return { steps, interrupted: isInterrupted() };
}

function actionOf(context: ApplyContext, operation: Operation): StepAction {
  if (operation.kind === 'delete-old') return 'delete-old';
  const action = context.proposals.get(operation.address)?.action;
  return action === undefined || action === 'none' || action === 'not-compared' ? 'update' : action;
}

async function perform(
  context: ApplyContext,
  progress: Progress,
  operation: Operation,
  results: Map<Address, StepResult>,
): Promise<OperationOutcome> {
  const proposal = context.proposals.get(operation.address);
  if (proposal === undefined) throw new Error(`bug: no proposal for ${operation.id}`);
  const action = actionOf(context, operation);
  const told = { address: operation.address, resourceType: proposal.type.token, action };
  context.onEvent({ type: 'step-started', ...told });
  const start = performance.now();
  try {
    const id = await carryOut(context, progress, operation, proposal);
    const durationMs = Math.round(performance.now() - start);
    const result = {
      address: operation.address,
      action,
      outcome: 'done',
      durationMs,
      ...(id === undefined ? {} : { id }),
    } as const;
    results.set(operation.address, result);
    context.onEvent({ type: 'step-done', ...told, durationMs, ...(id === undefined ? {} : { id }) });
    return 'done';
  } catch (error) {
    const diagnostics = locate(diagnosticsOf(error), operation.address, proposal.desired, context.desired);
    results.set(operation.address, { address: operation.address, action, outcome: 'failed', diagnostics });
    context.onEvent({ type: 'step-failed', ...told, diagnostics });
    return 'failed';
  }
}

/** Returns the id of the object that the step is about. */
async function carryOut(
  context: ApplyContext,
  progress: Progress,
  operation: Operation,
  proposal: Proposal,
): Promise<string | undefined> {
  switch (operation.kind) {
    case 'create':
      return (await createObject(context, proposal, progress)).identity.id;
    case 'park':
      await parkObject(context, proposal, operation);
      return proposal.actual?.identity.id;
    case 'update':
    case 'adopt':
      return (await updateObject(context, proposal, progress)).identity.id;
    case 'delete':
    case 'delete-old':
      await deleteObject(context, proposal, operation, progress);
      return proposal.actual?.identity.id;
    case 'record':
      // Moves were written before the walk; what is left is to forget.
      if (proposal.action === 'forget') await progress.commit([{ kind: 'remove', address: proposal.address }]);
      return proposal.recorded?.identity.id;
  }
}

/** Records of resources on which file and platform already agreed, in one transaction. */
async function writeConverged(
  context: ApplyContext,
  progress: Progress,
  results: ReadonlyMap<Address, StepResult>,
): Promise<void> {
  const changes: StateChange[] = [];
  for (const proposal of context.proposals.values()) {
    const { desired, actual, recorded } = proposal;
    if (!proposal.recordOnly || results.has(proposal.address) || desired === undefined || actual === undefined)
      continue;
    const declared = new Map([...proposal.declared].filter(([, value]) => value !== null && !hasUnknown(value)));
    const record = recordOf({
      resource: desired,
      type: proposal.type,
      identity: actual.identity,
      declared,
      answer: actual.values,
      previous: recorded,
      dependencies: context.graph.get(desired.address) ?? [],
      fingerprint: context.fingerprint,
    });
    changes.push({ kind: 'put', resource: record });
  }
  if (changes.length > 0) await progress.commit(changes);
}

/** Outputs after the run; one that still waits for a step that did not happen keeps its old value. */
async function writeOutputs(context: ApplyContext, progress: Progress): Promise<void> {
  const outputs: Record<string, Json> = {};
  for (const [name, expression] of context.desired.outputs) {
    const value = await progress.settled.value(expression);
    const old = context.state.outputs[name];
    if (hasUnknown(value) && old !== undefined) outputs[name] = old;
    if (value === null || hasUnknown(value)) continue;
    outputs[name] = seal({ equality: 'exact', secret: false }, value, context.fingerprint);
  }
  if (canonicalJson(outputs) === canonicalJson(context.state.outputs)) return;
  await progress.commit([{ kind: 'outputs', outputs }]);
}
