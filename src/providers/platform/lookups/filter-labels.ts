import type { Json } from '@platform-sync/core/model/value';
import { problem } from '../errors.js';
import { refused, type ArgumentQuery } from './filter.js';

/** `team:payments,critical` → the wire's `labels`: items `key:value` or `key` (the label exists) between commas. */
export function filterLabelsQuery(value: Json): ArgumentQuery {
  const wellFormed =
    typeof value === 'string' && value.split(',').every((item) => /^\s*[^:\s][^:]*(:[^:]*[^:\s])?\s*$/.test(item));
  if (wellFormed) return { query: [['labels', value]], problems: [] };
  const summary = 'filterLabels must be text with items key:value or key between commas.';
  return refused(
    problem('invalid-argument', summary, { field: 'filterLabels', hint: 'For example team:payments,critical.' }),
  );
}
