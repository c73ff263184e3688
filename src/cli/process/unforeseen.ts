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
