import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apiSlug, slugify } from '@platform-sync/platform/hooks/plan-hooks';

describe('slugify', () => {
  const table: readonly (readonly [string, string])[] = [
    ['My API Document', 'my-api-document'],
    ['XMLParser', 'xml-parser'],
    ['parseXML', 'parse-xml'],
    ['APIv2', 'ap-iv2'],
    ['api/v1.0/docs', 'apiv10docs'],
    ['café', 'cafe'],
    ['ﬁle №1', 'file-no1'],
    ['snake_case_title', 'snake-case-title'],
    ['  spaces\tand\nlines  ', 'spaces-and-lines'],
    ['a -- b', 'a-b'],
    ['-edge-', 'edge'],
    ['100% sure?', '100-sure'],
    ['日本語', ''],
    ['', ''],
  ];
  test.each(table)('%j → %j', (text, slug) => {
    expect(slugify(text)).toBe(slug);
  });

  test('plain words take a short way to the same slug: behind an accent they go the long one', () => {
    const words = fc.stringMatching(/^[A-Z]?[a-z0-9]+(?: [A-Z]?[a-z0-9]+)*$/);
    fc.assert(
      fc.property(words, (text) => {
        expect(`${slugify(text)}-e`).toBe(slugify(`${text} \u00e9`));
      }),
    );
  });
});

describe("an API's slug", () => {
  const table: readonly (readonly [string, string | undefined, string])[] = [
    ['my-test-api', '3', 'my-test-api-3'],
    ['my-test-api', undefined, 'my-test-api'],
    ['Petstore', '1.4.2', 'petstore-1'],
    ['Petstore', 'v2.0.0', 'petstore-2'],
    ['Petstore', '3.0.0-beta.1+build', 'petstore-3'],
    ['Petstore', '1.0', 'petstore-10'],
    ['Petstore', '2026-01', 'petstore-2026-01'],
  ];
  test.each(table)('%s %s → %s', (name, version, slug) => {
    expect(apiSlug(name, version)).toBe(slug);
  });
});
