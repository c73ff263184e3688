import type { BuildContext } from './build-context.js';
import { isEmptyText, reportEmpty, reportUnreadable } from './file-failures.js';
import { readRawFile, type RawFile } from './raw-file.js';
import type { ProjectFiles } from './text-file.js';
import { readDocuments } from './yaml-documents.js';

/** One catalogue file; undefined (reported) when it can't be read or its YAML is broken. */
export function readCatalogueFile(
  file: string,
  files: ProjectFiles,
  isOverlay: boolean,
  context: BuildContext,
): RawFile | undefined {
  const read = files.read(file);
  if (!read.ok) {
    reportUnreadable(file, read, context);
    return undefined;
  }
  context.sources.add(file, read.text);
  if (!isOverlay && isEmptyText(read.text)) {
    const hint = 'If nothing is to be in it, say so: resources: {}';
    reportEmpty(file, { file, start: 0, end: 0 }, context, hint);
  }
  const documents = readDocuments(file, read.text, context);
  return documents && readRawFile(file, documents, isOverlay, context);
}
