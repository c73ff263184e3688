import { crud, defineProvider, ProviderError } from '../../src/kit/index.js';
import type { ProviderPackage, RestProvider, RestStyle, TypeDefinition } from '../../src/kit/index.js';

const style: RestStyle = {
  naming: { rule: 'as-is', names: {} },
  envelope: 'result',
  paging: { by: 'cursor', items: 'items', cursor: 'after', next: ['next'] },
  kinds: {
    library: { type: 'string', description: 'Id of the library.', references: 'Library', nests: true, diesWith: true },
    revision: { type: 'number', description: 'Counts the changes.', role: 'revision' },
  },
};

const library: TypeDefinition = {
  name: 'Library',
  description: 'A house full of books.',
  operations: { ...crud('/libraries'), update: 'PUT /libraries/{id}' },
  list: { get: '/libraries' },
  naturalKey: ['name'],
  absence: 'empty-404',
  ready: { field: 'status', done: ['open'], failed: ['burnt'], everyMs: 1, limitMs: 50 },
  required: ['name'],
  always: ['name', 'status', 'revision'],
  fields: {
    name: { description: 'Name over the door.' },
    motto: { description: 'What it stands for.', nullable: true },
  },
  outputs: { status: { description: '`open` when people may come.' }, revision: { kind: 'revision' } },
};

const shelf: TypeDefinition = {
  name: 'Shelf',
  description: 'A shelf, known by a code that its library gives it.',
  operations: {
    create: 'PUT /libraries/{libraryId}/shelves/{code}',
    read: 'GET /libraries/{libraryId}/shelves/{code}',
    update: 'PUT /libraries/{libraryId}/shelves/{code}',
    delete: 'DELETE /libraries/{libraryId}/shelves/{code}',
    forceDelete: 'burn',
  },
  list: { get: '/shelves', paging: { by: 'offset', items: 'items', total: ['count'], offset: 'skip' } },
  naturalKey: ['libraryId', 'code'],
  unique: [['libraryId', 'code']],
  absence: 'empty-404',
  required: ['libraryId', 'code', 'lockCode'],
  fields: {
    libraryId: { kind: 'library' },
    code: { description: 'The code on it.' },
    topic: { description: 'What it is about; null: nothing.', nullable: true, nullIsValue: true },
    note: { description: 'For the keepers.', nullable: true, inList: false },
    keeper: { description: 'Library it is lent from.', references: 'Library', as: 'id-object', nullable: true },
    lockCode: {
      description: 'Opens it.',
      secret: true,
      writeOnly: true,
      clearing: { by: 'nothing', why: 'it has a lock' },
    },
  },
  outputs: { revision: { kind: 'revision' } },
};

const book: TypeDefinition = {
  name: 'Book',
  description: 'A book of paper or of sound.',
  operations: crud('/libraries/{libraryId}/shelves/{shelfCode}/books'),
  list: { get: '/libraries/{libraryId}/shelves/{shelfCode}/books', paging: { by: 'none', items: '' } },
  naturalKey: ['libraryId', 'shelfCode', 'title'],
  absence: 'empty-404',
  union: { by: 'kind', branches: { paper: ['pages'], audio: ['minutes'] } },
  required: ['libraryId', 'shelfCode', 'title', 'kind'],
  fields: {
    libraryId: { kind: 'library', nests: false, diesWith: false },
    shelfCode: { description: 'Code of the shelf.', references: 'Shelf', nests: true, diesWith: true },
    title: { description: 'Its title.' },
    kind: {
      type: { choice: 'BookKind', description: 'What it is.', values: { paper: 'To read.', audio: 'To listen to.' } },
      description: 'Paper or sound.',
      replaces: true,
    },
    pages: { type: 'number', description: 'How many pages.', absent: null },
    minutes: { type: 'number', description: 'How long.', absent: null },
    summary: { description: 'What happens.', inList: false, clearing: { by: 'value', value: '' } },
    tags: { type: { map: 'string' }, description: 'Words.', clearing: { by: 'value', value: {} }, entriesAtOnce: 4 },
  },
  outputs: { revision: { kind: 'revision' } },
};

const hours: TypeDefinition = {
  name: 'OpeningHours',
  description: 'When a library is open. Every library has some.',
  operations: {
    create: 'PATCH /libraries/{libraryId}/hours',
    read: 'GET /libraries/{libraryId}/hours',
    update: 'PATCH /libraries/{libraryId}/hours',
    reset: { opens: 9, closes: 17 },
  },
  parent: 'libraryId',
  naturalKey: ['libraryId'],
  absence: 'empty-404',
  importId: 'libraries/{libraryId}',
  required: ['libraryId'],
  fields: {
    libraryId: { kind: 'library' },
    opens: { type: 'number', description: 'Hour.', clearing: { by: 'value', value: 9 } },
    closes: { type: 'number', description: 'Hour.', clearing: { by: 'value', value: 17 } },
  },
};

const member: TypeDefinition = {
  name: 'Member',
  description: 'Somebody who may borrow books.',
  operations: {
    create: 'POST /libraries/{libraryId}/members',
    delete: 'DELETE /libraries/{libraryId}/members/{id}',
  },
  list: { get: '/libraries/{libraryId}/members', paging: { by: 'number', items: 'items', number: 'page', first: 0 } },
  naturalKey: ['libraryId', 'mail'],
  absence: 'two-lists',
  required: ['libraryId', 'mail'],
  fields: { libraryId: { kind: 'library' }, mail: { description: 'Where to write to.' } },
};

/** One for all: nothing in its path tells it from others. */
const charter: TypeDefinition = {
  name: 'Charter',
  description: 'What all libraries have promised.',
  operations: { create: 'PUT /rules/charter', read: 'GET /rules/charter', update: 'PUT /rules/charter', reset: {} },
  naturalKey: [],
  absence: 'empty-404',
  fields: {
    text: { description: 'The promise.', clearing: { by: 'value', value: 'Be quiet.' } },
    fine: { type: 'number', description: 'What a late day costs.', nullable: true },
  },
};

export const libraryDefinitions: readonly TypeDefinition[] = [library, shelf, book, hours, member, charter];

/** The provider of that service, as somebody else would write it. */
export function libraryProvider(definitions = libraryDefinitions): RestProvider {
  return {
    name: 'library',
    settings: { url: { type: 'string', description: 'Address.', defaultInfo: { environment: ['LIBRARY_URL'] } } },
    style,
    definitions,
    connect: async ({ env, trust }) => {
      const { LIBRARY_URL: url, LIBRARY_KEY: key } = env;
      if (url === undefined || key === undefined)
        throw new ProviderError('configuration', [
          { severity: 'error', code: 'no-library', summary: 'LIBRARY_URL or LIBRARY_KEY is not set.' },
        ]);
      await trust.admit({
        sender: 'library',
        what: 'the key of the library',
        to: url,
        setting: 'providers.library.url',
        chosenBy: 'operator',
        isOwn: false,
      });
      return {
        target: url,
        targetSource: 'The environment variable LIBRARY_URL',
        base: () => ({ origin: url, prefix: '' }),
        headers: ({ body }) => ({
          'x-key': key,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        }),
      };
    },
  };
}

export const libraryPackage = (definitions = libraryDefinitions): ProviderPackage =>
  defineProvider(libraryProvider(definitions));
