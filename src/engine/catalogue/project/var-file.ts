import path from 'node:path';
import { isWithin } from '@platform-sync/core/model/within';
import type { BuildContext } from '../read/build-context.js';
import { reportUnreadable } from '../read/file-failures.js';
import { mapEntries, type Entries } from '../read/shape.js';
import { ProjectFiles } from '../read/text-file.js';
import { readDocuments } from '../read/yaml-documents.js';

/** The entries of a file of values (`--var-file`), YAML or JSON. It may lie anywhere: whoever runs this names it. */
export function readVarFile(file: string, root: string, context: BuildContext): Entries {
  const shown = shownName(file, root);
  const read = new ProjectFiles(path.dirname(file)).read(path.basename(file));
  if (!read.ok) {
    reportUnreadable(shown, read, context);
    return new Map();
  }
  context.sources.add(shown, read.text);
  const [first, second] = readDocuments(shown, read.text, context) ?? [];
  if (second !== undefined) context.problems.add('wrong-type', second.at, `${shown} must be one document.`);
  return first === undefined ? new Map() : mapEntries(first, shown, context);
}

/** Relative to the project where it lies in there. */
function shownName(file: string, root: string): string {
  return isWithin(root, file) ? path.relative(root, file).replaceAll(path.sep, '/') : file;
}
