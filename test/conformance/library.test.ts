import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkConformance } from '@platform-sync/kit/index';
import { libraryCases } from '../kit/library-cases.js';
import { libraryPackage, libraryTypes } from '../kit/library-provider.js';
import { LibraryService } from '../kit/library-service.js';
import { partOf } from '../harness/part-of-table.js';

let service: LibraryService;
beforeAll(async () => {
  service = await LibraryService.start();
});
beforeEach(() => service.reset());
afterAll(() => service.close());

it('its types come out of its description, and nothing about them is left open', () => {
  expect(libraryTypes.open).toEqual([]);
  expect(libraryTypes.types.definitions.map(({ name }) => `library:${name}`).sort()).toEqual(
    libraryCases.map(({ type }) => type).sort(),
  );
});

describe('a provider of another service, written with the kit', () => {
  it.each(partOf(libraryCases, 2))('$type keeps to what its service says', async (row) => {
    expect(
      await checkConformance({ package: libraryPackage(), service, cases: libraryCases, types: [row.type] }),
    ).toEqual([]);
  });
});
