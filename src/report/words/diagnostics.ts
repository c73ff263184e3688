import { compareText } from '@platform-sync/core/model/address';
import type { Diagnostic, Place, Severity } from '@platform-sync/core/model/diagnostic';
import { visible } from './escape.js';
import { count } from './plural.js';

/** `3 errors, 1 warning` */
export function diagnosticCount(diagnostics: readonly Diagnostic[]): string {
  const of = (severity: Severity): number => diagnostics.filter((found) => found.severity === severity).length;
  const parts = [
    [of('error'), 'error'],
    [of('warning'), 'warning'],
    [of('info'), 'note'],
  ] as const;
  return parts
    .filter(([number]) => number > 0)
    .map(([number, word]) => count(number, word))
    .join(', ');
}

/** By file, line, column; what has no place comes last, by address. Repeats are left out. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  const unique = diagnostics.filter((found) => {
    const key = JSON.stringify([
      found.place?.file,
      found.place?.line,
      found.place?.column,
      found.code,
      found.summary,
      found.address,
      found.field,
    ]);
    return !seen.has(key) && seen.add(key);
  });
  return unique.sort(byPlace);
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  if (a.place === undefined || b.place === undefined) {
    if (a.place !== undefined) return -1;
    if (b.place !== undefined) return 1;
    return compareText(a.address ?? '', b.address ?? '') || compareText(a.code, b.code);
  }
  return (
    compareText(a.place.file, b.place.file) ||
    a.place.line - b.place.line ||
    a.place.column - b.place.column ||
    compareText(a.code, b.code)
  );
}

/** `file:line:column` */
export function placeText(place: Place): string {
  return `${visible(place.file)}:${place.line}:${place.column}`;
}
