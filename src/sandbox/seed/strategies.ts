import type { Row } from '../store/collection.js';
import { fixedId, times } from './fixed.js';

/** Two with keys, one with an identity provider. */
export const strategies: readonly Row[] = (['keys', 'partner-keys', 'sign-in'] as const).map((name, at) => ({
  id: fixedId('authStrategy', at + 1),
  name,
  display_name: name,
  ...(at === 2
    ? {
        strategy_type: 'openid_connect' as const,
        configs: {
          'openid-connect': {
            issuer: 'https://id.example.com',
            credential_claim: ['sub'],
            scopes: ['openid'],
            auth_methods: ['bearer'],
          },
        },
      }
    : { strategy_type: 'key_auth' as const, configs: { 'key-auth': { key_names: ['apikey'] } } }),
  labels: {},
  ...times(at + 1),
}));
