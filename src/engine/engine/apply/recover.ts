import { sameJson } from '@platform-sync/core/model/canonical';
import type { Address } from '@platform-sync/core/model/address';
import type { DesiredResource } from '@platform-sync/core/model/desired';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Event } from '@platform-sync/core/model/event';
import { identityKey, parentIdentity } from '@platform-sync/core/model/identity';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { OutboxWrite } from '@platform-sync/core/model/outbox';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import {
  isSettling,
  type Intent,
  type RecordedResource,
  type StackState,
  type StateChange,
} from '@platform-sync/core/model/state';
import type { StateStore } from '@platform-sync/core/model/state-store';
import type { Reads } from '../reads/reads.js';
import { leftBy, settledAt } from '../refresh/evidence.js';
import type { Seals } from '@platform-sync/core/value/seal';
import { examine, type Imported, type IntentOutcome } from './examine-intents.js';
import { rightOneHint } from './import-id.js';
import { foundRecord } from './record.js';
import { doubted, newlySaid, saidAnew, sentRecord } from './sent-record.js';
import { identityKeys, undelivered, type Undelivered } from './undelivered.js';

interface RecoverContext {
  readonly state: StackState;
  readonly store: Pick<StateStore, 'managedElsewhere' | 'runs'>;
  readonly typeOf: (token: string) => ResourceType;
  readonly reads: Reads;
  readonly seals: Seals;
  /** Import ids, by address, where the user says which object it is: that decides what nothing else does, once all shows that there is. */
  readonly imported?: Imported;
  /** What the files have now; absent: nobody looks. */
  readonly wanted?: ReadonlyMap<Address, Pick<DesiredResource, 'type'>>;
  /** What an earlier run on this machine could not tell the state store. */
  readonly kept?: readonly OutboxWrite[];
  /** What was written before shows in every answer; absent: everything does. ISO 8601 UTC. */
  readonly settledBefore?: string | undefined;
  /** How long that takes, milliseconds. */
  readonly settleMs?: number | undefined;
}

export interface Recovery {
  /** What a crashed run did after all; written by the next command that may write. */
  readonly changes: readonly StateChange[];
  /** What to tell once the changes are written. */
  readonly recovered: readonly RecoveredEvent[];
  /** Errors: intents that could not be decided. */
  readonly diagnostics: readonly Diagnostic[];
  /** Creates whose objects may only not show yet: nothing is created there. Their intents stay open. */
  readonly held: ReadonlyMap<Address, Diagnostic>;
  /** Objects whose deletes nothing proves, so that they are sent again, and what lives in them; by `identityKey`. */
  readonly deleting: ReadonlySet<string>;
}

/** Finds out what became of the writes that an earlier run decided on and never confirmed. Only reads. */
export async function recover(context: RecoverContext): Promise<Recovery> {
  const { intents } = context.state;
  const recovering = new Recovering(context);
  const known = undelivered(context.state, context.kept ?? []);
  for (const write of known.values()) recovering.take(write);
  // What a run kept may settle a create of before, too: nobody asks for that any more.
  const settled = new Set(recovering.changes.flatMap((change) => (change.kind === 'close-intent' ? [change.id] : [])));
  const open = intents.filter(({ id }) => !known.has(id) && !settled.has(id));
  const findings = await examine(
    {
      ...context,
      targets: context.state.targets,
      managed: recovering.managed(),
      recordOf: (key) => recovering.recordOf(key),
    },
    open,
  );
  for (const intent of open) recovering.close(intent, findings.get(intent.id) ?? { kind: 'exists' });
  recovering.spread();
  const { changes, recovered, diagnostics, held, deleting } = recovering;
  return { changes, recovered, diagnostics, held, deleting };
}

export type RecoveredEvent = Extract<Event, { readonly type: 'recovered' }>;

/** What findings mean for the state; each intent sees what the ones before it changed. */
class Recovering {
  readonly changes: StateChange[] = [];
  readonly recovered: RecoveredEvent[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly held = new Map<Address, Diagnostic>();
  readonly deleting = new Set<string>();
  readonly #context: RecoverContext;
  readonly #holders = new Map<string, Address>();
  readonly #records = new Map<Address, RecordedResource>();
  /** Addresses of what no record knew until now. */
  readonly #found = new Set<Address>();
  /** Addresses whose own object has ended. */
  readonly #gone = new Set<Address>();
  #inside: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(context: RecoverContext) {
    this.#context = context;
    for (const record of context.state.resources.values()) this.#hold(record);
  }

  managed(): ReadonlySet<string> {
    return new Set([...this.#records.values()].flatMap(identityKeys));
  }

  recordOf(key: string): RecordedResource | undefined {
    return this.#records.get(this.#holders.get(key) ?? '');
  }

  /** What the run itself knew when it could not say so. */
  take({ intent, changes, isTaken }: Undelivered): void {
    for (const change of changes) {
      if (change.kind === 'put') this.#hold(change.resource);
      if (change.kind === 'put') this.#found.add(change.resource.address);
      if (change.kind === 'remove') this.#records.delete(change.address);
      this.changes.push(change);
    }
    this.#tell(intent, isTaken ? 'managed' : 'recorded');
  }

  close(intent: Intent, finding: IntentOutcome): void {
    const { typeOf, settledBefore, wanted } = this.#context;
    switch (finding.kind) {
      case 'failed':
        this.diagnostics.push(...finding.diagnostics.map((found) => whileRecovering(intent, found)));
        return;
      case 'undecided':
        if (!this.#isNamed(intent)) {
          this.diagnostics.push(undecided(typeOf(intent.type), intent, finding.candidates));
          return;
        }
        // Of two that may be ours the other one need not show yet.
        if (isSettling(leftBy(intent), settledBefore)) return this.#holdBack(intent);
        break;
      case 'ours':
        this.#adopt(intent, finding.object);
        break;
      case 'absent':
        this.#tell(intent, 'not-sent');
        break;
      case 'managed':
        this.#tell(intent, 'managed');
        break;
      case 'gone':
        this.#forget(intent);
        break;
      case 'unproven':
        if (intent.action === 'create') {
          // Who refuses a second object of its key makes none twice; one of another type it would make beside it.
          const isLeft = wanted !== undefined && wanted.get(intent.address)?.type !== intent.type;
          if (typeOf(intent.type).unique.length === 0 || isLeft || this.#isNamed(intent)) this.#holdBack(intent);
          return;
        }
        // What it said may show when its object does.
        if (intent.action === 'update') return;
        if (intent.identity !== undefined) this.deleting.add(identityKey(intent.type, intent.identity));
        break;
      case 'updated': {
        const isShown = this.#claim(intent, finding.object);
        // It may be on its way, or not show yet.
        if (!isShown && isSettling(leftBy(intent), settledBefore)) return;
        this.#doubt(intent);
        break;
      }
      case 'exists':
        if (intent.action === 'update') this.#doubt(intent);
        break;
    }
    this.changes.push({ kind: 'close-intent', id: intent.id });
  }

  /** What lived in an object that may be gone may be gone, too. */
  spread(): void {
    // Records may have come and gone since.
    this.#inside = undefined;
    for (const key of this.deleting) for (const each of this.#contents.get(key) ?? []) this.deleting.add(each);
  }

  /** Somebody says which object it is: that is an answer, too. */
  #isNamed({ address }: Intent): boolean {
    return this.#context.imported?.has(address) === true;
  }

  #holdBack(intent: Intent): void {
    const { typeOf, settleMs } = this.#context;
    this.held.set(intent.address, createUnproven(typeOf(intent.type), intent, settleMs));
  }

  #adopt(intent: Intent, object: RemoteObject): void {
    const { seals, typeOf } = this.#context;
    const found = foundRecord(intent, typeOf(intent.type), object, seals);
    const { address, type, identity, outputs, deposed } = found;
    const there = this.#records.get(address);
    const other = there?.type === type && there.identity.id !== identity.id ? there : undefined;
    // Who makes something where another one was made knows nothing of that: it is ours, too, and still to be deleted.
    if (other?.writtenAt !== undefined && other.writtenAt > intent.createdAt)
      this.#put({ ...other, deposed: [...other.deposed, { identity, outputs }] });
    else {
      const older = other !== undefined && this.#found.has(address) ? [...other.deposed, other] : [];
      const old = older.map((each) => ({ identity: each.identity, outputs: each.outputs }));
      // Two replacements of one object have both put it by.
      const isNew = (each: Pick<RecordedResource, 'identity'>): boolean =>
        !deposed.some((known) => known.identity.id === each.identity.id);
      this.#put({ ...found, deposed: [...deposed, ...old.filter(isNew)] });
    }
    this.#found.add(address);
    this.#tell(intent, 'adopted');
  }

  /** What an update sent is ours, whatever the files say by now. False: the platform does not show all of it. */
  #claim(intent: Intent, { identity, values }: RemoteObject): boolean {
    const { seals, typeOf } = this.#context;
    const { inputs } = intent;
    const type = typeOf(intent.type);
    const record = this.recordOf(identityKey(type.token, identity));
    if (record === undefined) return false;
    const claimed = sentRecord(record, type, inputs, values, seals);
    // Another one may have said all of it before.
    const isKnown = saidAnew(claimed, type, inputs).length === 0;
    if (isKnown || !sameJson(claimed.inputs, record.inputs)) this.#putWritten(claimed, intent);
    return newlySaid(claimed, type, inputs).length === 0;
  }

  /** Of what no answer shows nobody knows whether it was written. */
  #doubt(intent: Intent): void {
    const { seals, typeOf } = this.#context;
    const { type, identity, inputs } = intent;
    const record = identity && this.recordOf(identityKey(type, identity));
    const now = record && doubted(record, typeOf(type), inputs, seals);
    if (now !== undefined && now !== record) this.#putWritten(now, intent);
  }

  #forget(intent: Intent): void {
    this.#tell(intent, 'deleted');
    if (intent.identity !== undefined) this.#drop(identityKey(intent.type, intent.identity));
  }

  /** Takes a deleted object out of the record that holds it, as the object itself or as a deposed one, and what lived in it too. */
  #drop(key: string): void {
    for (const each of this.#contents.get(key) ?? []) this.#drop(each);
    const record = this.recordOf(key);
    if (record === undefined) return;
    const isIt = (other: Pick<RecordedResource, 'identity'>): boolean =>
      identityKey(record.type, other.identity) === key;
    if (isIt(record)) this.#gone.add(record.address);
    const deposed = record.deposed.filter((old) => !isIt(old));
    // Of what is gone the record stays while it alone knows of an old object that is still to be deleted.
    if (this.#gone.has(record.address) && deposed.length === 0) {
      this.#records.delete(record.address);
      this.changes.push({ kind: 'remove', address: record.address });
    } else if (deposed.length < record.deposed.length) this.#put({ ...record, deposed });
  }

  /** What is recorded as living in an object, by `identityKey`: indexed once, when something is found gone. */
  get #contents(): ReadonlyMap<string, readonly string[]> {
    if (this.#inside !== undefined) return this.#inside;
    const inside = new Map<string, string[]>();
    for (const record of this.#records.values()) {
      const type = this.#context.typeOf(record.type);
      for (const { identity } of [...record.deposed, record]) {
        const above = parentIdentity(type, identity);
        if (above === undefined) continue;
        const home = identityKey(type.parent?.type ?? '', above);
        inside.set(home, [...(inside.get(home) ?? []), identityKey(type.token, identity)]);
      }
    }
    return (this.#inside = inside);
  }

  /** It may have been written until that intent was to have left: an answer of a moment later may be older. */
  #putWritten(resource: RecordedResource, intent: Intent): void {
    const { writtenAt = '' } = resource;
    const left = leftBy(intent);
    this.#put({ ...resource, writtenAt: writtenAt > left ? writtenAt : left });
  }

  #put(resource: RecordedResource): void {
    this.#hold(resource);
    this.changes.push({ kind: 'put', resource });
  }

  #hold(record: RecordedResource): void {
    this.#records.set(record.address, record);
    for (const key of identityKeys(record)) this.#holders.set(key, record.address);
  }

  #tell({ address }: Pick<Intent, 'address'>, outcome: RecoveredEvent['outcome']): void {
    this.recovered.push({ type: 'recovered', address, outcome });
  }
}

function whileRecovering(intent: Intent, found: Diagnostic): Diagnostic {
  const why = `While finding out what became of an interrupted ${intent.action} of ${intent.address}.`;
  return {
    ...found,
    address: intent.address,
    detail: found.detail === undefined ? why : `${why}\n${found.detail}`,
  };
}

function createUnproven({ name, unique }: ResourceType, intent: Intent, settleMs: number | undefined): Diagnostic {
  const { address, createdAt } = intent;
  const until = settledAt(leftBy(intent), settleMs);
  const why = `The platform allows a second ${name} with that key, so ${address} is created only if none shows up by ${until}.`;
  return {
    severity: 'error',
    code: 'not-visible-yet',
    summary: `An interrupted run may have created ${address} at ${createdAt}, but the platform does not show it yet.${unique.length === 0 ? ` ${why}` : ''}`,
    hint: `Run the command again after ${until}: no earlier answer proves that it was not created. With --lock-timeout 5m it waits by itself.`,
    address,
  };
}

function undecided(type: ResourceType, intent: Intent, found: readonly RemoteObject[]): Diagnostic {
  const count = found.length === 1 ? 'one object with its key exists' : `${found.length} objects with its key exist`;
  return {
    severity: 'error',
    code: 'undecided-intent',
    summary: `An earlier run was interrupted while it created ${type.name} ${intent.address}; ${count}, and nothing tells whether it made ${found.length === 1 ? 'it' : 'one of them'}.`,
    detail: found.map((object) => describe(type, object)).join('\n'),
    hint: rightOneHint(intent.address, type, found),
    address: intent.address,
  };
}

function describe(type: ResourceType, { identity, values }: RemoteObject): string {
  const name = JSON.stringify(values[type.nameField ?? type.label ?? ''] ?? '');
  return `${identity.id} ${name}, created ${String(values[type.creation ?? ''] ?? 'at an unknown time')}`;
}
