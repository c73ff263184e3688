import type { FieldType, RecordType } from '@platform-sync/rest/definition';

const texts = (maxLength: number): FieldType => ({ list: 'string', limits: { maxLength } });

/** How an application signs in by a key. */
export const keyAuthRecord: RecordType = {
  record: 'ApplicationKeyAuth',
  description: 'Signing in by a key.',
  members: {
    keyNames: {
      type: texts(256),
      description: 'Headers and parameters that may hold the key.',
      optional: true,
      limits: { minItems: 1, maxItems: 10 },
    },
    ttl: {
      type: {
        record: 'ApplicationKeyTtl',
        description: 'How long a key is good.',
        members: {
          unit: {
            type: {
              choice: 'ApplicationKeyTtlUnit',
              description: 'What is counted.',
              values: { days: 'Days.', weeks: 'Weeks.', years: 'Years.' },
            },
            description: 'What is counted.',
          },
          value: { type: 'integer', description: 'How many of them.', limits: { minimum: 1 } },
        },
      },
      description: 'How long a key is good. Left out, it is good for ever.',
      optional: true,
    },
  },
};

export const openidConnectRecord: RecordType = {
  record: 'ApplicationOpenidConnect',
  description: 'Signing in by an identity provider.',
  members: {
    authMethods: {
      type: texts(64),
      description: 'How clients may prove who they are, `bearer` for one.',
      limits: { maxItems: 10 },
    },
    credentialClaim: {
      type: texts(128),
      description: 'Path of the claim that holds the client.',
      limits: { maxItems: 10 },
    },
    issuer: { description: 'Address of the identity provider.', limits: { maxLength: 256 } },
    others: {
      type: { map: 'any' },
      description:
        'Further settings of the sign-in at the gateway, by the names that the platform has for them: `{consumer_claim: [sub]}`.',
      optional: true,
    },
    scopes: { type: texts(128), description: 'What clients ask for.', limits: { maxItems: 50 } },
  },
};
