import type { Redactor } from '@platform-sync/core/model/redactor';

/** One line of bearable length without secrets or control characters: the text comes from elsewhere. */
export function oneLine(redactor: Redactor, text: string): string {
  const line = redactor
    .text(text)
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ')
    .trim();
  return line.length > 400 ? `${line.slice(0, 400)}…` : line;
}
