import type { Provider, RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Intent, RecordedResource, StackState } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import { Reads } from '@platform-sync/engine/reads/reads';
import { platformPackage } from '@platform-sync/platform/package';
import { realWorld } from '@platform-sync/core/model/world';

export function typeOf(token: string): ResourceType {
  const type = platformPackage.types.get(token);
  if (type === undefined) throw new Error(`no type ${token}`);
  return type;
}

export const productType = typeOf('platform:index/apiProduct:ApiProduct');

const neverCalled = (): never => {
  throw new Error('this call is not expected');
};

/** A provider that only answers what a test gives it. */
export function stubProvider(calls: Partial<Provider>): Provider {
  return {
    name: 'platform',
    target: 'http://127.0.0.1',
    targetSource: 'The test',
    types: platformPackage.types,
    list: neverCalled,
    read: neverCalled,
    readWriteOnly: neverCalled,
    find: neverCalled,
    create: neverCalled,
    update: neverCalled,
    delete: neverCalled,
    lookup: neverCalled,
    requests: () => 0,
    close: () => Promise.resolve(),
    ...calls,
  };
}

/** What reads through this provider, and remembers. */
export const readsOf = (provider: Provider): Reads =>
  new Reads({ providerOf: () => Promise.resolve(provider), concurrency: 4, together: {}, turn: realWorld.turn });

export function remote(id: string, values: JsonObject): RemoteObject {
  return { identity: { id, scope: {} }, values: { createdAt: '2026-01-01T12:00:01.000Z', ...values } };
}

export function recorded(address: string, id: string, more: Partial<RecordedResource> = {}): RecordedResource {
  return {
    address,
    type: productType.token,
    identity: { id, scope: {} },
    inputs: {},
    outputs: {},
    dependencies: [],
    protect: false,
    retainOnDelete: false,
    deposed: [],
    ...more,
  };
}

export function creating(address: string, inputs: JsonObject): Intent {
  return {
    id: `intent of ${address}`,
    address,
    type: productType.token,
    action: 'create',
    scope: {},
    inputs,
    record: recorded(address, '', { inputs }),
    run: 'earlier',
    createdAt: '2026-01-01T12:00:00.000Z',
  };
}

export function deleting(address: string, id: string): Intent {
  const { record: _record, ...intent } = creating(address, {});
  return { ...intent, id: `delete of ${id}`, action: 'delete', identity: { id, scope: {} } };
}

export function stackState(records: readonly RecordedResource[], intents: readonly Intent[]): StackState {
  return {
    project: 'shop',
    stack: 'dev',
    lineage: 'lineage',
    serial: 1,
    fingerprintKey: '00',
    targets: {},
    resources: new Map(records.map((record) => [record.address, record])),
    outputs: {},
    intents,
  };
}
