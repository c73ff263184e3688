import { isOutputFailure, tellPlainly } from './output.js';

/** What Node warns of that people must know; all else that libraries say of themselves is for those who debug. */
const matters = /\bTLS\b|certs? from/;

/** What happens outside of every command's reach is told in one line, too: no stack, no source, no warnings of libraries. */
export function keepLastWordsShort(env: Readonly<Record<string, string | undefined>>): void {
  const isDebugging = env['SYNC_DEBUG'] === '1';
  if (isDebugging) return;
  process.removeAllListeners('warning');
  process.on('warning', ({ message }) => {
    if (matters.test(message)) tellPlainly(`warning: ${firstLine(message)}`);
  });
  process.on('uncaughtException', (error) => {
    if (isOutputFailure(error)) return;
    const system = systemMessage(error);
    tellPlainly(system === undefined ? `bug: ${bugMessage(firstLine(wordsOf(error)))}` : `error: ${firstLine(system)}`);
    process.exit(1);
  });
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function firstLine(text: string): string {
  // Control characters would reach the terminal as they are.
  return (text.split('\n')[0] ?? '').replaceAll(/\p{Cc}/gu, ' ').slice(0, 300);
}

/** What the system, or the engine of the language, refuses is no bug of ours: its words, with a code. Undefined for a bug. */
export function systemMessage(error: unknown): string | undefined {
  if (error instanceof RangeError && error.message.includes('call stack'))
    return 'nested-too-deep: a file or an answer is nested deeper than can be followed';
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  return `system-error: ${error.message}`;
}

/** Whatever else was thrown, by us or by a library. */
export function bugMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `run-failed: ${message.replace(/^bug: /, '')}, please report; set SYNC_DEBUG=1 for the stack`;
}
