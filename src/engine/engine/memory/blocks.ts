import { hash } from 'node:crypto';

/** One entry of `resources` as it stands in its file, with all that is written under it. */
export interface Block {
  /** Its key; empty for a file that stands as one. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

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
  const [section, second] = [...text.matchAll(/^resources:[ \t]*(?:#.*)?\r?(?:\n|$)/gm)];
  if (section === undefined || second !== undefined || isTogether(text)) return undefined;
  const starts: { readonly key: string; readonly start: number }[] = [];
  let depth: number | undefined;
  let at = section.index + section[0].length;
  while (at < text.length) {
    const line = lineAt(text, at);
    if (line.isSaying) {
      if (line.indent === 0) break;
      depth ??= line.indent;
      if (line.indent < depth) return undefined;
      if (line.indent === depth) {
        const key = /^([A-Za-z_][\w-]*):(?=\s|$)/.exec(text.slice(at + depth, line.end))?.[1];
        if (key === undefined) return undefined;
        starts.push({ key, start: at });
      }
    }
    at = line.next;
  }
  const [first] = starts;
  if (first === undefined || new Set(starts.map(({ key }) => key)).size < starts.length) return undefined;
  const blocks = starts.map((each, nth) => ({ ...each, end: starts[nth + 1]?.start ?? at }));
  return { blocks, around: `${text.slice(0, first.start)}\0${text.slice(at)}` };
}

interface Line {
  readonly indent: number;
  /** False for what is empty, and for a comment. */
  readonly isSaying: boolean;
  /** Without its break. */
  readonly end: number;
  readonly next: number;
}

function lineAt(text: string, start: number): Line {
  const found = text.indexOf('\n', start);
  const end = found < 0 ? text.length : found;
  let at = start;
  while (at < end && text.charCodeAt(at) === 32) at += 1;
  const sign = text[at];
  return { indent: at - start, isSaying: at < end && sign !== '#' && sign !== '\r', end, next: end + 1 };
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
