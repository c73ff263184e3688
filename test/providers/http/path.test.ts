import { expect, test } from 'vitest';
import { fillPath, PathValueError, withQuery } from '@platform-sync/rest/http/path';

test.each([
  ['plain', 'a-b', '/v3/apis/a-b/x'],
  ['a slash', 'a/b', '/v3/apis/a%2Fb/x'],
  ['a query in disguise', 'a?force=true', '/v3/apis/a%3Fforce%3Dtrue/x'],
  ['letters beyond ASCII', 'é', '/v3/apis/%C3%A9/x'],
])('fills in %s', (_, id, path) => {
  expect(fillPath('/v3/apis/{id}/x', { id })).toBe(path);
});

test.each([['', '.', '..', undefined]].flat())('refuses %j: it would address something else', (id) => {
  expect(() => fillPath('/v3/apis/{id}', { id })).toThrow(PathValueError);
});

test('encodes names and values of a query', () => {
  expect(withQuery('/x', [])).toBe('/x');
  expect(withQuery('/x', [['filter[name][eq]', 'a b&c=+é']])).toBe('/x?filter%5Bname%5D%5Beq%5D=a%20b%26c%3D%2B%C3%A9');
});
