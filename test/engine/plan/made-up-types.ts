import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { JsonObject } from '@platform-sync/core/model/value';

/** Types of a library that exists nowhere: between them they have every rule that a type can have. */

type Rule = Partial<FieldRule>;

function field(name: string, more: Rule = {}): FieldRule {
  return {
    ...{ name, type: 'string', description: '', input: true, required: false, computed: false, alwaysReturned: true },
    ...{ onChange: 'update', equality: 'exact', writeOnly: false, inList: true, clearing: { by: 'null' } },
    ...{ stable: false, secret: false, schema: {} },
    ...more,
  } as FieldRule;
}

const output: Rule = { input: false, computed: true };

function type(
  name: string,
  fields: Readonly<Record<string, Rule>>,
  more: Partial<ResourceType> = {},
): readonly [string, ResourceType] {
  const token = `library:index/${name.toLowerCase()}:${name}`;
  const made: ResourceType = {
    ...{ token, shortToken: `library:${name}`, name, provider: 'library', description: '', nesting: [] },
    ...{ naturalKey: ['name'], unique: [], exactlyOne: [], collection: { scope: [], paged: true } },
    ...{ visibility: [], importId: { form: 'plain' }, cascades: [], contents: [], losses: [], updatable: true },
    ...{ derive: () => ({}), alsoNamed: () => ({}), revision: 'updatedAt', absence: 'problem-404' },
    fields: Object.fromEntries(
      Object.entries({ ...fields, updatedAt: output }).map(([key, rule]) => [key, field(key, rule)]),
    ),
    ...more,
  } as ResourceType;
  return [token, made];
}

const slug = ({ name }: JsonObject): JsonObject => (typeof name === 'string' ? { code: name.toLowerCase() } : {});

/** What belongs to others, by the beginning of its key. */
export const foreign = 'ops-';

export const types: ReadonlyMap<string, ResourceType> = new Map([
  // Its name is unique, and its code is made out of it.
  type(
    'Shelf',
    {
      name: {},
      code: { clearing: { by: 'derived' } },
      note: { equality: 'text' },
      labels: { type: 'object', equality: 'map', foreignKeys: [foreign] },
      topics: { type: 'object', equality: 'multisets', inList: false },
      tags: { type: 'array', equality: 'set' },
      config: { type: 'object', equality: 'json' },
      mode: { clearing: { by: 'value', value: 'hidden' } },
      material: { onChange: 'replace' },
      blueprint: { onChange: 'replace-if-declared', equality: 'text', clearing: { by: 'nothing', why: 'it stays' } },
      pin: { secret: true },
      door: { writeOnly: true, inList: false },
      owner: { nullIsValue: true, clearing: { by: 'value', value: 'nobody' } },
      readers: { ...output, type: 'array' },
    },
    {
      ...{
        unique: [['name']],
        derive: slug,
        cascades: ['library:index/note:Note'],
        contents: ['library:index/note:Note'],
      },
      visibility: [{ field: 'mode', values: { shown: 'open', hidden: 'hidden' } }, { field: 'readers' }],
      losses: [{ field: 'readers', named: ['name', 'id'] }],
    },
  ),
  // Lives on a shelf; unique there by its title.
  type(
    'Book',
    {
      shelfId: { onChange: 'replace', references: 'library:index/shelf:Shelf', stable: true },
      title: {},
      text: { equality: 'text', inList: false },
    },
    {
      ...{
        naturalKey: ['shelfId', 'title'],
        unique: [['shelfId', 'title']],
        collection: { scope: ['shelfId'], paged: true },
      },
      contents: ['library:index/page:Page', 'library:index/seal:Seal'],
      parent: { field: 'shelfId', type: 'library:index/shelf:Shelf' },
      importId: { form: 'json', keys: { shelf_id: 'shelfId', id: 'id' } },
    },
  ),
  // Lives in a book, two levels down; its key says where it lives.
  type(
    'Page',
    {
      shelfId: { onChange: 'replace', references: 'library:index/shelf:Shelf' },
      bookId: { onChange: 'replace', references: 'library:index/book:Book' },
      number: { type: 'number' },
    },
    {
      ...{ naturalKey: ['bookId', 'number'], unique: [['number', 'bookId']] },
      collection: { scope: ['shelfId', 'bookId'], paged: false },
      parent: { field: 'bookId', type: 'library:index/book:Book' },
      importId: { form: 'json', keys: { shelf_id: 'shelfId', book_id: 'bookId', id: 'id' } },
    },
  ),
  // May have the same name many times.
  type('Card', {
    ...{ name: {}, text: {}, shelf: { references: 'library:index/shelf:Shelf' } },
    book: { references: 'library:index/book:Book' },
  }),
  // Lies on a shelf and may be moved to another one; ends with the one it lies on.
  type(
    'Note',
    { shelfId: { references: 'library:index/shelf:Shelf' }, text: {} },
    {
      ...{ naturalKey: ['shelfId', 'text'], unique: [['shelfId', 'text']] },
      nesting: [{ field: 'shelfId', under: 'library:index/shelf:Shelf', inherits: [] }],
    },
  ),
  // Clipped to a note, and may be clipped to another one.
  type(
    'Clip',
    { noteId: { references: 'library:index/note:Note' }, name: {} },
    { nesting: [{ field: 'noteId', under: 'library:index/note:Note', inherits: [] }] },
  ),
  // Known by four fields, and each that the file leaves out becomes something else.
  type(
    'Tape',
    {
      ...{ title: {}, side: {}, part: { clearing: { by: 'nothing', why: 'it stays' } } },
      speed: { clearing: { by: 'value', value: 'slow' } },
      reel: { onChange: 'replace' },
    },
    { naturalKey: ['title', 'side', 'part', 'speed'], unique: [['title', 'side', 'part', 'speed']] },
  ),
  // Two things are unique about it, and what is left out of its key may become the first edition.
  type(
    'Disc',
    { name: {}, edition: {}, code: {} },
    {
      ...{ naturalKey: ['name', 'edition'], unique: [['code'], ['edition', 'name']] },
      alsoNamed: () => ({ edition: 'first' }),
    },
  ),
  // Shows the shelf that it stands before to the public, by being there.
  type(
    'Display',
    { shelfId: { onChange: 'replace', references: 'library:index/shelf:Shelf', stable: true }, name: {} },
    {
      ...{ naturalKey: ['shelfId', 'name'], collection: { scope: ['shelfId'], paged: true } },
      parent: { field: 'shelfId', type: 'library:index/shelf:Shelf' },
      presence: { shown: 'everybody sees the shelf', hidden: 'nobody sees the shelf' },
    },
  ),
  // Lies on a shelf, and is read where that is shown and it is in English; its poster is seen with it.
  type(
    'Leaflet',
    {
      shelfId: { onChange: 'replace', references: 'library:index/shelf:Shelf', stable: true },
      ...{ name: {}, language: {}, status: {}, poster: {} },
    },
    {
      ...{ naturalKey: ['shelfId', 'name'], collection: { scope: ['shelfId'], paged: true } },
      parent: { field: 'shelfId', type: 'library:index/shelf:Shelf' },
      presence: { hidden: 'nobody can read it' },
      visibility: [
        {
          ...{ field: 'status', values: { shown: 'out', hidden: 'in' }, published: true },
          ...{ where: { field: 'language', is: 'en' }, says: { shown: 'all read it', hidden: 'none read it' } },
        },
        {
          ...{ field: 'poster', values: { shown: 'up', hidden: 'down' }, contents: true },
          says: { shown: 'all read it', hidden: 'the poster goes' },
        },
      ],
    },
  ),
  // Settings of a shelf that are always there: no call takes back more of them than their height.
  type(
    'Fitting',
    { shelfId: { onChange: 'replace', references: 'library:index/shelf:Shelf', stable: true }, height: {}, colour: {} },
    {
      ...{
        naturalKey: ['shelfId'],
        unique: [['shelfId']],
        collection: { scope: ['shelfId'], paged: false, listed: false },
      },
      ...{ parent: { field: 'shelfId', type: 'library:index/shelf:Shelf' }, endless: { putsBack: ['height'] } },
    },
  ),
  // Says who may come in; the platform shows its key once.
  type(
    'Club',
    {
      name: {},
      members: { type: 'array', equality: 'set' },
      key: { secret: true },
      theme: { deprecated: 'use name' },
      badges: { type: 'array', equality: 'set', deprecated: 'use labels' },
    },
    { unique: [['name']], visibility: [{ field: 'members' }], shownOnce: ['key'], forcible: ['delete'] },
  ),
  // Keeps its text as an edition of its own, and shows the newest; a cover stands in no list.
  type(
    'Tome',
    { title: {}, text: { keptAs: 'library:index/edition:Edition' } },
    { contents: ['library:index/edition:Edition', 'library:index/cover:Cover', 'library:index/page:Page'] },
  ),
  type(
    'Edition',
    { tomeId: { references: 'library:index/tome:Tome' }, number: {} },
    {
      naturalKey: ['tomeId', 'number'],
      ...{ collection: { scope: ['tomeId'], paged: true, shownIn: 'newest' } },
      parent: { field: 'tomeId', type: 'library:index/tome:Tome' },
    },
  ),
  type(
    'Cover',
    { tomeId: {}, colour: {} },
    {
      ...{ naturalKey: ['tomeId'], collection: { scope: ['tomeId'], paged: false, listed: false } },
      parent: { field: 'tomeId', type: 'library:index/tome:Tome' },
    },
  ),
  // Holds a clip to a shelf: it may go to another clip, and to another shelf.
  type(
    'Cord',
    {
      clipId: { references: 'library:index/clip:Clip' },
      shelfId: { references: 'library:index/shelf:Shelf' },
      name: {},
    },
    {
      nesting: [
        { field: 'clipId', under: 'library:index/clip:Clip', inherits: [] },
        { field: 'shelfId', under: 'library:index/shelf:Shelf', inherits: [] },
      ],
    },
  ),
  // Of whatever has the id: its type does not say of what.
  type('Sticker', { of: {}, name: {} }, { naturalKey: ['of', 'name'], collection: { scope: ['of'], paged: true } }),
  // Takes all of its fields at once, or none; its key is never shown.
  type(
    'Ticket',
    {
      name: {},
      text: {},
      key: { writeOnly: true, inList: false },
      pin: { writeOnly: true, inList: false, secret: true },
    },
    { unique: [['name']], isWrittenWhole: true },
  ),
  // Can't be updated.
  type(
    'Stamp',
    { name: {}, colour: {}, seal: { writeOnly: true, inList: false } },
    { unique: [['name']], updatable: false },
  ),
]);

export function typeOf(name: string): ResourceType {
  const found = [...types.values()].find((known) => known.name === name);
  if (found === undefined) throw new Error(`no type ${name}`);
  return found;
}

export function rule(typeName: string, name: string): FieldRule {
  const found = typeOf(typeName).fields[name];
  if (found === undefined) throw new Error(`no field ${typeName}.${name}`);
  return found;
}

/** A field of any kind, for what looks at rules alone. */
export function ruleWith(equality: FieldRule['equality'], more: Rule = {}): FieldRule {
  return field('field', { equality, ...more });
}
