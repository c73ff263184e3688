import { randomUUID } from 'node:crypto';
import type { Diagnostic } from '../model/diagnostic.js';
import { ProviderError } from '../model/provider.js';
import type { Provider, RemoteObject } from '../model/provider.js';
import type { ResourceType } from '../model/resource-type.js';
import type { Intent } from '../model/state.js';
import { hasUnknown, reveal, unknownSources } from '../model/value.js';
import type { Json, JsonObject, Value } from '../model/value.js';
import { sameValue } from '../plan/equality.js';
import type { Proposal } from '../plan/proposal.js';
import { scopeOf } from '../plan/propose.js';
import type { ApplyContext } from './context.js';
import { StepFailure } from './failure.js';
import { recordOf } from './record.js';
import type { Progress } from './progress.js';

/** How often a create whose fate is unclear is sent again after the platform proved not to have it. */
const maxResends = 3;
/** Waits before the child of a parent made in this run is tried again: permissions follow a new object with a delay. */
const lagWaitsMs = [250, 500, 1000, 2000, 4000, 8000, 8000];

/** Creates an object, remembers it, and returns it. */
export async function createObject(
  context: ApplyContext,
  proposal: Proposal,
  progress: Progress,
): Promise<RemoteObject> {
  const resource = proposal.desired;
  if (resource === undefined) throw new Error(`bug: nothing desired at ${proposal.address}`);
  const { type } = proposal;
  const declared = await progress.settled.properties(resource);
  const inputs = plainInputs(proposal, declared);
  const scope = scopeOf(type, inputs);
  const deposed =
    proposal.action === 'replace' && proposal.order === 'create-first' && proposal.actual !== undefined
      ? [{ identity: proposal.actual.identity, outputs: proposal.recorded?.outputs ?? {} }]
      : [];
  const toRecord = (object: RemoteObject) =>
    recordOf({
      resource,
      type,
      identity: object.identity,
      declared,
      answer: object.values,
      dependencies: context.graph.get(resource.address) ?? [],
      deposed,
      fingerprint: context.fingerprint,
    });
  const record = toRecord({ identity: { id: '', scope }, values: {} });
  const intent: Intent = {
    id: randomUUID(),
    address: proposal.address,
    type: type.token,
    action: 'create',
    scope,
    inputs: record.inputs,
    record,
    run: context.run,
    createdAt: context.now(),
  };
  await context.store.begin(context.lease, intent);
  const provider = await context.providerOf(type);
  const object = await sendCreate(context, provider, type, scope, inputs, intent, progress);
  progress.created.add(object.identity.id);
  await progress.put(toRecord(object), declared, object, intent.id);
  return object;
}

/** The declared properties as plain JSON; all of them must be known by now. */
export function plainInputs(proposal: Proposal, declared: ReadonlyMap<string, Value>): JsonObject {
  const inputs: Record<string, Json> = {};
  for (const [name, value] of declared) {
    if (!hasUnknown(value)) {
      inputs[name] = reveal(value);
      continue;
    }
    const waits = unknownSources(value).join(', ');
    throw new StepFailure([
      {
        severity: 'error',
        code: 'still-unknown',
        summary: `${name} of ${proposal.address} is not known: it waits for ${waits}.`,
        field: name,
      },
    ]);
  }
  return inputs;
}

async function sendCreate(
  context: ApplyContext,
  provider: Provider,
  type: ResourceType,
  scope: Readonly<Record<string, string>>,
  inputs: JsonObject,
  intent: Intent,
  progress: Progress,
): Promise<RemoteObject> {
  const isChildOfNew = Object.values(scope).some((id) => progress.created.has(id));
  const options = context.signal === undefined ? {} : { signal: context.signal };
  let resends = 0;
  let lag = 0;
  for (;;) {
    try {
      return await provider.create(type, scope, inputs, options);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const wait = lagWaitsMs[lag];
      if (isChildOfNew && (error.kind === 'forbidden' || error.kind === 'not-found') && wait !== undefined) {
        lag += 1;
        context.onEvent({
          type: 'waiting',
          ms: wait,
          reason: `the platform does not know the new parent of ${intent.address} everywhere yet`,
        });
        await context.sleep(wait);
        continue;
      }
      if (error.kind === 'ambiguous' || (error.kind === 'conflict' && resends > 0)) {
        const existing = await settleCreate(progress, provider, type, scope, inputs, error);
        if (existing !== undefined) return existing;
        resends += 1;
        if (resends <= maxResends) continue;
      }
      // The answer is final: nothing was created, so nothing is left to settle.
      await context.store.commit(context.lease, [{ kind: 'close-intent', id: intent.id }]);
      if (error.kind === 'conflict')
        throw new StepFailure(await conflictDiagnostics(provider, type, scope, inputs, intent, error));
      throw error;
    }
  }
}

/** Looks whether a create whose answer was lost was carried out. undefined = proven that it was not. */
async function settleCreate(
  progress: Progress,
  provider: Provider,
  type: ResourceType,
  scope: Readonly<Record<string, string>>,
  inputs: JsonObject,
  cause: ProviderError,
): Promise<RemoteObject | undefined> {
  const managed = progress.managedIds();
  const found = (await provider.find(type, scope, inputs)).filter((object) => !managed.has(object.identity.id));
  const same = found.filter((object) => correspondsWith(type, inputs, object));
  if (same.length === 1) {
    const [only] = same;
    return only === undefined ? undefined : ((await provider.read(type, only.identity)) ?? undefined);
  }
  if (found.length === 0) return undefined;
  throw new StepFailure([undecided(type, found, cause)]);
}

/** True when every field that was sent, and that the answer carries, is what was sent. */
export function correspondsWith(type: ResourceType, inputs: JsonObject, object: RemoteObject): boolean {
  const values: JsonObject = { ...object.identity.scope, ...object.values };
  return Object.entries(inputs).every(([name, value]) => {
    const rule = type.fields[name];
    if (rule === undefined || rule.writeOnly || !(name in values)) return true;
    return sameValue(rule, value, values[name]);
  });
}

function undecided(type: ResourceType, found: readonly RemoteObject[], cause: ProviderError): Diagnostic {
  const ids = found.map((object) => object.identity.id).sort();
  return {
    severity: 'error',
    code: 'undecided-create',
    summary: `It is unclear whether the create was carried out: ${found.length} ${type.name} object${found.length === 1 ? '' : 's'} with the same key exist, but none is surely ours.`,
    detail: `${cause.message}\nExisting: ${ids.join(', ')}`,
    hint: 'Look at them. Take one over with `sync import ADDRESS ID`, or delete it, and run apply again.',
  };
}

/** "Already exists", with the command that takes the object over, its id filled in when the key finds exactly one. */
async function conflictDiagnostics(
  provider: Provider,
  type: ResourceType,
  scope: Readonly<Record<string, string>>,
  inputs: JsonObject,
  intent: Intent,
  error: ProviderError,
): Promise<readonly Diagnostic[]> {
  let found: readonly RemoteObject[] = [];
  try {
    found = await provider.find(type, scope, inputs);
  } catch (cause) {
    if (!(cause instanceof ProviderError)) throw cause;
  }
  const [only] = found;
  const id = found.length === 1 && only !== undefined ? importIdOf(type, only) : 'ID';
  return error.diagnostics.map((diagnostic) => ({
    ...diagnostic,
    hint: `To bring the existing object under management: sync import ${intent.address} '${id}'`,
  }));
}

/** An object's id as `sync import` takes it. */
export function importIdOf(type: ResourceType, object: Pick<RemoteObject, 'identity'>): string {
  if (type.importId.form === 'plain') return object.identity.id;
  const parts = Object.entries(type.importId.keys).map(([key, field]) => [
    key,
    field === 'id' ? object.identity.id : (object.identity.scope[field] ?? ''),
  ]);
  return JSON.stringify(Object.fromEntries(parts));
}
