import { describe, expect, it } from 'vitest';
import { importIdForm, parseImportId } from '@platform-sync/engine/plan/matching';
import { typeOf } from './made-up-types.js';

const problemOf = (type: string, text: string): string => {
  const read = parseImportId(typeOf(type), text);
  return 'problem' in read ? read.problem.summary : JSON.stringify(read.identity);
};

describe('an import id', () => {
  it.each<[string, string, string]>([
    ['Shelf', 'x', '{"id":"x","scope":{}}'],
    ['Shelf', '  x ', '{"id":"x","scope":{}}'],
    ['Shelf', 'x{', '{"id":"x{","scope":{}}'],
    ['Book', '{"shelf_id":"s","id":"b"}', '{"id":"b","scope":{"shelfId":"s"}}'],
    ['Page', '{"id":"p","book_id":"b","shelf_id":"s"}', '{"id":"p","scope":{"shelfId":"s","bookId":"b"}}'],
    ['Shelf', '  ', 'This is not an import id of an Shelf: the id of an Shelf is a plain string.'],
    ['Shelf', ' {"id":"x"}', 'This is not an import id of an Shelf: the id of an Shelf is a plain string.'],
    ['Book', 'x', 'This is not an import id of an Book: the id is not JSON.'],
    ...['null', '[]', '"x"', '1'].map((text): [string, string, string] => [
      ...(['Book', text, 'This is not an import id of an Book: the id is JSON, but not an object.'] as const),
    ]),
    ['Book', '{"shelf_id":"s","id":"b","x":1}', 'This is not an import id of an Book: it has an unknown key "x".'],
    ['Book', '{"shelf_id":"s"}', 'This is not an import id of an Book: "id" must be a string that is not empty.'],
    [
      'Book',
      '{"shelf_id":"","id":"b"}',
      'This is not an import id of an Book: "shelf_id" must be a string that is not empty.',
    ],
    [
      'Book',
      '{"shelf_id":1,"id":"b"}',
      'This is not an import id of an Book: "shelf_id" must be a string that is not empty.',
    ],
  ])('of a %s, %s: %s', (type, text, expected) => {
    expect(problemOf(type, text)).toBe(expected);
  });

  it('that is none says how one looks', () => {
    expect(importIdForm(typeOf('Shelf'))).toBe('ID');
    expect(importIdForm(typeOf('Page'))).toBe('{"shelf_id":"…","book_id":"…","id":"…"}');
    expect(parseImportId(typeOf('Book'), 'x')).toMatchObject({
      problem: { severity: 'error', code: 'bad-import-id', hint: 'The form is: {"shelf_id":"…","id":"…"}' },
    });
  });

  it('of a place that can only be a uuid is refused before it is asked for', () => {
    const book = typeOf('Book');
    const shelfId = {
      ...book.fields['shelfId'],
      schema: { type: 'string', format: 'uuid' },
    } as (typeof book.fields)[string];
    const type = { ...book, fields: { ...book.fields, shelfId } };
    const uuid = '11111111-1111-4111-8111-111111111111';
    expect(parseImportId(type, `{"shelf_id":"${uuid}","id":"b"}`)).toEqual({
      identity: { id: 'b', scope: { shelfId: uuid } },
    });
    expect(parseImportId(type, '{"shelf_id":"novels","id":"b"}')).toMatchObject({
      problem: { summary: 'This is not an import id of an Book: "novels" is no shelfId, which is a uuid.' },
    });
  });
});
