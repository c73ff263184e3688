import { expect, test } from 'vitest';
import { apiSlug, documentSlug, slugify } from '@platform-sync/sandbox/slug';

test.each([
  ['Getting Started', 'getting-started'],
  ['XMLParser', 'xml-parser'],
  ['parseXML', 'parse-xml'],
  ['APIv2', 'ap-iv2'],
  ['api/v1.0/docs', 'apiv10docs'],
  ['café', 'cafe'],
  ['snake_case_name', 'snake-case-name'],
  ['  a   b--c  ', 'a-b-c'],
  ['-edge-', 'edge'],
  ['日本', ''],
])('slugify %j', (text, slug) => {
  expect(slugify(text)).toBe(slug);
});

test.each([
  ['my-test-api', '3', 'my-test-api-3'],
  ['Petstore', '1.2.3', 'petstore-1'],
  ['Petstore', 'v2.0.0-rc.1', 'petstore-2'],
  ['Petstore', '1.0', 'petstore-10'],
  ['Petstore', null, 'petstore'],
  ['日本', null, null],
])('slug of API %j version %j', (name, version, slug) => {
  expect(apiSlug(name, version)).toBe(slug);
});

test('a document always has a slug', () => {
  expect(documentSlug('日本')).toBe('untitled');
});
