import type { Address } from './address.js';
import type { Json, Scalar } from './value.js';

export type Severity = 'error' | 'warning' | 'info';

/** What can be done about a problem at its place, by whoever has the text of the file. */
export type Correction =
  /** What stands there as `was` is to read `is`. */
  | { readonly kind: 'replace'; readonly was: string; readonly is: string }
  /** Another value takes the place of the one there; a text as YAML reads it, references included. `tag`: of a function, `!env`. */
  | { readonly kind: 'value'; readonly is: Scalar; readonly tag?: '!env' | '!unset' }
  /** The entry goes whose key or value stands there, or the item of a list. */
  | { readonly kind: 'remove' }
  /** A map gets an entry: the one that stands there, that of the key there, or the properties in that one, which it may lack. */
  | { readonly kind: 'add'; readonly to: 'map' | 'block' | 'properties'; readonly key: string; readonly value: Json };

/** Something to tell the user. Expected problems are values of this type; only bugs are thrown. */
export interface Diagnostic {
  readonly severity: Severity;
  /** Stable kebab-case name (`unknown-property`), explained in docs/errors.yaml. */
  readonly code: string;
  /** One sentence: what is wrong. No secret, no stack trace. */
  readonly summary: string;
  /** Why, and what the platform said, where that helps. */
  readonly detail?: string;
  /** What to do about it. */
  readonly hint?: string;
  /** The hint as an edit, where it is one. */
  readonly correction?: Correction;
  readonly place?: Place;
  readonly address?: Address;
  /** Dotted path of the property, catalogue names: `labels.team`. */
  readonly field?: string;
  /** Other places that belong to the story (the first of two duplicates, the ring of a cycle). */
  readonly related?: readonly { readonly place: Place; readonly message: string }[];
}

/** Throwable form, for APIs that must reject. Carries at least one error. */
export class DiagnosticError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map((d) => `${d.code}: ${d.summary}`).join('\n'));
    this.name = 'DiagnosticError';
    this.diagnostics = diagnostics;
  }
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((d) => d.severity === 'error');
}

/** The code of an error of the system (`ENOENT`); undefined for any other. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** A stretch of a file, as offsets (UTF-16 units of the decoded text). Cheap to keep one for every value. */
export interface SourceRange {
  /** Path relative to the project folder, with forward slashes. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** A place for people: lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  /** The text of the line, for the caret under an error. Left out where it may hold a secret. */
  readonly text?: string;
}

/** Turns offsets into places; the loader keeps the line index of every file it read. */
export interface Sources {
  place(range: SourceRange): Place;
}
