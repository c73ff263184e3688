import { defined } from '@platform-sync/core/model/value';
import type { Document, Section, SectionId } from '../document/document.js';
import type { ReviewPlace } from '../view/review-place.js';
import { count } from '../words/value.js';
import { commentLimit } from './budget.js';
import { markdownTable } from './changes.js';
import { markdownDetails, type Details } from './details.js';
import { code, lineBreak } from './escape.js';
import { hintText, markdownLine, placeLine } from './line.js';
import { cureText, markdownAside, markdownSection } from './section.js';

export interface MarkdownLimits {
  readonly at?: ReviewPlace;
  /** Default 60,000: a review comment may have 65,536. Not below 30,000. */
  readonly maxCharacters?: number;
}

// Parts with a fixed purpose keep a place of their own; what can hurt gets all that is left of the rest.
const caps: Partial<Readonly<Record<SectionId, number>>> = {
  guards: 12_000,
  failed: 24_000,
  'not-compared': 5000,
  origins: 4000,
};
const capOfOthers = 8000;
const capOfAsides = 4000;

/**
 * A document as a review comment: verdict, what can hurt, what holds it back, the table, the differences, what was not
 * compared, what to do next. Never longer than `maxCharacters`, and says what it left out.
 */
export function documentMarkdown(
  document: Document,
  { at: given = {}, maxCharacters = commentLimit }: MarkdownLimits,
): string {
  const { sections, changes, subject } = document;
  const at = { ...given, ...defined({ stack: subject.stack }) };
  const scale = Math.min(1, maxCharacters / commentLimit);
  const head = headText(document, at);
  const end = endText(document, at);
  const asides = sections.filter(({ weight }) => weight === 'aside');
  const plain = sections.filter(({ weight }) => weight !== 'aside');
  // What was left out is told in the end.
  let room = maxCharacters - head.length - end.length - 400;
  const texts = new Map<Section, string>();
  const isLast = ({ id }: Section): boolean => id === 'danger' || id === 'origins';
  for (const section of [...plain.filter((one) => !isLast(one)), ...plain.filter(isLast)]) {
    const isAlone = plain.length === 1 && changes === undefined;
    const hasAll = section.id === 'danger' || isAlone;
    const cap = hasAll ? room : Math.floor((caps[section.id] ?? capOfOthers) * scale);
    const text = markdownSection(section, Math.max(0, Math.min(cap, room)), at);
    texts.set(section, text);
    room -= text.length;
  }
  const kept = changes === undefined ? room : Math.min(capOfAsides * scale, room);
  const rest = asidesText(asides, Math.max(0, Math.floor(kept)), at, changes === undefined);
  room -= rest.length;
  const table = changes === undefined ? { text: '', hidden: 0 } : markdownTable(changes, room, at);
  room -= table.text.length;
  const title = `### ${changes?.detailTitle ?? ''}\n\n`;
  const details = markdownDetails(changes?.groups ?? [], table.hidden > 0 ? 0 : room - title.length, at.stack);
  const isBelow = ({ id }: Section): boolean => id === 'not-compared';
  const textOf = (some: readonly Section[]): string => some.map((section) => texts.get(section) ?? '').join('');
  return [
    head,
    textOf(plain.filter((section) => !isBelow(section))),
    table.text,
    details.text === '' ? '' : `${title}${details.text}\n`,
    textOf(plain.filter(isBelow)),
    rest,
    leftOut(table.hidden, details, changes?.noun ?? ''),
    end,
  ]
    .join('')
    .replace(/\n+$/, '\n');
}

function headText({ mark, verdict, subject, facts }: Document, at: ReviewPlace): string {
  const { project, stack, what, targets } = subject;
  const name =
    project === undefined
      ? ''
      : ` — ${lowered(what)} ${code(project, 100)}${stack === undefined ? '' : `, stack ${code(stack, 100)}`}`;
  const where = Object.entries(targets).slice(0, 8);
  const servers = where.map(([server, target]) => `${code(server, 60)} at ${code(target)}`).join(', ');
  const paragraph = (text: string): string => `${text}\n\n`;
  const weights = ['plain', 'ending', 'notice'] as const;
  return [
    paragraph(`## ${mark} ${verdict}${name}`),
    ...facts
      .filter(({ weight }) => weight === 'warning')
      .map(({ line, problem }) =>
        [
          paragraph(`**${markdownLine(line, at)}**`),
          problem?.hint === undefined ? '' : paragraph(hintText(problem.hint, at, lineBreak)),
        ].join(''),
      ),
    ...facts.filter(({ weight }) => weight === 'summary').map(({ line }) => paragraph(`**${markdownLine(line, at)}**`)),
    servers === '' ? '' : paragraph(`Target: ${servers}`),
    ...weights.flatMap((weight) =>
      facts.filter((fact) => fact.weight === weight).map(({ line }) => paragraph(markdownLine(line, at))),
    ),
    placeLine(at),
  ].join('');
}

function lowered(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}

/** An even share of what is left for each; what one does not need goes to the next. */
function asidesText(asides: readonly Section[], room: number, at: ReviewPlace, isOpen: boolean): string {
  let left = room;
  let text = '';
  for (const [index, section] of asides.entries()) {
    const share = Math.floor(left / (asides.length - index));
    const part = markdownAside(section, share, at, isOpen && section.items.length <= 20);
    if (part.length > left) break;
    text += part;
    left -= part.length;
  }
  return text;
}

function leftOut(rows: number, details: Details, noun: string): string {
  const parts = [
    ...(rows > 0 ? [`${count(rows, 'row')} of the table`] : []),
    ...(details.leftOut > 0 ? [`the differences of ${count(details.leftOut, noun)}`] : []),
    ...(details.countsOnly > 0 ? [`the lines of ${count(details.countsOnly, 'difference')}`] : []),
    ...(details.withoutContext > 0 ? [`the context of ${count(details.withoutContext, 'difference')}`] : []),
  ];
  return parts.length === 0 ? '' : `Left out for length: ${parts.join(', ')}. The HTML report has everything.\n\n`;
}

function endText({ next, source }: Document, at: ReviewPlace): string {
  const steps = next.filter(({ where }) => where !== 'terminal').map((one) => cureText(one, at));
  return `${steps.join('')}${source.length === 0 ? '' : `<sub>${markdownLine(source, {})}</sub>\n`}`;
}
