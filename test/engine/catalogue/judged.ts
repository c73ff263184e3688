import { syntaxTrees } from '../../../src/engine/catalogue/read/yaml-documents.js';
import { readTree } from '../../../src/engine/catalogue/read/yaml-tree.js';

/** What the parser of record makes of a text, or its first complaint. */
export function judged(text: string): unknown {
  const documents = [...syntaxTrees(text)];
  const error = documents.flatMap((document) => document.errors)[0];
  return error === undefined ? documents.map(readTree).filter((root) => root !== undefined) : error.message;
}
