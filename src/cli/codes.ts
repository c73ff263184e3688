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
  'file-exists': {
    title: 'A file would be overwritten',
    explanation:
      '`sync init` and `sync export` only write files that do not exist. Remove the file, choose another folder, or (export) add --force.',
  },
} as const satisfies DiagnosticCodes;
