import type { Address } from '../model/address.js';
import type { RemoteObject } from '../model/provider.js';
import type { RecordedResource, StateChange } from '../model/state.js';
import type { Value } from '../model/value.js';
import type { ApplyContext } from './context.js';
import { SettledValues } from './settled.js';

/** What one run has done so far: records as in the store, settled values, ids it created. */
export class Progress {
  readonly settled: SettledValues;
  /** Ids of objects created in this run. */
  readonly created = new Set<string>();
  readonly #records: Map<Address, RecordedResource>;
  readonly #context: ApplyContext;

  constructor(context: ApplyContext) {
    this.#context = context;
    this.#records = new Map(context.state.resources);
    this.settled = new SettledValues(context.desired, context.proposals, context.runLookup);
  }

  recordAt(address: Address): RecordedResource | undefined {
    return this.#records.get(address);
  }

  /** Ids of all objects this stack manages now. */
  managedIds(): ReadonlySet<string> {
    return new Set([...this.#records.values()].map((record) => record.identity.id));
  }

  /** Stores a resource whose object is as desired, and lets references see it. */
  async put(
    record: RecordedResource,
    declared: ReadonlyMap<string, Value>,
    object: RemoteObject,
    intent?: string,
  ): Promise<void> {
    const close: readonly StateChange[] = intent === undefined ? [] : [{ kind: 'close-intent', id: intent }];
    await this.commit([{ kind: 'put', resource: record }, ...close]);
    this.settled.settle(record.address, object.identity.id, declared, { ...object.identity.scope, ...object.values });
  }

  async commit(changes: readonly StateChange[]): Promise<void> {
    await this.#context.store.commit(this.#context.lease, changes);
    for (const change of changes) {
      if (change.kind === 'put') this.#records.set(change.resource.address, change.resource);
      if (change.kind === 'remove') this.#records.delete(change.address);
    }
  }
}
