import { defined, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { Chance } from './chance.js';
import type { Answer } from './service.js';

type Items = readonly JsonObject[];

/** A wrong list out of the right one: the service, or something between, got it wrong, and says 200. */
type Wrong = (items: Items, body: JsonObject, chance: Chance) => Json;

const listed = (wrong: (items: Items, chance: Chance) => readonly Json[]): Wrong => {
  return (items, body, chance) => ({ ...body, items: wrong(items, chance) });
};
const withoutNext = ({ next: _, ...body }: JsonObject): JsonObject => body;
/** What an object is known by. */
const named = ({ id = null, name, title, mail, words, siteId, revision, createdAt }: JsonObject): JsonObject => ({
  id,
  ...defined({ name, title, mail, words, siteId, revision, createdAt }),
});
const without = (items: Items, member: string): Items =>
  items.map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => name !== member)));

/** What it is called. */
const called = ({ name, title, mail }: JsonObject = {}): JsonObject => defined({ name, title, mail });

/** By what people say of it. None agrees with its own count but for chance: against those that do, no tool can hold. */
const wrongLists: Readonly<Record<string, Wrong>> = {
  'an empty object': () => ({}),
  'an empty list': () => [],
  null: () => null,
  'an error that calls itself a success': () => ({ error: 'internal' }),
  'no items member': (_, { items: __, ...body }) => body,
  'items null': (_, body) => ({ ...body, items: null }),
  'items that are an object': (_, body) => ({ ...body, items: {} }),
  'no items': (_, body) => ({ ...withoutNext(body), items: [] }),
  'half of the items': (items, body) => ({ ...withoutNext(body), items: items.slice(0, items.length / 2) }),
  'one item less': listed((items) => items.slice(1)),
  'the last item is missing': listed((items) => items.slice(0, -1)),
  'an item twice': listed((items) => [...items, ...items.slice(0, 1)]),
  'an item in place of another': listed((items) => items.map(() => items[0] ?? null)),
  'items in another order': listed((items) => items.toReversed()),
  'items with what the next one says': listed((items) =>
    items.map((item, nth) => ({ ...items[(nth + 1) % items.length], ...named(item) })),
  ),
  'items without ids': listed((items) => without(items, 'id')),
  'items without names': listed((items) => without(without(items, 'name'), 'title')),
  'items without what they hold': listed((items) => ['note', 'weight', 'rank', 'tags'].reduce(without, items)),
  'each under the name of the next': listed((items) =>
    items.map((item, nth) => ({ ...item, ...called(items[(nth + 1) % items.length]) })),
  ),
  'items that are texts': listed((items) => items.map(({ id }) => id ?? '')),
  'an item that is null': listed((items) => [...items.slice(1), null]),
  'ids that are numbers': listed((items) => items.map((item, nth) => ({ ...item, id: nth }))),
  'names that are lists': listed((items) => items.map((item) => ({ ...item, name: [], title: [] }))),
  'fewer than it says': (items, body) => ({ ...withoutNext(body), items, total: Number(body['total']) + 3 }),
  'more than it says': (items, body) => ({ ...body, items, total: Math.max(0, items.length - 1) }),
  'a total beyond belief': (_, body) => ({ ...body, total: 1e15 }),
  'a total below zero': (_, body) => ({ ...body, total: -1 }),
  'a total that is a text': (_, body) => ({ ...body, total: 'many' }),
  'no total': (_, { total: __, ...body }) => body,
  'a next page that is the same': (items, body) => ({ ...body, next: String(items[0]?.['id'] ?? 'nothing') }),
  'a next page that is nowhere': (_, body) => ({ ...body, next: 'nowhere' }),
  'a next page that is a number': (_, body) => ({ ...body, next: 7 }),
  'no next page': (_, body) => withoutNext(body),
  'a mutated answer': (_, body, chance) => mutated(body, chance),
};

/** The same under other statuses, and what is no JSON at all. */
const wrongAnswers: Readonly<Record<string, (right: Answer) => Answer>> = {
  'the service says 404': () => ({
    ...{ status: 404, body: { status: 404, title: 'Not Found' } },
    headers: { 'content-type': 'application/problem+json' },
  }),
  'a gateway says 404': () => ({ status: 404, body: { message: 'no Route matched with those values' } }),
  'a web page says 404': () => ({ status: 404, body: '<h1>Not Found</h1>', headers: { 'content-type': 'text/html' } }),
  'an empty 404': () => ({ status: 404 }),
  'gone for good': () => ({ status: 410, body: { status: 410, title: 'Gone' } }),
  'nothing, and that is right': () => ({ status: 204 }),
  'a web page': () => ({ status: 200, body: '<html>Sign in</html>', headers: { 'content-type': 'text/html' } }),
  'a web page that calls itself JSON': () => ({
    ...{ status: 200, body: '<html>Sign in</html>' },
    headers: { 'content-type': 'application/json' },
  }),
  'JSON that is cut off': ({ status, body = null }) => {
    const text = JSON.stringify(body);
    return { status, body: text.slice(0, text.length / 2), headers: { 'content-type': 'application/json' } };
  },
  'a part of it': (right) => ({ ...right, status: 206 }),
  'a redirect': () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/sign-in' } }),
};

export const lies: readonly string[] = [...Object.keys(wrongLists), ...Object.keys(wrongAnswers)];

/** Those that look like a right list in all but what they say. */
export const likelyLies: readonly (keyof typeof wrongLists)[] = [
  'items with what the next one says',
  'items without what they hold',
  'each under the name of the next',
  'items in another order',
];

/** The answer to a list call with that lie in it. */
export function wrongAnswer(lie: string, right: Answer, chance: Chance): Answer {
  const { body = null } = right;
  const wrong = wrongLists[lie];
  if (wrong === undefined) return wrongAnswers[lie]?.(right) ?? right;
  if (!isObject(body)) return right;
  const items = Array.isArray(body['items']) ? (body['items'] as Items) : [];
  return { ...right, body: wrong(items, body, chance) };
}

/** One member somewhere in it is left out, or of another kind. */
function mutated(value: Json, chance: Chance): Json {
  const others: readonly Json[] = [null, '', 0, -1, [], {}, true, 'x'.repeat(40)];
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    if (items.length === 0 || chance.happens(200)) return chance.pick(others);
    const at = chance.between(0, items.length - 1);
    return items.map((item, nth) => (nth === at ? mutated(item, chance) : item));
  }
  if (!isObject(value) || Object.keys(value).length === 0) return chance.pick(others);
  const name = chance.pick(Object.keys(value));
  if (chance.happens(200)) return Object.fromEntries(Object.entries(value).filter(([member]) => member !== name));
  return { ...value, [name]: mutated(value[name] ?? null, chance) };
}
