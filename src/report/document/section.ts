import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { groupBy } from '@platform-sync/core/model/graph';
import type { PlanValue, Unmanaged } from '@platform-sync/core/model/plan';
import { folded, someOf } from '../words/alike.js';
import { placeText, saidFirst } from '../words/diagnostics.js';
import { inline, typeName } from '../words/value.js';
import type { Document, Fact, Item, Line, Section, SectionId, Span } from './document.js';
import { visible } from '../words/escape.js';

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

/** The parts of a document that has nothing to say there. */
export const untold = { facts: [], sections: [], next: [], source: [], made: [] } satisfies Partial<Document>;

/** What is wrong: errors by places, then warnings. Where there is no room for all, errors are those that are told. */
export const problemSection = (problems: readonly Diagnostic[]): readonly Section[] => {
  const isError = ({ severity }: Diagnostic): boolean => severity === 'error';
  const ordered = [...problems.filter(isError), ...problems.filter((one) => !isError(one))];
  return section('problems', 'Problems', 'grave', problemItems(ordered));
};

/** What was not read. */
export const notComparedSection = (items: readonly Item[]): readonly Section[] =>
  section('not-compared', 'Not compared', 'grave', items, {
    lead: 'These could not be read, so nothing is claimed about them.',
  });

/** How many objects there are that nobody manages, by type and by what they live in. */
export function strangerSection(
  unmanaged: readonly Unmanaged[],
  title = 'Neither in the catalogue nor in state',
): readonly Section[] {
  const items = unmanaged.map(({ type, under, count }): Item => {
    const where = under === undefined ? [] : [' under ', { code: under }];
    return { line: [`${Number(count)} `, { type: typeName(type) }, ...where] };
  });
  return section('unmanaged', title, 'aside', items);
}

/** What has to be known before anything else is read. */
export const firstFacts = (found: readonly Diagnostic[]): readonly Fact[] =>
  saidFirst(found).map((problem) => ({ weight: 'warning', line: [problem.summary], problem }));

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

const shownNames = 10;

/** A line as plain text, visible. */
export function lineText(line: Line): string {
  return line.map(spanText).join('');
}

function spanText(span: Span): string {
  if (typeof span === 'string') return visible(span);
  if ('names' in span) {
    const names = span.names.map(({ address }) => visible(address));
    return span.such === true ? (names[0] ?? '') : someOf(names, shownNames);
  }
  if ('place' in span) return placeText(span.place);
  if ('old' in span) return `${span.old ?? '(none)'} → ${span.new ?? '(none)'}`;
  return visible(Object.values(span).join(''));
}
