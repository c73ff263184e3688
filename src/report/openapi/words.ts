import { visible } from '../words/escape.js';
import type { SpecChange, SpecDiff } from './change.js';
import { openApiRules, type Effect } from './rules.js';
import { count } from '../words/plural.js';

/** `GET /pets: query parameter limit became required`. Made visible, not escaped for a format. */
export function specChangeText(change: SpecChange): string {
  const { words } = openApiRules[change.rule];
  if (change.operation === undefined) return `${visible(change.subject)} ${words}`;
  const subject = change.subject === '' ? ' ' : `: ${visible(change.subject)} `;
  return `${visible(change.operation)}${subject}${words}`;
}

/** What a change does to those who call the API. */
export const effectWords: Readonly<Record<Effect, string>> = {
  breaks: 'breaks clients',
  'may-break': 'may break clients',
  safe: 'safe',
};

const effects: readonly (readonly [Effect, string])[] = [
  ['breaks', 'that breaks clients'],
  ['may-break', 'that may break clients'],
  ['safe', 'that is safe'],
];

/** `operations: 1 added, 2 removed, 1 changed; 2 changes that break clients, 1 that is safe` */
export function specSummary(diff: SpecDiff): string {
  const { added, removed, changed } = diff.operations;
  const operations = [
    [added, 'added'],
    [removed, 'removed'],
    [changed, 'changed'],
  ] as const;
  const parts = operations.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  const heads = parts.length === 0 ? [] : [`operations: ${parts.join(', ')}`];
  return [...heads, effectCounts(diff)].filter((text) => text !== '').join('; ');
}

function effectCounts(diff: SpecDiff): string {
  const found = effects
    .map(([effect, words]) => [diff.changes.filter((change) => change.effect === effect).length, words] as const)
    .filter(([number]) => number > 0)
    .map(([number, words]) => {
      const plural = words.replace('that breaks', 'that break').replace('that is', 'that are');
      return `${count(number, 'change')} ${number === 1 ? words : plural}`;
    });
  const more = diff.more === 0 ? [] : [`and ${diff.more} more`];
  return [...found, ...more].join(', ');
}

/** `breaks clients: GET /pets is removed` */
export function clientClause(change: SpecChange): string {
  return `${effectWords[change.effect]}: ${specChangeText(change)}`;
}

/** The changes that break callers, and those that may. */
export function riskyChanges(diff: SpecDiff): readonly SpecChange[] {
  return diff.changes.filter((change) => change.effect !== 'safe');
}
