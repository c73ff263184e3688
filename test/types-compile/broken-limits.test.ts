import { expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { compileTypes } from '@platform-sync/describe/compile';
import { Description } from '@platform-sync/describe/description';
import { noRules } from '@platform-sync/describe/rules-file';

const text = { type: 'string' };
const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });

/** The limits of a field that a description has with this schema. */
function limitsOf(soil: JsonObject): JsonObject | undefined {
  return compiled(soil).types.definitions[0]?.fields['soil']?.limits;
}

function compiled(soil: JsonObject): ReturnType<typeof compileTypes> {
  const body = { type: 'object', properties: { name: text, soil } };
  const shown = { type: 'object', properties: { id: text, name: text, soil } };
  const paths = {
    '/beds': { post: { requestBody: json(body), responses: { '201': json(shown) } } },
    '/beds/{id}': {
      get: { responses: { '200': json(shown), '404': {} } },
      patch: { requestBody: json(body), responses: { '200': json(shown) } },
      delete: { responses: { '204': {} } },
    },
  };
  return compileTypes(new Description({ openapi: '3.1.0', paths }, 'beds.yaml'), noRules);
}

const id = '00000000-0000-4000-8000-000000000001';

it.each<[string, JsonObject, string, JsonObject | undefined]>([
  ['a form', { ...text, format: 'uuid' }, '*', undefined],
  ['a pattern', { ...text, pattern: '^[a-z]+$' }, 'A', undefined],
  ['one of two limits', { ...text, minLength: 1, maxLength: 3 }, 'soil', { minLength: 1 }],
  ['no limit', { ...text, format: 'uuid' }, id, { format: 'uuid' }],
])('%s that an example or the default breaks is no limit, and the others stay', (_what, schema, shown, limits) => {
  const { type: _type, ...all } = schema;
  expect(limitsOf(schema)).toEqual(all);
  expect(limitsOf({ ...schema, example: shown })).toEqual(limits);
  expect(limitsOf({ ...schema, examples: [id, shown] })).toEqual(limitsOf({ ...schema, examples: [shown, id] }));
  expect(limitsOf({ ...schema, default: shown })).toEqual(limits);
});

it.each([
  ['looks ahead', '^(?!x)a$', 'it looks ahead or behind by (?!…)'],
  ['is of another dialect', '(?i)^a$', 'it is not a regular expression (Invalid group)'],
])('a pattern that %s is left out, which is told', (_what, pattern, why) => {
  expect(limitsOf({ ...text, pattern, maxLength: 3, example: 'b' })).toEqual({ maxLength: 3 });
  const told = compiled({ ...text, pattern }).open.map(({ summary }) => summary);
  expect(told.join()).toContain(
    `Bed: patterns are left out: soil (${why}); limits says the same without, or not at all.`,
  );
});

it('an example that a pattern never ends on is held against it', () => {
  const pattern = '^(([a-z])+.)+[A-Z]([a-z])+$';
  expect(limitsOf({ ...text, pattern, example: 'a'.repeat(100_000) })).toBeUndefined();
});

it.each<[string, JsonObject, JsonObject | undefined]>([
  ['a number', { type: 'integer', maximum: 5, example: 6 }, undefined],
  ['a number of the right size', { type: 'integer', maximum: 5, example: 5 }, { maximum: 5 }],
  ['a list', { type: 'array', items: text, maxItems: 1, example: ['a', 'b'] }, undefined],
  ['null, which is no value of the field', { ...text, minLength: 1, default: null, nullable: true }, { minLength: 1 }],
])('%s is measured as what it is', (_what, schema, limits) => {
  expect(limitsOf(schema)).toEqual(limits);
});
