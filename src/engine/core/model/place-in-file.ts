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
