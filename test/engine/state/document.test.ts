import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { StackState } from '@platform-sync/core/model/state';
import { readDocument, writeDocument } from '@platform-sync/state/document';
import { fullResource, intent, resource } from './samples.js';

const state: StackState = {
  project: 'shop',
  stack: 'dev',
  lineage: '5f0c6b0e-1b1f-4b0e-8b0a-000000000000',
  serial: 7,
  fingerprintKey: 'ab'.repeat(32),
  targets: { platform: 'https://example.invalid' },
  resources: new Map([resource('a'), fullResource].map((one) => [one.address, one])),
  outputs: { url: 'x' },
  intents: [
    intent('1', { record: resource('b', { identity: { id: '', scope: {} } }) }),
    intent('2', { action: 'delete', identity: { id: 'x', scope: {} } }),
  ],
};

const valid = new Ajv2020({ strict: true }).compile(
  JSON.parse(readFileSync('schemas/state.schema.json', 'utf8')) as object,
);

type Edit = (document: Draft) => void;
type Draft = { [key: string]: unknown; resources: Draft[]; intents: Draft[] };

function edited(edit: Edit): string {
  const draft = JSON.parse(writeDocument(state)) as Draft;
  edit(draft);
  return JSON.stringify(draft);
}

function refused(document: string): DiagnosticError {
  try {
    readDocument(document);
  } catch (error) {
    if (error instanceof DiagnosticError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

describe('the state document', () => {
  test('is valid by its schema, and read back as it was', () => {
    const document = writeDocument(state);
    expect(valid(JSON.parse(document)), JSON.stringify(valid.errors)).toBe(true);
    expect(readDocument(document)).toStrictEqual(state);
    expect(writeDocument(readDocument(document))).toBe(document);
    expect(readDocument(`\uFEFF${JSON.stringify(JSON.parse(document), null, 2)}`)).toStrictEqual(state);
  });

  const first = (list: readonly Draft[]): Draft => list[0] as Draft;
  test.each<{ where: string; edit: Edit }>([
    { where: 'format', edit: (d) => (d['format'] = 'something-else') },
    { where: 'format', edit: (d) => delete d['format'] },
    { where: 'version', edit: (d) => (d['version'] = '1') },
    { where: 'version', edit: (d) => (d['version'] = 0) },
    { where: 'lineage', edit: (d) => delete d['lineage'] },
    { where: 'project', edit: (d) => (d['project'] = '') },
    { where: 'serial', edit: (d) => (d['serial'] = -1) },
    { where: 'serial', edit: (d) => (d['serial'] = 1.5) },
    { where: 'serial', edit: (d) => (d['serial'] = 1e300) },
    { where: 'fingerprintKey', edit: (d) => (d['fingerprintKey'] = 'short') },
    { where: 'targets', edit: (d) => (d['targets'] = { platform: 1 }) },
    { where: 'outputs', edit: (d) => (d['outputs'] = []) },
    { where: 'resources', edit: (d) => Object.assign(d, { resources: {} }) },
    { where: 'the document', edit: (d) => (d['extra'] = 1) },
    { where: 'resources[0]', edit: (d) => Object.assign(d, { resources: [null] }) },
    { where: 'resources[0]', edit: (d) => (first(d.resources)['extra'] = 1) },
    { where: 'resources[0].address', edit: (d) => (first(d.resources)['address'] = 'a//b') },
    { where: 'resources[0].type', edit: (d) => (first(d.resources)['type'] = 1) },
    { where: 'resources[0].identity.id', edit: (d) => (first(d.resources)['identity'] = { id: 1, scope: {} }) },
    { where: 'resources[0].identity.scope', edit: (d) => (first(d.resources)['identity'] = { id: '1' }) },
    { where: 'resources[0].inputs', edit: (d) => (first(d.resources)['inputs'] = 'text') },
    { where: 'resources[0].dependencies[0]', edit: (d) => (first(d.resources)['dependencies'] = ['a.b']) },
    { where: 'resources[0].protect', edit: (d) => (first(d.resources)['protect'] = null) },
    {
      where: 'resources[0].deposed[0].outputs',
      edit: (d) => (first(d.resources)['deposed'] = [{ identity: { id: '', scope: {} } }]),
    },
    { where: 'intents[0].action', edit: (d) => (first(d.intents)['action'] = 'replace') },
    { where: 'intents[0].record.address', edit: (d) => delete (first(d.intents)['record'] as Draft)['address'] },
    { where: 'intents[0].createdAt', edit: (d) => (first(d.intents)['createdAt'] = 'yesterday') },
  ])('is refused, by the schema too, for a wrong $where', ({ where, edit }) => {
    const document = edited(edit);
    expect(valid(JSON.parse(document))).toBe(false);
    const [diagnostic] = refused(document).diagnostics;
    expect(diagnostic?.code).toBe('state-document-invalid');
    expect(diagnostic?.summary).toContain(`: ${where} `);
  });

  test.each<{ what: string; document: string }>([
    { what: 'no JSON', document: 'fingerprintKey: s3cret' },
    { what: 'nothing', document: '' },
    { what: 'no object', document: '[]' },
    { what: 'an address twice', document: edited((d) => d.resources.push(first(d.resources))) },
    { what: 'an intent twice', document: edited((d) => d.intents.push(first(d.intents))) },
  ])('is refused for $what', ({ document }) => {
    const [diagnostic] = refused(document).diagnostics;
    expect(diagnostic?.code).toBe('state-document-invalid');
    expect(JSON.stringify(diagnostic)).not.toContain('s3cret');
  });

  test('of a later version is told apart from a broken one', () => {
    const later = edited((d) => Object.assign(d, { version: 2, somethingNew: {} }));
    expect(refused(later).diagnostics).toMatchObject([{ code: 'state-document-newer' }]);
  });
});
