import { hash } from 'node:crypto';

/** One entry of `resources` as it stands in its file, with all that is written under it. */
export interface Block {
  /** Its key; empty for a file that stands as one. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** A block by the numbers of its file and of itself in it. */
export type BlockNumber = number;

export const mostBlocks = 1_000_000;

/** A file as its blocks, and what stands around them. */
export interface Blocks {
  readonly blocks: readonly Block[];
  readonly around: string;
}

export const digestOf = (text: string): string => hash('sha256', text, 'base64');

/** An anchor may be used anywhere below it. A tab at the beginning of a line is no indentation, and a later line may continue a text. */
function isTogether(text: string): boolean {
  return (text.includes('&') && /(?:^|[\s,[{:?-])&\S/m.test(text)) || (text.includes('\t') && /^ *\t/m.test(text));
}

/** The text as a single block. */
export function wholeBlock(text: string): Blocks {
  return { blocks: [{ key: '', start: 0, end: text.length }], around: '' };
}

/** The text in blocks; as a single one where it can't be told by its lines where each of them ends. */
export function blocksOf(text: string): Blocks {
  return splitBlocks(text) ?? wholeBlock(text);
}

function splitBlocks(text: string): Blocks | undefined {
  const section = sectionEnd(text);
  if (section === undefined || isTogether(text)) return undefined;
  const starts: { readonly key: string; readonly start: number }[] = [];
  let at = section;
  let depth: number | undefined;
  // Each line that says something and stands no deeper than the first one; its break is that of the line before.
  for (;;) {
    const line = depth === undefined ? /\n( *)[^ \r\n#]/g : lineUpTo(depth);
    line.lastIndex = Math.max(0, at - 1);
    const found = line.exec(text);
    const start = found === null ? text.length : found.index + 1;
    const indent = found?.[1]?.length ?? 0;
    at = start;
    if (indent === 0) break;
    depth ??= indent;
    const key = indent === depth ? keyAt(text, start + indent) : undefined;
    if (key === undefined) return undefined;
    starts.push({ key, start });
    at = start + indent + key.length;
  }
  const [first] = starts;
  if (first === undefined || new Set(starts.map(({ key }) => key)).size < starts.length) return undefined;
  const blocks = starts.map((each, nth) => ({ ...each, end: starts[nth + 1]?.start ?? at }));
  return { blocks, around: `${text.slice(0, first.start)}\0${text.slice(at)}` };
}

/** Where the first line of the only section of resources ends. */
function sectionEnd(text: string): number | undefined {
  const name = 'resources:';
  const start = text.startsWith(name) ? 0 : text.indexOf(`\n${name}`) + 1;
  if ((start === 0 && !text.startsWith(name)) || text.includes(`\n${name}`, start)) return undefined;
  const line = /[ \t]*(?:#.*)?\r?(?:\n|$)/y;
  line.lastIndex = start + name.length;
  return line.test(text) ? line.lastIndex : undefined;
}

const lines: RegExp[] = [];

function lineUpTo(depth: number): RegExp {
  return (lines[depth] ??= new RegExp(`\\n( {0,${depth}})[^ \\r\\n#]`, 'g'));
}

function keyAt(text: string, at: number): string | undefined {
  const key = /([A-Za-z_][\w-]*):(?=\s|$)/y;
  key.lastIndex = at;
  return key.exec(text)?.[1];
}

/** The same text with nothing but empty lines in the place of blocks that are not kept: all else stands where it stood. */
export function withoutBlocks(text: string, { blocks }: Blocks, isKept: (nth: number) => boolean): string {
  let kept = '';
  let at = 0;
  for (const [nth, { start, end }] of blocks.entries()) {
    if (isKept(nth)) continue;
    kept += text.slice(at, start) + '\n'.repeat(lineBreaks(text, start, end));
    at = end;
  }
  return kept + text.slice(at);
}

function lineBreaks(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
