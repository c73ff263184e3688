import type { DiagnosticCodes } from '../../engine/model/diagnostic.js';

/** What providers that a project describes itself report, beyond what every provider does. */
export const ownCodes = {
  'own-token': {
    title: 'No access token was given',
    explanation:
      'The server that `auth.clientCredentials.tokenUrl` names answered otherwise than with a token. Check the client, its secret and the scope; the message says what the server answered, without secrets.',
  },
} as const satisfies DiagnosticCodes;

export type OwnCode = keyof typeof ownCodes;
