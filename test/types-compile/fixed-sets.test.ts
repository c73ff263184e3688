import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { compileFile } from '@platform-sync/describe/load';
import type { Compilation } from '@platform-sync/describe/compile';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sync-fixed-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const shown = { type: 'object', required: ['name', 'sent'], properties: { name: { type: 'string' } } };
const text = { type: 'string', nullable: true };

interface Shape {
  readonly parameter?: string;
  /** Members of the change. */
  readonly change?: JsonObject;
  readonly answer?: JsonObject;
  readonly item?: JsonObject;
  readonly list?: JsonObject;
}

/** Mails of a service: a list of them, and calls for each. */
function compiled({ parameter = 'mailName', change, answer = {}, item = {}, list = {} }: Shape): Compilation {
  const members = change ?? { text, sent: { type: 'boolean', default: true } };
  const whole = { ...shown, properties: { ...shown.properties, ...members, ...answer } };
  const calls = {
    get: { responses: { 200: json(whole), 404: {} } },
    patch: { requestBody: json({ type: 'object', properties: members }), responses: { 200: json(whole) } },
    delete: { responses: { 204: {} } },
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Mail', version: '1' },
    paths: {
      '/v1/mails': { get: { responses: { 200: json({ type: 'array', items: whole }) } }, ...list },
      [`/v1/mails/{${parameter}}`]: { ...calls, ...item },
    },
  };
  writeFileSync(join(folder, 'mail.json'), JSON.stringify(document));
  return compileFile('/', join(folder, 'mail.json'), undefined);
}

const namesOf = (shape: Shape): readonly string[] => compiled(shape).types.definitions.map(({ name }) => name);
const none = undefined as never;

describe('one of a fixed set', () => {
  it('is a type of what PATCH changes and DELETE puts back, known by the name in its path', () => {
    const { types, open } = compiled({});
    expect(types.definitions).toMatchObject([
      {
        name: 'Mail',
        operations: {
          create: 'PATCH /v1/mails/{mailName}',
          update: 'PATCH /v1/mails/{mailName}',
          delete: 'DELETE /v1/mails/{mailName}',
        },
        naturalKey: ['mailName'],
        unique: [['mailName']],
        untouched: { text: null, sent: true },
        required: ['mailName'],
        fields: { mailName: { wire: 'name' } },
      },
    ]);
    expect(types.definitions[0]?.outputs).toBeUndefined();
    expect(open).toEqual([]);
  });

  it.each<[string, Shape]>([
    ['has an id in its path', { parameter: 'mailId' }],
    ['has an id in its path, called so', { parameter: 'id' }],
    ['has an id in its answer', { answer: { id: { type: 'string' } } }],
    ['nothing puts back', { item: { delete: none } }],
    ['nothing changes', { item: { patch: none } }],
    ['nothing shows', { item: { get: none } }],
  ])('is none that %s: it was made in a way that the description does not tell', (_, shape) => {
    expect(namesOf(shape)).toEqual([]);
  });

  it.each<[string, Shape, string]>([
    [
      'POST',
      { list: { post: { requestBody: json({ properties: { name: { type: 'string' } } }), responses: { 201: {} } } } },
      'POST /v1/mails',
    ],
    [
      'PUT',
      { item: { put: { requestBody: json({ properties: { text } }), responses: { 200: {} } } } },
      'PUT /v1/mails/{mailName}',
    ],
  ])('is none that %s makes', (_, shape, create) => {
    const { definitions } = compiled(shape).types;
    expect(definitions.map(({ operations, untouched }) => [operations.create, untouched])).toEqual([
      [create, undefined],
    ]);
  });

  it('of which the description does not say what it has at first is a warning', () => {
    const { types, open } = compiled({ change: { text, sent: { type: 'boolean' } } });
    expect(types.definitions[0]?.untouched).toBeUndefined();
    expect(open.map(({ summary }) => summary)).toEqual([expect.stringMatching(/^Mail: .*untouched gives/)]);
  });
});
