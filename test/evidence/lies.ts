import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { type PlatformAnswer, json } from '../harness/lying-platform.js';

/** A wrong answer to a list call, made out of the right one. */
export type ListLie = (right: { readonly meta?: Json; readonly data: readonly JsonObject[] }) => PlatformAnswer;

const counted = (data: readonly Json[], total: Json): Json => ({
  meta: { page: { number: 1, size: 100, total } },
  data,
});
const half = (data: readonly JsonObject[]): readonly JsonObject[] => data.slice(0, Math.floor(data.length / 2));
const problem = (status: number, title: string): PlatformAnswer => ({
  ...json({ status, title, instance: 'trace:1' }, status),
  type: 'application/problem+json',
});

export const lies: Readonly<Record<string, ListLie>> = {
  '{}': () => json({}),
  '[]': () => json([]),
  null: () => json(null),
  'an error that calls itself a success': () => json({ error: 'internal' }),
  'data null': () => json({ data: null }),
  'data that is an object': ({ meta = null }) => json({ meta, data: {} }),
  'no items': ({ data }) => json(counted([], data.length)),
  'half of the items': ({ data }) => json(counted(half(data), data.length)),
  'more items than it says': ({ data }) => json(counted(data, data.length - 1)),
  'items without ids': ({ data }) =>
    json(
      counted(
        data.map(({ id: _, ...rest }) => rest),
        data.length,
      ),
    ),
  'items with other ids': ({ data }) =>
    json(
      counted(
        data.map((item) => ({ ...item, id: `other-${String(item['id'])}` })),
        data.length,
      ),
    ),
  'the same page for ever': ({ data }) => json(counted(data, 900)),
  'a total beyond belief': ({ data }) => json(counted(data, 1e15)),
  'no total': ({ data }) => json({ data }),
  'the platform says 404': () => problem(404, 'Not Found'),
  'a gateway says 404': () => json({ message: 'no Route matched with those values' }, 404),
  'a web page says 404': () => ({ status: 404, type: 'text/html', text: '<h1>Not Found</h1>' }),
  'an empty 404': () => ({ status: 404, type: '', text: '' }),
  '410': () => problem(410, 'Gone'),
  'a web page': () => ({ status: 200, type: 'text/html', text: '<html>Sign in</html>' }),
  'JSON that is cut off': ({ data }) => {
    const { text } = json({ data });
    return { status: 200, type: 'application/json', text: text.slice(0, text.length / 2) };
  },
  'JSON without a content type': ({ data }) => ({ ...json(counted(data, data.length)), type: '' }),
};
