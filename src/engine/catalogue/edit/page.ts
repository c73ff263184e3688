import { Document } from 'yaml';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';

/** A field of a page that front matter says, or is to say; `key` is its name there. */
export interface MatterEdit {
  readonly key: string;
  /** Where its value stands; of no length where the page itself or its name makes it up. */
  readonly at: SourceRange | undefined;
  readonly to: string;
}

/** The page with another value in its front matter, which it gets where it has none. */
export function withMatter(text: string, { key, at, to }: MatterEdit): string {
  const value = new Document(to, { version: '1.2', schema: 'core' }).toString({ lineWidth: 0 }).trimEnd();
  const scalar = value.includes('\n') ? JSON.stringify(to) : value;
  if (at !== undefined && at.end > at.start) return text.slice(0, at.start) + scalar + text.slice(at.end);
  const opening = /^---[ \t]*(\r?\n)/.exec(text);
  const closing = opening === null ? null : /\n---[ \t]*(?:\r?\n|$)/.exec(text.slice(opening[0].length - 1));
  const lineEnd = opening?.[1] ?? (text.includes('\r\n') ? '\r\n' : '\n');
  const line = `${key}: ${scalar}${lineEnd}`;
  if (opening === null || closing === null) return `---${lineEnd}${line}---${lineEnd}${lineEnd}${text}`;
  const end = opening[0].length + closing.index;
  return text.slice(0, end) + line + text.slice(end);
}

/** The page with another text behind its front matter. */
export function withBody(text: string, { start }: SourceRange, body: string): string {
  return text.slice(0, start) + body;
}
