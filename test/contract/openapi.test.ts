import { describe, expect, test } from 'vitest';
import { checkerOf } from './openapi.js';

const description = {
  openapi: '3.0.3',
  paths: {
    '/things': {
      get: {
        parameters: [
          { $ref: '#/components/parameters/Size' },
          { name: 'sort', in: 'query', required: true, schema: { type: 'string' } },
          { name: 'filter', in: 'query', style: 'deepObject', schema: { $ref: '#/components/schemas/Filter' } },
        ],
        responses: {
          200: {
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } },
            },
          },
          '4XX': { description: 'refused' },
        },
      },
      post: {
        requestBody: { $ref: '#/components/requestBodies/Thing' },
        responses: { 201: { $ref: '#/components/responses/Thing' } },
      },
    },
    '/things/{id}': { delete: { responses: { 204: { description: 'gone' } } } },
    '/things/best': { get: { responses: { 204: { description: 'the more exact path' } } } },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'name'],
        properties: {
          id: { type: 'string', format: 'uuid', readOnly: true },
          name: { type: 'string', nullable: true, enum: ['a', 'b'] },
          key: { type: 'string', writeOnly: true },
          parent: { nullable: true, allOf: [{ $ref: '#/components/schemas/Parent' }] },
        },
      },
      Parent: { type: 'object', required: ['id'] },
      Filter: {
        type: 'object',
        properties: {
          name: { type: 'object', additionalProperties: false, properties: { eq: { type: 'string' } } },
          open: { type: 'boolean' },
        },
      },
    },
    parameters: { Size: { name: 'page[size]', in: 'query', schema: { type: 'integer' } } },
    requestBodies: {
      Thing: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
    },
    responses: { Thing: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
  },
};
const checker = checkerOf(description);
const id = '8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f0a01';

describe('requests', () => {
  test.each([
    ['a good body', { name: 'a' }, true],
    ['a null where it may be', { name: null }, true],
    ['a null beside allOf', { name: 'a', parent: null }, true],
    ['what is behind a reference', { name: 'a', parent: {} }, false],
    ['what is only answered', { name: 'a', id }, false],
    ['a value that is no choice', { name: 'c' }, false],
    ['an unknown key', { name: 'a', more: 1 }, false],
    ['no body', undefined, false],
  ])('%s: %j', (_what, body, good) => {
    expect(checker.checkRequest('POST', '/things', {}, body).length === 0).toBe(good);
  });

  test.each([
    [{ sort: 'x', 'page[size]': '10' }, []],
    [{ sort: 'x', 'page[size]': 'ten' }, ['page[size]']],
    [{}, ['sort']],
    [{ sort: 'x', color: 'red' }, ['color']],
    [{ sort: 'x', 'filter[name][eq]': '7', 'filter[open]': 'true' }, []],
    [{ sort: 'x', 'filter[name][like]': 'a' }, ['filter[name][like]']],
    [{ sort: 'x', 'filter[color]': 'a' }, ['filter[color]']],
    [{ sort: ['x', 'y'] }, ['sort']],
  ])('query %j', (query, wrong) => {
    expect(checker.checkRequest('GET', '/things', query, undefined).map(({ what }) => what)).toEqual(wrong);
  });

  test('of operations that are not described', () => {
    expect(checker.checkRequest('PUT', '/things', {}, {})).toMatchObject([{ kind: 'operation' }]);
    expect(checker.operationOf('GET', '/things/best')).toBe('GET /things/best');
    expect(checker.operationOf('DELETE', `/things/${id}`)).toBe('DELETE /things/{id}');
    expect(checker.operationOf('DELETE', '/things/a/b')).toBeUndefined();
  });
});

describe('answers', () => {
  test.each([
    ['GET', '/things', 200, [{ id, name: 'a' }], 0],
    ['GET', '/things', 200, [{ id: 'x', name: 'a' }], 1],
    ['GET', '/things', 200, [{ name: 'a' }], 1],
    ['GET', '/things', 200, [{ id, name: 'a', key: 'secret' }], 1],
    ['GET', '/things', 418, undefined, 0],
    ['GET', '/things', 500, undefined, 1],
    ['POST', '/things', 201, { id, name: 'a' }, 0],
    ['DELETE', '/things/1', 204, undefined, 0],
    ['DELETE', '/things/1', 204, {}, 1],
  ])('%s %s %i %j: %i violations', (method, path, status, body, count) => {
    expect(checker.checkResponse(method, path, status, body)).toHaveLength(count);
  });
});
