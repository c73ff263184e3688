import { Composer, Parser, type Document } from 'yaml';
import type { Expression } from '../model/expression.js';
import type { BuildContext } from './build-context.js';
import { ExpressionReader } from './expression-reader.js';
import { readPlainYaml } from './plain-yaml.js';
import { reportSyntax } from './syntax-errors.js';

const options = {
  version: '1.2',
  schema: 'core',
  // The package compares every key with every other; the expression reader finds duplicates in one pass.
  uniqueKeys: false,
  logLevel: 'silent',
  customTags: [
    ...['!file', '!env', '!secret', '!json'].map((tag) => ({ tag, resolve: (text: string) => text })),
    ...['!secret', '!json', '!lookup'].map((tag) => ({ tag, collection: 'map' as const })),
    ...['!secret', '!json'].map((tag) => ({ tag, collection: 'seq' as const })),
  ],
} as const;

/**
 * The documents of a YAML file as expressions, or undefined when its syntax is broken (reported, all errors of the
 * file at once). Only one document's syntax tree is alive at a time.
 */
export function readDocuments(file: string, text: string, context: BuildContext): readonly Expression[] | undefined {
  const plain = readPlainYaml(file, text, context);
  return plain === undefined ? parseDocuments(file, text, context) : [plain];
}

/** The same by the full parser alone. */
export function parseDocuments(file: string, text: string, context: BuildContext): readonly Expression[] | undefined {
  const documents: Expression[] = [];
  let broken = false;
  for (const document of compose(text)) {
    if (reportSyntax(file, text, document, context.problems)) broken = true;
    else if (!broken && document.contents !== null) {
      documents.push(new ExpressionReader(file, context).read(document.contents));
    }
  }
  if (!broken) return documents;
  // Where the syntax is broken nobody knows which lines belong to a secret.
  if (/!secret|fn::secret/.test(text)) context.sources.hideFile(file);
  return undefined;
}

function compose(text: string): Iterable<Document.Parsed> {
  const composer = new Composer({ ...options, customTags: [...options.customTags] });
  return composer.compose(new Parser().parse(text), true, text.length) as Iterable<Document.Parsed>;
}
