import { crud } from '@platform-sync/rest/crud';
import { keyAuthRecord, openidConnectRecord } from '../records/sign-in.js';
import type { TypeDefinition } from '@platform-sync/rest/definition';

export const applicationAuthStrategy: TypeDefinition = {
  name: 'ApplicationAuthStrategy',
  description: 'How applications sign in at APIs that name it: by key, or by an identity provider.',
  operations: crud('/v2/application-auth-strategies'),
  list: { get: '/v2/application-auth-strategies', findBy: { 'filter[name][eq]': 'name' } },
  naturalKey: ['name'],
  absence: 'problem-404',
  // One that a publication names can't be deleted.
  createFirst: true,
  union: {
    by: 'strategyType',
    branches: { key_auth: ['keyAuth'], openid_connect: ['openidConnect', 'dcrProviderId'] },
  },
  exactlyOne: [['keyAuth', 'openidConnect']],
  required: ['displayName', 'strategyType'],
  always: ['active', 'displayName', 'labels', 'name', 'strategyType', 'createdAt', 'updatedAt'],
  fields: {
    dcrProviderId: {
      kind: 'id',
      description: 'Who registers clients at the identity provider.',
      // The answer shows the provider as a record of its own, `dcrProvider`.
      writeOnly: true,
    },
    displayName: { description: 'Name that developers see.', limits: { maxLength: 256 } },
    keyAuth: {
      type: keyAuthRecord,
      description: 'Signing in by a key: of the type `key_auth`.',
      equality: 'record',
      wire: 'configs.key-auth',
      patched: true,
      clearing: { by: 'nothing', why: 'a strategy keeps the settings of its type' },
    },
    labels: { kind: 'labels', description: 'Metadata labels.' },
    name: {
      description: 'Name of the strategy.',
      role: 'name',
      size: [1, 256],
      clearing: { by: 'nothing', why: 'a strategy always has a name' },
    },
    openidConnect: {
      type: openidConnectRecord,
      description: 'Signing in by an identity provider: of the type `openid_connect`.',
      equality: 'record',
      wire: 'configs.openid-connect',
      others: 'others',
      patched: true,
      clearing: { by: 'nothing', why: 'a strategy keeps the settings of its type' },
    },
    strategyType: {
      type: {
        choice: 'ApplicationAuthStrategyType',
        description: 'How applications sign in.',
        values: { key_auth: 'By a key.', openid_connect: 'By an identity provider.' },
      },
      description: 'How applications sign in. Another type is another strategy.',
      replaces: true,
    },
  },
  outputs: {
    active: { type: 'boolean', description: 'Whether a published API names it.' },
    dcrProvider: {
      type: {
        record: 'ApplicationDcrProvider',
        description: 'Who registers clients at an identity provider.',
        members: { id: 'Its identifier.', name: 'Its name.' },
      },
      description: 'Who registers clients at the identity provider.',
      nullable: true,
    },
    createdAt: { kind: 'created' },
    updatedAt: { kind: 'updated' },
  },
};
