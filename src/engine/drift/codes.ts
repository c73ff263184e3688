import type { DiagnosticCodes } from '../model/diagnostic.js';

/** Diagnostics of drift checks and of what is done about findings. */
export const driftCodes = {
  'unknown-finding': {
    title: 'No such finding',
    explanation:
      'The check that was just made found nothing of that name. Findings are named by their id, or the beginning of it, by an address, or by `address.field`, as `sync drift` prints them.',
  },
  'unknown-watched-type': {
    title: 'drift.unmanaged names a type that does not exist',
    explanation:
      'The names are those of resource types, as `sync schema` lists them (`Api`, `ApiDocument`). The check is not made: it would find nothing of that type for ever.',
  },
  'cannot-revert': {
    title: 'A finding no plan can put right',
    explanation:
      'A rule that has run out is not a change of the platform: remove it from sync.yaml or give it a new date. An object that nobody manages has nothing it could be put back to: describe it in the catalogue, or delete it on the platform.',
  },
  'cannot-accept': {
    title: 'A value that can not be written into the catalogue',
    explanation:
      'The catalogue does not spell the value out where it could be replaced: it is a secret, a reference, computed, shared through an anchor, or follows from where the block stands. The sentence says which. Change it by hand, or take the change back with `sync drift revert`.',
  },
  'accept-undone': {
    title: 'Files were put back',
    explanation:
      'After the edit the catalogue no longer meant exactly what it meant before, the accepted values aside; every file was put back as it was. Change that value by hand.',
  },
  'cannot-record': {
    title: 'A finding that can not be recorded',
    explanation: 'Only what was read from the platform can be taken into state.',
  },
  'cannot-ignore': {
    title: 'The rule could not be added to sync.yaml',
    explanation:
      '`drift.ignore` in sync.yaml is not spelt out as a list, or an anchor or another stack setting hides it. Nothing was changed; add the rule by hand.',
  },
  'news-kept': {
    title: 'The webhook may not have heard of everything',
    explanation:
      'What is new is kept in the state until the webhook has taken it, and the state store failed while that was looked up or noted. What the webhook did not take is told after the next check; what it took may be told once more.',
  },
  'drift-history': {
    title: 'The drift history can not be kept',
    explanation:
      'The check was made, but the state can not be written, so that the next one will not know since when something differs. Give the check the right to write its tables, or accept that every finding looks new.',
  },
  'drift-check-failed': {
    title: 'The drift check broke off',
    explanation:
      'An error of the program itself, told as a failed check so that nobody takes silence for an answer. Please report it; `SYNC_DEBUG=1` shows where it happened.',
  },
} as const satisfies DiagnosticCodes;
