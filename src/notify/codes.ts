import type { DiagnosticCodes } from '../engine/model/diagnostic.js';

/** Diagnostics of telling others. */
export const notifyCodes = {
  'webhook-failed': {
    title: 'The webhook did not take the message',
    explanation:
      'The drift check was made and its result stands, but the address under `drift.webhook` (or `--webhook`) could not be reached, did not answer in time, or answered with an error. What was new then will be known at the next check and is not posted again: look at the report.',
  },
  'webhook-unset': {
    title: 'A drift setting without its variable',
    explanation:
      'sync.yaml takes a setting under `drift` from an environment variable that is not set here. Nobody is told about this check until it is set.',
  },
} as const satisfies DiagnosticCodes;
