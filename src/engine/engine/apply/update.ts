import { identityKey } from '@platform-sync/core/model/identity';
import { defined, hasUnknown, type Json, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import {
  type Provider,
  ProviderError,
  type RemoteObject,
  type UpdateRequest,
} from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { type Intent, isSettling, type RecordedResource } from '@platform-sync/core/model/state';
import { momentIn } from '@platform-sync/core/model/world';
import { type Change, factsOf, needsChange } from '../plan/change.js';
import { withForceHint } from '../plan/guards/force.js';
import type { Operation, Step } from '../plan/step.js';
import { compareField, recordedInput } from '@platform-sync/core/value/field-comparison';
import { settling } from '../refresh/evidence.js';
import { settledAnswer } from './after-write.js';
import { type ApplyContext, callOptions } from './context.js';
import { checkedInputs } from './create.js';
import { newlySaid } from './sent-record.js';
import { objectBeforeWrite } from './staleness.js';
import type { Progress } from './progress.js';
import { adoptedInputs, recordOf } from './record.js';
import { hasAll, isSent, unreadInputs, updateRequest } from './update-request.js';

/** Changes what the plan shows on an existing object (nothing is sent when nothing differs any more), and records it. */
export async function updateObject(context: ApplyContext, step: Step, progress: Progress): Promise<RemoteObject> {
  const { desired: resource, actual, type, recorded } = step;
  if (resource === undefined || actual === undefined) throw new Error(`bug: nothing to update at ${step.address}`);
  const declared = await progress.applied.properties(resource);
  await checkedInputs(context, step, resource, declared, progress);
  const known = { ...step, declared };
  const planned = changesToSend(context, known, actual);
  const isEmpty = planned.length === 0;
  const parked = progress.parked.get(step.address);
  const before = isEmpty ? actual : await objectBeforeWrite(context, known, actual, passingValues(step), parked);
  const changes = before === actual ? planned : changesToSend(context, known, before);
  const request = {
    ...updateRequest(changes, before),
    unread: unreadInputs(known, before.values),
    ...defined({ force: step.force, recorded: recorded?.outputs }),
  };
  const provider = await context.providerOf(type);
  const intent = updateIntent(context, step, actual, saidInputs(context, known, changes));
  if (!isEmpty) await progress.journal.begin(intent);
  const object = isEmpty
    ? { identity: actual.identity, values: actual.values }
    : await settledAnswer(context, known, await sendUpdate(context, progress, provider, step, request, intent));
  const record = recordOf(context, known, {
    // What an adopted object has where the file leaves it alone stands for what was recorded.
    previous: recorded ?? leftAsFound(known, before),
    seen: before.values,
    unwritten: adoptedInputs(known, unwrittenFields(known, changes), context.seals),
  })(isEmpty ? object : withoutOthers(context, known, before, changes, object));
  await progress.put(type, record, declared, object, isEmpty ? [] : [intent.id, ...settledBy(context, type, record)]);
  return object;
}

/** Updates of earlier runs that were cut off and of which nothing is left to claim: what they said is ours now. */
function settledBy({ state }: ApplyContext, type: ResourceType, record: RecordedResource): readonly string[] {
  const key = identityKey(type.token, record.identity);
  return state.intents.flatMap(({ id, action, identity, inputs }) =>
    action === 'update' &&
    identity !== undefined &&
    identityKey(type.token, identity) === key &&
    newlySaid(record, type, inputs).length === 0
      ? [id]
      : [],
  );
}

/**
 * What was not sent, and is otherwise in the answer than it was read just before, somebody has changed in between: it stands as it
 * was read, without the revision of that change, so that the next plan finds it.
 */
function withoutOthers(
  { seals }: ApplyContext,
  { type, declared }: Step,
  before: RemoteObject,
  changes: readonly Change[],
  object: RemoteObject,
): RemoteObject {
  const sent = new Set(changes.map(({ shown }) => shown.field));
  const others = [...declared.keys()].flatMap((name): readonly (readonly [string, Json])[] => {
    const rule = type.fields[name];
    const [was, is] = [before.values[name], object.values[name]];
    if (rule === undefined || rule.movesWith !== undefined || sent.has(name)) return [];
    return was === undefined || is === undefined || seals.same(rule, was, is) ? [] : [[name, was]];
  });
  if (others.length === 0) return object;
  const { [type.revision ?? '']: _, ...values } = object.values;
  return { ...object, values: { ...values, ...Object.fromEntries(others) } };
}

/**
 * Gives an object a passing name, so that another one can take the name it has. Its own update follows. The record knows of it: if
 * the run ends here, the next plan goes on from there, and nobody is said to have changed it outside.
 */
export async function parkObject(
  context: ApplyContext,
  step: Step,
  operation: Operation,
  progress: Progress,
): Promise<void> {
  const { actual, type, recorded } = step;
  const { parking } = operation;
  if (actual === undefined || parking === undefined) throw new Error(`bug: nothing to park at ${step.address}`);
  const provider = await context.providerOf(type);
  const before = await objectBeforeWrite(context, step, actual);
  const request = {
    ...updateRequest([], before),
    set: parking,
    unread: unreadInputs(step, before.values),
  };
  const intent = updateIntent(context, step, actual, request.set);
  await progress.journal.begin(intent);
  const object = await sendUpdate(context, progress, provider, step, request, intent);
  progress.parked.set(step.address, object);
  await progress.commit([
    ...(recorded === undefined
      ? []
      : [
          {
            kind: 'put',
            resource: parkedRecord(context, progress.moved(recorded), step, parking, object.values),
          } as const,
        ]),
    { kind: 'close-intent', id: intent.id },
  ]);
}

function parkedRecord(
  { seals, world }: ApplyContext,
  recorded: RecordedResource,
  { address, type: { revision = '', fields }, actual }: Step,
  parking: JsonObject,
  answer: JsonObject,
): RecordedResource {
  const { [revision]: known, ...outputs } = recorded.outputs;
  // What somebody changed before is still to be found by the next plan: it is not of the revision that the record knows.
  const isOthers = Object.values(fields).some((rule) => {
    const [was, is] = [actual?.values[rule.name], answer[rule.name]];
    return rule.input && !(rule.name in parking) && was !== undefined && is !== undefined && !seals.same(rule, was, is);
  });
  const moved = actual?.values[revision] === known && !isOthers ? ownMember(answer, revision) : undefined;
  return {
    ...{ ...recorded, address },
    inputs: { ...recorded.inputs, ...parking },
    outputs: { ...outputs, ...parking, ...(moved === undefined ? {} : { [revision]: moved }) },
    writtenAt: momentIn(world),
  };
}

function updateIntent(context: ApplyContext, step: Step, actual: RemoteObject, inputs: JsonObject): Intent {
  return {
    id: context.world.id(),
    address: step.address,
    type: step.type.token,
    action: 'update',
    identity: actual.identity,
    scope: actual.identity.scope,
    inputs,
    run: context.run,
    createdAt: momentIn(context.world),
  };
}

/** What the record of an adopted object would have been without the file. */
function leftAsFound({ address, type, declared }: Step, { identity, values }: RemoteObject): RecordedResource {
  // What no file ever said was never ours.
  const inputs = Object.fromEntries(Object.entries(values).filter(([name]) => declared.has(name)));
  return {
    ...{ address, type: type.token, identity, inputs, outputs: values, dependencies: [] },
    ...{ protect: false, retainOnDelete: false, deposed: [] },
  };
}

/** What an adoption did not write is recorded as it was found: where that is not what the file says, the next plan sees it. */
function unwrittenFields({ action, declared }: Step, changes: readonly Change[]): readonly string[] {
  if (action !== 'adopt') return [];
  const written = new Set(changes.map(({ rule }) => rule.name));
  return [...declared.keys()].filter((name) => !written.has(name));
}

/** What this run gave the object already, so that another one could take its name. */
function passingValues({ operations }: Step): JsonObject {
  return operations.find(({ kind }) => kind === 'park')?.parking ?? {};
}

/** What the plan shows, with what was unknown then filled in, and others' parts as the object has them. Nothing else is sent. */
function changesToSend(context: ApplyContext, step: Step, actual: RemoteObject): readonly Change[] {
  const facts = factsOf(step, actual.values, context.seals);
  const planned = step.changes.filter(({ shown }) => shown.rule !== 'replace');
  const now = planned.flatMap((change): readonly Change[] => {
    const isUnknown = change.wanted.by === 'value' && hasUnknown(change.wanted.value);
    if (!isUnknown && actual === step.actual) return [change];
    const compared = compareField(change.rule, facts);
    if (isUnknown) return needsChange(compared) ? [{ ...change, wanted: compared.wanted }] : [];
    // What a revert puts back no file mentions: nothing but the plan says what it is to be.
    return [isSent(compared) ? { ...change, wanted: compared.wanted } : change];
  });
  return now.filter(isSent);
}

/** What the files say of what is sent, as the record will have it: if the run ends here, that is ours. */
function saidInputs(
  { seals }: ApplyContext,
  { declared, recorded, desired }: Step,
  changes: readonly Change[],
): JsonObject {
  const ignored = desired?.options.ignoreChanges ?? [];
  return Object.fromEntries(
    changes.flatMap(({ rule }) => {
      const said = recordedInput(rule, declared.get(rule.name), ignored, recorded?.inputs, seals);
      // That it was taken away is said of what no answer shows, too.
      if (said === undefined) return rule.writeOnly ? [[rule.name, null]] : [];
      return [[rule.name, said]];
    }),
  );
}

/** Sends a change. The provider has repeated it where that is safe; what is still unclear then is looked up. */
async function sendUpdate(
  context: ApplyContext,
  progress: Progress,
  provider: Provider,
  step: Step,
  request: UpdateRequest,
  intent: Intent,
): Promise<RemoteObject> {
  const { type } = step;
  try {
    return await progress.journal.send(intent, () => provider.update(type, request, callOptions(context)));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind !== 'ambiguous') {
      await progress.journal.close(intent);
      throw withForceHint(step, error);
    }
    // What was as wished before this stack's last write an old answer still shows so.
    const isYoung = isSettling(step.recorded?.writtenAt, settling(context).settledBefore);
    const now = isYoung ? undefined : await provider.read(type, request.identity, callOptions(context));
    if (now !== undefined && hasAll(type, request, now)) return now;
    // Left open: it may still take effect, and the next run compares anyway.
    throw error;
  }
}
