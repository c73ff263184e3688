import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import { ProviderError } from '@platform-sync/core/model/provider';
import { LeaseHeldError, LeaseLostError, StateStoreError } from '@platform-sync/core/model/state-store';
import { diagnosticsText, hintText } from '@platform-sync/report/text/diagnostics';
import { visible } from '@platform-sync/report/words/escape';
import type { Style } from '@platform-sync/report/text/style';
import { exitCode, withoutPlan, type ExitCode } from './exit-code.js';
import type { Host } from './host.js';
import { bugMessage, systemMessage } from './last-words.js';
import { UsageError } from './usage-error.js';

/** Prints what was thrown and gives its code. Only a bug speaks of itself as one. */
export function reportFailure(error: unknown, host: Host, style: Style): ExitCode {
  if (error instanceof UsageError) return tell(host, style, 64, error.message, error.hint);
  const usage = usageMessage(error);
  if (usage !== undefined) return tell(host, style, 64, usage);
  if (error instanceof DiagnosticError || error instanceof ProviderError) {
    host.err(diagnosticsText(error.diagnostics, style));
    return exitCode(withoutPlan(error.diagnostics));
  }
  if (error instanceof StateStoreError) return tell(host, style, 1, `state: ${error.message}`, error.hint);
  if (error instanceof LeaseHeldError) return tell(host, style, 1, ...leaseHeld(error));
  if (error instanceof LeaseLostError) {
    return tell(host, style, 1, `${error.message}: another run took over`, 'What is left to do: sync plan');
  }
  const system = systemMessage(error);
  return system === undefined ? bug(error, host, style) : tell(host, style, 1, system);
}

function tell(host: Host, style: Style, code: ExitCode, message: string, hint?: string): ExitCode {
  const lines = message.split('\n').map(visible).join('\n  ');
  host.err(`${style.bold(style.red('error:'))} ${lines}\n`);
  if (hint !== undefined)
    host.err(
      hintText(hint, style)
        .map((line) => `  ${line}\n`)
        .join(''),
    );
  return code;
}

function leaseHeld(error: LeaseHeldError): [string, string] {
  const { id, owner, purpose, since, seen } = error.holder;
  return [
    `the stack is locked by ${owner} for ${purpose} since ${since} (last sign of life ${seen})`,
    `Wait with --lock-timeout 5m. If that run is dead: sync state unlock ${id}`,
  ];
}

/** Errors of the flag parser; recognised by shape, because help and commands may each bundle their own copy. */
function usageMessage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('oclif' in error)) return undefined;
  return error.message.replace(/\n?See more help with --help/, '\nSee --help.');
}

function bug(error: unknown, host: Host, style: Style): ExitCode {
  host.err(`${style.bold(style.red('bug:'))} ${visible(bugMessage(error))}\n`);
  if (host.env['SYNC_DEBUG'] === '1' && error instanceof Error) host.err(`${error.stack ?? ''}\n`);
  return 1;
}
