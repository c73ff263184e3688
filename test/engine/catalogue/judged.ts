import { afterAll, beforeAll } from 'vitest';
import { Problems } from '@platform-sync/catalogue/problem/problems';
import type { BuildContext } from '@platform-sync/catalogue/read/build-context';
import { DataFiles } from '@platform-sync/catalogue/read/data-files';
import { ProjectFiles, SourceFiles } from '@platform-sync/catalogue/read/file-texts';
import { shortcut } from '@platform-sync/catalogue/read/js-yaml-events';
import { readDocuments, readOfRecord, syntaxTrees, treeEvents } from '@platform-sync/catalogue/read/yaml-documents';
import { nodeOf } from '@platform-sync/catalogue/read/yaml-events';

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
