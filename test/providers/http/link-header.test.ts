import { describe, expect, it } from 'vitest';
import { nextLink } from '@platform-sync/rest/paging';

describe('the next page in a header Link', () => {
  it.each<[string, string | readonly string[] | undefined, string | undefined]>([
    ['no header', undefined, undefined],
    ['nothing in it', '', undefined],
    ['one link', '<https://a.example.com/x?page=2>; rel="next"', 'https://a.example.com/x?page=2'],
    ['without quotes, without spaces', '</x?page=2>;rel=next', '/x?page=2'],
    ['among others', '</x?p=1>; rel="prev", </x?p=3>; rel="next", </x?p=9>; rel=last', '/x?p=3'],
    ['as one of several relations', '</x?p=3>; rel="last next"', '/x?p=3'],
    ['in capitals', '</x?p=3>; REL="Next"', '/x?p=3'],
    ['after other parameters with signs in them', '</x?p=3>; title="a, <b>; rel=prev"; rel="next"', '/x?p=3'],
    ['with commas in the address', '</x?p=1,2>; rel="next"', '/x?p=1,2'],
    ['several headers', ['</x?p=1>; rel="prev"', '</x?p=3>; rel="next"'], '/x?p=3'],
    ['other relations', '</x?p=3>; rel="nextish", </x?p=4>; rev="next"', undefined],
    ['no relation', '</x?p=3>', undefined],
    ['no link', 'next', undefined],
    ['the first of two', '</x?p=3>; rel=next, </x?p=4>; rel=next', '/x?p=3'],
  ])('%s', (_, header, expected) => {
    expect(nextLink(header)).toBe(expected);
  });

  it('is found or not in a long header without delay', () => {
    expect(nextLink(`${'<a>; '.repeat(20_000)}x`)).toBeUndefined();
    expect(nextLink(`<${';rel="'.repeat(20_000)}`)).toBeUndefined();
  });
});
