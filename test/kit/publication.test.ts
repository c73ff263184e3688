import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../src/engine/model/value.js';
import { checkConformance } from '../../src/kit/index.js';
import type { ConformanceCase, TypeDefinition } from '../../src/kit/index.js';
import { definitions } from '../../scripts/generate/definitions.js';
import { startSandbox } from '../../src/sandbox/server.js';
import type { RunningSandbox } from '../../src/sandbox/server.js';
import { platformWith, sandboxService } from './platform.js';

/** A sixth type of the platform, on trial: no id of its own, PUT in place of POST, two objects above it. */
const publication: TypeDefinition = {
  name: 'ApiPublication',
  description: 'An API shown on a portal.',
  operations: {
    create: 'PUT /v3/apis/{apiId}/publications/{portalId}',
    read: 'GET /v3/apis/{apiId}/publications/{portalId}',
    update: 'PUT /v3/apis/{apiId}/publications/{portalId}',
    delete: 'DELETE /v3/apis/{apiId}/publications/{portalId}',
  },
  list: { get: '/v3/api-publications' },
  naturalKey: ['apiId', 'portalId'],
  unique: [['apiId', 'portalId']],
  absence: 'problem-404',
  required: ['apiId', 'portalId'],
  always: ['visibility'],
  fields: {
    apiId: { kind: 'id', description: 'Identifier of the API.', references: 'Api', nests: true, diesWith: true },
    portalId: { kind: 'id', description: 'Identifier of the portal.' },
    visibility: {
      type: {
        choice: 'ApiPublicationVisibility',
        description: 'Who sees it.',
        values: { public: 'Everybody.', private: 'Whoever has signed in.' },
      },
      description: 'Who sees it.',
      exposure: { shown: 'public', hidden: 'private' },
      clearing: { by: 'value', value: 'private' },
    },
    authStrategyIds: {
      type: { list: 'string' },
      description: 'How to sign in: left out as the portal says, null not at all.',
      equality: 'set',
      size: [1, 1],
      nullable: true,
      nullIsValue: true,
    },
    autoApproveRegistrations: {
      type: 'boolean',
      description: 'Whether applications are let in unseen.',
      clearing: { by: 'value', value: false },
    },
  },
  outputs: { createdAt: { kind: 'created' }, updatedAt: { kind: 'updated' } },
};

const seeded = (kind: string, number: number): string => `8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f${kind}0${number}`;
const portal = (number: number): string => seeded('0c', number);
const api = (name: string): JsonObject => ({ type: 'platform:Api', properties: { name } });

const row: ConformanceCase = {
  type: 'platform:ApiPublication',
  collection: 'publications',
  needs: { pets: api('Pets'), cats: api('Cats') },
  properties: {
    apiId: '${pets.id}',
    portalId: portal(1),
    visibility: 'public',
    authStrategyIds: null,
    autoApproveRegistrations: true,
  },
  required: ['apiId', 'portalId'],
  parent: ['apiId'],
  dies: [],
  unique: ['apiId portalId'],
  shows: ['visibility'],
  changes: {
    apiId: { to: '${cats.id}', action: 'replace' },
    portalId: { to: portal(2), action: 'replace' },
    visibility: { to: 'private', action: 'update' },
    authStrategyIds: { to: [portal(3)], action: 'update' },
    autoApproveRegistrations: { to: false, action: 'update' },
  },
  removals: {
    visibility: { leaves: 'private' },
    authStrategyIds: 'untried',
    autoApproveRegistrations: { leaves: false },
  },
  drift: { visibility: { visibility: 'private' }, autoApproveRegistrations: { auto_approve_registrations: false } },
  driftless: { apiId: 'it is there', portalId: 'it is there', authStrategyIds: 'tried as a change' },
  importId: (id, ids) => JSON.stringify({ api_id: ids['pets'], portal_id: id }),
};

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true });
});
afterAll(() => sandbox.close());

it('a sixth type is one definition and one row', async () => {
  const provider = platformWith([...definitions, publication]);
  const service = sandboxService(sandbox);
  expect(await checkConformance({ package: provider, service, cases: [row] })).toEqual([]);
});
