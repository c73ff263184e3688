import type { Diagnostic, Place, Severity } from '@platform-sync/core/model/diagnostic';
import { folded, oncePerPlace } from '../words/alike.js';
import { diagnosticCount, placeText, sortDiagnostics } from '../words/diagnostics.js';
import { visible } from '../words/escape.js';
import { hintLines } from '../words/hint.js';
import type { Style } from './style.js';

// Wider lines are shown around the column only.
const lineWindow = 120;

/** All findings sorted by place, each with its line, caret, hint and related places; many alike as one. A count of all at the end. */
export function diagnosticsText(diagnostics: readonly Diagnostic[], style: Style): string {
  if (diagnostics.length === 0) return '';
  const sorted = oncePerPlace(sortDiagnostics(diagnostics));
  const blocks = folded(sorted).map(({ lead }) => diagnosticLines(lead, style).join('\n'));
  return `${blocks.join('\n\n')}\n\n${diagnosticCount(sorted)}\n`;
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
    ...(found.hint === undefined ? [] : hintText(found.hint, style).map((line) => `  ${line}`)),
    ...(found.related ?? []).map(
      (other) => `  ${style.dim('see')} ${placeText(other.place)}  ${visible(other.message)}`,
    ),
  ];
}

/** `hint: Take it over:`, and below it the command. */
export function hintText(hint: string, style: Style): readonly string[] {
  const [first, ...others] = hintLines(hint).map(({ text }) => style.typed(visible(text)));
  return [`${style.cyan('hint:')} ${first ?? ''}`, ...others.map((line) => `      ${line}`)];
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
