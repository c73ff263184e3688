import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type ParsedNode,
  Parser,
  type Scalar,
} from 'yaml';
import type { Expression } from '@platform-sync/core/model/expression';
import { writing } from '../problem/advice.js';
import { Problems } from '../problem/problems.js';
import type { BuildContext } from './build-context.js';
import { ExpressionReader } from './expression-reader.js';
import { isTooDeepForYaml, quickDocuments } from './js-yaml-events.js';
import { reportConflict, reportSyntax } from './file-failures.js';
import {
  coreValue,
  eventsFrom,
  maxDepth,
  tagsOf,
  type YamlEvent,
  type YamlEvents,
  type YamlScalar,
} from './yaml-events.js';
import type { Scalar as ScalarValue } from '@platform-sync/core/model/value';

const options = {
  version: '1.2',
  schema: 'core',
  // The package compares every key with every other; the expression reader finds duplicates in one pass.
  uniqueKeys: false,
  logLevel: 'silent',
  customTags: [
    ...tagsOf.scalar.map((tag) => ({ tag, resolve: (text: string) => text })),
    ...tagsOf.map.map((tag) => ({ tag, collection: 'map' as const })),
    ...tagsOf.list.map((tag) => ({ tag, collection: 'seq' as const })),
  ],
} as const;

/**
 * The documents of a YAML file as expressions, or undefined when its syntax is broken (reported, all errors of the
 * file at once).
 */
export function readDocuments(file: string, text: string, context: BuildContext): readonly Expression[] | undefined {
  const own: BuildContext = { ...context, problems: new Problems(), lookups: [] };
  const documents = quickDocuments(text, (events) => new ExpressionReader(file, own).read(events));
  if (documents === undefined) {
    context.sources.unhide(file);
    context.data.forget(file);
    return readOfRecord(file, text, context);
  }
  context.problems.addAll(own.problems);
  context.lookups.push(...own.lookups);
  return documents;
}

/** The same by the parser of record alone. */
export function readOfRecord(file: string, text: string, context: BuildContext): readonly Expression[] | undefined {
  const documents: Expression[] = [];
  let broken = false;
  for (const events of documentsOfRecord(file, text, context.problems))
    if (events === 'broken') broken = true;
    else if (events !== 'empty' && !broken) documents.push(new ExpressionReader(file, context).read(events));
  if (!broken) return documents;
  // Where the syntax is broken nobody knows which lines belong to a secret.
  if (/!secret|fn::secret/.test(text)) context.sources.hideFile(file);
  return undefined;
}

/**
 * The documents of a text as the parser of record sees them; `broken`: its mistakes are reported. Only one document's syntax tree is alive
 * at a time.
 */
export function* documentsOfRecord(
  file: string,
  text: string,
  problems: Problems,
): Generator<YamlEvents | 'empty' | 'broken'> {
  const isTooDeep = isTooDeepForYaml(text);
  if (isTooDeep) problems.add('yaml-syntax', { file, start: 0, end: 0 }, 'Values are nested too deeply to be read.');
  if (isTooDeep || reportConflict(file, text, problems)) return yield 'broken';
  const plain = plainReferences(text);
  reportPlainReferences(file, text, plain, problems);
  for (const document of syntaxTrees(withoutPlainReferences(text, plain)))
    if (reportSyntax(file, text, document, problems) || plain.length > 0) yield 'broken';
    else yield document.contents === null ? 'empty' : treeEvents(document.contents);
}

/** The documents of a text as syntax trees of the parser of record. */
export function syntaxTrees(text: string): Iterable<Document.Parsed> {
  const composer = new Composer({ ...options, customTags: [...options.customTags] });
  return composer.compose(new Parser().parse(text), true, text.length);
}

const coreTag = /^(?:!|tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq))$/;

/** The events of a syntax tree of the `yaml` package. */
export function treeEvents(root: ParsedNode): YamlEvents {
  const found: YamlEvent[] = [];
  emit(root, 0, found);
  return eventsFrom(found);
}

/** Gives where the node ends. Deeper than anybody reads, maps and lists are empty. */
function emit(node: ParsedNode, depth: number, into: YamlEvent[]): number {
  const [start, end] = node.range ?? [0, 0];
  if (isAlias(node)) {
    into.push({ kind: 'alias', start, end, name: node.source });
    return end;
  }
  const tag = coreTag.test(node.tag ?? '!') ? undefined : node.tag;
  const { anchor } = node;
  if (isScalar(node)) {
    into.push(scalarOf(node, { start, end, tag, anchor }));
    return end;
  }
  into.push({ kind: isMap(node) ? 'map' : 'list', start, tag, anchor });
  let last = end;
  if (depth < maxDepth && isMap(node)) for (const pair of node.items) last = emitPair(pair, depth + 1, into);
  if (depth < maxDepth && isSeq(node)) for (const item of node.items) last = emit(item, depth + 1, into);
  if (node.flow === true) last = end;
  into.push({ kind: 'end', end: last });
  return last;
}

function emitPair(
  { key, value }: { readonly key: ParsedNode; readonly value: ParsedNode | null },
  depth: number,
  into: YamlEvent[],
): number {
  const end = emit(key, depth, into);
  if (value !== null) return emit(value, depth, into);
  into.push({ kind: 'nothing', start: end, end });
  return end;
}

function scalarOf(node: Scalar, named: Pick<YamlScalar, 'start' | 'end' | 'tag' | 'anchor'>): YamlScalar {
  const plain = node.type === 'PLAIN';
  const text = typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
  // A tag of ours hides from the parser that plain `12` is a number.
  const value = named.tag !== undefined && plain ? coreValue(node.source ?? '') : (node.value as ScalarValue);
  return { kind: 'scalar', ...named, value, text, plain };
}

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
function plainReferences(text: string): readonly PlainReference[] {
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
function reportPlainReferences(file: string, text: string, found: readonly PlainReference[], problems: Problems): void {
  for (const { start, end, reference, within } of found)
    problems.add('yaml-syntax', { file, start, end }, `"\${…}" inside ${within} needs quotes.`, {
      hint: writing(`Put the whole text in quotes, like "${reference}".`, text.slice(start, end)),
    });
}

/** The text as YAML that can be read, with every place where it was: what else is wrong is told with it. */
function withoutPlainReferences(text: string, found: readonly PlainReference[]): string {
  let [kept, from] = ['', 0];
  for (const { start, end } of found) {
    const plain = text.slice(start, end).replace(references, (reference) => '_'.repeat(reference.length));
    kept += text.slice(from, start) + plain;
    from = end;
  }
  return kept + text.slice(from);
}
