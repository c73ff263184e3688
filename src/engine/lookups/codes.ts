import type { DiagnosticCodes } from '../model/diagnostic.js';

/** What finding objects on the command line reports; that none or several are there is told as lookups tell it. */
export const lookupCodes = {
  'bad-question': {
    title: 'Objects were asked for in a way that can not be answered',
    explanation:
      'A filter names a field that lists do not carry, or a value of another kind; nothing was sent. The message names the fields there are.',
  },
  'parent-missing': {
    title: 'It is not said what the objects live in',
    explanation:
      'Objects of this type are listed inside another one. Name that with `--parent`: by its name, or as `field=id`; the outermost first where there are several.',
  },
  'parent-unknown': {
    title: 'More was named than the objects live in',
    explanation: 'The message says how many parents objects of the type have, and which.',
  },
} as const satisfies DiagnosticCodes;

export type LookupCode = keyof typeof lookupCodes;
