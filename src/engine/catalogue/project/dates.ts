import { isDate } from '@platform-sync/core/model/drift';
import type { SourceRange } from '@platform-sync/core/model/place-in-file';
import type { BuildContext } from '../read/build-context.js';

/** The `until` of an item, a day that exists. */
export function realDate(text: string | undefined, at: SourceRange, { problems }: BuildContext): string | undefined {
  if (text !== undefined && !isDate(text))
    problems.add('bad-setting', at, `"${text}" is not a date.`, { hint: 'until: 2030-01-31' });
  return text;
}
