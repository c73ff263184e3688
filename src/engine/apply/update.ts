import { randomUUID } from 'node:crypto';
import { ProviderError } from '../model/provider.js';
import type { Provider, RemoteObject, UpdateRequest } from '../model/provider.js';
import type { Intent } from '../model/state.js';
import type { Json, JsonObject, Value } from '../model/value.js';
import { sameValue } from '../plan/equality.js';
import type { Operation } from '../plan/operation.js';
import type { ExistingObject, Proposal } from '../plan/proposal.js';
import { sameSealed, seal } from '../plan/seal.js';
import { callOptions } from './context.js';
import type { ApplyContext } from './context.js';
import { plainInputs } from './create.js';
import type { Progress } from './progress.js';
import { recordOf } from './record.js';

/** Changes what differs on an existing object (nothing is sent when nothing does), and records it. */
export async function updateObject(
  context: ApplyContext,
  proposal: Proposal,
  progress: Progress,
): Promise<RemoteObject> {
  const { desired: resource, actual, type } = proposal;
  if (resource === undefined || actual === undefined) throw new Error(`bug: nothing to update at ${proposal.address}`);
  const declared = await progress.settled.properties(resource);
  const request = updateRequest(context, proposal, actual, plainInputs(proposal, declared));
  const isEmpty = Object.keys(request.set).length === 0 && request.clear.length === 0;
  const provider = await context.providerOf(type);
  const intent = updateIntent(context, proposal, actual, sealedInputs(context, proposal, request.set, declared));
  if (!isEmpty) await progress.journal.begin(intent);
  const object = isEmpty
    ? { identity: actual.identity, values: actual.values }
    : await sendUpdate(context, progress, provider, proposal, request, intent);
  const record = recordOf({
    resource,
    type,
    identity: object.identity,
    declared,
    answer: object.values,
    previous: proposal.recorded,
    dependencies: context.graph.get(resource.address) ?? [],
    fingerprint: context.fingerprint,
  });
  // A field that only a replacement could change is not as the file says: the next plan must see that.
  const kept = Object.fromEntries(
    Object.entries(record.inputs).map(([name, value]) => [name, keepsActual(proposal, name, value)]),
  );
  await progress.put(type, { ...record, inputs: kept }, declared, object, isEmpty ? undefined : intent.id);
  return object;
}

/** Gives an object a passing name, so that another one can take the name it has. Its own update follows. */
export async function parkObject(
  context: ApplyContext,
  proposal: Proposal,
  operation: Operation,
  progress: Progress,
): Promise<void> {
  const { actual, type } = proposal;
  const { parking } = operation;
  if (actual === undefined || parking === undefined) throw new Error(`bug: nothing to park at ${proposal.address}`);
  const provider = await context.providerOf(type);
  const request = {
    identity: actual.identity,
    set: { [parking.field]: parking.value },
    clear: [],
    actual: actual.values,
  };
  const intent = updateIntent(context, proposal, actual, request.set);
  await progress.journal.begin(intent);
  await sendUpdate(context, progress, provider, proposal, request, intent);
  await progress.journal.close(intent);
}

function updateIntent(context: ApplyContext, proposal: Proposal, actual: ExistingObject, inputs: JsonObject): Intent {
  return {
    id: randomUUID(),
    address: proposal.address,
    type: proposal.type.token,
    action: 'update',
    identity: actual.identity,
    scope: actual.identity.scope,
    inputs,
    run: context.run,
    createdAt: context.now(),
  };
}

function keepsActual(proposal: Proposal, name: string, value: Json): Json {
  const rule = proposal.type.fields[name];
  const actual = proposal.actual?.values[name];
  const isFixed = rule !== undefined && (rule.onChange !== 'update' || !proposal.type.updatable);
  return proposal.action === 'adopt' && isFixed && actual !== undefined && actual !== null ? actual : value;
}

/** The fields that still differ now that everything is known. */
function updateRequest(
  context: ApplyContext,
  proposal: Proposal,
  actual: ExistingObject,
  inputs: JsonObject,
): UpdateRequest {
  const set: Record<string, Json> = {};
  const clear: string[] = [];
  for (const { rule, change } of proposal.decisions) {
    if (change.cannotClear === true || rule.writeOnly) continue;
    const value = inputs[rule.name] ?? (proposal.declared.has(rule.name) ? undefined : change.new);
    if (value === undefined) clear.push(rule.name);
    else if (!sameSealed(rule, value, actual.values[rule.name], context.fingerprint)) set[rule.name] = value;
  }
  return { identity: actual.identity, set, clear, actual: actual.values };
}

function sealedInputs(
  context: ApplyContext,
  proposal: Proposal,
  set: JsonObject,
  declared: ReadonlyMap<string, Value>,
): JsonObject {
  return Object.fromEntries(
    Object.entries(set).map(([name, value]) => {
      const rule = proposal.type.fields[name];
      return [name, rule === undefined ? value : seal(rule, declared.get(name) ?? value, context.fingerprint)];
    }),
  );
}

/** Sends a change. The provider has repeated it where that is safe; what is still unclear then is looked up. */
async function sendUpdate(
  context: ApplyContext,
  progress: Progress,
  provider: Provider,
  proposal: Proposal,
  request: UpdateRequest,
  intent: Intent,
): Promise<RemoteObject> {
  const { type } = proposal;
  try {
    return await provider.update(type, request, callOptions(context));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind !== 'ambiguous') {
      await progress.journal.close(intent);
      throw error;
    }
    const now = await provider.read(type, request.identity, callOptions(context));
    if (now !== undefined && hasAll(proposal, request, now)) return now;
    // Left open: it may still take effect, and the next run compares anyway.
    throw error;
  }
}

/** True when an object is as the change wanted it. */
function hasAll({ type }: Proposal, { set, clear }: UpdateRequest, object: RemoteObject): boolean {
  const isSet = Object.entries(set).every(([name, value]) => {
    const rule = type.fields[name];
    return rule === undefined || sameValue(rule, value, object.values[name]);
  });
  return isSet && clear.every((name) => (object.values[name] ?? null) === null);
}
