import { Lexer } from 'yaml';
import type { Problems } from '../problem/problems.js';

/** Text without quotes inside brackets that refers to something: YAML sees text that ends with "$", then a map. */
interface PlainReference {
  /** The whole text, and the first reference in it. */
  readonly start: number;
  readonly end: number;
  readonly reference: string;
  readonly within: '{ }' | '[ ]';
}

const references = /\$\{[\w.:[\]/-]+\}/g;
/** A text from its first reference on: further references, and what may stand in a text inside brackets. */
const restOfText = /\{[\w.:[\]/-]+\}(?:\$\{[\w.:[\]/-]+\}|(?!:\s)[^,[\]{}\n])*/y;
/** The lexer's mark of plain text that follows, and its marks that stand for nothing in the file. */
const textFollows = '\u001f';
const marks: ReadonlySet<string> = new Set(['\u0002', '\u0018', textFollows]);

/** Every text inside brackets that refers to something and has no quotes, in the order of the file. */
export function plainReferences(text: string): readonly PlainReference[] {
  if (!text.includes('${')) return [];
  const found: PlainReference[] = [];
  const around: PlainReference['within'][] = [];
  let [at, previous, plain] = [0, '', ''];
  for (const token of new Lexer().lex(text)) {
    const within = around.at(-1);
    if (token === '{' && within !== undefined && plain.endsWith('$') && at >= (found.at(-1)?.end ?? 0))
      found.push(...textAt(text, at - plain.length, at, within));
    plain = previous === textFollows ? token : '';
    previous = token;
    if (plain === '' && (token === '{' || token === '[')) around.push(token === '{' ? '{ }' : '[ ]');
    if (plain === '' && (token === '}' || token === ']')) around.pop();
    if (!marks.has(token)) at += token.length;
  }
  return found;
}

function textAt(
  text: string,
  start: number,
  brace: number,
  within: PlainReference['within'],
): readonly PlainReference[] {
  restOfText.lastIndex = brace;
  const rest = restOfText.exec(text)?.[0].trimEnd();
  if (rest === undefined) return [];
  const [reference = ''] = text.slice(brace - 1).match(references) ?? [];
  return [{ start, end: brace + rest.length, reference, within }];
}

/** The parser would complain of every line that follows; what is meant is one thing. */
export function reportPlainReferences(file: string, found: readonly PlainReference[], problems: Problems): void {
  for (const { start, end, reference, within } of found)
    problems.add('yaml-syntax', { file, start, end }, `"\${…}" inside ${within} needs quotes.`, {
      hint: `Put the whole text in quotes, like "${reference}".`,
    });
}

/** The text as YAML that can be read, with every place where it was: what else is wrong is told with it. */
export function withoutPlainReferences(text: string, found: readonly PlainReference[]): string {
  let [kept, from] = ['', 0];
  for (const { start, end } of found) {
    const plain = text.slice(start, end).replace(references, (reference) => '_'.repeat(reference.length));
    kept += text.slice(from, start) + plain;
    from = end;
  }
  return kept + text.slice(from);
}
