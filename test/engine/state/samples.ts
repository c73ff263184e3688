import type { Intent, RecordedResource } from '@platform-sync/core/model/state';

/** A recorded resource with the least that one has, and what the test is about. */
export function resource(address: string, more: Partial<RecordedResource> = {}): RecordedResource {
  return {
    address,
    type: 'platform:index/api:Api',
    identity: { id: `id-${address}`, scope: {} },
    inputs: { name: address },
    outputs: { name: address, labels: {} },
    dependencies: [],
    protect: false,
    retainOnDelete: false,
    deposed: [],
    ...more,
  };
}

/** A resource with everything one can have, in values that are easy to damage. */
export const fullResource: RecordedResource = {
  address: 'petstore/guide-1_b',
  type: 'platform:index/apiDocument:ApiDocument',
  identity: { id: 'd-1', scope: { apiId: 'a-1' } },
  inputs: {
    content: 'line\r\n"quoted" \u0000 \u2028 \\ % _ \' ; -- 漢字 🦜',
    secretThing: { $secret: { expression: '!env TOKEN', fingerprint: 'hmac-sha256:00' } },
    nested: [1, 1.5, -0.25, 1e21, true, null, [], {}, { b: 1, a: [{ c: null }] }],
  },
  outputs: { id: 'd-1', $null: null, '': 'empty key' },
  dependencies: ['other', 'petstore'],
  protect: true,
  retainOnDelete: true,
  deposed: [{ identity: { id: 'd-0', scope: { apiId: 'a-0' } }, outputs: { id: 'd-0' } }],
};

export function intent(id: string, more: Partial<Intent> = {}): Intent {
  return {
    id,
    address: 'petstore',
    type: 'platform:index/api:Api',
    action: 'create',
    scope: {},
    inputs: { name: 'Petstore' },
    run: 'run-1',
    createdAt: '2026-01-02T03:04:05.678Z',
    ...more,
  };
}
