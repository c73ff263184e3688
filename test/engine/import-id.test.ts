import { describe, expect, it } from 'vitest';
import { importIdForm, parseImportId } from '../../src/engine/plan/import-id.js';
import { platformPackage } from '../../src/providers/platform/package.js';

const type = (name: string) => {
  const found = [...platformPackage.types.values()].find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

describe('import ids', () => {
  it.each<[string, string, object]>([
    ['Api', 'abc', { id: 'abc', scope: {} }],
    ['Api', '  abc ', { id: 'abc', scope: {} }],
    ['ApiDocument', '{"api_id":"a","id":"d"}', { id: 'd', scope: { apiId: 'a' } }],
    ['ApiImplementation', '{"id":"i","api_id":"a"}', { id: 'i', scope: { apiId: 'a' } }],
    ['ApiProductDocument', '{"api_product_id":"p","id":"d"}', { id: 'd', scope: { apiProductId: 'p' } }],
  ])('%s %s', (name, text, identity) => {
    expect(parseImportId(type(name), text)).toEqual({ identity });
  });

  it.each<[string, string, RegExp]>([
    ['Api', '', /plain string/],
    ['Api', '{"id":"a"}', /plain string/],
    ['ApiDocument', 'abc', /not JSON/],
    ['ApiDocument', '["a"]', /not an object/],
    ['ApiDocument', '{"apiId":"a","id":"d"}', /unknown key "apiId"/],
    ['ApiDocument', '{"api_id":"a"}', /"id" must be a string/],
    ['ApiDocument', '{"api_id":"","id":"d"}', /"api_id" must be a string that is not empty/],
    ['ApiDocument', '{"api_id":1,"id":"d"}', /"api_id" must be a string/],
  ])('%s %s is explained', (name, text, why) => {
    const parsed = parseImportId(type(name), text);
    expect(parsed).toMatchObject({
      problem: { code: 'bad-import-id', hint: `The form is: ${importIdForm(type(name))}` },
    });
    expect('problem' in parsed ? parsed.problem.summary : '').toMatch(why);
  });
});
