import { describe, expect, test } from 'vitest';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { cloudPackage, cloudSchema } from '@platform-sync/cloud/package';
import { platformPackage } from '@platform-sync/platform/package';
import { style } from '@platform-sync/platform/style';
import { providerPackages } from '@platform-sync/sdk/registry';
import type { TypeDefinition } from '@platform-sync/rest/definition';
import { resourceType } from '@platform-sync/rest/resource-type';
import { restType } from '@platform-sync/rest/rest-type';

const description = 'A text.';
const book: TypeDefinition = {
  name: 'Book',
  description: 'A book.',
  operations: { create: 'POST /shelves/{shelfId}/books', read: 'GET /shelves/{shelfId}/books/{id}' },
  list: { get: '/shelves/{shelfId}/books' },
  fields: {
    shelfId: { description, references: 'Shelf' },
    title: { description },
    mood: { type: { choice: 'Mood', description: 'How it feels.', values: { good: 'Good.' } }, description },
    isbn: { description, replaces: true },
    tags: { type: { map: 'string' }, description },
  },
  outputs: { pages: { type: 'integer', description } },
  required: ['shelfId'],
  always: ['title'],
  naturalKey: ['title'],
};

function typeOf(changes: Partial<TypeDefinition> = {}): ResourceType {
  return resourceType(restType({ ...book, ...changes }, style), {
    provider: 'shop',
    cascades: [],
    contents: [],
    hooks: {},
  });
}

function fields(changes: TypeDefinition['fields'] = {}): Readonly<Record<string, FieldRule>> {
  return typeOf({ fields: { ...book.fields, ...changes } }).fields;
}

describe('a type made of its definition', () => {
  test('gives each field its ordinary rules', () => {
    expect(fields()['title']).toEqual({
      name: 'title',
      type: 'string',
      description: 'A text.',
      input: true,
      required: false,
      computed: false,
      alwaysReturned: true,
      onChange: 'update',
      equality: 'exact',
      writeOnly: false,
      inList: true,
      clearing: { by: 'null' },
      stable: false,
      secret: false,
      schema: { type: 'string' },
    });
  });

  test('knows what is computed, required, of which values and how maps compare', () => {
    const { pages, shelfId, mood, tags } = fields();
    expect(pages).toMatchObject({ computed: true, input: false, type: 'number', schema: { type: 'integer' } });
    expect(shelfId).toMatchObject({ required: true, computed: false, references: 'shop:index/shelf:Shelf' });
    expect(mood).toMatchObject({ type: 'string', enum: ['good'], schema: { type: 'string', enum: ['good'] } });
    expect(tags).toMatchObject({ type: 'object', equality: 'map' });
  });

  test.each<[string, TypeDefinition['fields'], string, FieldRule['onChange']]>([
    ['an unmarked field updates', {}, 'title', 'update'],
    ['a marked field replaces', {}, 'isbn', 'replace'],
    [
      'a field may replace only when its value changes',
      { isbn: { description, replaces: 'if-declared' } },
      'isbn',
      'replace-if-declared',
    ],
    ['a parent replaces though nothing marks it', {}, 'shelfId', 'replace'],
  ])('%s', (_name, changes, field, expected) => {
    expect(fields(changes)[field]?.onChange).toBe(expected);
  });

  test('adds limits to the type, or replaces it where a catalogue says more', () => {
    const limited = fields({
      title: { description, limits: { maxLength: 3 } },
      tags: { type: { map: 'string' }, description, accepts: {} },
    });
    expect(limited['title']?.schema).toEqual({ type: 'string', maxLength: 3 });
    expect(limited['tags']?.schema).toEqual({});
  });

  test('writes out records, with the members that must be there', () => {
    const members = { note: 'A note.', pages: { type: 'integer', description: 'Pages.', optional: true } } as const;
    const { cover } = fields({ cover: { description, type: { list: { record: 'Cover', description, members } } } });
    expect(cover?.schema).toEqual({
      type: 'array',
      items: {
        type: 'object',
        properties: {
          note: { description: 'A note.', type: 'string' },
          pages: { description: 'Pages.', type: 'integer' },
        },
        required: ['note'],
        additionalProperties: false,
      },
    });
  });

  test('keeps write-only fields out of lists', () => {
    expect(fields({ isbn: { description, writeOnly: true } })['isbn']).toMatchObject({
      writeOnly: true,
      inList: false,
    });
  });
});

describe('a definition that contradicts itself is a bug, found at once', () => {
  test.each<[string, Partial<TypeDefinition>, string]>([
    ['natural key', { naturalKey: ['titel'] }, 'no input "titel"'],
    ['a computed field as key', { naturalKey: ['pages'] }, 'no input "pages"'],
    ['uniqueness', { unique: [['titel']] }, 'no input "titel"'],
    ['alternatives', { exactlyOne: [['titel']] }, 'no input "titel"'],
    ['parent', { parent: 'titel' }, 'no input "titel"'],
    ['untouched', { untouched: { titel: 'x' } }, 'no input "titel"'],
    ['collection', { list: { get: '/racks/{titel}/books' } }, 'no input "titel"'],
    ['a computed field as name', { outputs: { pages: { description, role: 'name' } } }, 'no input "pages"'],
    ['import id', { importId: '{titel}/{id}' }, 'no input "titel"'],
    ['file', { file: { format: 'markdown', body: 'titel', fields: {} } }, 'no field "titel"'],
    ['required', { required: ['titel'] }, 'no field "titel"'],
    ['always', { always: ['titel'] }, 'no field "titel"'],
    ['hook', { hooks: { derive: 'slug' } }, 'names the hook "slug"'],
  ])('%s', (_name, changes, message) => {
    expect(() => typeOf(changes)).toThrow(message);
  });
});

test("the cloud's schema says of its resources what its types say", () => {
  for (const [token, spec] of Object.entries(cloudSchema.resources ?? {})) {
    const type = cloudPackage.types.get(token);
    const named = (is: (rule: FieldRule) => boolean): readonly string[] =>
      Object.values(type?.fields ?? {})
        .filter(is)
        .map(({ name }) => name);
    expect(named(() => true)).toEqual(Object.keys(spec.properties));
    expect(named((rule) => rule.input)).toEqual(Object.keys(spec.inputProperties));
    expect(named((rule) => rule.required)).toEqual(spec.requiredInputs);
    expect(named((rule) => rule.alwaysReturned)).toEqual(spec.required);
    expect(named((rule) => rule.onChange === 'replace')).toEqual(
      Object.keys(spec.properties).filter((name) => spec.properties[name]?.willReplaceOnChanges === true),
    );
  }
  expect([...cloudPackage.types.keys()]).toEqual(Object.keys(cloudSchema.resources ?? {}));
});

describe('the package of the platform', () => {
  const types = [...platformPackage.types.values()];

  test.each(types.flatMap((type) => (type.parent === undefined ? [] : [[type.name, type, type.parent] as const])))(
    '%s cannot move to another parent',
    (_name, type, parent) => {
      expect(type.fields[parent.field]).toMatchObject({ onChange: 'replace', required: true });
      expect(platformPackage.types.has(parent.type)).toBe(true);
    },
  );

  test.each(types.map((type) => [type.name, type] as const))('%s names only types there are', (_name, type) => {
    const named = [
      ...type.cascades,
      ...type.nesting.map((nesting) => nesting.under),
      ...Object.values(type.fields).flatMap((rule) => rule.references ?? []),
    ];
    expect(named.filter((other) => !platformPackage.types.has(other))).toEqual([]);
  });

  test.each(types.map((type) => [type.name, type] as const))(
    '%s can clear or explain every optional input',
    (_n, type) => {
      const derivable = type.derive({
        content: '---\ntitle: A\ndescription: B\n---',
        name: 'A Name',
        title: 'A Title',
        ...specified(type.name),
      });
      for (const rule of Object.values(type.fields)) {
        if (rule.input && rule.clearing.by === 'derived') expect(Object.keys(derivable)).toContain(rule.name);
      }
    },
  );

  /** A version is derived from a specification, and an API's other values from the version. */
  function specified(name: string): Readonly<Record<string, string>> {
    return name === 'ApiVersion' ? { specContent: 'openapi: 3.1.0\ninfo: { version: "1" }\n' } : { version: '1' };
  }

  test.each([
    ['Api', { name: 'Petstore', version: '2.1.0' }, { slug: 'petstore-2' }],
    ['Api', { name: 'Petstore' }, { slug: 'petstore' }],
    ['Api', { version: '1' }, {}],
    ['ApiDocument', { title: 'Getting Started' }, { slug: 'getting-started' }],
    ['ApiDocument', { content: '# Hi' }, {}],
    ['ApiProduct', { name: 'Payments' }, {}],
  ])('%s made of %j gets %j', (name, inputs, derived) => {
    expect(types.find((type) => type.name === name)?.derive(inputs)).toEqual(derived);
  });

  test('changes to an implementation always replace it', () => {
    const implementation = types.find((type) => type.name === 'ApiImplementation');
    expect(implementation?.updatable).toBe(false);
    for (const rule of Object.values(implementation?.fields ?? {}))
      if (rule.input) expect(rule.onChange).toBe('replace');
  });
});

describe('the registry', () => {
  test('knows both packages and refuses others', async () => {
    expect(providerPackages.names).toEqual(['cloud', 'platform']);
    expect(await providerPackages.load('platform')).toBe(platformPackage);
    expect(await providerPackages.load('cloud')).toBe(cloudPackage);
    await expect(providerPackages.load('toString')).rejects.toThrow('no provider package');
  });

  test('short tokens leave out the module "index" only', () => {
    expect(platformPackage.types.get('platform:index/apiDocument:ApiDocument')?.shortToken).toBe(
      'platform:ApiDocument',
    );
    expect([...cloudPackage.lookups.values()].map((lookup) => lookup.shortToken)).toEqual([
      'cloud:endpoints:getServiceIamPolicy',
    ]);
  });

  test('says which settings are secret and where they come from', () => {
    expect(platformPackage.settings['personalAccessToken']).toMatchObject({ secret: true, env: ['PLATFORM_TOKEN'] });
    expect(platformPackage.settings['serverUrl']).toMatchObject({ secret: false, env: ['PLATFORM_SERVER_URL'] });
  });
});
