import type { Diagnostic } from '../../engine/model/diagnostic.js';
import { sortDiagnostics } from '../../report/words/diagnostics.js';
import { jsonText } from '../../report/words/json-text.js';
import { diagnosticsOf, unexpected } from './known-error.js';
import type { Surroundings } from './surroundings.js';
import { UsageError } from './usage-error.js';

/** What stands on stdout in place of a result: `{ok: false, diagnostics}`, each with code, summary, and place and hint where known. */
export function problemsJson(diagnostics: readonly Diagnostic[]): string {
  return jsonText({ ok: false, diagnostics: sortDiagnostics(diagnostics) });
}

/**
 * Where a program asked for JSON, stdout is never empty: what ended a command without a result is printed as one.
 *
 * @returns the surroundings to run with, and what to call when the command is over, with what it threw
 */
export function jsonWhateverHappens(
  argv: readonly string[],
  around: Surroundings,
): { readonly around: Surroundings; readonly ended: (error?: unknown) => void } {
  if (!asksForJson(argv)) return { around, ended: () => undefined };
  const heard = new Set<Diagnostic>();
  let isPrinted = false;
  return {
    around: {
      ...around,
      out: (text) => {
        isPrinted ||= text !== '';
        around.out(text);
      },
      problems: (found) => found.forEach((each) => heard.add(each)),
    },
    ended: (error) => {
      const thrown = error === undefined ? [] : (usage(error) ?? diagnosticsOf(error) ?? [unexpected]);
      const all = [...heard, ...thrown];
      if (!isPrinted && all.length > 0) around.out(problemsJson(all));
    },
  };
}

function asksForJson(argv: readonly string[]): boolean {
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  return words.some((word, at) => word === '--format=json' || (word === '--format' && words[at + 1] === 'json'));
}

/** Of the command line, or of its parser: recognised by shape. */
function usage(error: unknown): readonly Diagnostic[] | undefined {
  if (!(error instanceof UsageError) && !(error instanceof Error && 'oclif' in error)) return undefined;
  const hint = error instanceof UsageError ? error.hint : undefined;
  const [summary = ''] = error.message.split('\n');
  return [{ severity: 'error', code: 'usage', summary, ...(hint === undefined ? {} : { hint }) }];
}
