import { visible } from './escape.js';

/** The word as a POSIX shell must be given it. */
export function shellWord(word: string): string {
  const shown = visible(word);
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
}
