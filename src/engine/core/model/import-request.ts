import type { Address } from './address.js';
import type { Diagnostic } from './diagnostic.js';
import type { Place } from './place-in-file.js';

/** An existing object that a resource of the catalogue is to take over. */
export interface ImportRequest {
  readonly address: Address;
  /** In the form that its type has for it. */
  readonly id: string;
  /** Where a list names it. */
  readonly place?: Place;
}

export interface ImportResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly address?: Address;
  readonly id?: string;
}

/** What became of several requests: all were taken in, or none. */
export interface ImportsResult {
  readonly diagnostics: readonly Diagnostic[];
  readonly imported: readonly { readonly address: Address; readonly id: string }[];
}
