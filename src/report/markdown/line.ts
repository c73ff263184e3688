import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Item, Line, Name, Span } from '../document/document.js';
import { cutAround } from '../view/field-view.js';
import { commandOf, hintLines } from '../words/diagnostics.js';
import { cellCode, code, lineBreak, prose } from './escape.js';
import { inRepository, lineAddress, type FilePlace, type ReviewPlace } from '../view/review-place.js';

const shownNames = 30;
const mostOfValue = 150;
const mostBelow = 10;

/** A line in Markdown: names and values as code, sentences with whatever is strange in them as code. */
export function markdownLine(line: Line, at: ReviewPlace, asCode = code): string {
  return line.map((span) => spanText(span, at, asCode)).join('');
}

/** The same in a cell of a table. */
export function markdownCell(line: Line, at: ReviewPlace): string {
  return markdownLine(line, at, (text, max) => cellCode(text, max));
}

function spanText(span: Span, at: ReviewPlace, asCode: typeof code): string {
  if (typeof span === 'string') return withBlanks(span);
  if ('names' in span)
    return namesText(span.names, span.such === true ? 1 : shownNames, span.such === true, at, asCode);
  if ('place' in span) return lineLink(span.place, at, asCode);
  if ('old' in span) {
    const [old, now] = cutAround(span.old ?? '', span.new ?? '', mostOfValue);
    return `${span.old === undefined ? '(none)' : asCode(old)} → ${span.new === undefined ? '(none)' : asCode(now)}`;
  }
  if ('strong' in span) return `**${asCode(span.strong)}**`;
  return asCode(Object.values(span).join(''), 300);
}

/** The blanks at its ends are the line's. */
function withBlanks(text: string): string {
  const words = prose(text);
  return `${text.startsWith(' ') ? ' ' : ''}${words}${words !== '' && text.endsWith(' ') ? ' ' : ''}`;
}

function namesText(
  names: readonly Name[],
  most: number,
  isSample: boolean,
  at: ReviewPlace,
  asCode: typeof code,
): string {
  const shown = names.slice(0, most).map(({ address, place }) => {
    const text = asCode(address);
    return place === undefined || at.links?.files === undefined ? text : fileLink(text, place, at);
  });
  const hidden = isSample ? 0 : names.length - shown.length;
  return `${shown.join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`;
}

/** An item of a list, and what stands below it. */
export function markdownItem(
  { line, below = [], problem, causes = [], isAlike, number = 0 }: Item,
  at: ReviewPlace,
): string {
  const text = problem === undefined ? markdownLine(line, at) : problemText(problem, at);
  const hidden = below.length - mostBelow;
  return [
    `- ${isAlike === true ? `**${number} alike:** ` : ''}${text}\n`,
    ...below.slice(0, mostBelow).map((one) => `  - ${markdownLine(one, at)}\n`),
    ...(hidden > 0 ? [`  - and ${hidden} more\n`] : []),
    ...causes.slice(0, mostBelow).map((found) => `  - ${problemText(found, at)}\n`),
  ].join('');
}

/** A problem on one line: its place, its code, its sentence, and what helps. */
function problemText(found: Diagnostic, at: ReviewPlace): string {
  const subject = found.field === undefined ? found.address : `${found.address ?? ''}.${found.field}`;
  const where = found.place !== undefined ? lineLink(found.place, at) : subject === undefined ? '' : code(subject);
  const word = found.severity === 'error' ? '' : `${found.severity === 'info' ? 'note' : 'warning'}: `;
  const detail = found.detail === undefined ? '' : ` ${prose(found.detail.split('\n').join(' '), 300)}`;
  const hint = found.hint === undefined ? '' : `${lineBreak}  hint: ${hintText(found.hint, at, `${lineBreak}  `)}`;
  return `${where === '' ? '' : `${where} `}${code(found.code)} ${word}${prose(found.summary, 400)}${detail}${hint}`;
}

/** What helps, and each thing to type on a line of its own. */
export function hintText(hint: string, { stack }: ReviewPlace, between: string): string {
  return hintLines(hint)
    .map(({ text, isTyped }) => (isTyped ? code(commandOf(text, stack), 400) : prose(text, 300)))
    .join(between);
}

/** `[catalogue/pets.yaml:3](…)`, or the place alone where there is nothing to link to. */
function lineLink(place: FilePlace, at: ReviewPlace, asCode = code): string {
  const file = inRepository(place.file, at);
  const name = asCode(`${file}:${place.line}`);
  return fileLink(name, place, at);
}

/** A link to the line, where there is a page of it; the text is Markdown already. */
function fileLink(markdown: string, place: FilePlace, at: ReviewPlace): string {
  const address = lineAddress(place, at);
  return address === undefined ? markdown : `[${markdown}](${address})`;
}

/** ``Commit [`0123456789ab`](…), [log of the run](…).`` Empty where neither is known. */
export function placeLine({ commit, links = {} }: ReviewPlace): string {
  const short = commit === undefined ? undefined : code(commit.slice(0, 12));
  const parts = [
    ...(short === undefined ? [] : [`Commit ${links.commit === undefined ? short : `[${short}](${links.commit})`}`]),
    ...(links.run === undefined ? [] : [`[log of the run](${links.run})`]),
  ];
  return parts.length === 0 ? '' : `${parts.join(', ')}.\n\n`;
}
