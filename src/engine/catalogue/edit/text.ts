import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';

/** A stretch of a text and what is to stand there instead. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with all edits made; everything outside them stays byte for byte. Edits don't overlap. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let from = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return result + text.slice(from);
}

/** A value as it is written after `key:`; its texts are templates: what stands on that line, and the lines below it, indent included. */
interface Spelling {
  readonly head: string;
  readonly below: readonly string[];
}

/** How lists are written that are new: short ones on one line, or all below their keys. */
export type Lists = 'short' | 'below';

/** How text was or is to be written. */
export type Quoting = 'plain' | 'single' | 'double' | 'block';

/** A value in block style; `indent` is the column of what stands below the key. */
export function blockSpelling(
  value: Json,
  indent: number,
  quoting: Quoting = 'plain',
  lists: Lists = 'short',
): Spelling {
  if (isList(value)) return blockList(value, indent, lists);
  if (isObject(value) && Object.keys(value).length > 0) return { head: '', below: blockMap(value, indent, lists) };
  if (typeof value !== 'string') return { head: flowText(value, 'plain'), below: [] };
  const isBlock = quoting === 'block' || (quoting === 'plain' && value.includes('\n'));
  if (isBlock && fitsLiteral(value)) return literal(value, indent);
  return { head: quoted(value, quoting, false), below: [] };
}

/** The lines of one entry of a block map. */
export function blockEntry(key: string, value: Json, indent: number, lists?: Lists): readonly string[] {
  const { head, below } = blockSpelling(value, indent + 2, 'plain', lists);
  return [`${' '.repeat(indent)}${keyText(key, 'plain')}:${head === '' ? '' : ` ${head}`}`, ...below];
}

/** A value on one line; `double` is JSON. */
export function flowText(value: Json, quoting: Quoting): string {
  if (isList(value)) return `[${value.map((item) => flowText(item, quoting)).join(', ')}]`;
  if (isObject(value)) {
    const members = Object.entries(value);
    return `{${members.map(([key, item]) => `${keyText(key, quoting)}: ${flowText(item, quoting)}`).join(', ')}}`;
  }
  return typeof value === 'string' ? quoted(value, quoting, true) : JSON.stringify(value);
}

/** Keys are never read as references. */
export function keyText(key: string, quoting: Quoting): string {
  return quoted(key, quoting === 'double' ? 'double' : 'plain', true);
}

function blockList(items: readonly Json[], indent: number, lists: Lists): Spelling {
  const short = flowText(items, 'plain');
  const isShort = items.every((item) => typeof item !== 'object') && short.length <= 80;
  if (items.length === 0 || (isShort && lists === 'short')) return { head: short, below: [] };
  const lines = items.map((item) => `${' '.repeat(indent)}- ${flowText(item, 'plain')}`);
  return { head: '', below: lines };
}

/** The lines of a map that stands below something. */
export function blockMap(map: JsonObject, indent: number, lists?: Lists): readonly string[] {
  return Object.entries(map).flatMap(([key, item]) => blockEntry(key, item, indent, lists));
}

/** Block text where its beginning is plain to see and every character can stand as it is. */
function fitsLiteral(text: string): boolean {
  return /^[^\s]/.test(text) && !unprintable.test(text) && !/\n[ \t]+$/.test(text);
}

function literal(text: string, indent: number): Spelling {
  const content = text.replace(/\n+$/, '');
  const breaks = text.length - content.length;
  const lines = content.split('\n').map((line) => (line === '' ? '' : `${' '.repeat(indent)}${line}`));
  if (breaks > 1) return { head: '|+', below: [...lines, ...Array.from({ length: breaks - 1 }, () => '')] };
  return { head: breaks === 1 ? '|' : '|-', below: lines };
}

// What YAML has to escape, or reads as a break of lines.
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u;

function quoted(text: string, quoting: Quoting, inFlow: boolean): string {
  if (quoting === 'single' && !text.includes('\n') && !unprintable.test(text)) return `'${text.replaceAll("'", "''")}'`;
  if (quoting !== 'double' && quoting !== 'single' && isPlain(text, inFlow)) return text;
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** True for text that no reader takes for anything but itself. Rather quotes too many than one too few. */
function isPlain(text: string, inFlow: boolean): boolean {
  if (!/^\p{L}/u.test(text) || /\s$|\n|\t/.test(text) || unprintable.test(text)) return false;
  if (/^(?:null|true|false|y|n|yes|no|on|off)$/i.test(text) || /: | #|:$/.test(text)) return false;
  return !inFlow || !/[,:[\]{}]/.test(text);
}
