import { isDate } from '../model/drift.js';
import type { SourceRange } from '../model/place-in-file.js';
import type { BuildContext } from '../catalogue/read/build-context.js';

/** The `until` of an item, a day that exists. */
export function realDate(text: string | undefined, at: SourceRange, { problems }: BuildContext): string | undefined {
  if (text !== undefined && !isDate(text))
    problems.add('bad-setting', at, `"${text}" is no date.`, { hint: 'until: 2030-01-31' });
  return text;
}
