import type { DiagnosticCodes } from '../model/diagnostic.js';

/** What is refused because only files under review ask for it, and what is wrong with a policy. */
export const trustCodes = {
  'address-not-trusted': {
    title: 'An address that only the files under review name',
    explanation:
      'A token, password or message would go to a host that sync.yaml names and nobody else does: not the environment, not the policy (`SYNC_POLICY`), not the state. Nothing was sent. The message has the one line that allows it; see [security](security.md).',
  },
  'address-not-recorded': {
    title: 'Another address than the one this stack was applied to',
    explanation:
      'As above, and the state says that this stack lives at another address (exit code 5). If the stack has moved, name the new address in the environment or in the policy.',
  },
  'lookup-with-secret': {
    title: "A lookup's argument is made from a secret",
    explanation:
      "A lookup's arguments are sent when a plan is made, before anybody has reviewed it. List the variable under `lookups` in the policy (`SYNC_POLICY`), or write the value plainly. `plan --untrusted` never sends one.",
  },
  'policy-unreadable': {
    title: 'The policy can not be used',
    explanation:
      '`SYNC_POLICY` is the path of a YAML or JSON file, or the JSON text itself. Without a policy that is asked for, nothing is done.',
  },
  'policy-in-tree': {
    title: 'The policy lies among the files under review',
    explanation:
      'A policy that a proposed change can edit protects nothing. Keep it outside the project and its repository, or give its text in `SYNC_POLICY`.',
  },
  'path-leaves-project': {
    title: 'A file would be written outside the project',
    explanation:
      'State stays in the project folder, symbolic links followed, unless the policy lists the folder under `state`.',
  },
  'untrusted-without-base': {
    title: 'There are no settings to trust',
    explanation:
      '`plan --untrusted --base REF` takes servers, credentials, state, webhook, types, parameters and limits of guards from REF, which has no such project or stack, or has errors. A maintainer adds a new project or stack.',
  },
  'base-settings-used': {
    title: 'Settings of this branch were left out of account',
    explanation:
      'With `plan --untrusted`, servers, credentials, state, webhook, parameters and limits of guards are those of the base. The settings that this branch changes count after the merge.',
  },
  'base-types-used': {
    title: 'Types of this branch were left out of account',
    explanation:
      'With `plan --untrusted`, what a value is and what is called comes from the files of types of the base. What this branch changes of them is a change of the rules: it counts after the merge.',
  },
} as const satisfies DiagnosticCodes;

export type TrustCode = keyof typeof trustCodes;
