import type { ProjectPart } from './api.js';
import type { Address } from '@platform-sync/core/model/address';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { canonicalJson, sameJson } from '@platform-sync/core/model/canonical';
import { mayHoldSecret, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { Deposed, Intent, RecordedResource, StackState, StateChange } from '@platform-sync/core/model/state';
import type { StateStore } from '@platform-sync/core/model/state-store';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { Seals } from '@platform-sync/core/value/seal';
import type { Redactor } from '@platform-sync/core/model/redactor';
import { createHmac } from 'node:crypto';

/** What is known of the types of records. */
interface KnownTypes {
  /** Gets ready what there is for a type; never rejects. */
  readonly load: (token: string) => Promise<void>;
  /** Undefined for one that nobody describes any more. */
  readonly typeOf: (token: string) => ResourceType | undefined;
}

/** A store, and whether what lies in it holds a secret in clear: then the next write of any kind seals it. */
export interface SealedStateStore extends StateStore {
  readonly isUnsealed: () => boolean;
}

/**
 * Records as the types of now would have them: a field that was no secret to the version that wrote it is sealed before anybody
 * sees it. `tell` hears of it once.
 */
export function sealedStateStore(
  store: StateStore,
  { load, typeOf }: KnownTypes,
  tell: (diagnostic: Diagnostic) => void,
  part?: Pick<ProjectPart, 'addresses' | 'state'>,
): SealedStateStore {
  let unsealed: readonly RecordedResource[] = [];
  let isTold = false;
  const read = async (only?: readonly Address[]): Promise<StackState> => {
    const state = await readPart(store, part, only);
    const known = [...state.resources.values(), ...state.intents];
    for (const token of new Set(known.map(({ type }) => type))) await load(token);
    const sealing = new Sealing(typeOf, sealsOf(state));
    const changed = sealing.changed(state.resources.values());
    // Of some records, it is not known whether others are in clear.
    if (only === undefined) unsealed = [...changed.values()];
    if (unsealed.length > 0 && !isTold) tell(unsealedWarning(unsealed));
    isTold ||= unsealed.length > 0;
    const intents = state.intents.map((intent) => sealing.intent(intent));
    if (changed.size === 0 && intents.every((intent, at) => intent === state.intents[at])) return state;
    return { ...state, intents, resources: new Map([...state.resources, ...changed]) };
  };
  /** What the store holds now, sealed; under the lease nobody else writes. Changes that follow win. */
  const sealing = async (): Promise<readonly StateChange[]> => {
    await read();
    return unsealed.map((resource) => ({ kind: 'put', resource, seals: true }));
  };
  const commit: StateStore['commit'] = async (lease, changes, notes) => {
    if (unsealed.length === 0) return store.commit(lease, changes, notes);
    const serial = await store.commit(lease, [...(await sealing()), ...changes], notes);
    unsealed = [];
    return serial;
  };
  return {
    location: store.location,
    read,
    commit,
    isUnsealed: () => unsealed.length > 0,
    pull: async () => (await import('@platform-sync/state/document')).writeDocument(await read()),
    push: async (lease, document, options) => {
      await store.push(lease, document, options);
      await read();
      if (unsealed.length > 0) await commit(lease, []);
    },
    acquire: (...call) => store.acquire(...call),
    unlock: (...call) => store.unlock(...call),
    holder: () => store.holder(),
    begin: (...call) => store.begin(...call),
    sibling: (stack) => sealedStateStore(store.sibling(stack), { load, typeOf }, tell),
    driftHistory: () => store.driftHistory(),
    noteDrift: (...call) => store.noteDrift(...call),
    noteRun: (...call) => store.noteRun(...call),
    lostRun: () => store.lostRun(),
    takeNews: (...call) => store.takeNews(...call),
    closeNews: (...call) => store.closeNews(...call),
    ...elsewhereOf(store),
    ...historyOf(store),
    close: () => store.close(),
  };
}

/** Of a part, the rest is what it was only while the state is the same, and no run has left a write open. */
async function readPart(
  store: StateStore,
  part: Pick<ProjectPart, 'addresses' | 'state'> | undefined,
  only: readonly Address[] | undefined,
): Promise<StackState> {
  const state = await store.read(only ?? part?.addresses);
  const isSame = part === undefined || (state.lineage === part.state?.lineage && state.serial === part.state.serial);
  if (isSame && (part === undefined || state.intents.length === 0)) return state;
  throw new Error('the state has moved since the rest of it was seen');
}

/** What other stacks have recorded was sealed by them. */
function elsewhereOf(
  store: StateStore,
): Pick<StateStore, 'managedElsewhere' | 'recordedInside' | 'recordedAlike' | 'outputsOf'> {
  return {
    managedElsewhere: (...call) => store.managedElsewhere(...call),
    recordedInside: (...call) => store.recordedInside(...call),
    recordedAlike: (...call) => store.recordedAlike(...call),
    outputsOf: (...call) => store.outputsOf(...call),
  };
}

/** What the history keeps was sealed when it was recorded. */
function historyOf(
  store: StateStore,
): Pick<StateStore, 'count' | 'stacks' | 'runs' | 'verifyRuns' | 'pruneRuns' | 'frozen' | 'freeze' | 'takeOver'> {
  return {
    count: () => store.count(),
    stacks: () => store.stacks(),
    runs: (...call) => store.runs(...call),
    verifyRuns: () => store.verifyRuns(),
    pruneRuns: (...call) => store.pruneRuns(...call),
    frozen: () => store.frozen(),
    freeze: (...call) => store.freeze(...call),
    takeOver: (...call) => store.takeOver(...call),
  };
}

class Sealing {
  readonly #typeOf: (token: string) => ResourceType | undefined;
  readonly #seals: Seals;
  readonly #secrets = new Map<string, readonly string[]>();

  constructor(typeOf: (token: string) => ResourceType | undefined, seals: Seals) {
    this.#typeOf = typeOf;
    this.#seals = seals;
  }

  /** The records of which something has to be sealed, sealed. */
  changed(records: Iterable<RecordedResource>): ReadonlyMap<Address, RecordedResource> {
    const sealed = [...records].map((record) => [record, this.record(record)] as const);
    return new Map(sealed.flatMap(([was, is]) => (was === is ? [] : [[is.address, is]])));
  }

  record(record: RecordedResource): RecordedResource {
    const [inputs, outputs] = [this.#values(record.type, record.inputs), this.#values(record.type, record.outputs)];
    const deposed = record.deposed.map((each) => this.#deposed(record.type, each));
    const isSame = inputs === record.inputs && outputs === record.outputs;
    if (isSame && deposed.every((each, at) => each === record.deposed[at])) return record;
    return { ...record, inputs, outputs, deposed };
  }

  intent(intent: Intent): Intent {
    const inputs = this.#values(intent.type, intent.inputs);
    const record = intent.record === undefined ? undefined : this.record(intent.record);
    if (inputs === intent.inputs && record === intent.record) return intent;
    return { ...intent, inputs, ...(record === undefined ? {} : { record }) };
  }

  #deposed(type: string, deposed: Deposed): Deposed {
    const outputs = this.#values(type, deposed.outputs);
    return outputs === deposed.outputs ? deposed : { ...deposed, outputs };
  }

  #values(token: string, values: JsonObject): JsonObject {
    const type = this.#typeOf(token);
    const sealed = this.#secretsOf(token).flatMap((name): (readonly [string, Json])[] => {
      const [rule, value] = [type?.fields[name], values[name]];
      if (rule === undefined || value === undefined || value === null) return [];
      const closed = this.#seals.seal(rule, value);
      return sameJson(closed, value) ? [] : [[name, closed]];
    });
    return sealed.length === 0 ? values : { ...values, ...Object.fromEntries(sealed) };
  }

  #secretsOf(token: string): readonly string[] {
    const known = this.#secrets.get(token) ?? secretFields(this.#typeOf(token));
    this.#secrets.set(token, known);
    return known;
  }
}

function secretFields(type: ResourceType | undefined): readonly string[] {
  return Object.values(type?.fields ?? {}).flatMap((rule) => (mayHoldSecret(rule) ? [rule.name] : []));
}

function unsealedWarning(records: readonly RecordedResource[]): Diagnostic {
  const some = records.slice(0, 5).map(({ address }) => address);
  const more = records.length - some.length;
  return {
    severity: 'warning',
    code: 'state-unsealed',
    summary: `The state holds, in plain text, secrets of ${some.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    detail: 'An earlier version wrote them, before they were known to be secret. They are never shown.',
    hint: 'Older copies of the state still hold them. The next write seals them: sync refresh',
  };
}

/** The values of one stack, under its own key; `redactor` knows the secrets that answers may repeat. */
export function sealsOf(
  { fingerprintKey }: Pick<StackState, 'fingerprintKey'>,
  redactor?: Redactor,
  isUnderReview = false,
): Seals {
  return new Seals(
    (value) => fingerprint(fingerprintKey, value),
    isUnderReview,
    (value) => redactor?.isIn(value) === true,
  );
}

/**
 * Stands for a secret in state and plans: `hmac-sha256:<hex>` over the value's canonical JSON.
 * `key` is the stack's fingerprint key (hex): without it, a short secret can't be guessed from the fingerprint.
 */
export function fingerprint(key: string, value: Json): string {
  return `hmac-sha256:${createHmac('sha256', Buffer.from(key, 'hex')).update(canonicalJson(value)).digest('hex')}`;
}
