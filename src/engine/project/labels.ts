import type { Expression } from '../model/expression.js';
import type { LabelSettings } from '../model/project.js';
import type { BuildContext } from '../catalogue/read/build-context.js';
import { listItems, mapEntries, plainText, refuseUnknownKeys } from '../catalogue/read/shape.js';

/** `labels: exact`, or the block with its two settings. */
export function labelSettings(value: Expression, context: BuildContext): LabelSettings {
  if (value.kind === 'literal' && typeof value.value === 'string') return { own: ownership(value, context) };
  const entries = mapEntries(value, '"labels"', context);
  refuseUnknownKeys(entries, ['own', 'foreign'], '"labels"', context);
  const [own, foreign] = [entries.get('own')?.value, entries.get('foreign')?.value];
  const prefixes = foreign === undefined ? undefined : listItems(foreign, '"labels.foreign"', context);
  return {
    own: own === undefined ? 'keys' : ownership(own, context),
    ...(prefixes !== undefined && {
      foreign: prefixes.flatMap((item) => plainText(item, 'An item of "labels.foreign"', context) ?? []),
    }),
  };
}

function ownership(value: Expression, context: BuildContext): LabelSettings['own'] {
  const text = plainText(value, '"labels"', context);
  if (text === 'exact') return 'all';
  if (text !== undefined && text !== 'keys')
    context.problems.add('not-allowed', value.at, '"labels" must be keys or exact.');
  return 'keys';
}
