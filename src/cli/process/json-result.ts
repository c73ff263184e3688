import { parsedJson } from '@platform-sync/core/model/read-json';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { defined, type Json } from '@platform-sync/core/model/value';
import { sortDiagnostics } from '@platform-sync/report/words/diagnostics';
import { jsonText } from '@platform-sync/report/words/json-text';
import type { ExitCode } from './exit-code.js';
import type { Host } from './host.js';
import { diagnosticsOf, unexpected } from './known-error.js';
import { UsageError } from './usage-error.js';

/**
 * For commands that have no JSON form of their own: what they print becomes a member of one document,
 * `{ok, exitCode, result, diagnostics}`. `result` is what the command gives for programs, else what it printed: as JSON where it is
 * that, else as text. Nobody is asked anything meanwhile.
 */
export function jsonResult(host: Host): { readonly host: Host; readonly print: (code: ExitCode) => void } {
  const heard = new Set<Diagnostic>();
  let [out, err]: [string, string] = ['', ''];
  let given: unknown;
  return {
    host: {
      ...host,
      ...{ interactive: false, outIsTerminal: false },
      out: (text) => void (out += text),
      err: (text) => {
        err += text;
        host.err(text);
      },
      problems: (found) => {
        found.forEach((each) => heard.add(each));
        host.problems?.(found);
      },
      result: (value) => void (given = value),
    },
    print: (code) => {
      const diagnostics = heard.size > 0 || code === 0 ? [...heard] : [lastWords(err)];
      const result = given === undefined ? printed(out) : given;
      host.out(
        jsonText({
          ...{ ok: code === 0, exitCode: code, result },
          diagnostics: sortDiagnostics(diagnostics),
        }),
      );
    },
  };
}

function printed(text: string): Json {
  try {
    return parsedJson(text);
  } catch {
    return text.trimEnd();
  }
}

/** Of a command that told people, and nobody else, why it ended. */
function lastWords(text: string): Diagnostic {
  const summary = text.trim().split('\n')[0] ?? '';
  return { severity: 'error', code: 'command-failed', summary: summary === '' ? 'The command failed.' : summary };
}

/** What stands on stdout in place of a result: `{ok: false, diagnostics}`, each with code, summary, and place and hint where known. */
export function problemsJson(diagnostics: readonly Diagnostic[]): string {
  return jsonText({ ok: false, diagnostics: sortDiagnostics(diagnostics) });
}

/** The same on one line, where each line is an object. */
function problemsLine(diagnostics: readonly Diagnostic[]): string {
  return `${JSON.stringify({ ok: false, diagnostics: sortDiagnostics(diagnostics) })}\n`;
}

/**
 * Where a program asked for JSON, stdout is never empty: what ended a command without a result is printed as one.
 *
 * @returns the host to run with, and what to call when the command is over, with what it threw
 */
export function jsonWhateverHappens(
  argv: readonly string[],
  host: Host,
): { readonly host: Host; readonly ended: (error?: unknown) => void } {
  const form = jsonForm(argv);
  if (form === undefined) return { host, ended: () => undefined };
  const heard = new Set<Diagnostic>();
  let isPrinted = false;
  return {
    host: {
      ...host,
      out: (text) => {
        isPrinted ||= text !== '';
        host.out(text);
      },
      problems: (found) => found.forEach((each) => heard.add(each)),
    },
    ended: (error) => {
      const thrown = error === undefined ? [] : (usage(error) ?? diagnosticsOf(error) ?? [unexpected]);
      const all = [...heard, ...thrown];
      if (!isPrinted && all.length > 0) host.out(form === 'jsonl' ? problemsLine(all) : problemsJson(all));
    },
  };
}

export function asksForJson(argv: readonly string[]): boolean {
  return jsonForm(argv) === 'json';
}

/** One document, or one object a line; undefined: text, or a form that only people read. */
function jsonForm(argv: readonly string[]): 'json' | 'jsonl' | undefined {
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const asked = (form: string): boolean =>
    words.some((word, at) => word === `--format=${form}` || (word === '--format' && words[at + 1] === form));
  return (['json', 'jsonl'] as const).find(asked);
}

/** Of the command line, or of its parser: recognised by shape. */
function usage(error: unknown): readonly Diagnostic[] | undefined {
  if (!(error instanceof UsageError) && !(error instanceof Error && 'oclif' in error)) return undefined;
  const hint = error instanceof UsageError ? error.hint : undefined;
  const [summary = ''] = error.message.split('\n');
  return [{ severity: 'error', code: 'usage', summary, ...defined({ hint }) }];
}
