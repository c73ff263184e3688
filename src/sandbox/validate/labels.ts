import { reservedLabelPrefixes } from '../wire.js';
import { invalid } from '../problem.js';
import type { Labels } from '../store/rows.js';
import { type Check, map, nullable, text } from './checks.js';

const labelValue = text({ min: 1, max: 63, pattern: /^[a-z0-9A-Z]([a-z0-9A-Z\-._]*[a-z0-9A-Z])?$/ });

const labelKey: Check = (value, field, found) => {
  const key = String(value);
  if (key.length < 1 || key.length > 63) {
    found.push({ field, rule: 'is_label', reason: 'a label key has 1 to 63 characters', source: 'body' });
  }
  const prefix = reservedLabelPrefixes.find((reserved) => key.startsWith(reserved));
  if (prefix !== undefined) {
    found.push({ field, rule: 'is_label', reason: `a label key must not start with "${prefix}"`, source: 'body' });
  }
};

const most = 50;

/** Labels of a new object. */
export const newLabels = map(labelKey, labelValue, most);

/** Changes of labels: a null drops the key. */
export const changedLabels = map(labelKey, nullable(labelValue), most);

/** The limit holds for what is stored as well, after changes are merged in. */
export function checkLabelCount(labels: Labels, field: string): void {
  if (Object.keys(labels).length > most) {
    const reason = `${field} must have at most ${String(most)} entries`;
    throw invalid({ field, rule: 'max_items', maximum: most, reason, source: 'body' });
  }
}
