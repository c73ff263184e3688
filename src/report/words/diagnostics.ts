import { type Address, compareText } from '@platform-sync/core/model/address';
import type { Diagnostic, Place, Severity } from '@platform-sync/core/model/diagnostic';
import { visible } from './escape.js';
import { count } from './value.js';
import type { NotCompared } from '@platform-sync/core/model/plan';

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

/** A line of a hint: words, or what is typed. */
interface HintLine {
  readonly text: string;
  readonly isTyped: boolean;
}

// What a hint may end in: a command of this program, or flags for the one that was just typed.
const ending = /^(.*?:) ((?:sync |--).*?)\??$/;
const typed = /^(?:sync |pulumi |--)/;

/** A hint's words, and each thing to type on a line of its own: `Take it over: sync adopt pets 7` is two lines. */
export function hintLines(hint: string): readonly HintLine[] {
  const [first = '', ...others] = hint.split('\n');
  // A name may hold anything: a line that begins otherwise was none.
  if (!others.every((line) => typed.test(line))) return [{ text: hint, isTyped: false }];
  const [, words, command] = ending.exec(first) ?? [];
  const typedLines = [...(command === undefined ? [] : [command]), ...others];
  return [{ text: words ?? first, isTyped: false }, ...typedLines.map((text) => ({ text, isTyped: true }))];
}

/** Two sentences as one text: a summary may lack its full stop. */
export function sentences(...parts: readonly string[]): string {
  return parts.map((part, at) => (at < parts.length - 1 && /[\w)\]"'`]$/.test(part) ? `${part}.` : part)).join(' ');
}

// Of these no stack is asked.
const stackless = /^sync (?:completion|sandbox|schema|version|init)\b/;

/** A command as readers of a page have to type it, who are on no machine of this project: with its stack, where it has a name. */
export function commandOf(line: string, stack: string | undefined): string {
  if (stack === undefined || stack === 'default' || !/^sync \S/.test(line)) return line;
  return stackless.test(line) || / --stack\b/.test(line) ? line : `sync --stack ${stack}${line.slice(4)}`;
}

/** One answer that kept objects from being compared. */
interface FailedRead {
  readonly diagnostic: Diagnostic;
  /** Full tokens of what was to be read. */
  readonly types: readonly string[];
  /** What could not be compared because of it; empty where a whole place could not be read. */
  readonly addresses: readonly Address[];
}

/** What could not be compared, by the answer that is to blame: one list that fails is one error, however long it is. */
export function failedReads(found: readonly NotCompared[]): readonly FailedRead[] {
  const reads = new Map<string, { diagnostic: Diagnostic; types: Set<string>; addresses: Address[] }>();
  for (const { diagnostic, type, address } of found) {
    const key = JSON.stringify([diagnostic.code, diagnostic.summary, diagnostic.detail ?? '', diagnostic.hint ?? '']);
    const read = reads.get(key) ?? { diagnostic, types: new Set(), addresses: [] };
    read.types.add(type);
    if (address !== undefined) read.addresses.push(address);
    reads.set(key, read);
  }
  return [...reads.values()].map(({ types, ...read }) => ({ ...read, types: [...types] }));
}

/** What is said before all else: without any record, nothing below it rests on what was. */
export function noRecordOf(found: readonly Diagnostic[]): Diagnostic | undefined {
  return found.find(({ code }) => code === 'no-record');
}

/** What is said on top: nobody may write, or nothing is recorded. */
export function saidFirst(found: readonly Diagnostic[]): readonly Diagnostic[] {
  return found.filter(({ code }) => firstCodes.has(code));
}

/** What is left to say in its own place. */
export function besidesFirst(found: readonly Diagnostic[]): readonly Diagnostic[] {
  return found.filter(({ code }) => !firstCodes.has(code));
}

const firstCodes: ReadonlySet<string> = new Set(['state-frozen', 'no-record']);

/** Records what exists; it changes nothing on the platform. */
export const adoptCommand = 'sync adopt';
