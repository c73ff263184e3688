import type { Diagnostic } from './diagnostic.js';

/** Something that the files of a project lead to, and whether the operator's policy lets them. */
export interface PolicyFinding {
  readonly stack: string;
  readonly kind: 'address' | 'state-file' | 'lookup' | 'variable';
  /** The setting or place: `providers.platform.serverUrl`, `catalogue/a.yaml:3:7`. */
  readonly from: string;
  /** Where it would go, or what would be read: an address without secrets, a path, the name of a variable. */
  readonly to: string;
  readonly isAllowed: boolean;
  /** Why it is allowed, a clause. */
  readonly because?: string;
  /** The line that allows it. */
  readonly hint?: string;
}

export interface PolicyCheck {
  /** Where the policy came from; absent: there is none. */
  readonly policy?: string;
  /** All stacks, in the order of the file; the default one first. */
  readonly findings: readonly PolicyFinding[];
  readonly diagnostics: readonly Diagnostic[];
}
