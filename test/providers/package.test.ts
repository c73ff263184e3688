import { describe, expect, test } from 'vitest';
import type { ResourceDescriptor } from '../../src/engine/model/descriptor.js';
import type { FieldRule } from '../../src/engine/model/resource-type.js';
import { cloudPackage } from '../../src/providers/cloud/package.js';
import type { PackageSchema } from '../../src/providers/package-schema.js';
import { resourceTypes } from '../../src/providers/package.js';
import { platformPackage } from '../../src/providers/platform/package.js';
import { providerPackages } from '../../src/providers/registry.js';

const token = 'shop:index/book:Book';
const text = { type: 'string', description: 'A text.' };
const schema: PackageSchema = {
  name: 'shop',
  description: 'Books on shelves.',
  types: {
    'shop:index/Mood:Mood': {
      type: 'string',
      description: 'How it feels.',
      enum: [{ name: 'Good', value: 'good', description: 'Good.' }],
    },
  },
  resources: {
    [token]: {
      type: 'object',
      description: 'A book.',
      properties: {
        shelfId: text,
        title: text,
        mood: { $ref: '#/types/shop:index/Mood:Mood', description: 'Mood.' },
        isbn: { ...text, willReplaceOnChanges: true },
        tags: { type: 'object', additionalProperties: { type: 'string' }, description: 'Tags.' },
        pages: { type: 'integer', description: 'Pages.' },
      },
      required: ['title'],
      inputProperties: {
        shelfId: text,
        title: text,
        mood: { $ref: '#/types/shop:index/Mood:Mood', description: 'Mood.' },
        isbn: { ...text, willReplaceOnChanges: true },
        tags: { type: 'object', additionalProperties: { type: 'string' }, description: 'Tags.' },
      },
      requiredInputs: ['shelfId'],
    },
  },
};
const descriptor: ResourceDescriptor = {
  token,
  naturalKey: ['title'],
  collection: { scope: [], paged: true },
  importId: { form: 'plain' },
  fields: {},
};

function fields(changes: Partial<ResourceDescriptor> = {}): Readonly<Record<string, FieldRule>> {
  return resourceTypes(schema, [{ ...descriptor, ...changes }]).get(token)?.fields ?? {};
}

describe('a schema entry joined with its descriptor', () => {
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
    expect(shelfId).toMatchObject({ required: true, computed: false });
    expect(mood).toMatchObject({ type: 'string', enum: ['good'], schema: { type: 'string', enum: ['good'] } });
    expect(tags).toMatchObject({ type: 'object', equality: 'map' });
  });

  test.each<[string, Partial<ResourceDescriptor>, string, FieldRule['onChange']]>([
    ['an unmarked field updates', {}, 'title', 'update'],
    ['a field marked in the schema replaces', {}, 'isbn', 'replace'],
    [
      'the descriptor beats the mark',
      { fields: { isbn: { onChange: 'replace-if-declared' } } },
      'isbn',
      'replace-if-declared',
    ],
    ['a parent replaces though nothing marks it', { parent: { field: 'shelfId', type: token } }, 'shelfId', 'replace'],
  ])('%s', (_name, changes, field, expected) => {
    expect(fields(changes)[field]?.onChange).toBe(expected);
  });

  test('adds limits to the type, or replaces it where a catalogue says more', () => {
    const limited = fields({ fields: { title: { limits: { maxLength: 3 } }, tags: { catalogueSchema: {} } } });
    expect(limited['title']?.schema).toEqual({ type: 'string', maxLength: 3 });
    expect(limited['tags']?.schema).toEqual({});
  });

  test('keeps write-only fields out of lists', () => {
    expect(fields({ fields: { isbn: { writeOnly: true } } })['isbn']).toMatchObject({ writeOnly: true, inList: false });
  });
});

describe('a descriptor that does not fit is a bug, found at once', () => {
  test.each<[string, Partial<ResourceDescriptor>, string]>([
    ['rules', { fields: { titel: {} } }, 'no field "titel"'],
    ['natural key', { naturalKey: ['titel'] }, 'no input "titel"'],
    ['a computed field as key', { naturalKey: ['pages'] }, 'no input "pages"'],
    ['uniqueness', { unique: [['titel']] }, 'no input "titel"'],
    ['alternatives', { exactlyOne: [['titel']] }, 'no input "titel"'],
    ['parent', { parent: { field: 'titel', type: token } }, 'no input "titel"'],
    ['nesting', { nesting: [{ under: token, field: 'shelfId', inherits: ['titel'] }] }, 'no input "titel"'],
    ['collection', { collection: { scope: ['titel'], paged: true } }, 'no input "titel"'],
    ['name', { nameField: 'titel' }, 'no input "titel"'],
    ['losses', { losses: [{ field: 'titel', named: [] }] }, 'no field "titel"'],
    ['visibility', { visibility: [{ field: 'titel' }] }, 'no field "titel"'],
    ['revision', { revision: 'titel' }, 'no field "titel"'],
    ['creation', { creation: 'titel' }, 'no field "titel"'],
    ['label', { label: 'titel' }, 'no field "titel"'],
    ['import id', { importId: { form: 'json', keys: { titel: 'titel', id: 'id' } } }, 'no input "titel"'],
  ])('%s', (_name, changes, message) => {
    expect(() => fields(changes)).toThrow(message);
  });

  test('a resource without descriptor, and a descriptor without resource', () => {
    expect(() => resourceTypes(schema, [])).toThrow('without a descriptor');
    expect(() => resourceTypes(schema, [descriptor, { ...descriptor, token: 'shop:index/pen:Pen' }])).toThrow(
      'not in the package schema',
    );
  });

  test('a reference to a type that is not there', () => {
    expect(() => resourceTypes({ ...schema, types: {} }, [descriptor])).toThrow('nothing stands at');
  });
});

describe('the package of the platform', () => {
  const types = [...platformPackage.types.values()];

  test.each(types.flatMap((type) => (type.parent === undefined ? [] : [[type.name, type, type.parent] as const])))(
    '%s can not move to another parent',
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
