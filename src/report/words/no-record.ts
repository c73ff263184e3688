import type { Diagnostic } from '@platform-sync/core/model/diagnostic';

/** What is said before all else: without any record, nothing below it rests on what was. */
export function noRecordOf(found: readonly Diagnostic[]): Diagnostic | undefined {
  return found.find(({ code }) => code === 'no-record');
}

/** What is left to say in its own place. */
export function besidesNoRecord(found: readonly Diagnostic[]): readonly Diagnostic[] {
  return found.filter(({ code }) => code !== 'no-record');
}

/** Records what exists; it changes nothing on the platform. */
export const adoptCommand = 'sync adopt';
