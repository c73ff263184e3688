import { sameJson } from '@platform-sync/core/model/canonical';
import { identityKey } from '@platform-sync/core/model/identity';
import type { DesiredResource } from '@platform-sync/core/model/desired';
import { ProviderError, type RemoteObject } from '@platform-sync/core/model/provider';
import { NotSentError } from '@platform-sync/core/model/state-store';
import type { Deposed, Intent, RecordedResource } from '@platform-sync/core/model/state';
import {
  hasUnknown,
  type Json,
  type JsonObject,
  reveal,
  unknownSources,
  type Value,
} from '@platform-sync/core/model/value';
import { momentIn } from '@platform-sync/core/model/world';
import { inTime, type Sending } from './in-time.js';
import type { Step } from '../plan/step.js';
import { type ForeignOwner, scopeOf } from '../plan/ownership.js';
import { handOver, ownerName } from '../plan/problems.js';
import { settledAnswer } from './after-write.js';
import { type ApplyContext, callOptions } from './context.js';
import { NotStarted, StepFailure } from './failure.js';
import { type CreateOutcome, creationKey, openInputs, searchCreate } from './lost-create.js';
import type { Progress } from './progress.js';
import { uniqueKeyOf } from '../plan/keys.js';
import { settling } from '../refresh/evidence.js';
import { byOwner, ownersElsewhere } from './owners-elsewhere.js';
import { recordOf } from './record.js';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { handedOutputs } from '../plan/handed-outputs.js';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { importIdOf, rightOneHint } from './import-id.js';

/** Creates an object, remembers it, and returns it. */
export async function createObject(context: ApplyContext, step: Step, progress: Progress): Promise<RemoteObject> {
  const resource = step.desired;
  if (resource === undefined) throw new Error(`bug: nothing desired at ${step.address}`);
  const { type } = step;
  const declared = await progress.applied.properties(resource);
  const inputs = await checkedInputs(context, step, resource, declared, progress);
  const scope = scopeOf(type, inputs);
  const known = { ...step, declared };
  const recordWith = recordOf(context, known, { deposed: deposedBy(step, progress), ...replacedFor(step) });
  const provider = await context.providerOf(type);
  const key = creationKey(type, scope, inputs, type.derive(inputs));
  return progress.inTurn(key, async () => {
    // Another step may have failed, and ended the run, while this one waited for its turn.
    if (progress.halt.isStopped) throw new NotStarted([]);
    const intent = createIntent(context, recordWith({ identity: { id: '', scope }, values: {} }), scope);
    await progress.journal.begin(intent);
    const made = await sendCreate(context, progress, { provider, type, scope, inputs, intent });
    progress.created.add(made.identity.id);
    const lost = await deliverShownOnce(context, step, made);
    const object = await settledAnswer(context, known, made);
    await progress.put(type, recordWith(object), declared, object, [intent.id, ...settledBy(context, type, key)]);
    if (lost.length > 0) throw new StepFailure(lost);
    return object;
  });
}

/** Creates of earlier runs that this one disproves: of two objects with this key the platform would have refused the second. */
function settledBy({ state }: ApplyContext, type: ResourceType, key: string): readonly string[] {
  if (uniqueKeyOf(type) === undefined) return [];
  return createsOf(state.intents, type, key).map(({ id }) => id);
}

/** Of open writes the creates whose objects could be taken for each other. */
function createsOf(open: readonly Intent[], type: ResourceType, key: string): readonly Intent[] {
  const isSame = (intent: Intent): boolean => {
    const inputs = openInputs(intent);
    return creationKey(type, intent.scope, inputs, type.derive(inputs)) === key;
  };
  return open.filter((each) => each.action === 'create' && each.type === type.token && isSame(each));
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

/** What was replaced before is kept in mind until it is deleted, and the old object of a create-first replacement with it. */
function deposedBy(
  { action, order, actual, recorded }: Step,
  progress: Pick<Progress, 'hasDeleted'>,
): readonly Deposed[] {
  // Where the file has another type by now, those of the old one ended first.
  const before = recorded?.deposed.filter(({ identity }) => !progress.hasDeleted(recorded.type, identity)) ?? [];
  if (action !== 'replace' || order !== 'create-first' || actual === undefined) return before;
  return [...before, { identity: actual.identity, outputs: recorded?.outputs ?? {} }];
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
  { created }: Pick<Progress, 'created'>,
): Promise<JsonObject> {
  const inputs = plainInputs(step, declared);
  if (![...step.declared.values()].some(hasUnknown)) return inputs;
  const wrong = await context.wrongValues({ ...step, desired, declared }, created);
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
        hint: 'Apply again: it reads what the platform shows by then.',
        field: name,
      },
    ]);
  }
  return Object.fromEntries(inputs);
}

/**
 * Sends the secrets that the answer to a create shows once to where the operator wants them; gives those that are lost. Called before
 * the object is recorded: whoever is killed here leaves an open intent, and the next run says that the secret may be lost.
 */
async function deliverShownOnce(
  { desired, destinations }: Pick<ApplyContext, 'desired' | 'destinations'>,
  { address, type }: Step,
  { shownOnce = {} }: RemoteObject,
): Promise<readonly Diagnostic[]> {
  if (destinations === undefined || destinations.size === 0) return [];
  const lost: Diagnostic[] = [];
  for (const { name, address: at, field } of handedOutputs(desired, new Map([[type.token, type]]))) {
    const destination = destinations.get(name);
    if (at !== address || destination === undefined) continue;
    const value = shownOnce[field];
    const why =
      typeof value === 'string' && value !== ''
        ? await destination.deliver(value)
        : 'the answer that shows it did not arrive';
    if (why !== undefined) lost.push(secretLost(address, field, name, why));
  }
  return lost;
}

function secretLost(address: string, field: string, name: string, why: string): Diagnostic {
  return {
    severity: 'error',
    code: 'secret-lost',
    summary: `${address} was made, and its ${field} is lost: the output ${name} could not be handed over, because ${why}.`,
    hint: `Nobody can read it again. Make a new one: sync apply --replace ${address} --output ${name}=…`,
    address,
  };
}

/** How often a create whose fate is unclear is sent again after the platform proved not to have it. */
const maxResends = 4;
/** Waits before the child of a parent made in this run is tried again: permissions follow a new object with a delay. */
const lagWaitsMs = [250, 500, 1000, 2000, 4000, 8000, 8000];
/**
 * Sends a create and returns the object. When the answer is lost, looks for the object before anything is sent again.
 * The intent stays open when it is not known what became of the create, and is closed when nothing was created: the next run
 * goes by it.
 */
export async function sendCreate(context: ApplyContext, progress: Progress, sending: Sending): Promise<RemoteObject> {
  const { type, intent } = sending;
  let lost: ProviderError | undefined;
  for (let resends = 0; ; resends += 1) {
    try {
      const call = inTime(context, progress, sending);
      const create = (): Promise<RemoteObject> => pastLag(context, progress, sending, call);
      return await (resends === 0 ? progress.journal.send(intent, create) : create());
    } catch (error) {
      // That it was not sent again says nothing of the first one: the step has begun.
      if (error instanceof NotStarted || error instanceof NotSentError) throw lost ?? error;
      if (!(error instanceof ProviderError)) throw error;
      const mayExist = error.kind === 'ambiguous' || (error.kind === 'conflict' && resends > 0);
      if (mayExist) {
        const verdict = await lookFor(context, progress, sending, error);
        if (verdict.kind === 'ours') return verdict.object;
        if (verdict.kind === 'undecided') throw new StepFailure([undecided(sending, verdict.candidates, error)]);
      }
      if (error.kind === 'ambiguous') {
        // Until everything shows, that none is found proves nothing: of what there may be two of, a second one would be made.
        if (resends === maxResends || mayMakeTwo(context, type)) throw error;
        lost = error;
        continue;
      }
      // A refusal is of the last one sent alone: what the first one makes, or made, may show later, so the next run looks again.
      if (resends === 0) await progress.journal.close(intent);
      throw error.kind === 'conflict'
        ? new StepFailure(await conflictDiagnostics(context, progress, sending, error))
        : error;
    }
  }
}

/** The platform takes a second object of the key, and may show the first only after a while. */
function mayMakeTwo({ config }: ApplyContext, { unique }: ResourceType): boolean {
  return unique.length === 0 && config.timing.settleMs > 0;
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
  const found = (): Promise<readonly RemoteObject[]> => provider.find(type, scope, inputs, callOptions(context));
  const known = { store: progress.journal.records, targets: context.state.targets, ...settling(context) };
  const open = [...context.state.intents, ...progress.journal.open.values()].filter(({ id }) => id !== intent.id);
  const alike = createsOf(open, type, creationKey(type, scope, inputs, type.derive(inputs)));
  // Of what it sends an intent has fingerprints, where that is secret: those of equal creates are equal.
  const rivals = alike.map((each) => (sameJson(each.inputs, intent.inputs) ? { inputs } : each));
  const taken = new Set([...progress.managed, ...context.strangers]);
  try {
    return await searchCreate({
      question: { type, intent: { ...intent, inputs }, taken, rivals, seals: context.seals },
      find: async () => (await byOwner(known, type, await pastLag(context, progress, sending, found), intent.run)).free,
      read: (identity) => provider.read(type, identity, callOptions(context)).catch(noneOfProvider),
      steady: context.world.steady,
      sleep: (ms) => context.rest(() => context.world.sleep(ms, context.signal)),
    });
  } catch (error) {
    if (!(error instanceof ProviderError || error instanceof StepFailure)) throw error;
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
    hint: rightOneHint(intent.address, type, candidates),
  };
}

/** "Already exists", with what gets the name or the object: the command that takes over the one that its key finds, where nobody has it. */
async function conflictDiagnostics(
  context: ApplyContext,
  progress: Progress,
  sending: Sending,
  error: ProviderError,
): Promise<readonly Diagnostic[]> {
  const hint = await conflictHint(context, progress, sending);
  return error.diagnostics.map((diagnostic) => ({ ...diagnostic, hint }));
}

async function conflictHint(
  context: ApplyContext,
  { managed, journal }: Progress,
  { provider, type, scope, inputs, intent: { address } }: Sending,
): Promise<string> {
  const { state } = context;
  let found: readonly RemoteObject[] = [];
  let owners: ReadonlyMap<string, ForeignOwner | 'nobody'> = new Map();
  try {
    found = await provider.find(type, scope, inputs, callOptions(context));
    const asked = found.map(({ identity }) => ({ type: type.token, identity }));
    owners = await ownersElsewhere(journal.records, asked, state.targets);
  } catch (cause) {
    // Without these answers, also where the run has to end, the hint says less.
    if (!(cause instanceof ProviderError || cause instanceof StepFailure || context.signal?.aborted === true))
      throw cause;
  }
  for (const { identity } of found) {
    const key = identityKey(type.token, identity);
    // An old answer hid its name from the plan.
    if (managed.has(key))
      return `This stack manages the existing object ${identity.id}. Run the command again: it looks anew at what that one is called.`;
    const owner = owners.get(key) ?? 'nobody';
    if (owner === 'nobody') continue;
    if (owner.ends)
      return `Apply ${ownerName({ state }, owner)} first: it is still to delete the existing object ${identity.id}.`;
    const it = `the existing object ${identity.id}, which ${ownerName({ state }, owner)} manages as ${owner.address}`;
    return owner.project === state.project
      ? `Give another name to one of the two, or hand over ${it}: ${handOver({ state }, owner, address)}`
      : `Give another name to one of the two. The project ${owner.project} lets go of ${it}, by "state rm ${owner.address}".`;
  }
  const [only] = found;
  const id = found.length === 1 && only !== undefined ? importIdOf(type, only) : 'ID';
  return `To bring the existing object under management: sync adopt ${address} '${id}'`;
}
