import { compareText } from '../engine/model/address.js';
import type { Diagnostic, Severity } from '../engine/model/diagnostic.js';
import type { Place } from '../engine/model/source.js';
import { visible } from './escape.js';
import { count } from './plural.js';
import type { Style } from './style.js';

// Wider lines are shown around the column only.
const lineWindow = 120;

/** All findings sorted by place, each with its line, caret, hint and related places, and a count at the end. */
export function diagnosticsText(diagnostics: readonly Diagnostic[], style: Style): string {
  if (diagnostics.length === 0) return '';
  const sorted = sortDiagnostics(diagnostics);
  const blocks = sorted.map((found) => diagnosticLines(found, style).join('\n'));
  return `${blocks.join('\n\n')}\n\n${diagnosticCount(sorted)}\n`;
}

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

/** The lines of one finding: `file:line:column  CODE  sentence`, then what helps to mend it. */
export function diagnosticLines(found: Diagnostic, style: Style): readonly string[] {
  const paint = painters(style)[found.severity];
  const where = found.place === undefined ? subject(found) : placeText(found.place);
  // What stands nowhere begins with the word already.
  const saysIt = found.place === undefined && found.address === undefined;
  const word = found.severity === 'error' || saysIt ? '' : `${severityWord(found)}: `;
  return [
    `${style.bold(where)}  ${paint(visible(found.code))}  ${word}${visible(found.summary)}`,
    ...(found.place === undefined ? [] : caretLines(found.place, paint, style)),
    ...(found.detail === undefined ? [] : found.detail.split('\n').map((line) => `  ${visible(line)}`)),
    ...(found.hint === undefined ? [] : [`  ${style.cyan('hint:')} ${style.typed(visible(found.hint))}`]),
    ...(found.related ?? []).map(
      (other) => `  ${style.dim('see')} ${placeText(other.place)}  ${visible(other.message)}`,
    ),
  ];
}

/** `file:line:column` */
export function placeText(place: Place): string {
  return `${visible(place.file)}:${place.line}:${place.column}`;
}

function subject(found: Diagnostic): string {
  if (found.address === undefined) return severityWord(found);
  return visible(found.field === undefined ? found.address : `${found.address}.${found.field}`);
}

function severityWord({ severity }: Diagnostic): string {
  return severity === 'info' ? 'note' : severity;
}

function painters(style: Style): Readonly<Record<Severity, (text: string) => string>> {
  return { error: style.red, warning: style.yellow, info: style.cyan };
}

function caretLines(place: Place, paint: (text: string) => string, style: Style): readonly string[] {
  if (place.text === undefined) return [];
  const number = String(place.line).padStart(5);
  const from = Math.max(0, place.column - 1 - lineWindow / 2);
  const shown = place.text.slice(from, from + lineWindow).trimEnd();
  // Escapes make the text wider: the caret goes where the shown text has the column.
  const before = visible(place.text.slice(from, place.column - 1)).length;
  const marked = visible(place.text.slice(place.column - 1, caretEnd(place, from + shown.length))).length;
  const lead = from > 0 ? '…' : '';
  return [
    `${style.dim(`${number} |`)} ${lead}${visible(shown)}`,
    `${style.dim('      |')} ${' '.repeat(before + lead.length)}${paint('^'.repeat(Math.max(1, marked)))}`,
  ];
}

function caretEnd(place: Place, lineEnd: number): number {
  if (place.endColumn === undefined) return place.column;
  return Math.min(lineEnd, place.endLine === undefined || place.endLine === place.line ? place.endColumn - 1 : lineEnd);
}
