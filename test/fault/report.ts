/** What a long search found. */
export interface Report {
  /** A table for the end. */
  readonly rows: Record<string, string | number>[];
  /** `found`: what is not as it must be; empty when all is well. */
  readonly violation: (what: string, found: readonly string[]) => void;
  readonly tell: (line: string) => void;
}
