import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isCredential } from '@platform-sync/rest/marked-members';
import type { FieldDefinition, TypeDefinition } from '@platform-sync/rest/definition';
import { restType } from '@platform-sync/rest/rest-type';
import { compiledStyle } from '@platform-sync/describe/compile';
import { compileFile } from '@platform-sync/describe/load';

describe('what a name says of a field', () => {
  it.each([
    'password',
    'gatePassword',
    'client_secret',
    'accessToken',
    'api_key',
    'apiKey',
    'private_key',
    'tls_client_auth_key',
    'secretId',
    'authorization',
  ])('%s is a credential', (name) => {
    expect(isCredential({ name })).toBe(true);
  });

  it.each([
    'key',
    'value',
    'name',
    'inputPerToken',
    'tokenEndpoint',
    'secretName',
    'secretIdFile',
    'keyNames',
    'authorizationEndpoint',
    'monkey',
  ])('%s is none', (name) => {
    expect(isCredential({ name })).toBe(false);
  });

  it.each(['key', 'keyAlt', 'value', 'signing_key'])('%s is one where no answer shows it', (name) => {
    expect(isCredential({ name, isUnseen: true })).toBe(true);
  });

  it('numbers and switches are none, and settings of which nothing is known are one', () => {
    expect(isCredential({ name: 'hasPassword', type: 'boolean' })).toBe(false);
    expect(isCredential({ name: 'token', type: 'integer' })).toBe(false);
    expect(isCredential({ name: 'config', type: 'any' })).toBe(true);
    expect(isCredential({ name: 'dcr_config', type: { map: 'any' } })).toBe(true);
    expect(isCredential({ name: 'metadata', type: { map: 'any' } })).toBe(false);
  });
});

describe('a types file that somebody wrote', () => {
  const written = (
    fields: Readonly<Record<string, FieldDefinition>>,
    shownOnce?: readonly string[],
  ): TypeDefinition => ({
    ...{ name: 'Shelf', description: 'A shelf.', naturalKey: ['name'] },
    operations: { create: 'POST /shelves', read: 'GET /shelves/{id}' },
    fields: { name: { description: 'Name.' }, ...fields },
    outputs: { key: { description: 'Key.' } },
    ...(shownOnce === undefined ? {} : { shownOnce }),
  });
  const secrecy = (definition: TypeDefinition, field: string): boolean | undefined =>
    restType(definition, compiledStyle).fields[field]?.secret;

  it('need not say of a credential that it is a secret', () => {
    expect(secrecy(written({ password: { description: 'Password.' } }), 'password')).toBe(true);
    expect(secrecy(written({ code: { description: 'Code.' } }), 'code')).toBeUndefined();
  });

  it('is believed where it says that it is none', () => {
    expect(secrecy(written({ token: { description: 'Symbol.', secret: false } }), 'token')).toBe(false);
  });

  it('has no one-time output in the open', () => {
    expect(secrecy(written({}, ['key']), 'key')).toBe(true);
    expect(secrecy(written({}), 'key')).toBeUndefined();
  });
});

describe('a key that only the answer to a create shows', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sync-credentials-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const shelf = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } };
  const made = { type: 'object', properties: { ...shelf.properties, key: { type: 'string' } } };
  const content = (schema: object): object => ({ content: { 'application/json': { schema } } });
  const answer = (status: string, schema: object): object => ({
    responses: { [status]: { description: 'The shelf.', ...content(schema) } },
  });
  const compiled = (isRead: boolean): TypeDefinition | undefined => {
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
    const file = join(folder, `${String(isRead)}.json`);
    const list = { type: 'object', properties: { data: { type: 'array', items: shelf } } };
    const body = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const item = { parameters: [id], ...(isRead ? { get: answer('200', shelf) } : {}), delete: answer('204', {}) };
    const paths = {
      '/shelves': { get: answer('200', list), post: { requestBody: content(body), ...answer('201', made) } },
      '/shelves/{id}': item,
    };
    writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths }));
    return compileFile('/', file, undefined).types.definitions.find(({ name }) => name === 'Shelf');
  };

  it.each([true, false])('is a secret that is shown once; objects are read alone: %s', (isRead) => {
    const definition = compiled(isRead);
    if (definition === undefined) throw new Error('no type was made');
    expect(definition.shownOnce).toEqual(['key']);
    const field = restType(definition, compiledStyle).fields['key'];
    expect(field === undefined || field.secret === true).toBe(true);
  });
});
