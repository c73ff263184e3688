import type { DiagnosticCodes } from '../../engine/model/diagnostic.js';

/** What every provider that is made of definitions reports, beyond failed calls (`http/codes.ts`). */
export const restCodes = {
  'invalid-identifier': {
    title: 'An object can not be addressed',
    explanation:
      'An id is empty or is no id. Ids stand in the path of a call, so a wrong one could address another object.',
  },
  'contradictory-list': {
    title: 'A list shows an object that does not exist',
    explanation:
      'An object that stands in a list was not there when it was read. It may have been deleted in between, or one of the answers is wrong, so nothing is concluded from either. Try again a little later.',
  },
  'refused-later': {
    title: 'What the platform does after a write came to nothing',
    explanation:
      'Some objects are of use only after the platform has worked on them: a certificate is issued, an image is checked. The write was done, and the object exists, but this work failed; the message names the field with its outcome. Correct what was sent, and apply again.',
  },
  'not-ready': {
    title: 'An object was not ready in time',
    explanation:
      'The write was done, and the platform is still working on the object. Nothing needs to be done; the next plan shows how far it has come.',
  },
  remarked: {
    title: 'The platform took something, and says that it is wrong',
    explanation:
      'Some things are kept although something is wrong with them: a specification that is not valid, a publication that nobody can use yet. The message holds what the platform says. Nothing is held up by it; correct the file, and apply again.',
  },
} as const satisfies DiagnosticCodes;

export type RestCode = keyof typeof restCodes;
