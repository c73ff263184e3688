import { afterAll, beforeAll } from 'vitest';
import { Problems } from '../../../src/engine/catalogue/problem/problems.js';
import type { BuildContext } from '../../../src/engine/catalogue/read/build-context.js';
import { DataFiles } from '../../../src/engine/catalogue/read/data-files.js';
import { SourceFiles } from '../../../src/engine/catalogue/read/file-texts.js';
import { ProjectFiles } from '../../../src/engine/catalogue/read/text-file.js';
import { shortcut } from '../../../src/engine/catalogue/read/js-yaml-events.js';
import { readDocuments, readOfRecord, syntaxTrees } from '../../../src/engine/catalogue/read/yaml-documents.js';
import { nodeOf } from '../../../src/engine/catalogue/read/yaml-node.js';
import { treeEvents } from '../../../src/engine/catalogue/read/yaml-tree.js';

/** For the tests around: whether files may be read without the parser of record. */
export function withShortcut(isOpen: boolean): void {
  const before = shortcut.isOpen;
  beforeAll(() => void (shortcut.isOpen = isOpen));
  afterAll(() => void (shortcut.isOpen = before));
}

/** What the parser of record makes of a text, or its first complaint. */
export function judged(text: string): unknown {
  const documents = [...syntaxTrees(text)];
  const error = documents.flatMap((document) => document.errors)[0];
  if (error !== undefined) return error.message;
  return documents.flatMap(({ contents }) => (contents === null ? [] : [nodeOf(treeEvents(contents))]));
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

/** By the parser of record alone. */
export function readAsRecorded(text: string): unknown {
  return readBy(text, (context) => readOfRecord(file, text, context));
}

/** As catalogue files are read. */
export function readAsFile(text: string): unknown {
  return readBy(text, (context) => readDocuments(file, text, context));
}
