import type { ChoiceType } from '@platform-sync/rest/definition';

export const cnameStatus: ChoiceType = {
  choice: 'PortalDomainCnameStatus',
  description: 'Whether the name leads to the portal.',
  values: { verified: 'It does.', pending: 'Not yet.' },
};

export const verificationStatus: ChoiceType = {
  choice: 'PortalDomainVerificationStatus',
  description: 'How far the certificate is.',
  values: { verified: 'It is in use.', pending: 'Not yet proven.', error: 'It could not be proven.' },
};

export const verificationMethod: ChoiceType = {
  choice: 'PortalDomainVerificationMethod',
  description: 'Where the certificate of a domain comes from.',
  values: {
    http: 'The platform gets one, and proves the domain by a page of it.',
    custom_certificate: 'It is yours: customCertificate and customPrivateKey.',
  },
};

export const ownDomain = {
  shown: 'the portal answers to the domain',
  hidden: 'the portal no longer answers to the domain',
};
