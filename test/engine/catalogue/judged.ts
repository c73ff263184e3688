import { Problems } from '../../../src/engine/catalogue/problem/problems.js';
import type { BuildContext } from '../../../src/engine/catalogue/read/build-context.js';
import { DataFiles } from '../../../src/engine/catalogue/read/data-files.js';
import { ExpressionReader } from '../../../src/engine/catalogue/read/expression-reader.js';
import { SourceFiles } from '../../../src/engine/catalogue/read/file-texts.js';
import { ProjectFiles } from '../../../src/engine/catalogue/read/text-file.js';
import { readDocuments, syntaxTrees } from '../../../src/engine/catalogue/read/yaml-documents.js';
import { readTree } from '../../../src/engine/catalogue/read/yaml-tree.js';
import type { YamlNode } from '../../../src/engine/catalogue/read/yaml-node.js';

/** What the parser of record makes of a text, or its first complaint. */
export function judged(text: string): unknown {
  const documents = [...syntaxTrees(text)];
  const error = documents.flatMap((document) => document.errors)[0];
  return error === undefined ? documents.map(readTree).filter((root) => root !== undefined) : error.message;
}

const file = 'a.yaml';

/** What a file comes to, and all that reading it left behind. */
function readBy(text: string, read: (context: BuildContext) => unknown): unknown {
  const data = new DataFiles(new ProjectFiles('/nowhere'));
  const sources = new SourceFiles();
  const problems = new Problems();
  const context: BuildContext = { problems, sources, data, env: {}, broken: new WeakSet(), lookups: [] };
  sources.add(file, text);
  const expressions = read(context);
  const shown = [...text.matchAll(/\n|$/g)].map(({ index }) => sources.place({ file, start: index, end: index }));
  return {
    expressions,
    lookups: context.lookups,
    problems: problems.diagnostics(sources),
    shown,
    isRead: data.isRead('f'),
  };
}

/** By way of nodes. */
export function readByNodes(text: string, nodes: readonly YamlNode[]): unknown {
  return readBy(text, (context) => nodes.map((node) => new ExpressionReader(file, context).read(node)));
}

/** As catalogue files are read. */
export function readAsFile(text: string): unknown {
  return readBy(text, (context) => readDocuments(file, text, context));
}
