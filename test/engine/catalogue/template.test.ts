import { describe, expect, it } from 'vitest';
import { parseReference, splitTemplate } from '@platform-sync/catalogue/read/template-text';

describe('splitTemplate', () => {
  it.each([
    ['plain', ['plain']],
    ['', ['']],
    ['${a.b}', [{ reference: 'a.b' }]],
    ['x ${a.b} y', ['x ', { reference: 'a.b' }, ' y']],
    ['${a}${b}', [{ reference: 'a' }, { reference: 'b' }]],
    ['$${a}', ['${a}']],
    ['$$${a}', ['$${a}']],
    ['$${a} ${b}', ['${a} ', { reference: 'b' }]],
    ['${a}$${b}', [{ reference: 'a' }, '${b}']],
    ['cost: $5 {x}', ['cost: $5 {x}']],
    ['${a["}"]}', [{ reference: 'a["}"]' }]],
  ])('%s', (text, parts) => {
    expect(splitTemplate(text)).toEqual(parts);
  });

  it.each(['${', 'a ${b', '${a\n}', '${a} ${'])('%j is never closed', (text) => {
    expect(splitTemplate(text)).toBeUndefined();
  });
});

describe('parseReference', () => {
  it.each([
    ['petstore.id', 'petstore', ['id']],
    ['petstore/guide.id', 'petstore/guide', ['id']],
    [' petstore.id ', 'petstore', ['id']],
    ['a.b[0].c', 'a', ['b', 0, 'c']],
    ['a[0][1]', 'a', [0, 1]],
    ['a["x.y"].z', 'a', ['x.y', 'z']],
    ['a["say \\"hi\\""]', 'a', ['say "hi"']],
    ['a', 'a', []],
    ['pay-ments_2/v1.owner-name', 'pay-ments_2/v1', ['owner-name']],
  ])('%s', (text, target, path) => {
    expect(parseReference(text)).toEqual({ target, path });
  });

  it.each(['', '.', 'a.', 'a..b', 'a[', 'a[x]', 'a/', '/a', 'a//b', '1a', 'a b', 'HOME:-/root', 'a[-1]', 'a.b c'])(
    '%j is none',
    (text) => {
      expect(parseReference(text)).toBeUndefined();
    },
  );
});
