import { mostLevels } from '@platform-sync/core/model/read-json';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { BuildContext } from './build-context.js';
import type { CatalogueCode } from '@platform-sync/core/generated/codes';
import { type DataParsed, type Overlaid, type OverlayFault, rangeIn } from './data-files.js';
import type { TextRead } from './file-texts.js';
import { type Document, isCollection, isScalar, visit, type YAMLError } from 'yaml';
import type { Problems } from '../problem/problems.js';
import { ownMember } from '@platform-sync/core/model/value';

type Failed<T> = Exclude<T, { readonly ok: true }>;

const failures: Readonly<Record<Failed<DataParsed>['why'], readonly [CatalogueCode, string, string?]>> = {
  missing: ['file-not-found', 'does not exist', 'Paths are relative to the file that names them.'],
  unreadable: ['file-not-readable', "can't be read"],
  outside: ['file-outside-project', 'lies outside the project folder', 'Copy the file into the project.'],
  'outside-link': [
    'file-outside-project',
    'leads out of the project folder through a symbolic link',
    'Copy the file into the project.',
  ],
  'no-data': [
    'file-no-data',
    'is never read: it belongs to git, to this program, or holds variables',
    'Copy the part that you need into another file.',
  ],
  'too-large': ['file-too-large', 'is larger than 32 MiB', 'Split it into several files.'],
  'not-utf8': ['not-utf8', 'is not UTF-8 text', 'Save it as UTF-8.'],
  'not-yaml': [
    'file-not-yaml',
    'is not one document of YAML or JSON, so no part of it can be read',
    'Leave out the "#" and what follows to take its text.',
  ],
  'too-deep': [
    'nesting-too-deep',
    `holds values that are nested more than ${String(mostLevels.foreign)} levels deep`,
    'A program probably wrote this file. Without the "#" and what follows you get its text.',
  ],
};

/** Reports at `at` why a file that is named there can't be used. */
export function reportFailure(
  file: string,
  { why }: Failed<DataParsed>,
  at: SourceRange,
  { problems }: BuildContext,
): void {
  const [code, sentence, hint] = failures[why];
  problems.add(code, at, `${file} ${sentence}.`, { hint });
}

/** Reports a file found by the project's patterns at its own place. */
export function reportUnreadable(file: string, failed: Failed<TextRead>, context: BuildContext): void {
  const notText = failed.why === 'not-utf8';
  if (notText) {
    context.sources.add(file, failed.text);
    // Bytes that are no text don't belong on a terminal.
    context.sources.hideFile(file);
  }
  const start = notText ? failed.offset : 0;
  reportFailure(file, failed, { file, start, end: start }, context);
}

/** Nothing to read; of a picture, a data URL without data. */
export function isEmptyText(text: string): boolean {
  return text.trim() === '' || (text.length < 100 && /^data:[^,]*,$/.test(text));
}

/** A warning: an empty text may be meant, and is mostly a file that was never saved. */
export function reportEmpty(
  file: string,
  at: SourceRange,
  { problems }: Pick<BuildContext, 'problems'>,
  hint = 'Write the file, or take out what reads it.',
): void {
  problems.add('empty-file', at, `${file} is empty.`, {
    severity: 'warning',
    hint,
  });
}

/** Reports what is wrong with overlays, in their files; true when there is a specification all the same. */
export function reportOverlay(found: Overlaid | OverlayFault, context: BuildContext): found is Overlaid {
  if (!('idle' in found)) {
    context.problems.add('bad-overlay', overlayPlace(found, context), `${found.file} ${found.what}.`, {
      hint: found.hint,
    });
    return false;
  }
  for (const each of found.idle)
    context.problems.add('idle-overlay', overlayPlace(each, context), `${each.file} ${each.what}.`, {
      severity: 'warning',
      hint: 'Correct the target, or remove the action.',
    });
  return true;
}

function overlayPlace({ file, path, offset = 0 }: OverlayFault, { sources, data }: BuildContext): SourceRange {
  const read = data.text(file, file);
  if (!read.ok) return { file, start: 0, end: 0 };
  sources.add(file, read.text);
  return path.length === 0 ? { file, start: offset, end: offset } : rangeIn(file, read.text, path);
}

/** Where the parser's own words say nothing to people. */
const tooDeep = /call stack|nest/i;

/** What the parser says → what to tell: the sentence, and a hint. The first that matches counts. */
const explanations: readonly (readonly [RegExp, string, string?])[] = [
  [/^Tabs are not allowed/, 'A tab is used for indentation.', 'YAML is indented with spaces only.'],
  [
    /^All (?:mapping|sequence) items must start/,
    'The indentation fits no level above.',
    'Keys of one map, and items of one list, start in the same column.',
  ],
  [/^Missing closing /, 'A quote is never closed.', 'End the text with the quote it starts with.'],
  [
    /end with a (.)$/,
    'A bracket is never closed, or closed too far to the left.',
    'Close it with the bracket that fits.',
  ],
  [
    /^Nested mappings are not allowed/,
    'A map starts in the middle of a line.',
    'Quote text that contains ": ", or start a new line.',
  ],
  [
    /^Implicit keys need to be on a single line/,
    'A key runs over several lines.',
    'A ":" may be missing on the line before.',
  ],
  [
    /^Implicit map keys need/,
    'A key has no ":" after it.',
    'Text over several lines starts with "|" or ">", or stands in quotes.',
  ],
  [/^Plain value cannot start/, "Text can't start with this character.", 'Put the text in quotes.'],
  [
    /^Invalid escape sequence/,
    'The escape after "\\" is none of YAML.',
    'Write "\\\\" for a backslash, or use single quotes.',
  ],
  [/^Missing , /, 'A "," is missing between two items.', 'Items in brackets are separated with commas.'],
  [/^Missing space after :/, 'A space is missing after ":".'],
  [
    /^(?:Alias|Anchor) /,
    'The name after "*" or "&" is not an anchor name.',
    'Put text that starts with "*" or "&" in quotes.',
  ],
  [/^Tags and anchors must be separated/, 'A space is missing after a tag or anchor.'],
  [/^Missing newline after block sequence props/, 'A list starts on a new line after its tag or anchor.'],
  [tooDeep, 'Values are nested too deeply to be read.'],
];

/** What a parser says of the lines that follow a slip of indentation, or a key that it took for text. */
const consequence =
  /^(?:All (?:mapping|sequence) items must start|Nested mappings are not|Implicit (?:map )?keys need)/;

/** More than these help nobody. */
const maxReported = 50;

/** One slip is told once: what of that kind comes after another one, or after a tab, is taken for its consequence. */
function causesAmong(errors: readonly YAMLError[]): readonly YAMLError[] {
  const slip = errors.findIndex(({ message }) => message.startsWith('Tabs are') || consequence.test(message));
  return errors.filter(({ message }, at) => at <= slip || !consequence.test(message)).slice(0, maxReported);
}

/** Reports the syntax errors of a document together; true when there are any. */
export function reportSyntax(file: string, text: string, document: Document.Parsed, problems: Problems): boolean {
  if (document.errors.length > 0 && (reportLoneMark(file, text, problems) || reportFalseBlank(file, text, problems)))
    return true;
  for (const error of causesAmong(document.errors)) report(error, file, text, document, problems);
  const { explicit, version } = document.directives.yaml;
  if (explicit !== true || version === '1.2') return document.errors.length > 0;
  problems.add(
    'yaml-syntax',
    { file, start: 0, end: 0 },
    'Catalogues are YAML 1.2, this file asks for another version.',
    {
      hint: 'Remove the %YAML line.',
    },
  );
  return true;
}

function report(error: YAMLError, file: string, text: string, document: Document.Parsed, problems: Problems): void {
  const [said = ''] = error.message.split('\n');
  const known = explanations.find(([pattern]) => pattern.test(said));
  const blank = missingBlank(said, text, error.pos);
  if (blank !== undefined) {
    problems.add('yaml-syntax', { file, ...blank }, 'A space is missing after ":".', {
      hint: 'A key ends with a colon and a space: write "key: value".',
    });
    return;
  }
  const unclosed = /^Missing closing |end with a .$/.test(said);
  const start = (unclosed ? openingOf(document, text, error.pos[0]) : undefined) ?? error.pos[0];
  // Of unexpected tokens, the parser quotes the text, which may be a secret.
  const own = `${said.replace(/: ".*$/s, '').replace(/\.$/, '')}.`;
  problems.add('yaml-syntax', { file, start, end: Math.max(start, error.pos[1]) }, known?.[1] ?? own, {
    detail: known === undefined || unclosed || known[0] === tooDeep ? undefined : `The parser says: ${own}`,
    hint: known?.[2],
  });
}

/** `name:Pets` is no key but text, which goes on to the next line: the parser complains about that one. */
function missingBlank(
  said: string,
  text: string,
  [from, to]: readonly [number, number],
): { readonly start: number; readonly end: number } | undefined {
  if (!/^(?:Implicit keys need|Implicit map keys need|Nested mappings are not)/.test(said)) return undefined;
  const lineStart = text.lastIndexOf('\n', from - 1) + 1;
  const found = /^([ \t]*(?:- +)?)[\w-]+:(?=[^\s/:])/m.exec(text.slice(lineStart, Math.max(to, from + 1) + 200));
  if (found?.[1] === undefined || found.index > to - lineStart) return undefined;
  const start = lineStart + found.index + found[1].length;
  return { start, end: lineStart + found.index + found[0].length };
}

const closing: Readonly<Record<string, string>> = { '"': '"', "'": "'", '[': ']', '{': '}' };

/** The parser notices at the end of the file; people look for where the quote or bracket was opened. */
function openingOf(document: Document.Parsed, text: string, end: number): number | undefined {
  let found: number | undefined;
  visit(document, (_key, node) => {
    if (!isScalar(node) && !isCollection(node)) return;
    const [from, to] = node.range ?? [0, 0];
    const wanted = ownMember(closing, text[from] ?? '');
    if (wanted === undefined || from >= end || to < end - 1) return;
    if (to === from + 1 || text[to - 1] !== wanted) found = from;
  });
  return found;
}

const marks = /^(?:<{7}(?= |\r?$)|>{7}(?= |\r?$))/gm;

/** The lines of marks as they stand alone, where somebody settled a conflict and forgot one. */
const lone = /^(?:[<>|]{7}(?= |\r?$)|={7}(?=\r?$))/m;

/** Reports what git leaves in a file that two branches changed; true when there is any. For files that are no YAML. */
export function reportConflict(file: string, text: string, problems: Problems): boolean {
  const found = [...text.matchAll(marks)];
  const [first] = found;
  // One side alone may be text of somebody's.
  if (first === undefined || !['<', '>'].every((mark) => found.some(([written]) => written.startsWith(mark))))
    return false;
  reportMark(file, first, problems);
  return true;
}

/** The same in a file whose YAML is broken: one mark alone is the reason. */
function reportLoneMark(file: string, text: string, problems: Problems): boolean {
  const found = lone.exec(text);
  if (found !== null) reportMark(file, found, problems);
  return found !== null;
}

/** Copied from a page: it looks like an indentation, and is a part of the key. */
function reportFalseBlank(file: string, text: string, problems: Problems): boolean {
  const found = /^ *([^\P{White_Space}\t\n\r ]|[\u200b\ufeff])/mu.exec(text);
  const [all = '', blank = ''] = found ?? [];
  if (found === null) return false;
  const at = { file, start: found.index + all.length - blank.length, end: found.index + all.length };
  const code = blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  problems.add('yaml-syntax', at, `This character looks like a blank, but YAML takes it for a letter (U+${code}).`, {
    hint: 'Type the indentation anew, with plain blanks.',
  });
  return true;
}

function reportMark(file: string, mark: RegExpExecArray, problems: Problems): void {
  const at = { file, start: mark.index, end: mark.index + mark[0].length };
  problems.add('merge-conflict', at, 'A merge left its conflict marks in this file.', {
    hint: 'Settle the conflict: keep what is right between "<<<<<<<" and ">>>>>>>", and remove the marks.',
  });
}
