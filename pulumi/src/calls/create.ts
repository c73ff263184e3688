import { ProviderError, type Provider, type RemoteObject } from '../../../src/engine/model/provider.js';
import type { ResourceType } from '../../../src/engine/model/resource-type.js';
import type { JsonObject, ValueObject } from '../../../src/engine/model/value.js';
import { identityKey } from '../../../src/engine/model/identity.js';
import { whichIsOurs } from '../../../src/engine/apply/ours.js';
import type { CreateOutcome } from '../../../src/engine/apply/ours.js';
import { scopeOf } from '../../../src/engine/plan/object-scope.js';
import { HalfMade } from '../failures.js';
import { idText, outputsOf, ownInputs } from '../resource-types.js';
import type { Session } from '../session.js';
import { knownMembers, marked } from '../wire/values.js';
import { secretOutputs } from './secrets.js';
import { withConsent } from './with-consent.js';

/** How often a create that the platform proved not to have is sent again. */
const maxResends = 2;
/** Waits between looks for an object whose create may still be under way, where no key keeps a second one out. */
const lateWaitsMs = [250, 750, 1500];

export interface Made {
  readonly id: string;
  readonly outputs: ValueObject;
}

/** Makes an object. What became of a create whose answer was lost is settled here: the engine would keep nothing of it. */
export async function create(session: Session, type: ResourceType, inputs: ValueObject): Promise<Made> {
  const provider = await session.writer();
  const plain = knownMembers(ownInputs(session.loaded, type, inputs));
  const object = await settled(session, provider, type, plain);
  session.created.add(identityKey(type.token, object.identity));
  const id = idText(type, object.identity);
  try {
    const outputs = withConsent(type, outputsOf(type, object, plain), inputs);
    return { id, outputs: marked(outputs, secretOutputs(type, inputs)) };
  } catch (error) {
    // It exists: whatever goes wrong from here on must not make the engine forget it.
    throw new HalfMade(id, {}, inputs, error instanceof Error ? error.message : 'its answer could not be understood');
  }
}

async function settled(
  session: Session,
  provider: Provider,
  type: ResourceType,
  inputs: JsonObject,
): Promise<RemoteObject> {
  const createdAt = new Date().toISOString();
  const scope = scopeOf(type, inputs);
  for (let resends = 0; ; resends += 1) {
    try {
      return await provider.create(type, scope, inputs);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const mayExist = error.kind === 'ambiguous' || (error.kind === 'conflict' && resends > 0);
      if (!mayExist) throw await withExisting(provider, type, scope, inputs, error);
      const outcome = await look(session, provider, type, { inputs, createdAt });
      if (outcome.kind === 'ours') return inFull(provider, type, outcome.object);
      if (outcome.kind === 'undecided') throw undecided(type, outcome.candidates, error);
      if (resends === maxResends || error.kind === 'conflict') throw error;
    }
  }
}

async function look(
  { created, seals }: Session,
  provider: Provider,
  type: ResourceType,
  intent: { readonly inputs: JsonObject; readonly createdAt: string },
): Promise<CreateOutcome> {
  for (let nth = 0; ; nth += 1) {
    const found = await provider.find(type, scopeOf(type, intent.inputs), intent.inputs);
    const outcome = whichIsOurs({ type, intent, taken: created, seals }, found);
    const wait = type.unique.length > 0 ? undefined : lateWaitsMs[nth];
    if (outcome.kind !== 'absent' || wait === undefined) return outcome;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** It exists for sure: a read that fails must not count against it. */
async function inFull(provider: Provider, type: ResourceType, object: RemoteObject): Promise<RemoteObject> {
  return (await provider.read(type, object.identity).catch(() => undefined)) ?? object;
}

function undecided(type: ResourceType, candidates: readonly RemoteObject[], cause: ProviderError): ProviderError {
  const ids = candidates.map(({ identity }) => idText(type, identity)).join(', ');
  const summary = `It is unclear whether the ${type.name} was created: there is ${ids}, which has its key and is not as sent.`;
  const hint = 'Import the right one, or delete it, and run the update again.';
  return new ProviderError('ambiguous', [
    ...cause.diagnostics,
    { severity: 'error', code: 'undecided-create', summary, hint },
  ]);
}

/** "Already exists" says which object it is, where its key tells. */
async function withExisting(
  provider: Provider,
  type: ResourceType,
  scope: Readonly<Record<string, string>>,
  inputs: JsonObject,
  error: ProviderError,
): Promise<ProviderError> {
  if (error.kind !== 'conflict') return error;
  const found = await provider.find(type, scope, inputs).catch(() => []);
  const ids = found.map(({ identity }) => idText(type, identity));
  if (ids.length === 0) return error;
  const hint = `To take it over: pulumi import ${type.token} NAME '${ids.join("' or '")}'`;
  return new ProviderError(
    error.kind,
    error.diagnostics.map((one) => ({ ...one, hint })),
    error.status === undefined ? {} : { status: error.status },
  );
}
