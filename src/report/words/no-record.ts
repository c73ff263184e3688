import type { Diagnostic } from '@platform-sync/core/model/diagnostic';

/** What is said before all else: without any record, nothing below it rests on what was. */
export function noRecordOf(found: readonly Diagnostic[]): Diagnostic | undefined {
  return found.find(({ code }) => code === 'no-record');
}

/** What is said on top: nobody may write, or nothing is recorded. */
export function saidFirst(found: readonly Diagnostic[]): readonly Diagnostic[] {
  return found.filter(({ code }) => firstCodes.has(code));
}

/** What is left to say in its own place. */
export function besidesFirst(found: readonly Diagnostic[]): readonly Diagnostic[] {
  return found.filter(({ code }) => !firstCodes.has(code));
}

const firstCodes: ReadonlySet<string> = new Set(['state-frozen', 'no-record']);

/** Records what exists; it changes nothing on the platform. */
export const adoptCommand = 'sync adopt';
