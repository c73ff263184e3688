import { nearest } from '../../engine/model/nearest.js';
import { UsageError } from '../process/usage-error.js';

/** A flag that does not exist is answered with the one that was meant. */
export function unknownFlag(typed: string, id: string, flags: readonly string[]): UsageError {
  const words = id.replace(':', ' ');
  const [name = ''] = typed.split('=');
  const meant = nearest(
    name,
    flags.map((flag) => `--${flag}`),
  );
  const hint = meant === undefined ? `sync ${words} --help lists the flags` : `did you mean ${meant}?`;
  return new UsageError(`sync ${words} has no flag ${name}`, hint);
}

/** The first of the words that a command took which looks like a flag; what stands behind `--` is meant as it stands. */
export function flagAmong(words: readonly unknown[], argv: readonly string[]): string | undefined {
  const dashes = argv.indexOf('--');
  const meant = dashes < 0 ? 0 : argv.length - dashes - 1;
  return words
    .slice(0, words.length - meant)
    .map(String)
    .find((word) => /^-./.test(word));
}
