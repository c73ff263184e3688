import type { DiagnosticCodes } from '../../engine/model/diagnostic.js';

/** What the cloud provider reports, beyond failed calls (`http/codes.ts`). */
export const cloudCodes = {
  'invalid-cloud-setting': {
    title: 'A setting of the cloud provider has the wrong form',
    explanation: 'The message names the setting or variable and what it takes.',
  },
  'invalid-cloud-endpoint': {
    title: 'The address of the cloud service can not be used',
    explanation:
      '`serviceManagementCustomEndpoint` (or its variable) must be an https address that ends in the version, such as `https://host/v1/`, without user name, query or fragment. Plain http is accepted for this machine only, because a token would travel in clear text.',
  },
  'conflicting-cloud-credentials': {
    title: 'Several cloud credentials are configured',
    explanation:
      'Only one of `accessToken`, `credentials` and `externalCredentials` may be set, so that nobody has to guess which identity is used. Take the others away.',
  },
  'unusable-cloud-credentials': {
    title: 'The cloud credentials can not be used',
    explanation:
      'The file can not be read, is no JSON, lacks a member its kind needs, is of a kind this program does not know, or names a token server without https. The message says where it came from and what is wrong; the content is never shown.',
  },
  'untrusted-cloud-key': {
    title: 'Files under review name cloud credentials of a kind that they must not',
    explanation:
      'Credentials of some kinds read files, run commands or ask addresses that they name themselves. sync.yaml may name service accounts and users; other kinds come from the environment of whoever runs this (`GOOGLE_APPLICATION_CREDENTIALS`), or are listed under `keys` in the policy. See [security](security.md).',
  },
  'missing-cloud-credentials': {
    title: 'No cloud credentials were found',
    explanation:
      'Neither settings nor environment hold credentials, there is no file of application default credentials, and no metadata server answers. The message lists the variables that were looked at.',
  },
  'refused-cloud-credentials': {
    title: 'No access token was given for the cloud credentials',
    explanation:
      'The token server refused the credentials (expired, revoked, of a deleted account, without the right to impersonate), or they could not be turned into a request. The message names where they came from.',
  },
  'cloud-token-unavailable': {
    title: 'The server that gives access tokens can not be reached',
    explanation:
      'No usable answer came from the token or metadata server, also after several attempts. Check the network and any proxy, and try again later.',
  },
  'cloud-universe-mismatch': {
    title: 'The cloud credentials belong to another cloud',
    explanation:
      'The credentials name another domain than the one the service is called at, so their token is not sent there. Set `universeDomain` to the domain the message names, or use other credentials.',
  },
  'unknown-cloud-lookup': {
    title: 'There is no such lookup of the cloud provider',
    explanation: 'The token names no lookup of this provider. `sync schema` lists them.',
  },
  'invalid-cloud-argument': {
    title: 'A lookup argument of the cloud provider has the wrong form',
    explanation:
      'A service is named by its name or by `services/NAME`: small letters, digits and hyphens between dots, at most 63 in each part and 253 in all. Nothing was sent.',
  },
  'policy-changed': {
    title: 'The policy was changed meanwhile',
    explanation:
      'Every write names the version (etag) of the policy that the plan saw. The service has another one by now, so nothing was written. Plan again and look at what others changed.',
  },
  'policy-exists': {
    title: 'The service has a policy already',
    explanation:
      'A policy is only created where there is none, so that nobody loses access unnoticed. `sync import` takes the one that is there over; the next plan shows what the catalogue would change of it.',
  },
  'policy-without-etag': {
    title: 'The service names no version of the policy',
    explanation:
      'Without an etag a change that somebody else makes at the same time would be overwritten unnoticed, so nothing is written.',
  },
  'unlisted-policies': {
    title: 'Access policies can not be listed',
    explanation:
      'The service shows a policy only to those who name the service, so an export leaves policies out. `sync import ADDRESS NAME` takes one over.',
  },
  'service-not-found': {
    title: 'There is no such service, or it may not be seen',
    explanation:
      'The cloud mostly hides whether a service exists from those who may not read its policy, so both cases look the same. Check the name, then the rights of the identity in use.',
  },
} as const satisfies DiagnosticCodes;

export type CloudCode = keyof typeof cloudCodes;
