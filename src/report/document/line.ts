import { someOf } from '../words/alike.js';
import { placeText } from '../words/diagnostics.js';
import { visible } from '../words/escape.js';
import type { Line, Span } from './document.js';

const shownNames = 10;

/** A line as plain text, visible. */
export function lineText(line: Line): string {
  return line.map(spanText).join('');
}

function spanText(span: Span): string {
  if (typeof span === 'string') return visible(span);
  if ('names' in span) {
    const names = span.names.map(({ address }) => visible(address));
    return span.such === true ? (names[0] ?? '') : someOf(names, shownNames);
  }
  if ('place' in span) return placeText(span.place);
  if ('old' in span) return `${span.old ?? '(none)'} → ${span.new ?? '(none)'}`;
  return visible(Object.values(span).join(''));
}
