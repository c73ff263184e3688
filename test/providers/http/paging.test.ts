import { expect, test } from 'vitest';
import type { Json } from '@platform-sync/core/model/value';
import { readPage } from '@platform-sync/rest/http/page';
import { BadAnswer } from '@platform-sync/rest/http/json';

const counted = { items: 'data', total: ['meta', 'page', 'total'], counted: true };
const uncounted = { ...counted, counted: false };
const item = { id: 'i1' };
const said = (total: Json): Json => ({ meta: { page: { number: 1, size: 100, total } }, data: [item] });

test.each<[string, Json, number | undefined]>([
  ['a number', said(250), 250],
  ['a number as text', said('11'), 11],
  ['none', { meta: { page: { total: 0 } }, data: [] }, 0],
])('a page that says %s', (_, body, total) => {
  expect(readPage(body, counted)).toMatchObject({ total });
});

test('where a family may leave the number out, a page without one is a page', () => {
  expect(readPage({ data: [item] }, uncounted)).toEqual({ items: [item] });
  expect(readPage({ meta: null, data: [item] }, uncounted)).toEqual({ items: [item] });
  expect(readPage({ data: [item] }, counted)).toBeInstanceOf(BadAnswer);
});

test.each<[string, Json | undefined]>([
  ['nothing', undefined],
  ['null', null],
  ['an empty object', {}],
  ['a list', [item]],
  ['an error', { error: 'x' }],
  ['data null', { meta: {}, data: null }],
  ['data that is an object', { meta: { page: { total: 1 } }, data: item }],
  ['data of a member that every object has', JSON.parse('{"__proto__":{"data":[{"id":"i1"}]}}') as Json],
  ['an item that is none', { meta: { page: { total: 1 } }, data: ['i1'] }],
  ['an item without id', { meta: { page: { total: 1 } }, data: [{}] }],
  ['an item with an empty id', { meta: { page: { total: 1 } }, data: [{ id: '' }] }],
  ['an item whose id is a number', { meta: { page: { total: 1 } }, data: [{ id: 1 }] }],
  ['a negative number of items', said(-1)],
  ['half an item', said(1.5)],
  ['more items than any collection has', said(1e15)],
  ['a word for the number of items', said('many')],
  ['a list for the number of items', said([1])],
])('no page: %s', (_, body) => {
  expect(readPage(body, uncounted)).toBeInstanceOf(BadAnswer);
});
