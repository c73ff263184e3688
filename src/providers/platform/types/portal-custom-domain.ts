import { ownDomain, cnameStatus, verificationMethod, verificationStatus } from '../records/custom-domain.js';
import type { TypeDefinition } from '@platform-sync/rest/definition';

const domain = '/v3/portals/{portalId}/custom-domain';

export const portalCustomDomain: TypeDefinition = {
  name: 'PortalCustomDomain',
  description: 'A domain of your own for a portal. Its certificate is proven some time after it was told.',
  operations: {
    create: `POST ${domain}`,
    read: `GET ${domain}`,
    update: `PATCH ${domain}`,
    delete: `DELETE ${domain}`,
  },
  parent: 'portalId',
  importId: '{portalId}',
  naturalKey: ['portalId'],
  unique: [['portalId'], ['hostname']],
  absence: 'problem-404',
  // A name that leads nowhere yet stays pending for as long as it does: that is told, and holds nothing up for long.
  ready: { field: 'verificationStatus', done: ['verified'], failed: ['error'], everyMs: 500, limitMs: 10_000 },
  presence: { hidden: ownDomain.hidden },
  required: ['portalId', 'hostname', 'enabled', 'domainVerificationMethod'],
  always: [
    ...['cnameStatus', 'domainVerificationMethod', 'enabled', 'hostname', 'skipCaCheck', 'verificationStatus'],
    ...['createdAt', 'updatedAt'],
  ],
  fields: {
    portalId: { kind: 'ofPortal' },
    customCertificate: {
      description: 'Certificate with its chain, PEM.',
      wire: 'ssl.custom_certificate',
      writeOnly: true,
    },
    customPrivateKey: {
      description: 'Private key of the certificate, PEM.',
      wire: 'ssl.custom_private_key',
      secret: true,
      writeOnly: true,
    },
    domainVerificationMethod: {
      type: verificationMethod,
      description: 'Where the certificate of the domain comes from.',
      wire: 'ssl.domain_verification_method',
      replaces: true,
    },
    enabled: {
      type: 'boolean',
      description: 'Whether the portal answers to the domain.',
      exposure: { shown: true, hidden: false, says: ownDomain },
    },
    hostname: { description: 'The domain.', replaces: true },
    skipCaCheck: {
      type: 'boolean',
      description: 'Whether a certificate is taken that no known authority signed. Defaults to false.',
      wire: 'ssl.skip_ca_check',
      absent: false,
      clearing: { by: 'value', value: false },
    },
  },
  outputs: {
    cnameStatus: {
      type: cnameStatus,
      description: 'Whether the name leads to the portal.',
    },
    validationErrors: {
      type: { list: 'string' },
      description: 'What is wrong with the certificate.',
      wire: 'ssl.validation_errors',
    },
    verificationStatus: {
      type: verificationStatus,
      description: 'How far the certificate is.',
      wire: 'ssl.verification_status',
    },
    createdAt: { kind: 'created' },
    updatedAt: { kind: 'updated' },
  },
};
