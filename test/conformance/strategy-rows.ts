import type { ConformanceRow } from './row.js';

const openidConnect = {
  issuer: 'https://id.example.com',
  credentialClaim: ['sub'],
  scopes: ['openid'],
  authMethods: ['bearer'],
};
const byProvider = { with: { strategyType: 'openid_connect', openidConnect }, without: ['keyAuth'] } as const;
const provider = (last: number): string => `00000000-0000-4000-8000-00000000000${last}`;

export const strategyRow: ConformanceRow = {
  type: 'platform:ApplicationAuthStrategy',
  needs: {},
  properties: {
    name: 'keys of ours',
    displayName: 'Keys',
    strategyType: 'key_auth',
    keyAuth: { keyNames: ['apikey', 'x-api-key'], ttl: { value: 3, unit: 'weeks' } },
    labels: { team: 'a', tier: 'gold' },
  },
  changes: {
    name: { to: 'other keys', action: 'update' },
    displayName: { to: 'Other keys', action: 'update' },
    strategyType: {
      to: 'openid_connect',
      action: 'replace',
      untried: 'another type has other settings: test/engine/traps',
    },
    keyAuth: { to: { keyNames: ['apikey'], ttl: { value: 1, unit: 'years' } }, action: 'update' },
    openidConnect: { to: { ...openidConnect, scopes: ['openid', 'email'] }, action: 'update', ...byProvider },
    dcrProviderId: {
      to: provider(2),
      action: 'update',
      ...byProvider,
      with: { ...byProvider.with, dcrProviderId: provider(1) },
    },
    labels: { to: { team: 'b' }, action: 'update' },
  },
  removals: {
    name: { leaves: 'subject' },
    dcrProviderId: 'untried',
    labels: { leaves: {} },
  },
  drift: {
    name: { name: 'clicked' },
    displayName: { display_name: 'Clicked' },
    keyAuth: { configs: { 'key-auth': { key_names: ['clicked'] } } },
    labels: { labels: { team: null } },
  },
  driftless: {
    strategyType: 'a strategy keeps its type',
    openidConnect: 'the row declares the other one of the two',
    dcrProviderId: 'the answer shows the provider as a record of its own',
  },
  collection: 'auth-strategies',
  importId: (id) => id,
};
