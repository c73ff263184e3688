import type { DiagnosticCodes } from '../../engine/model/diagnostic.js';

/** What providers that a project describes itself report, beyond what every provider does. */
export const ownCodes = {
  'own-setting': {
    title: 'A setting of a provider of the project is not right',
    explanation:
      'The message names the setting. `serverUrl` is an https:// address (http:// on this machine only); `auth` is one of `bearer`, `header`, `basic` and `clientCredentials`. See [a platform of your own](guides/own-platform.md).',
  },
  'own-token': {
    title: 'No access token was given',
    explanation:
      'The server that `auth.clientCredentials.tokenUrl` names answered otherwise than with a token. Check the client, its secret and the scope; the message says what the server answered, without secrets.',
  },
} as const satisfies DiagnosticCodes;

export type OwnCode = keyof typeof ownCodes;
