import { type FoldingRange, type SemanticTokens, SemanticTokensBuilder } from 'vscode-languageserver/node.js';
import type { TextDocument } from 'vscode-languageserver-textdocument';

/** What is coloured, by the protocol's own names: types, addresses, what is read of them, lookups and other tags. */
export const tokenLegend = {
  tokenTypes: ['type', 'namespace', 'property', 'function'],
  tokenModifiers: ['declaration'],
};
const [typeToken, addressToken, propertyToken, functionToken] = [0, 1, 2, 3] as const;

interface Token {
  readonly at: number;
  readonly length: number;
  readonly type: number;
  readonly isDeclared?: true;
}

/** By lines, as text: a file that is being typed is rarely whole. */
export function tokensOf(document: TextDocument): SemanticTokens {
  const builder = new SemanticTokensBuilder();
  const text = document.getText();
  const found = [...typesIn(text), ...expressionsIn(text), ...tagsIn(text), ...declarationsIn(text)];
  for (const { at, length, type, isDeclared = false } of found.sort((a, b) => a.at - b.at)) {
    const { line, character } = document.positionAt(at);
    builder.push(line, character, length, type, isDeclared ? 1 : 0);
  }
  return builder.build();
}

function typesIn(text: string): readonly Token[] {
  return [...text.matchAll(/(^|[{,]|\n)([ \t]*(?:"type"|type):[ \t]+["']?)([\w-]+(?::[\w/-]+)+)/g)].map((match) => {
    const [, start = '', lead = '', token = ''] = match;
    return { at: match.index + start.length + lead.length, length: token.length, type: typeToken };
  });
}

/** `${petstore/guide.id}`: an address or a variable, and the way into it. */
function expressionsIn(text: string): readonly Token[] {
  return [...text.matchAll(/(\$?)\$\{\s*([\w/-]+)([^}\s]*)/g)].flatMap((match) => {
    const [whole, escape = '', target = '', path = ''] = match;
    if (escape !== '') return [];
    const end = match.index + whole.length;
    const address = { at: end - path.length - target.length, length: target.length, type: addressToken };
    return path === '' ? [address] : [address, { at: end - path.length, length: path.length, type: propertyToken }];
  });
}

function tagsIn(text: string): readonly Token[] {
  return [...text.matchAll(/(?<=[\s[{,:]|^)!(?:lookup|file|env|secret|json|unset)\b/g)].map((match) => ({
    ...{ at: match.index, length: match[0].length, type: functionToken },
  }));
}

/** A key that lines below stand deeper than. */
interface Open {
  readonly column: number;
  readonly kind: 'section' | 'resource' | 'other';
}

/** The keys of resources: those right below `resources`, `children` and `patches`. */
function declarationsIn(text: string): readonly Token[] {
  const found: Token[] = [];
  const open: Open[] = [];
  for (const { start, column, key } of keyLines(text)) {
    while ((open.at(-1)?.column ?? -1) >= column) open.pop();
    const kind = kindOf(key, open.at(-1)?.kind);
    if (kind === 'resource') found.push({ at: start, length: key.length, type: addressToken, isDeclared: true });
    open.push({ column, kind });
  }
  return found;
}

/** A resource may be called like a section. */
function kindOf(key: string, above: Open['kind'] | undefined): Open['kind'] {
  if (above === 'section') return 'resource';
  if (above === undefined) return key === 'resources' || key === 'patches' ? 'section' : 'other';
  return above === 'resource' && key === 'children' ? 'section' : 'other';
}

const keyLine = /^( *(?:- )?"?)([\w/-]+)"?:(?:\s|$)/;

function* keyLines(text: string): Generator<{ readonly start: number; readonly column: number; readonly key: string }> {
  let offset = 0;
  for (const content of text.split('\n')) {
    const [, lead = '', key] = keyLine.exec(content) ?? [];
    if (key !== undefined) yield { start: offset + lead.length, column: content.search(/\S/), key };
    offset += content.length + 1;
  }
}

/** Each key with what stands deeper below it, and each run of comments. */
export function foldings(text: string): FoldingRange[] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const found: FoldingRange[] = [];
  const open: { readonly column: number; readonly line: number }[] = [];
  let last = 0;
  const close = (column: number): void => {
    for (let above = open.at(-1); above !== undefined && above.column >= column; above = open.at(-1)) {
      if (last > above.line) found.push({ startLine: above.line, endLine: last });
      open.pop();
    }
  };
  for (const [line, content] of lines.entries()) {
    if (content === '' || isComment(content)) continue;
    const column = content.search(/\S/);
    // A list may stand in the column of its key.
    close(/^ *- /.test(content) ? column + 1 : column);
    if (keyLine.test(content)) open.push({ column, line });
    last = line;
  }
  close(0);
  return [...found.sort((a, b) => a.startLine - b.startLine), ...commentFoldings(lines)];
}

const isComment = (line: string | undefined): boolean => /^\s*#/.test(line ?? '');

function commentFoldings(lines: readonly string[]): FoldingRange[] {
  return lines.flatMap((line, at) => {
    if (!isComment(line) || isComment(lines[at - 1])) return [];
    const after = lines.findIndex((other, index) => index > at && !isComment(other));
    const end = (after < 0 ? lines.length : after) - 1;
    return end > at ? [{ startLine: at, endLine: end, kind: 'comment' }] : [];
  });
}
