import type { DiagnosticCodes } from '../model/diagnostic.js';

/** What reading reports, beyond the platform's own words. */
export const refreshCodes = {
  'several-found': {
    title: 'Several objects have this natural key',
    explanation:
      'More than one object on the platform could be meant, so none was taken. Say which one with `sync import ADDRESS ID`.',
  },
  'platform-error': {
    title: 'The platform failed without saying why',
    explanation:
      'The call ended with an error that carried no explanation. Try again; if it stays, look at the status of the platform.',
  },
} as const satisfies DiagnosticCodes;
