import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Diagnostic as Shown, DiagnosticSeverity, type Range, type TextEdit } from 'vscode-languageserver/node.js';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { TextEdit as Edit } from '@platform-sync/catalogue/edit/text';
import type { Diagnostic, Place } from '@platform-sync/core/model/diagnostic';
import { projectFolder } from '../run/run-context.js';

export type Position = Range['start'];

/** The folder of the project that a file belongs to. */
export function folderOf(uri: string): string | undefined {
  return uri.startsWith('file:') ? projectFolder(join(fileURLToPath(uri), '..')) : undefined;
}

/** As the catalogue names it. */
export function fileIn(folder: string, uri: string): string {
  return relative(folder, fileURLToPath(uri)).replaceAll('\\', '/');
}

export function uriOf(folder: string, file: string): string {
  return pathToFileURL(join(folder, file)).href;
}

export function rangeOf({ line, column, endLine = line, endColumn = column }: Place): Range {
  return { start: { line: line - 1, character: column - 1 }, end: { line: endLine - 1, character: endColumn - 1 } };
}

export function shownEdit(document: TextDocument, { start, end, text }: Edit): TextEdit {
  return { range: { start: document.positionAt(start), end: document.positionAt(end) }, newText: text };
}

export function touches(one: Range, other: Range): boolean {
  return !isBefore(one.end, other.start) && !isBefore(other.end, one.start);
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const;

export function shownProblem({ place, severity, code, summary, detail, hint }: Diagnostic): Shown {
  return {
    range: rangeOf(place ?? { file: 'sync.yaml', line: 1, column: 1 }),
    severity: severities[severity],
    ...{ code, source: 'sync' },
    message: [summary, detail, hint].filter((part) => part !== undefined).join('\n'),
  };
}
