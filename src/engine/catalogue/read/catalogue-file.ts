import type { BuildContext } from './build-context.js';
import { reportUnreadable } from './file-failures.js';
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
  const documents = readDocuments(file, read.text, context);
  return documents && readRawFile(file, documents, isOverlay, context);
}
