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
  'nothing-read': {
    title: 'Nothing could be read, so there is no plan',
    explanation:
      'Not one collection could be read, so nothing is known about what exists, and nothing is proposed or sent. The exit code is 3. The message says what came instead of an answer and where the address was set. `--refresh none` plans from what was recorded.',
  },
  'not-proven-gone': {
    title: 'An object was not found, and nothing proves that it is gone',
    explanation:
      'What the platform answered is not what its type takes for a proof (a 404 in the words of the platform, say). The object counts as not compared: no step is proposed for it, and its record stays.',
  },
  'not-visible-yet': {
    title: 'What was just written does not show yet',
    explanation:
      'This stack wrote the object within the time that the platform takes until every answer shows it (`timing.settleSeconds`, two minutes by default), and the platform denies it. That proves nothing, so it counts as not compared: nothing is made, deleted or forgotten for it, and nothing is created beside it. Plan again when that time is over.',
  },
  'too-many-missing': {
    title: 'More objects are missing than a plan may take for gone',
    explanation:
      'A list lacks so many managed objects that the list is rather wrong than the objects gone. Only so many are asked for one by one as the delete guards allow deletes (`maxDeletes`, `maxDeletePercent`; ten at least); the others count as not compared. If they are gone indeed, lift the bound with `--allow maxMissing --reason …`, or under `guards.allow` in sync.yaml.',
  },
  'incomplete-list': {
    title: 'A list lacks an object that exists',
    explanation:
      'The list said that it was complete, and an object that it lacks was then found by its id. What was found is compared; but nothing can be said about what else the list lacks, so nothing is created in it. Plan again a little later.',
  },
  'contradictory-answers': {
    title: 'Two answers of the platform contradict each other',
    explanation:
      'An object lives in one that does not exist, or two reads of an object differ although it says that it was not changed in between. One of the answers is wrong, so neither is believed. Plan again a little later.',
  },
} as const satisfies DiagnosticCodes;

export type RefreshCode = keyof typeof refreshCodes;
