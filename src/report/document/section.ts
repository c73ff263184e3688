import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { groupBy } from '@platform-sync/core/model/graph';
import type { PlanValue } from '@platform-sync/core/model/plan';
import { folded } from '../words/alike.js';
import { inline } from '../words/value.js';
import type { Item, Section, SectionId } from './document.js';

/** One section, or none where there is nothing to tell. */
export function section(
  id: SectionId,
  title: string,
  weight: Section['weight'],
  items: readonly Item[],
  more: Pick<Section, 'lead' | 'cure'> = {},
): readonly Section[] {
  if (items.length === 0) return [];
  return [{ id, title, weight, items, ...more }];
}

/** How many a section tells of. */
export function numberOf(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + (item.number ?? 1), 0);
}

/** The items of a section by the titles of their groups; one without a title where they have none. */
export function itemGroups({
  items,
}: Section): readonly (readonly [title: string | undefined, items: readonly Item[]])[] {
  return [...groupBy(items, ({ group }) => group)];
}

/** Problems as items, the same mistake in many places as one. */
export function problemItems(problems: readonly Diagnostic[]): readonly Item[] {
  return folded(problems).map(({ lead, others }) => ({ line: [lead.summary], problem: lead, alike: others }));
}

/** A value that changes: both sides, or the one there is. */
export function valueItem(name: string, old: PlanValue | undefined, now: PlanValue | undefined): Item {
  const [before, after] = [old, now].map((side) => (side === undefined ? undefined : inline(side)));
  return { line: [{ code: name }, ': ', { old: before, new: after }] };
}
