import { setMaxListeners } from 'node:events';
import type { StepResult } from '../api.js';
import { defined, hasUnknown, type Json, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { StepAction } from '@platform-sync/core/model/event';
import { NotSentError } from '@platform-sync/core/model/state-store';
import type { Action } from '@platform-sync/core/model/plan';
import { type Operation, operationsOf, type Step } from '../plan/step.js';
import { type ApplyContext, stepAt } from './context.js';
import { createObject } from './create.js';
import { deleteObject } from './delete.js';
import { diagnosticsOf, locate, NotStarted } from './failure.js';
import { Halt } from './halt.js';
import { Progress } from './progress.js';
import { Slots } from './slots.js';
import { recordAsIs } from './record.js';
import { StepResults } from './results.js';
import { type OperationOutcome, walkGraph } from './schedule.js';
import { parkObject, updateObject } from './update.js';
import { sameJson } from '@platform-sync/core/model/canonical';
import type { StateChange } from '@platform-sync/core/model/state';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { handedOutputs } from '../plan/handed-outputs.js';

export interface Execution {
  readonly steps: readonly StepResult[];
  /** The caller stopped it. */
  readonly interrupted: boolean;
  /** Something was carried out, be it half a step. */
  readonly wroteSomething: boolean;
  /** Secrets sealed. */
  readonly outputs: JsonObject;
  /** Why the run itself had to stop: the lease was lost, the state can't be written. */
  readonly diagnostics: readonly Diagnostic[];
  /** False when results are kept on this machine because the state store went away. */
  readonly isRecorded: boolean;
}

/** Carries out a plan's operations and writes state after each. Rejects with bugs only, after what was in flight has ended. */
export async function execute(given: Omit<ApplyContext, 'rest'>): Promise<Execution> {
  const halt = new Halt(given);
  halt.watch(given.lease.term);
  const slots = slotsFor(given.concurrency);
  const context: ApplyContext = { ...given, signal: halt.calls, rest: slots.rest };
  // As many steps as are in flight may wait on them at a time; that is no leak.
  setMaxListeners(0, halt.calls, ...(given.drain === undefined ? [] : [given.drain]));
  const progress = new Progress(context, halt);
  const results = new StepResults();
  const operations = operationsOf(context.steps);
  const count = new Set(operations.flatMap(all).map((operation) => operation.address)).size;
  context.onEvent({ type: 'apply-started', steps: count });
  await walkGraph(operations, {
    slots,
    isStopped: () => halt.isStopped,
    perform: (operation) => perform(context, progress, operation, results),
    onSkip: (operation, because) => {
      progress.givenUp.add(operation.address);
      skip(context, results, operation, results.whyNot(because?.address) ?? halt.because);
    },
  });
  const outputs = await finishUnlessLost(context, progress, results);
  const [done, failed, skipped] = [results.count('done'), results.count('failed'), results.count('skipped')];
  context.onEvent({ type: 'apply-finished', done, failed, skipped });
  return {
    steps: results.all(),
    interrupted: halt.isInterrupted,
    wroteSomething: results.wroteSomething,
    outputs: outputs ?? context.state.outputs,
    diagnostics: halt.diagnostics,
    isRecorded: halt.diagnostics.length === 0 || !progress.journal.hasOutbox,
  };
}

/**
 * While some steps write to state, others have their requests in flight: the provider holds back what would be too much, and
 * one flush to disk serves all that wait for one. With a concurrency of one, one step follows the other.
 */
function slotsFor(concurrency: number): Slots {
  return concurrency === 1 ? new Slots(1, 0) : new Slots(concurrency * 4, concurrency * 32);
}

/** Undefined when the last words could not be written; why is what the halt says then. */
async function finishUnlessLost(
  context: ApplyContext,
  progress: Progress,
  results: StepResults,
): Promise<JsonObject | undefined> {
  if (progress.halt.diagnostics.length > 0) return undefined;
  try {
    return await finish(context, progress, results);
  } catch (error) {
    progress.halt.stop(diagnosticsOf(error));
    return undefined;
  }
}

function skip(context: ApplyContext, results: StepResults, operation: Operation, because: string): void {
  for (const each of all(operation)) {
    results.skipped(each, stepAction(context, each), because);
    const action = actionOf(context, each);
    context.onEvent({ type: 'step-skipped', address: each.address, action, because });
  }
}

/** An operation, and what its call carries out as well. */
function all(operation: Operation): readonly Operation[] {
  return [operation, ...(operation.carries ?? [])];
}

/** What one operation is told as. */
function actionOf(context: ApplyContext, operation: Operation): StepAction {
  if (operation.kind === 'delete-old' || operation.kind === 'park') return operation.kind;
  return stepAction(context, operation);
}

/** What the whole step is, of which it may be a half. */
function stepAction(context: ApplyContext, { address }: Operation): Action {
  const action = context.steps.get(address)?.action;
  return action === undefined || action === 'none' || action === 'not-compared' ? 'update' : action;
}

async function perform(
  context: ApplyContext,
  progress: Progress,
  operation: Operation,
  results: StepResults,
): Promise<OperationOutcome> {
  const { address } = operation;
  const step = stepAt(context, operation);
  const action = actionOf(context, operation);
  const resourceType = step.type.token;
  context.onEvent({ type: 'step-started', address, resourceType, action });
  const start = context.world.steady();
  try {
    const id = await carryOut(context, progress, operation, step);
    const durationMs = Math.round(context.world.steady() - start);
    for (const carried of operation.carries ?? []) doneAlong(context, results, carried);
    results.done(operation, stepAction(context, operation), id, durationMs);
    const told = { type: 'step-done', address, resourceType, action, durationMs } as const;
    context.onEvent(id === undefined ? told : { ...told, id });
    return 'done';
  } catch (error) {
    if (error instanceof NotStarted || error instanceof NotSentError) {
      const because = progress.givenUp.has(address) ? results.whyNot(address) : undefined;
      skip(context, results, operation, because ?? progress.halt.because);
      return 'failed';
    }
    const diagnostics = locate(diagnosticsOf(error), address, step.desired, context.desired);
    const fail = (each: Operation): void => {
      results.failed(each, stepAction(context, each), diagnostics);
      const told = { resourceType: stepAt(context, each).type.token, action: actionOf(context, each), diagnostics };
      context.onEvent({ type: 'step-failed', address: each.address, ...told });
    };
    fail(operation);
    progress.halt.stepFailed(address);
    // Where nobody knows what became of the call, nobody knows what went along.
    const isUnknown = [...progress.journal.open.values()].some((intent) => intent.address === address);
    for (const each of operation.carries ?? [])
      if (isUnknown) fail(each);
      else skip(context, results, each, address);
    return 'failed';
  }
}

/** A delete for which no call was needed. */
function doneAlong(context: ApplyContext, results: StepResults, operation: Operation): void {
  const { type, actual } = stepAt(context, operation);
  const told = { address: operation.address, resourceType: type.token, action: actionOf(context, operation) };
  context.onEvent({ type: 'step-started', ...told });
  results.done(operation, stepAction(context, operation), actual?.identity.id, 0);
  context.onEvent({ type: 'step-done', ...told, durationMs: 0, ...defined({ id: actual?.identity.id }) });
}

/** Returns the id of the object that the step is about. */
async function carryOut(
  context: ApplyContext,
  progress: Progress,
  operation: Operation,
  step: Step,
): Promise<string | undefined> {
  switch (operation.kind) {
    case 'create':
      return (await createObject(context, step, progress)).identity.id;
    case 'park':
      await parkObject(context, step, operation, progress);
      return step.actual?.identity.id;
    case 'update':
    case 'adopt':
      return (await updateObject(context, step, progress)).identity.id;
    case 'delete':
    case 'delete-old':
      await deleteObject(context, step, operation, progress);
      return step.actual?.identity.id;
    case 'record':
      // Moves were written before the walk.
      if (step.action === 'forget') await progress.commit([{ kind: 'remove', address: step.address }]);
      else await recordOptions(context, step, progress);
      return step.recorded?.identity.id;
  }
}

/** A move may have nothing to record. */
async function recordOptions(context: ApplyContext, step: Step, progress: Progress): Promise<void> {
  const resource = step.recordOnly ? recordAsIs(context, step) : undefined;
  if (resource !== undefined) await progress.commit([{ kind: 'put', resource }]);
}

/** What is written once all steps have ended. Returns the outputs as they stand then. */
async function finish(context: ApplyContext, progress: Progress, results: StepResults): Promise<JsonObject> {
  const outputs = await outputsNow(context, progress);
  const changes: StateChange[] = convergedRecords(context, results);
  if (!sameJson(outputs, context.state.outputs)) changes.push({ kind: 'outputs', outputs });
  if (changes.length > 0) await progress.commit(changes);
  return outputs;
}

function typesOf({ desired, typeOf }: ApplyContext): ReadonlyMap<string, ResourceType> {
  return new Map([...desired.resources.values()].map(({ type }) => [type, typeOf(type)]));
}

/** Records of resources on which file and platform already agreed. */
function convergedRecords(context: ApplyContext, results: StepResults): StateChange[] {
  return [...context.steps.values()].flatMap((step): StateChange[] => {
    if (!step.recordOnly || results.has(step.address)) return [];
    const resource = recordAsIs(context, step);
    return resource === undefined ? [] : [{ kind: 'put', resource }];
  });
}

/** An output that still waits for a step that did not happen keeps its old value. */
async function outputsNow(context: ApplyContext, progress: Progress): Promise<JsonObject> {
  const outputs = new Map<string, Json>();
  const handed = new Set(handedOutputs(context.desired, typesOf(context)).map(({ name }) => name));
  for (const [name, expression] of context.desired.outputs) {
    if (handed.has(name)) continue;
    const value = await progress.applied.value(expression);
    const old = ownMember(context.state.outputs, name);
    if (hasUnknown(value) && old !== undefined) outputs.set(name, old);
    if (value === null || hasUnknown(value)) continue;
    outputs.set(name, context.seals.output(value));
  }
  return Object.fromEntries(outputs);
}
