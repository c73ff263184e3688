import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Host } from './host.js';

/** Where people read: after all problems, once, the command that explains the gravest. */
export function explainingHost(
  host: Host,
  isQuiet: boolean,
): { readonly host: Host; readonly ended: (error?: unknown) => Promise<void> } {
  const heard: Diagnostic[] = [];
  return {
    host: {
      ...host,
      problems: (found) => {
        heard.push(...found);
        host.problems?.(found);
      },
    },
    ended: async (error) => {
      if (heard.length === 0 && error === undefined) return;
      const [{ diagnosticsOf }, { sortDiagnostics }, { explanations }] = await Promise.all([
        import('./known-error.js'),
        import('@platform-sync/report/words/diagnostics'),
        import('../generated/explanations.js'),
      ]);
      const told = sortDiagnostics([...heard, ...(diagnosticsOf(error) ?? [])]);
      const gravest = (isQuiet ? ['error'] : ['error', 'warning'])
        .map((wanted) => told.find(({ severity }) => severity === wanted))
        .find((found) => found !== undefined);
      if (gravest === undefined) return;
      if (explanations.has(gravest.code)) host.err(`What it means: sync explain ${gravest.code}\n`);
    },
  };
}
