import type { DiagnosticCodes } from '../engine/model/diagnostic.js';

/** Diagnostics of the command line itself. */
export const cliCodes = {
  'plan-file-unreadable': {
    title: 'The plan file cannot be read',
    explanation: 'The file named after `sync apply` or `sync show` does not exist or cannot be opened. Check the path.',
  },
  'state-address-unknown': {
    title: 'State has no such address',
    explanation: '`sync state show`, `mv` and `rm` take addresses as `sync state list` prints them.',
  },
  'state-address-taken': {
    title: 'The address is already taken in state',
    explanation: '`sync state mv` never overwrites a record. Remove or move the record that stands there first.',
  },
  'unexpected-plan': {
    title: 'The plan is not the expected one',
    explanation:
      '`apply --expect DIGEST` carries out a plan only if it has that digest. Something differs from the plan whose digest was given; nothing was done (exit code 5).',
  },
  'file-exists': {
    title: 'A file would be overwritten',
    explanation:
      '`sync init` and `sync export` only write files that do not exist. Remove the file, choose another folder, or (export) add --force.',
  },
  'report-unwritable': {
    title: 'A report cannot be written',
    explanation:
      'The file or folder that a report was to go to does not allow it. What the command did stands; only the file is missing. Check the path and its rights.',
  },
  'output-failed': {
    title: 'The output cannot be written',
    explanation:
      'What standard output or standard error goes to takes no more (a full disk). An apply ends in order: what is in flight is finished and recorded, nothing more is started. Make room and run the command again.',
  },
  'system-error': {
    title: 'The system refused something',
    explanation: 'The message is the system’s own, with its code. What the command had done until then stands.',
  },
  'nested-too-deep': {
    title: 'Something is nested too deep',
    explanation:
      'A file or an answer of the platform is nested deeper than can be followed (some thousand levels). No catalogue needs more than a few hundred: look for what a program has written.',
  },
} as const satisfies DiagnosticCodes;
