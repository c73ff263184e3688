import type { DiagnosticCodes } from '../model/diagnostic.js';

/** What carrying out a plan reports, beyond the platform's own words. */
export const applyCodes = {
  'still-unknown': {
    title: 'A value is not known when it is needed',
    explanation:
      'A property refers to something that was not known before this step, for instance an output that the platform did not answer. Nothing was sent. Look at the reference the message names.',
  },
  'changed-since-plan': {
    title: 'The object was changed after the plan was made',
    explanation:
      'Before an object is deleted, or written as a whole, it is read once more, and what the file or state says of it is not as it was planned with. It was left as it is. Plan again and look at the change before it is lost.',
  },
  'kept-change': {
    title: 'Somebody changed what the file does not mention',
    explanation:
      'An object whose update takes the place of the whole is read directly before. What the file does not mention had changed since the plan; it was sent as it is now, so the change stays. Nothing is to be done.',
  },
  'undecided-create': {
    title: 'It is unclear whether an object was created',
    explanation:
      'The answer to a create was lost. Objects with the same key exist, made since then, but none has all the fields that were sent, or several have. Nothing was sent again. Take the right one over with `sync import ADDRESS ID`, or delete it, and run apply again.',
  },
  'undecided-intent': {
    title: 'It is unclear what an interrupted run created',
    explanation:
      'An earlier run ended in the middle of a create. Objects with the same key exist, made since then, but none has all the fields that were sent, or several have. Take the right one over with `sync import ADDRESS ID`, or delete it; until then nothing else is done.',
  },
  interrupted: {
    title: 'A call was stopped before it ended',
    explanation:
      'The run was told to stop at once while the call was under way. It may or may not have been carried out; the next run finds out before it does anything else.',
  },
  'half-done': {
    title: 'Half of a step was carried out',
    explanation:
      'A replacement is a delete and a create, and only the first of them happened; or an object carries a passing name because it exchanges its name with another one. The next apply does the rest.',
  },
  'lease-late': {
    title: 'The lease could not be confirmed in time',
    explanation:
      'The process or the whole machine was asleep, or the state store did not answer, for two thirds of the life of a lease. Another run may take over soon, so nothing more was sent, and calls under way were cut off before the lease ended. Run the command again.',
  },
  'lease-refused': {
    title: 'The lease is no longer this run’s',
    explanation:
      'Somebody broke the lease (`sync state unlock`), or it had ended and another run took the stack. Nothing more was sent. Run the command again: it first settles the writes that were under way.',
  },
} as const satisfies DiagnosticCodes;
