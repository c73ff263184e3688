import { conflictType } from './wire.js';

/** One entry of `invalid_parameters`. `field` is a dotted path in the body, or the parameter (`filter[x]`, `page[size]`). */
export interface InvalidParameter {
  readonly field: string;
  readonly reason: string;
  readonly rule?: string;
  readonly source?: 'body' | 'query' | 'path' | 'header';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly choices?: readonly string[];
}

export interface ProblemParts {
  readonly status: number;
  /** Left out: the words of the family the request belongs to. */
  readonly title?: string;
  /** Left out: the family's words; null: none at all, as in slug conflicts. */
  readonly detail?: string | null;
  readonly type?: string;
  readonly invalid?: readonly InvalidParameter[];
  /** Value of the `Retry-After` header: seconds, or an HTTP date. */
  readonly retryAfter?: number | string;
  /** Fields that a fault rule puts into the body as they are. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** A refusal, thrown by a route and rendered in the words of its family. */
export class Problem extends Error {
  readonly parts: ProblemParts;

  constructor(parts: ProblemParts) {
    super(parts.title ?? `status ${String(parts.status)}`);
    this.name = 'Problem';
    this.parts = parts;
  }
}

export function invalid(...parameters: readonly InvalidParameter[]): Problem {
  return new Problem({ status: 400, invalid: parameters });
}

export function missingReference(field: string): Problem {
  return invalid({ field, rule: 'missing_reference', reason: 'not found', source: 'body' });
}

export function notFound(): Problem {
  return new Problem({ status: 404 });
}

export function conflict(detail: string): Problem {
  return new Problem({ status: 409, title: 'Conflict', detail });
}

/** Slug conflicts come without `detail`, so that a client learns to live without it. */
export function slugConflict(): Problem {
  return new Problem({ status: 409, title: 'Resource Conflict', type: conflictType, detail: null });
}
