import type { Diagnostic } from '../model/diagnostic.js';
import type { EventListener } from '../model/event.js';
import { ProviderError } from '../model/provider.js';
import type { Provider, RemoteObject } from '../model/provider.js';
import type { ResourceType } from '../model/resource-type.js';
import type { Intent, StackState, StateChange } from '../model/state.js';
import type { JsonObject } from '../model/value.js';
import { isSealed, sealObject } from '../plan/seal.js';
import type { Fingerprint } from '../plan/seal.js';
import { correspondsWith, importIdOf } from './create.js';

export interface RecoverContext {
  readonly state: StackState;
  readonly typeOf: (token: string) => ResourceType;
  readonly providerOf: (type: ResourceType) => Promise<Provider>;
  readonly fingerprint: Fingerprint;
  readonly onEvent?: EventListener;
}

export interface Recovery {
  /** What a crashed run did after all; written by the next command that may write. */
  readonly changes: readonly StateChange[];
  /** Errors: intents that could not be decided. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds out what became of the writes that an earlier run decided on and never confirmed. Only reads. */
export async function recover(context: RecoverContext): Promise<Recovery> {
  const changes: StateChange[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const intent of context.state.intents) {
    try {
      changes.push(...(await settleIntent(context, intent, diagnostics)));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      diagnostics.push(
        ...error.diagnostics.map((d) => ({
          ...d,
          address: intent.address,
          detail: `While finding out what became of an interrupted ${intent.action} of ${intent.address}.`,
        })),
      );
    }
  }
  return { changes, diagnostics };
}

async function settleIntent(
  context: RecoverContext,
  intent: Intent,
  diagnostics: Diagnostic[],
): Promise<readonly StateChange[]> {
  const close: StateChange = { kind: 'close-intent', id: intent.id };
  const type = context.typeOf(intent.type);
  const provider = await context.providerOf(type);
  if (intent.action === 'create') return settleCreate(context, provider, type, intent, diagnostics);
  // Updates are seen by the next read: what the platform has then is compared as always.
  if (intent.action === 'update' || intent.identity === undefined) return [close];
  const exists = (await provider.read(type, intent.identity)) !== undefined;
  if (exists) return [close];
  context.onEvent?.({ type: 'recovered', address: intent.address, outcome: 'deleted' });
  return [...forgetObject(context.state, intent.identity.id), close];
}

/** Takes a deleted object out of the record that holds it, as the object itself or as a deposed one. */
function forgetObject(state: StackState, id: string): readonly StateChange[] {
  for (const record of state.resources.values()) {
    if (record.identity.id === id) return [{ kind: 'remove', address: record.address }];
    const deposed = record.deposed.filter((old) => old.identity.id !== id);
    if (deposed.length < record.deposed.length) return [{ kind: 'put', resource: { ...record, deposed } }];
  }
  return [];
}

async function settleCreate(
  context: RecoverContext,
  provider: Provider,
  type: ResourceType,
  intent: Intent,
  diagnostics: Diagnostic[],
): Promise<readonly StateChange[]> {
  const close: StateChange = { kind: 'close-intent', id: intent.id };
  const inputs: JsonObject = Object.fromEntries(Object.entries(intent.inputs).filter(([, value]) => !isSealed(value)));
  const managed = new Set([...context.state.resources.values()].map((record) => record.identity.id));
  const found = (await findOrNone(provider, type, intent.scope, inputs)).filter(
    (object) => !managed.has(object.identity.id),
  );
  const ours = onlyOurs(
    found.filter((object) => correspondsWith(type, inputs, object)),
    intent,
  );
  if (found.length === 0 || intent.record === undefined) {
    context.onEvent?.({ type: 'recovered', address: intent.address, outcome: 'not-sent' });
    return [close];
  }
  const [only] = ours;
  if (ours.length !== 1 || only === undefined) {
    diagnostics.push(undecided(type, intent, found));
    return [];
  }
  const object = (await provider.read(type, only.identity)) ?? only;
  const answer = { ...object.identity.scope, ...object.values };
  const record = {
    ...intent.record,
    identity: object.identity,
    outputs: { ...intent.record.outputs, ...sealObject(type, answer, intent.record.inputs, context.fingerprint) },
  };
  context.onEvent?.({ type: 'recovered', address: intent.address, outcome: 'adopted' });
  return [{ kind: 'put', resource: record }, close];
}

async function findOrNone(
  provider: Provider,
  type: ResourceType,
  scope: Readonly<Record<string, string>>,
  inputs: JsonObject,
): Promise<readonly RemoteObject[]> {
  try {
    return await provider.find(type, scope, inputs);
  } catch (error) {
    // The parent is gone, and so is whatever was made in it.
    if (error instanceof ProviderError && error.kind === 'not-found') return [];
    throw error;
  }
}

/** Of several equal objects, those made after the intent; clocks may differ by a minute. */
function onlyOurs(candidates: readonly RemoteObject[], intent: Intent): readonly RemoteObject[] {
  if (candidates.length < 2) return candidates;
  const since = Date.parse(intent.createdAt) - 60_000;
  return candidates.filter((object) => Date.parse(String(object.values['createdAt'])) >= since);
}

function undecided(type: ResourceType, intent: Intent, found: readonly RemoteObject[]): Diagnostic {
  const commands = found.map((object) => `sync import ${intent.address} '${importIdOf(type, object)}'`);
  return {
    severity: 'error',
    code: 'undecided-intent',
    summary: `An earlier run was interrupted while it created ${intent.address}; ${found.length} ${type.name} object${found.length === 1 ? '' : 's'} with its key exist, but none is surely the one.`,
    detail: found
      .map((object) => `${object.identity.id} ${JSON.stringify(object.values['name'] ?? object.values['title'] ?? '')}`)
      .join('\n'),
    hint: `Take the right one over: ${commands.join(' or ')}. Or delete it on the platform and run the command again.`,
    address: intent.address,
  };
}
