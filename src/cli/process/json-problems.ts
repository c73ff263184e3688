import { defined } from '@platform-sync/core/model/defined';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { sortDiagnostics } from '@platform-sync/report/words/diagnostics';
import { jsonText } from '@platform-sync/report/words/json-text';
import { diagnosticsOf, unexpected } from './known-error.js';
import type { Host } from './host.js';
import { UsageError } from './usage-error.js';

/** What stands on stdout in place of a result: `{ok: false, diagnostics}`, each with code, summary, and place and hint where known. */
export function problemsJson(diagnostics: readonly Diagnostic[]): string {
  return jsonText({ ok: false, diagnostics: sortDiagnostics(diagnostics) });
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
  if (!asksForJson(argv)) return { host, ended: () => undefined };
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
      if (!isPrinted && all.length > 0) host.out(problemsJson(all));
    },
  };
}

export function asksForJson(argv: readonly string[]): boolean {
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  return words.some((word, at) => word === '--format=json' || (word === '--format' && words[at + 1] === 'json'));
}

/** Of the command line, or of its parser: recognised by shape. */
function usage(error: unknown): readonly Diagnostic[] | undefined {
  if (!(error instanceof UsageError) && !(error instanceof Error && 'oclif' in error)) return undefined;
  const hint = error instanceof UsageError ? error.hint : undefined;
  const [summary = ''] = error.message.split('\n');
  return [{ severity: 'error', code: 'usage', summary, ...defined({ hint }) }];
}
