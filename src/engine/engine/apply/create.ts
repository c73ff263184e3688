import type { DesiredResource } from '@platform-sync/core/model/desired';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { Deposed, Intent, RecordedResource } from '@platform-sync/core/model/state';
import {
  hasUnknown,
  reveal,
  unknownSources,
  type Json,
  type JsonObject,
  type Value,
} from '@platform-sync/core/model/value';
import { momentIn } from '@platform-sync/core/model/world';
import type { Step } from '../plan/step.js';
import { scopeOf } from '../plan/ownership.js';
import { settledAnswer } from './after-write.js';
import type { ApplyContext } from './context.js';
import { StepFailure } from './failure.js';
import { handOver } from './hand-over.js';
import { creationKey } from './lost-create.js';
import type { Progress } from './progress.js';
import { recordOf } from './record.js';
import { sendCreate } from './send-create.js';

/** Creates an object, remembers it, and returns it. */
export async function createObject(context: ApplyContext, step: Step, progress: Progress): Promise<RemoteObject> {
  const resource = step.desired;
  if (resource === undefined) throw new Error(`bug: nothing desired at ${step.address}`);
  const { type } = step;
  const declared = await progress.applied.properties(resource);
  const inputs = await checkedInputs(context, step, resource, declared);
  const scope = scopeOf(type, inputs);
  const known = { ...step, declared };
  const recordWith = recordOf(context, known, { deposed: deposedBy(step), ...replacedFor(step) });
  const provider = await context.providerOf(type);
  return progress.inTurn(creationKey(type, scope, inputs, type.derive(inputs)), async () => {
    const intent = createIntent(context, recordWith({ identity: { id: '', scope }, values: {} }), scope);
    await progress.journal.begin(intent);
    const made = await sendCreate(context, progress, { provider, type, scope, inputs, intent });
    progress.created.add(made.identity.id);
    const lost = await handOver(context, step, made);
    const object = await settledAnswer(context, known, made);
    await progress.put(type, recordWith(object), declared, object, intent.id);
    if (lost.length > 0) throw new StepFailure(lost);
    return object;
  });
}

function createIntent(context: ApplyContext, record: RecordedResource, scope: Intent['scope']): Intent {
  return {
    id: context.world.id(),
    address: record.address,
    type: record.type,
    action: 'create',
    scope,
    inputs: record.inputs,
    record,
    run: context.run,
    createdAt: momentIn(context.world),
  };
}

/** A create-first replacement keeps the old object in mind until it is deleted. */
function deposedBy({ action, order, actual, recorded }: Step): readonly Deposed[] {
  if (action !== 'replace' || order !== 'create-first' || actual === undefined) return [];
  return [...(recorded?.deposed ?? []), { identity: actual.identity, outputs: recorded?.outputs ?? {} }];
}

/** Why an object takes the place of another one, where nothing but changes outside is the reason. */
function replacedFor({ action, cause, changes }: Step): Pick<RecordedResource, 'replacedFor'> {
  if (action !== 'replace' || cause !== 'drift') return {};
  return {
    replacedFor: changes.filter(({ shown }) => shown.rule === 'replace').map(({ rule }) => rule.name),
  };
}

/** The same as `plainInputs`; what the plan did not know must be right, too. */
export async function checkedInputs(
  context: ApplyContext,
  step: Step,
  desired: DesiredResource,
  declared: ReadonlyMap<string, Value>,
): Promise<JsonObject> {
  const inputs = plainInputs(step, declared);
  if (![...step.declared.values()].some(hasUnknown)) return inputs;
  const wrong = await context.wrongValues({ type: step.type, desired }, declared);
  if (wrong.length > 0) throw new StepFailure(wrong);
  return inputs;
}

/** The declared properties as plain JSON; all of them must be known by now. */
export function plainInputs(step: Step, declared: ReadonlyMap<string, Value>): JsonObject {
  const inputs = new Map<string, Json>();
  for (const [name, value] of declared) {
    if (!hasUnknown(value)) {
      inputs.set(name, reveal(value));
      continue;
    }
    const waits = unknownSources(value).join(', ');
    throw new StepFailure([
      {
        severity: 'error',
        code: 'still-unknown',
        summary: `${name} of ${step.address} is not known: it waits for ${waits}.`,
        field: name,
      },
    ]);
  }
  return Object.fromEntries(inputs);
}
