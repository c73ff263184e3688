import type { DiagnosticCodes } from '../../engine/model/diagnostic.js';

/** What the platform provider reports, beyond failed calls (`http/codes.ts`). */
export const platformCodes = {
  'invalid-server-url': {
    title: 'The server address can not be used',
    explanation:
      '`serverUrl` (or `PLATFORM_SERVER_URL`) must be an https address without user name, query or fragment. Plain http is accepted for this machine only, because a token would travel in clear text.',
  },
  'invalid-setting': {
    title: 'A provider setting has the wrong form',
    explanation: 'All settings of the platform provider are texts.',
  },
  'empty-token': {
    title: 'A token is empty',
    explanation:
      'A setting or variable for a token exists but holds nothing, which is what a missing secret of a CI system looks like. Fill it, or take the setting away.',
  },
  'invalid-token': {
    title: 'A token holds characters that no token has',
    explanation:
      'Line breaks or other control characters inside a token usually come from a wrongly copied or wrongly quoted value.',
  },
  'missing-token': {
    title: 'No token is configured',
    explanation:
      'The platform asks for a token. Set `PLATFORM_TOKEN` (a personal access token) or `PLATFORM_SPAT` (of a system account), or one of the token settings from the environment with `!env`.',
  },
  'several-tokens': {
    title: 'Several tokens are configured',
    explanation:
      'Only one is sent: settings come before environment variables, and among each the order is personal, system account, platform, service. The message names the one in use.',
  },
  'unknown-lookup': {
    title: 'There is no such lookup',
    explanation: 'The token names no lookup of the platform provider. `sync schema` lists them.',
  },
  'unknown-argument': {
    title: 'The lookup has no such argument or filter member',
    explanation: 'Each lookup takes the arguments its page lists; the message names them.',
  },
  'unknown-operator': {
    title: 'The filter member has no such operator',
    explanation:
      'Filter members differ in the operators they have (`eq`, `neq`, `contains`, `oeq`, `ocontains`); the message names those of this one.',
  },
  'invalid-argument': {
    title: 'A lookup argument has the wrong form',
    explanation:
      'Operators take text, boolean members take true or false, label filters are `key:value` or `key` items between commas.',
  },
  'invalid-sort': {
    title: 'The lookup can not sort so',
    explanation:
      'A sort is `field`, `field asc` or `field desc`, several between commas; the message names the fields of this lookup.',
  },
  'nothing-found': {
    title: 'A lookup for one object found none',
    explanation: 'Nothing matches the filter. Check the values, the region (`serverUrl`) and what the token may see.',
  },
  'several-found': {
    title: 'A lookup for one object found several',
    explanation:
      'Make the filter more exact, look the object up by its id, or, where the lookup can sort, ask for the first one with `sort`.',
  },
} as const satisfies DiagnosticCodes;

export type PlatformCode = keyof typeof platformCodes;
