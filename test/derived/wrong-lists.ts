import { type Json, type JsonObject, isObject } from '@platform-sync/core/model/value';
import { randomSource, shuffled } from '@platform-sync/sandbox/store/shuffle';
import type { Lie, PlatformAnswer } from '../harness/lying-platform.js';

/** What is shown in place of the items of a page; `nth`: how often this path was asked for before. */
type Wrong = (items: readonly JsonObject[], nth: number) => readonly JsonObject[];

function listIn(body: Json): readonly [member: string | undefined, items: readonly JsonObject[]] | undefined {
  const isItems = (value: Json): value is readonly JsonObject[] => Array.isArray(value) && value.every(isObject);
  if (isItems(body)) return [undefined, body];
  if (!isObject(body)) return undefined;
  for (const member of ['data', 'items']) {
    const items = body[member];
    if (items !== undefined && isItems(items)) return [member, items];
  }
  return undefined;
}

/** A lie about every list, and about nothing else. */
function about(wrong: Wrong): () => Lie {
  return () => {
    const asked = new Map<string, number>();
    return (path, _query, right): PlatformAnswer | undefined => {
      const body = right.status === 200 ? (JSON.parse(right.text) as Json) : null;
      const found = listIn(body);
      if (found === undefined) return undefined;
      const nth = asked.get(path) ?? 0;
      asked.set(path, nth + 1);
      const [member, items] = found;
      const shown = wrong(items, nth);
      const text = JSON.stringify(member === undefined ? shown : { ...(body as JsonObject), [member]: shown });
      return { ...right, text };
    };
  };
}

const random = randomSource(17);
const mix = (items: readonly JsonObject[]): readonly JsonObject[] => shuffled(items, random);

/** Lists in any order are right. */
export const inAnyOrder = about(mix);

export const wrongLists: Readonly<Record<string, () => Lie>> = {
  'leave out their first item': about((items) => items.slice(1)),
  'leave out their last item when asked for the first time': about((items, nth) =>
    nth === 0 ? items.slice(0, -1) : items,
  ),
  'are empty': about(() => []),
  'repeat an item': about((items) => [...items, ...items.slice(0, 1)]),
  'show another order and other objects on each page': about((items, nth) =>
    nth % 2 === 0 ? mix(items).slice(1) : [...items.slice(0, 1), ...mix(items)],
  ),
  'are cut off': () => (_path, _query, right) =>
    listIn(right.status === 200 ? (JSON.parse(right.text) as Json) : null) === undefined
      ? undefined
      : { ...right, text: right.text.slice(0, right.text.length / 2) },
};
