import path from 'node:path';
import { compileTypes, isCompiled } from './compile.js';
import type { Compilation } from './compile.js';
import { Description } from './description.js';
import { readDocument } from './read-document.js';
import { noRules, readRules } from './rules-file.js';

/** Types of a description, by the rules and, where a file has any, corrections. Throws DiagnosticError. */
export function compileFile(cwd: string, description: string, rules: string | undefined): Compilation {
  const known = rules === undefined ? noRules : readRules(readDocument(path.resolve(cwd, rules), rules), rules);
  const document = readDocument(path.resolve(cwd, description), description);
  return compileTypes(new Description(document, description, known.words), known);
}

/** Types of a description, or as `types compile` wrote them. Throws DiagnosticError. */
export function typesOf(cwd: string, file: string, rules: string | undefined): Compilation {
  const document = readDocument(path.resolve(cwd, file), file);
  return isCompiled(document) ? { types: document, open: [] } : compileFile(cwd, file, rules);
}
