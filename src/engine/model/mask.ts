import type { Diagnostic } from './diagnostic.js';
import { isObject, isSecret } from './value.js';
import type { Value, ValueObject } from './value.js';

/** The texts in secret parts of a value. */
export function secretTexts(value: Value): readonly string[] {
  const found = new Set<string>();
  const visit = (part: Value, isInside: boolean): void => {
    if (isSecret(part)) visit(part.value, true);
    else if (typeof part === 'string') {
      if (isInside && part !== '') found.add(part);
    } else if (Array.isArray(part)) part.forEach((item: Value) => visit(item, isInside));
    else if (isObject(part)) Object.values(part as ValueObject).forEach((member) => visit(member, isInside));
  };
  visit(value, false);
  return [...found];
}

/** Takes secret texts out of what is told about a call: messages quote arguments, and servers quote what they got. */
export function maskDiagnostics(diagnostics: readonly Diagnostic[], texts: readonly string[]): readonly Diagnostic[] {
  if (texts.length === 0) return diagnostics;
  // Longest first, so that no secret leaves the rest of one that it is a part of.
  const spellings = [...new Set(texts.flatMap(spellingsOf))].sort((a, b) => b.length - a.length);
  const masked = (text: string): string =>
    spellings.reduce((left, spelling) => left.replaceAll(spelling, '(secret)'), text);
  return diagnostics.map((diagnostic) => ({
    ...diagnostic,
    summary: masked(diagnostic.summary),
    ...(diagnostic.detail === undefined ? {} : { detail: masked(diagnostic.detail) }),
    ...(diagnostic.hint === undefined ? {} : { hint: masked(diagnostic.hint) }),
  }));
}

/** As it is, as JSON quotes it, and as an address carries it. */
function spellingsOf(text: string): readonly string[] {
  return [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(Buffer.from(text).toString())];
}
