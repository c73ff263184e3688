import type { Correction } from '@platform-sync/core/model/diagnostic';
import type { Scalar } from '@platform-sync/core/model/value';
import { didYouMean, meantNames } from '@platform-sync/core/model/nearest';

/** A hint that is an edit: what people are told, and what an editor can do for them. */
interface Advice {
  readonly text: string;
  readonly correction: Correction;
}

export type Hint = string | Advice;

/** What a misspelt name may have meant. `lead`: what stands before it where it is written. */
export function meant(name: string, candidates: Iterable<string>, lead = ''): Hint | undefined {
  const known = [...candidates];
  const text = didYouMean(name, known);
  const [found, ...others] = meantNames(name, known);
  if (text === undefined || found === undefined || others.length > 0) return text;
  return replacing(text, lead + name, lead + found);
}

export function replacing(text: string, was: string, is: string): Advice {
  return { text, correction: { kind: 'replace', was, is } };
}

export function writing(text: string, is: Scalar): Advice {
  return { text, correction: { kind: 'value', is } };
}

/** `!env NAME` in the place of what stands there. */
export function tagged(text: string, tag: '!env' | '!unset', is = ''): Advice {
  return { text, correction: { kind: 'value', is, tag } };
}

export function removing(text: string): Advice {
  return { text, correction: { kind: 'remove' } };
}
