import type { DiagnosticCodes } from '../model/diagnostic.js';

/** What planning reports. */
export const planCodes = {
  'cannot-clear': {
    title: 'A property can not be put back to a default',
    explanation:
      'The property was taken out of the catalogue, and the platform has no way to clear it. It keeps its value and is not managed any more; the plan says so once. To change it, declare it again.',
  },
  'key-exchange': {
    title: 'Resources exchange their names in a way that has no order',
    explanation:
      'Each takes a name or key that the other gives up in the same plan, and neither can step aside for a moment. The platform may refuse the first of them; then give one a name of its own in a run before.',
  },
  'bad-import-id': {
    title: 'Not an import id of this type',
    explanation:
      'An id is a plain string, or for objects that live in another one a JSON object with both ids. The message shows the form; `sync schema TYPE` shows it, too.',
  },
  'plan-not-a-plan': {
    title: 'The file is not a plan',
    explanation: 'Only what `sync plan --out FILE` wrote can be shown or applied.',
  },
  'plan-altered': {
    title: 'The plan file was changed after it was written',
    explanation:
      'A plan carries a checksum over all of its bytes, and this one does not match. Nothing is applied (exit code 5). Make a new plan and have it reviewed.',
  },
  'plan-version': {
    title: 'The plan is of another format version',
    explanation: 'It was written by another version of this program. Plan again with the version that applies.',
  },
  'held-back': {
    title: 'Something is not created, since what exists is not known',
    explanation:
      'The collection it belongs to could not be read, or what it is made for is held back itself, so it may exist already. It counts as not compared (exit code 3). The detail says what went wrong.',
  },
} as const satisfies DiagnosticCodes;
