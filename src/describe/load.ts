import path from 'node:path';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { TypesCode } from '@platform-sync/core/generated/codes';
import { compileTypes, isCompiled, type Compilation } from './compile.js';
import { Description } from './description.js';
import { readDocument } from './read-document.js';
import { noRules, readRules } from './rules-file.js';

/** Types of a description, by the rules and, where a file has any, corrections. Throws DiagnosticError. */
export function compileFile(cwd: string, description: string, rules: string | undefined): Compilation {
  const known = rules === undefined ? noRules : readRules(readDocument(path.resolve(cwd, rules), rules), rules);
  const document = readDocument(path.resolve(cwd, description), description);
  const made = compileTypes(new Description(document, description, known), known);
  return made.types.definitions.length > 0 ? made : { ...made, open: [...made.open, noType(description)] };
}

function noType(description: string): Diagnostic {
  const summary = `${description}: it describes no type.`;
  const hint =
    'A type is what POST makes if its items can be read or deleted (POST /shelves, GET /shelves/{id}), what PUT of an item makes, or a single thing with GET and PUT or PATCH.';
  return { severity: 'warning', code: 'undecided-type' satisfies TypesCode, summary, hint };
}

/** Types of a description, or as `types compile` wrote them. Throws DiagnosticError. */
export function typesOf(cwd: string, file: string, rules: string | undefined): Compilation {
  const document = readDocument(path.resolve(cwd, file), file);
  return isCompiled(document) ? { types: document, open: [] } : compileFile(cwd, file, rules);
}
