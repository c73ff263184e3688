import type { DiagnosticCodes } from '../model/diagnostic.js';

/** What this stage reports. */
export const stateCodes = {
  'state-unreadable': {
    title: 'The state can not be opened',
    explanation:
      'The state file, or the folder it lives in, can not be read, or another process keeps it locked. ' +
      'Check the path under `state:` in sync.yaml and who may read it.',
  },
  'state-read-only': {
    title: 'The state can not be written',
    explanation:
      'The state file, its folder or the database role allows reading only. Nothing was changed. ' +
      'Every command needs to write there, if only to take the lease.',
  },
  'state-full': {
    title: 'No space left for the state',
    explanation:
      'The disk or database that holds the state is full. What was not saved is rolled back; ' +
      'make room and run the command again: it first settles the writes that were under way.',
  },
  'state-corrupt': {
    title: 'The state is damaged',
    explanation:
      'The file is not a state file, holds nothing (0 bytes), or a part of it can not be read any more. It was left as it is. Restore a copy ' +
      '(`sync state push FILE`), or move it away and run `sync adopt`, which finds the objects again by their natural keys.',
  },
  'state-newer-version': {
    title: 'The state was written by a newer version',
    explanation:
      'A newer version of this program has changed the tables of the state. Nothing was touched. ' +
      'Use that version, or a newer one, wherever this state is used.',
  },
  'state-unreachable': {
    title: 'The state database does not answer',
    explanation:
      'The PostgreSQL server named in sync.yaml could not be reached, or refused the user or the database. ' +
      'Check the address, the network, and the credentials in it.',
  },
  'state-lease-held': {
    title: 'Another run holds the stack',
    explanation:
      'Only one run may change a stack at a time. Wait for the one named in the message (`--lock-timeout 5m` waits for ' +
      'you). If that run is dead, its lease ends by itself within half a minute, and at once when it ran on this machine.',
  },
  'state-lease-lost': {
    title: 'The lease on the stack was lost',
    explanation:
      'This run was paused or cut off for longer than its lease lasts, or somebody broke the lease. It writes nothing ' +
      'more. Run the command again: it first settles the writes that were under way.',
  },
  'state-address-missing': {
    title: 'No such address in the state',
    explanation: 'A record can only be moved from an address that is in the state: see `sync state list`.',
  },
  'state-address-taken': {
    title: 'The address is taken',
    explanation: 'A record can not be moved to an address that another record has. Move or remove that one first.',
  },
  'state-document-invalid': {
    title: 'Not a state document',
    explanation:
      'The file given to `sync state push` is not what `sync state pull` writes (schemas/state.schema.json). ' +
      'The message says where it differs. Nothing was changed.',
  },
  'state-document-newer': {
    title: 'State document of a newer version',
    explanation: 'The document was written by a newer version of this program. Nothing was changed; use that version.',
  },
  'state-other-stack': {
    title: 'The document belongs to another stack',
    explanation:
      'A state document names its project and stack, and they are not the ones it is pushed to. ' +
      'Nothing was changed. `--force` overrides.',
  },
  'state-other-lineage': {
    title: 'The document belongs to another history',
    explanation:
      'The stack in the store and the document were not born together, so that one can not replace the other by ' +
      'accident. Nothing was changed. `--force` overrides: what the store holds now is lost.',
  },
  'state-older-serial': {
    title: 'The document is older than the stack',
    explanation:
      'The stack was written after the document was pulled. Nothing was changed. ' +
      '`--force` overrides: what was written since is lost.',
  },
} as const satisfies DiagnosticCodes;

export type StateCode = keyof typeof stateCodes;
