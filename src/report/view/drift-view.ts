import { defined } from '@platform-sync/core/model/defined';
import type { Finding } from '@platform-sync/core/model/drift';
import { fieldView, type FieldView } from './field-view.js';
import { readJsonText } from '../diff/structured-text.js';

/** Both values of a finding, laid out; none for one that is about a whole object, or has no value to show. */
export function findingView({ field, old, new: now }: Finding): FieldView | undefined {
  if (field === undefined || (old === undefined && now === undefined)) return undefined;
  const sides = defined({ old, new: now });
  // As a deletion, so that nothing is said about what an update would do.
  return fieldView({ field, rule: 'update', cause: 'config', ...sides }, 'delete', readJsonText);
}
