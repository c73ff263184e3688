import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { restType } from '@platform-sync/rest/rest-type';
import { compiledStyle } from '@platform-sync/describe/compile';
import { compileFile } from '@platform-sync/describe/load';

/** Names that every plain object has from its prototype, as bodies of a service may have them. */
const inherited = { constructor: { type: 'string' }, to_string: { type: 'string' }, valueOf: { type: 'string' } };

it('a member that is called as what every object has gets another name, and keeps its own on the wire', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sync-inherited-'));
  const car = {
    type: 'object',
    properties: {
      ...{ id: { type: 'string' }, name: { type: 'string' } },
      ...inherited,
      team: { type: 'object', properties: { name: { type: 'string' }, ...inherited }, additionalProperties: false },
      plain: { type: 'object', properties: { name: { type: 'string' } } },
    },
    required: ['name'],
  };
  const content = (schema: object): object => ({ content: { 'application/json': { schema } } });
  const answer = (schema: object): object => ({ description: 'A car.', ...content(schema) });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const paths = {
    '/cars': {
      get: { responses: { 200: answer({ type: 'object', properties: { data: { type: 'array', items: car } } }) } },
      post: { requestBody: content(car), responses: { 201: answer(car) } },
    },
    '/cars/{id}': {
      parameters: [id],
      get: { responses: { 200: answer(car) } },
      patch: { requestBody: content(car), responses: { 200: answer(car) } },
      delete: { responses: { 204: { description: 'Gone.' } } },
    },
  };
  const file = join(folder, 'api.json');
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'Cars', version: '1' }, paths }));
  const definition = compileFile('/', file, undefined).types.definitions.find(({ name }) => name === 'Car');
  rmSync(folder, { recursive: true, force: true });
  if (definition === undefined) throw new Error('no type was made');
  const spelt = { constructorValue: 'constructor', toStringValue: 'to_string', valueOfValue: 'valueOf' };
  for (const [name, wire] of Object.entries(spelt)) {
    expect(definition.fields[name]).toMatchObject({ wire });
    expect(JSON.stringify(definition.fields['team'])).toContain(`"wire":"${wire}"`);
  }
  const names = Object.keys(restType(definition, compiledStyle).fields);
  expect(names.filter((name) => name in Object.prototype)).toEqual([]);
});
