import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { type Diagnostic, DiagnosticError, errorCode } from '@platform-sync/core/model/diagnostic';
import { mayBeDeeper, mustNotBeDeeper, readJson } from '@platform-sync/core/model/read-json';
import { isObject, type JsonObject } from '@platform-sync/core/model/value';
import type { TypesCode } from '@platform-sync/core/generated/codes';

const mostBytes = 64_000_000;

/** A JSON or YAML file that holds an object. Throws DiagnosticError with the place of what is wrong. */
export function readDocument(file: string, shown: string): JsonObject {
  const text = textOf(file, shown).replace(/^\uFEFF/, '');
  const value = text.trimStart().startsWith('{') ? jsonOf(text, shown) : yamlOf(text, shown);
  if (!isObject(value)) throw unreadable(`${shown} holds no object.`);
  return value;
}

function textOf(file: string, shown: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = errorCode(error) ?? 'unknown reason';
    throw unreadable(`${shown} can't be read (${code}).`, 'Check the path; it is taken from the current folder');
  }
  if (text.length > mostBytes) throw unreadable(`${shown} is larger than 64 MB.`);
  return text;
}

function jsonOf(text: string, shown: string): unknown {
  try {
    return readJson(text);
  } catch (error) {
    const at = /position (\d+)/.exec(String(error))?.[1];
    const line = at === undefined ? '' : `:${text.slice(0, Number(at)).split('\n').length}`;
    throw unreadable(`${shown}${line}: ${error instanceof Error ? error.message : 'this is not JSON'}`);
  }
}

function yamlOf(text: string, shown: string): unknown {
  if (mayBeDeeper(text)) throw unreadable(`${shown} is nested too deeply.`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const [wrong] = document.errors;
  if (wrong !== undefined) {
    const { line, col } = lines.linePos(wrong.pos[0]);
    throw unreadable(`${shown}:${line}:${col}: ${wrong.message}`);
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 10_000 });
    mustNotBeDeeper(value);
    return value;
  } catch (error) {
    throw unreadable(`${shown}: ${error instanceof Error ? error.message : 'this is not YAML'}`);
  }
}

export function unreadable(summary: string, hint = 'Correct the file'): DiagnosticError {
  return refused('description-unreadable', summary, hint);
}

/** What stops a compilation: a file that can't be used. */
function refused(code: TypesCode, summary: string, hint: string): DiagnosticError {
  return new DiagnosticError([{ severity: 'error', code, summary, hint }]);
}

/** What a rules file says and nothing fits. */
export function wrongCorrection(summary: string, hint = 'Correct the rules file'): Diagnostic {
  return { severity: 'error', code: 'wrong-correction' satisfies TypesCode, summary, hint };
}
