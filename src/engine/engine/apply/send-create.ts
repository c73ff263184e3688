import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { ProviderError, type Provider, type RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Intent } from '@platform-sync/core/model/state';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { callOptions, type ApplyContext } from './context.js';
import { StepFailure } from './failure.js';
import { importCommands, importIdOf } from './import-id.js';
import { searchCreate, type CreateOutcome } from './lost-create.js';
import type { Progress } from './progress.js';

/** How often a create whose fate is unclear is sent again after the platform proved not to have it. */
const maxResends = 4;
/** Waits before the child of a parent made in this run is tried again: permissions follow a new object with a delay. */
const lagWaitsMs = [250, 500, 1000, 2000, 4000, 8000, 8000];
/** One create, its intent already durable. */
interface Sending {
  readonly provider: Provider;
  readonly type: ResourceType;
  readonly scope: Readonly<Record<string, string>>;
  readonly inputs: JsonObject;
  readonly intent: Intent;
}

/**
 * Sends a create and returns the object. When the answer is lost, looks for the object before anything is sent again.
 * The intent stays open when it is not known what became of the create, and is closed when nothing was created.
 */
export async function sendCreate(context: ApplyContext, progress: Progress, sending: Sending): Promise<RemoteObject> {
  const { provider, type, scope, inputs, intent } = sending;
  for (let resends = 0; ; resends += 1) {
    try {
      const create = (): Promise<RemoteObject> =>
        pastLag(context, progress, sending, () => provider.create(type, scope, inputs, callOptions(context)));
      return await (resends === 0 ? progress.journal.send(intent, create) : create());
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const mayExist = error.kind === 'ambiguous' || (error.kind === 'conflict' && resends > 0);
      if (mayExist) {
        const verdict = await lookFor(context, progress, sending, error);
        if (verdict.kind === 'ours') return verdict.object;
        if (verdict.kind === 'undecided') throw new StepFailure([undecided(sending, verdict.candidates, error)]);
      }
      if (error.kind === 'ambiguous') {
        if (resends === maxResends) throw error;
        continue;
      }
      await progress.journal.close(intent);
      throw error.kind === 'conflict' ? new StepFailure(await conflictDiagnostics(sending, error)) : error;
    }
  }
}

/**
 * Tries a call about the child of an object made in this run again, for a while, when the platform says 403 or 404. While that
 * is not known to be visible, one child asks and its siblings wait.
 */
function pastLag<T>(context: ApplyContext, progress: Progress, sending: Sending, call: () => Promise<T>): Promise<T> {
  const parents = newParentsOf(progress, sending);
  return progress.newParents.ask(parents, context.rest, () => untilVisible(context, progress, sending, call));
}

async function untilVisible<T>(
  context: ApplyContext,
  progress: Progress,
  sending: Sending,
  call: () => Promise<T>,
): Promise<T> {
  for (let lag = 0; ; lag += 1) {
    try {
      return await call();
    } catch (error) {
      const wait = lagWaitsMs[lag];
      if (wait === undefined || progress.halt.isStopped || !isLag(error)) throw error;
      if (newParentsOf(progress, sending).length === 0) throw error;
      const reason = `the platform does not know the parent of ${sending.intent.address} everywhere yet`;
      context.onEvent({ type: 'waiting', ms: wait, reason });
      await context.rest(() => context.world.sleep(wait, context.drain));
    }
  }
}

function isLag(error: unknown): boolean {
  return error instanceof ProviderError && (error.kind === 'forbidden' || error.kind === 'not-found');
}

/** Ids of objects made in this run that this one hangs below or refers to. */
function newParentsOf({ created }: Progress, { type, scope, inputs }: Sending): readonly string[] {
  const found: string[] = [];
  const note = (id: Json | undefined): void => {
    if (typeof id === 'string' && created.has(id) && !found.includes(id)) found.push(id);
  };
  for (const name in scope) note(scope[name]);
  for (const name in inputs) if (type.fields[name]?.references !== undefined) note(inputs[name]);
  return found;
}

/** Looks whether the create was carried out, and says both what is unclear and why looking failed when it does. */
async function lookFor(
  context: ApplyContext,
  progress: Progress,
  sending: Sending,
  cause: ProviderError,
): Promise<CreateOutcome> {
  const { provider, type, scope, inputs, intent } = sending;
  try {
    return await searchCreate({
      question: { type, intent: { ...intent, inputs }, taken: progress.managed, seals: context.seals },
      find: () => pastLag(context, progress, sending, () => provider.find(type, scope, inputs, callOptions(context))),
      read: (identity) => provider.read(type, identity, callOptions(context)).catch(noneOfProvider),
      steady: context.world.steady,
      sleep: (ms) => context.rest(() => context.world.sleep(ms, context.signal)),
    });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw new StepFailure([...cause.diagnostics, ...error.diagnostics]);
  }
}

function noneOfProvider(error: unknown): undefined {
  if (!(error instanceof ProviderError)) throw error;
}

function undecided(sending: Sending, candidates: readonly RemoteObject[], cause: ProviderError): Diagnostic {
  const { type, intent } = sending;
  const count = candidates.length === 1 ? 'an object exists' : `${candidates.length} objects exist`;
  return {
    severity: 'error',
    code: 'undecided-create',
    summary: `It is unclear whether ${type.name} ${intent.address} was created: ${count} with its key, and it is unclear which one is meant.`,
    detail: `${cause.message}\nExisting: ${candidates.map((object) => object.identity.id).join(', ')}`,
    hint: `Take the right one over: ${importCommands(intent.address, type, candidates).join(' or ')}. Or delete it, and run apply again.`,
  };
}

/** "Already exists", with the command that takes the object over, its id filled in when the key finds exactly one. */
async function conflictDiagnostics(sending: Sending, error: ProviderError): Promise<readonly Diagnostic[]> {
  const { provider, type, scope, inputs, intent } = sending;
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
    hint: `To bring the existing object under management: sync adopt ${intent.address} '${id}'`,
  }));
}
