import type { FieldType, RecordType } from '../../rest/definition.js';

const texts: FieldType = { list: 'string' };

/** How an application signs in by a key. */
export const keyAuthRecord: RecordType = {
  record: 'ApplicationKeyAuth',
  description: 'Signing in by a key.',
  members: {
    keyNames: { type: texts, description: 'Headers and parameters that may hold the key.', optional: true },
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
          value: { type: 'integer', description: 'How many of them.' },
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
    authMethods: { type: texts, description: 'How clients may prove who they are, `bearer` for one.' },
    credentialClaim: { type: texts, description: 'Path of the claim that holds the client.' },
    issuer: 'Address of the identity provider.',
    others: {
      type: { map: 'any' },
      description:
        'Further settings of the sign-in at the gateway, by the names that the platform has for them: `{consumer_claim: [sub]}`.',
      optional: true,
    },
    scopes: { type: texts, description: 'What clients ask for.' },
  },
};
