import { ownMember } from '@platform-sync/core/model/own-member';
import { sameJson } from '@platform-sync/core/model/canonical';
import type { StateChange } from '@platform-sync/core/model/state';
import { hasUnknown, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { ApplyContext } from './context.js';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { handedOutputs } from '../plan/handed-outputs.js';
import type { Progress } from './progress.js';
import { recordAsIs } from './record.js';
import type { StepResults } from './results.js';

/** What is written once all steps have ended. Returns the outputs as they stand then. */
export async function finish(context: ApplyContext, progress: Progress, results: StepResults): Promise<JsonObject> {
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
