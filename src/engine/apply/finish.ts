import { canonicalJson } from '../model/canonical.js';
import type { StateChange } from '../model/state.js';
import { hasUnknown } from '../model/value.js';
import type { Json, JsonObject } from '../model/value.js';
import { seal } from '../plan/seal.js';
import type { ApplyContext } from './context.js';
import type { Progress } from './progress.js';
import { recordOf } from './record.js';
import type { StepResults } from './results.js';

/** What is written once all steps have ended. Returns the outputs as they stand then. */
export async function finish(context: ApplyContext, progress: Progress, results: StepResults): Promise<JsonObject> {
  const outputs = await outputsNow(context, progress);
  const changes: StateChange[] = convergedRecords(context, results);
  if (canonicalJson(outputs) !== canonicalJson(context.state.outputs)) changes.push({ kind: 'outputs', outputs });
  if (changes.length > 0) await progress.commit(changes);
  return outputs;
}

/** Records of resources on which file and platform already agreed. */
function convergedRecords(context: ApplyContext, results: StepResults): StateChange[] {
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
  return changes;
}

/** An output that still waits for a step that did not happen keeps its old value. */
async function outputsNow(context: ApplyContext, progress: Progress): Promise<JsonObject> {
  const outputs: Record<string, Json> = {};
  for (const [name, expression] of context.desired.outputs) {
    const value = await progress.settled.value(expression);
    const old = context.state.outputs[name];
    if (hasUnknown(value) && old !== undefined) outputs[name] = old;
    if (value === null || hasUnknown(value)) continue;
    outputs[name] = seal({ equality: 'exact', secret: false }, value, context.fingerprint);
  }
  return outputs;
}
