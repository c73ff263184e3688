import { randomUUID } from 'node:crypto';
import { ProviderError } from '../model/provider.js';
import type { Provider, RemoteObject, UpdateRequest } from '../model/provider.js';
import type { Intent } from '../model/state.js';
import type { Json, JsonObject, Value } from '../model/value.js';
import { sameSealed, seal } from '../plan/seal.js';
import type { Operation } from '../plan/operation.js';
import type { ExistingObject, Proposal } from '../plan/proposal.js';
import type { ApplyContext } from './context.js';
import { plainInputs } from './create.js';
import { recordOf } from './record.js';
import type { Progress } from './progress.js';

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
  if (!isEmpty) await context.store.begin(context.lease, intent);
  const object = isEmpty
    ? { identity: actual.identity, values: actual.values }
    : await sendUpdate(context, provider, proposal, request, intent);
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
  await progress.put({ ...record, inputs: kept }, declared, object, isEmpty ? undefined : intent.id);
  return object;
}

/** Gives an object a passing name, so that another one can take the name it has. Its own update follows. */
export async function parkObject(context: ApplyContext, proposal: Proposal, operation: Operation): Promise<void> {
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
  await context.store.begin(context.lease, intent);
  await sendUpdate(context, provider, proposal, request, intent);
  await context.store.commit(context.lease, [{ kind: 'close-intent', id: intent.id }]);
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

async function sendUpdate(
  context: ApplyContext,
  provider: Provider,
  proposal: Proposal,
  request: UpdateRequest,
  intent: Intent,
): Promise<RemoteObject> {
  const options = context.signal === undefined ? {} : { signal: context.signal };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await provider.update(proposal.type, request, options);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      // Sending the same values twice does no harm: an update may be repeated without looking first.
      if (error.kind === 'ambiguous' && attempt < 3) continue;
      if (error.kind !== 'ambiguous')
        await context.store.commit(context.lease, [{ kind: 'close-intent', id: intent.id }]);
      throw error;
    }
  }
}
