import type { Change, ChangeGroup, Cure, Document, Item, Line, Section, SectionId } from '../document/document.js';
import { itemGroups, lineText, numberOf } from '../document/section.js';
import { someOf } from '../words/alike.js';
import { placeText } from '../words/diagnostics.js';
import { visible } from '../words/escape.js';
import { count } from '../words/value.js';
import { diagnosticLines } from './diagnostics.js';
import { fieldLines } from './field.js';
import type { Style } from './style.js';

export interface DocumentTextOptions {
  readonly style: Style;
  /** Without the changes: what can hurt by name, guards, counts. */
  readonly summary?: boolean;
  /** What is new has a line each: its fields are in the catalogue. Always so where many things change. */
  readonly newInLines?: boolean;
}

// More than a screen: its beginning has scrolled away when the end is read.
const longText = 50;
const mostAside = 50;

/** The end of a text is what is read first: what weighs most comes last, right before the verdict. */
const order: readonly SectionId[] = [
  'outputs',
  'not-compared',
  'left-out',
  'resolved',
  'flapping',
  'undeclared',
  'ignored',
  'unapplied',
  'converged',
  'watched',
  'unmanaged',
  'notices',
  'failed',
  'open',
  'skipped',
  'superseded',
  'problems',
  'about',
  'worse',
  'appeared',
  'danger',
  'guards',
];

/** The whole document for people at a terminal, in blocks with a blank line between them. */
export function* documentBlocks(document: Document, options: DocumentTextOptions): Iterable<readonly string[]> {
  const { style } = options;
  const { changes, sections, facts } = document;
  // Where the record was lost, its cure is the answer, and not what a plan without it would do.
  const isLost = facts.some(({ problem }) => problem?.code === 'no-record' && problem.severity === 'warning');
  const summary = options.summary === true || isLost;
  yield headLines(document, style);
  yield facts.flatMap(({ weight, problem }) =>
    weight === 'warning' && problem !== undefined ? diagnosticLines(problem, style) : [],
  );
  let length = 0;
  const isMany = (changes?.number ?? 0) > longText;
  const newInLines = options.newInLines ?? isMany;
  if (!summary && isMany && newInLines && changes?.groups.some(({ lead }) => lead.tone === 'add') === true)
    yield [style.dim('What is new has a line each; its fields are in the catalogue, and in the other formats.')];
  for (const lines of summary ? [] : changeBlocks(changes?.groups ?? [], style, newInLines)) {
    length += lines.length;
    yield lines;
  }
  // What is told once for many is short, and names few.
  const isLong = summary || isMany || length > longText;
  for (const id of order) {
    const found = sections.find((section) => section.id === id);
    // A short text has just told all of them.
    if (found !== undefined && (id !== 'danger' || isLong)) yield sectionLines(found, style);
  }
  yield endLines(document, style);
}

function headLines({ subject, facts, changes }: Document, style: Style): readonly string[] {
  const { what, project, stack, targets } = subject;
  if (project === undefined) return [];
  const where = Object.entries(targets).map(([name, target]) => `${visible(name)} at ${visible(target)}`);
  return [
    `${what} ${style.bold(visible(project))}${stack === undefined ? '' : `, stack ${visible(stack)}`}${where.length === 0 ? '' : `: ${where.join(', ')}`}`,
    ...facts.flatMap(({ weight, line }) => {
      if (weight === 'notice') return [style.yellow(lineText(line))];
      return weight === 'plain' ? [lineText(line)] : [];
    }),
    ...(changes?.legend === undefined ? [] : [style.dim(changes.legend)]),
  ];
}

function endLines({ facts, next, ending }: Document, style: Style): readonly string[] {
  return [
    style.bold(ending),
    ...facts.filter(({ weight }) => weight === 'ending').map(({ line }) => lineText(line)),
    ...next.filter(({ where }) => where !== 'review').flatMap((cure) => cureLines(cure, style)),
  ];
}

function cureLines({ words, lines }: Cure, style: Style): readonly string[] {
  return [words, ...lines.map((line) => `  ${style.typed(line)}`)];
}

/** The changes, those of one line each without a gap between them. */
function* changeBlocks(groups: readonly ChangeGroup[], style: Style, newInLines: boolean): Iterable<readonly string[]> {
  let short: string[] = [];
  for (const group of groups) {
    const lines = groupLines(group, style, newInLines);
    if (newInLines && lines.length === 1) short.push(...lines);
    else {
      if (short.length > 0) yield short;
      short = [];
      yield lines;
    }
  }
  if (short.length > 0) yield short;
}

/** What happens to one, and the names of those it stands for. */
function groupLines(
  { lead, alike, along, alongWords }: ChangeGroup,
  style: Style,
  newInLines: boolean,
): readonly string[] {
  return [
    ...changeLines(newInLines && lead.tone === 'add' ? { ...lead, fields: () => [] } : lead, style),
    ...othersLine('alike', alike, style),
    ...othersLine(`only because of it (${alongWords})`, along, style),
  ];
}

function othersLine(words: string, changes: readonly Change[], style: Style): readonly string[] {
  if (changes.length === 0) return [];
  const names = changes.map(({ name }) => visible(name));
  return [`      ${style.bold(`${count(changes.length, 'other')} ${words}:`)} ${someOf(names)}`];
}

const maxNameWidth = 24;

/** One block: what happens to which object, why, what it costs, and every field that changes. */
function changeLines(change: Change, style: Style): readonly string[] {
  const { mark, verb, name, type, clause, place, notes, tone, todo, commands } = change;
  const where = place === undefined ? '' : `  ${style.dim(placeText(place))}`;
  const ofType = type === '' ? '' : ` (${type})`;
  const fields = change.fields();
  const width = Math.max(0, ...fields.map((field) => Math.min(maxNameWidth, field.name.length)));
  return [
    `${paints(style)[tone](mark.padStart(5))} ${verb === '' ? '' : `${verb} `}${style.bold(visible(name))}${ofType}${clause === undefined ? '' : `: ${clause}`}${where}`,
    ...[
      ...notes.filter(({ weight }) => weight !== 'graph').map((note) => noteText(note, style)),
      ...fields.flatMap((field) => fieldLines(field, width, style)),
      ...(todo === undefined ? [] : [visible(todo)]),
      ...commands.map(({ line }) => style.cyan(style.typed(visible(line)))),
    ].map((line) => `      ${line}`),
  ];
}

/** Green makes, yellow changes, red takes away, cyan touches only state. */
function paints(style: Style): Readonly<Record<Change['tone'], (text: string) => string>> {
  return { add: style.green, change: style.yellow, remove: style.red, state: style.cyan };
}

function noteText({ label, line, weight }: Change['notes'][number], style: Style): string {
  const text = lineText(line);
  if (label === 'risk') return style.yellow(`risk: ${text}`);
  if (label === 'because') return `${style.cyan('because:')} ${text}`;
  return weight === 'aside' ? style.dim(text) : text;
}

function sectionLines(section: Section, style: Style): readonly string[] {
  const { title, lead, items, weight, cure = [] } = section;
  const paint = (text: string): string => style.bold(weight === 'grave' ? style.yellow(text) : text);
  const hidden = weight === 'aside' ? items.length - mostAside : 0;
  const shown = hidden > 0 ? { ...section, items: items.slice(0, mostAside) } : section;
  return [
    ...itemGroups(shown).flatMap(([group, found]) => [
      paint(
        group === undefined
          ? `${title}:${lead === undefined ? '' : ` ${visible(lead)}`}`
          : `${group}: ${numberOf(found)}`,
      ),
      ...found.flatMap((item) => itemLines(item, style)),
    ]),
    ...(hidden > 0 ? [`  and ${hidden} more`] : []),
    ...cure
      .filter(({ where }) => where !== 'review')
      .flatMap((one) => cureLines(one, style).map((line) => `  ${line}`)),
  ];
}

const mostBelow = 5;

function itemLines({ line, below = [], problem, causes = [], isAlike }: Item, style: Style): readonly string[] {
  if (problem !== undefined) return diagnosticLines(problem, style);
  return [
    // Whoever reads a long text looks for one name.
    ...(isAlike === true ? eachName(line) : [line]).map((one) => `  ${lineText(one)}`),
    ...below.slice(0, mostBelow).map((one) => `    ${lineText(one)}`),
    ...(below.length > mostBelow ? [`    and ${below.length - mostBelow} more`] : []),
    ...causes.flatMap((found) => diagnosticLines(found, style).map((one) => `    ${one}`)),
  ];
}

function eachName(line: Line): readonly Line[] {
  const found = line.find((span) => typeof span === 'object' && 'names' in span);
  if (found === undefined || typeof found === 'string' || !('names' in found)) return [line];
  return found.names.map((name) => line.map((span) => (span === found ? { names: [name] } : span)));
}

export function documentText(document: Document, options: DocumentTextOptions): string {
  return [...documentPieces(document, options)].join('');
}

/** The blocks as pieces of one text. */
export function* documentPieces(document: Document, options: DocumentTextOptions): Iterable<string> {
  let before = '';
  for (const lines of documentBlocks(document, options)) {
    if (lines.length === 0) continue;
    yield `${before}${lines.join('\n')}`;
    before = '\n\n';
  }
  yield '\n';
}
