import { Composer, Parser, type Document } from 'yaml';
import type { Expression } from '../../model/expression.js';
import { Problems } from '../problem/problems.js';
import type { BuildContext } from './build-context.js';
import { ExpressionReader } from './expression-reader.js';
import { reportConflict } from './merge-conflict.js';
import { reportSyntax } from './syntax-errors.js';
import { isTooDeepForYaml } from './too-deep.js';
import { readEventsBy } from './yaml-events.js';
import { tagsOf } from './yaml-node.js';
import { readTree } from './yaml-tree.js';

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
 * file at once). Only one document's syntax tree is alive at a time.
 */
export function readDocuments(file: string, text: string, context: BuildContext): readonly Expression[] | undefined {
  const own: BuildContext = { ...context, problems: new Problems(), lookups: [] };
  const documents = readEventsBy(text, (events) => new ExpressionReader(file, own).readNext(events));
  if (documents === undefined) {
    context.sources.unhide(file);
    context.data.forget(file);
    return parseDocuments(file, text, context);
  }
  context.problems.addAll(own.problems);
  context.lookups.push(...own.lookups);
  return documents;
}

/** The same by the parser of record alone. */
function parseDocuments(file: string, text: string, context: BuildContext): readonly Expression[] | undefined {
  const documents: Expression[] = [];
  let broken = isTooDeepForYaml(text);
  if (broken)
    context.problems.add('yaml-syntax', { file, start: 0, end: 0 }, 'Values are nested too deeply to be read.');
  if (!broken && reportConflict(file, text, context.problems)) broken = true;
  for (const document of broken ? [] : syntaxTrees(text)) {
    if (reportSyntax(file, text, document, context.problems)) broken = true;
    const read = broken ? undefined : readTree(document);
    if (read !== undefined) documents.push(new ExpressionReader(file, context).read(read));
  }
  if (!broken) return documents;
  // Where the syntax is broken nobody knows which lines belong to a secret.
  if (/!secret|fn::secret/.test(text)) context.sources.hideFile(file);
  return undefined;
}

/** The documents of a text as the parser of record sees them. */
export function syntaxTrees(text: string): Iterable<Document.Parsed> {
  const composer = new Composer({ ...options, customTags: [...options.customTags] });
  return composer.compose(new Parser().parse(text), true, text.length);
}
