import type { PathSegment } from './expression.js';

/** What is wrong with a document of data, and where in it: who knows the file's text tells the line. */
export class DocumentFault extends Error {
  readonly path: readonly PathSegment[];
  /** What to write in its place. */
  readonly hint: string;

  constructor(why: string, path: readonly PathSegment[], hint: string) {
    super(why);
    this.path = path;
    this.hint = hint;
  }
}
