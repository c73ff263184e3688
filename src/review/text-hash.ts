import { createHash } from 'node:crypto';

/** Short hash of a text; white space at its end and the kind of line ends are the server's to choose. */
export function textHash(markdown: string): string {
  return shortHash(markdown.replaceAll('\r\n', '\n').trimEnd());
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
