import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import { definitionsAtHand } from '@platform-sync/rest/definition-source';
import { definedTypes } from '@platform-sync/rest/resource-type';
import { compiledStyle } from '@platform-sync/describe/compile';
import { diffTypes } from '@platform-sync/describe/diff';
import { compileFile, typesOf } from '@platform-sync/describe/load';
import { fakeProgram } from '../cli/fake-host.js';

const garden = fileURLToPath(new URL('garden.yaml', import.meta.url));
const text = readFileSync(garden, 'utf8');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sync-types-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return name;
}

const { types, open } = compileFile('/', garden, undefined);
const typeNamed = (name: string) => {
  const found = types.definitions.find((each) => each.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

describe('a description becomes definitions', () => {
  it('what is made by POST, by PUT of an item, or is always there is a type; a verb is none', () => {
    expect(types.definitions.map(({ name, operations: { create } }) => [name, create])).toEqual([
      ['Bed', 'POST /v1/gardens/{gardenId}/beds'],
      ['Garden', 'POST /v1/gardens'],
      ['Tool', 'PUT /v1/gardens/{gardenId}/tools/{name}'],
      ['Watering', 'PATCH /v1/gardens/{gardenId}/watering'],
    ]);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    [
      'Garden',
      {
        name: 'create and update body',
        tags: 'create and update body',
        soil: 'create and update body',
        gatePassword: 'create and update body',
        owner: 'create and update body',
        country: 'create body alone: replaces',
        createdAt: 'read-only: output',
      },
    ],
    [
      'Bed',
      {
        gardenId: 'path parameter: part of the place',
        rows: 'no update call: replaces',
        size: 'no update call: replaces',
      },
    ],
    [
      'Tool',
      {
        gardenId: 'path parameter: part of the place',
        name: 'path parameter: part of the place',
        weight: 'create and update body',
      },
    ],
  ])('each field of %s remembers which rule decided', (name, rules) => {
    expect(types.decided[name]).toEqual(rules);
  });

  it('limits, choices, defaults, sets, records, secrets and what is never shown come with the fields', () => {
    const { fields, required, naturalKey, absence, list } = typeNamed('Garden');
    expect(fields['name']).toMatchObject({ limits: { minLength: 1, maxLength: 40 } });
    expect(fields['soil']).toMatchObject({
      type: { choice: 'GardenSoil', values: { clay: 'Clay.', sand: 'Sand.' }, open: true },
      clearing: { by: 'value', value: 'clay' },
    });
    expect(fields['tags']).toMatchObject({ type: { list: 'string' }, equality: 'set' });
    expect(fields['gatePassword']).toMatchObject({ secret: true, writeOnly: true });
    expect(fields['owner']).toMatchObject({
      type: { record: 'GardenOwner', members: { fullName: { optional: true } } },
    });
    expect(fields['country']).toMatchObject({ replaces: true });
    expect([required, naturalKey, absence]).toEqual([['country', 'name'], ['name'], 'unlisted-404']);
    expect(list).toEqual({
      get: '/v1/gardens',
      paging: {
        by: 'number',
        items: 'data',
        number: 'page[number]',
        total: ['meta', 'page', 'total'],
        counted: false,
        size: { parameter: 'page[size]', items: 100 },
      },
    });
  });

  it('what an answer may leave out or may hold as null can be null, whatever bodies say', () => {
    const answered = (schema: string) =>
      compileFile(
        folder,
        written(
          'nullable.yaml',
          text
            .replace('required: [id, name, created_at]', 'required: [id, name, soil, created_at]')
            .replace('soil: { type: string }\n', `soil: ${schema}\n`),
        ),
        undefined,
      ).types.definitions.find(({ name }) => name === 'Garden')?.fields['soil']?.nullable;
    expect(answered('{ type: string }')).toBeUndefined();
    expect(answered('{ type: [string, "null"] }')).toBe(true);
    expect(answered('{ type: string, nullable: true }')).toBe(true);
    expect(typeNamed('Garden').fields['tags']?.nullable).toBe(true);
  });

  it('what only an update takes is not declared, for every create would be refused with it', () => {
    const late = text
      .replace("$ref: '#/components/schemas/GardenChange' } } } }", "$ref: '#/components/schemas/LateChange' } } } }")
      .replace(
        '    GardenChange:',
        "    LateChange:\n      allOf:\n        - { $ref: '#/components/schemas/GardenChange' }\n        - { properties: { state: { type: string }, notify: { type: boolean } } }\n    GardenChange:",
      )
      .replace('soil: { type: string }\n', 'soil: { type: string }\n        state: { type: string }\n');
    const made = compileFile(folder, written('late.yaml', late), undefined).types.definitions;
    const of = made.find(({ name }) => name === 'Garden');
    expect(Object.keys(of?.fields ?? {})).toEqual(Object.keys(typeNamed('Garden').fields));
    expect(of?.outputs).toHaveProperty('state');
    expect(of?.outputs).not.toHaveProperty('notify');
  });

  it.each<[string, string, string, object]>([
    ['an id', 'keeper_id', 'keeper: { properties: { id: { type: string } } }', { shown: 'keeper.id' }],
    ['a name', 'crop_name', 'crop: { properties: { name: { type: string } } }', { shown: 'crop.name' }],
    ['no word of a name', 'username', 'user: { properties: { name: { type: string } } }', { writeOnly: true }],
  ])('what answers show in the object that a member names is read there: %s', (_, taken, answered, expected) => {
    const garden = text
      .replace('gate_password: { type: string }', `${taken}: { type: string }`)
      .replace('        created_at: { type', `        ${answered}\n        created_at: { type`);
    const made = compileFile(folder, written('named.yaml', garden), undefined).types.definitions;
    const fields = made.find(({ name }) => name === 'Garden')?.fields ?? {};
    const field = Object.entries(fields).find(([name]) => name.toLowerCase() === taken.replace('_', ''))?.[1];
    expect(field).toMatchObject(expected);
    expect('shown' in expected ? field?.writeOnly : field?.shown).toBeUndefined();
  });

  it('a state that the service moves on from the one that a create took is not compared; one that updates take is', () => {
    const state = (at: 'country: { type: string }' | 'gate_password: { type: string }', answered: string) => {
      const garden = text
        .replace(at, `state: { type: string, enum: [planned, closed] }`)
        .replace('required: [country]', 'required: []')
        .replace(
          '        created_at: { type',
          `        state: { type: string, enum: ${answered} }\n        created_at: { type`,
        );
      const made = compileFile(folder, written('state.yaml', garden), undefined).types.definitions;
      return made.find(({ name }) => name === 'Garden')?.fields['state'];
    };
    expect(state('country: { type: string }', '[planned, open, closed]')).toMatchObject({ writeOnly: true });
    expect(state('country: { type: string }', '[planned, closed]')?.writeOnly).toBeUndefined();
    expect(state('gate_password: { type: string }', '[planned, open, closed]')?.writeOnly).toBeUndefined();
  });

  it('a child has the field of its place, whatever each path calls it, and proves absence as its answer does', () => {
    expect(typeNamed('Bed')).toMatchObject({
      parent: 'gardenId',
      absence: 'problem-404',
      list: { get: '/v1/gardens/{gardenId}/beds', paging: { by: 'none', items: '' } },
      fields: { gardenId: { references: 'Garden', nests: true } },
    });
    expect(typeNamed('Tool')).toMatchObject({ naturalKey: ['gardenId', 'name'], required: ['gardenId', 'name'] });
  });

  it('nothing is said to be unique, so that nothing is adopted by its key unasked', () => {
    const unique = types.definitions
      .filter((each) => each.unique !== undefined)
      .map(({ name, unique: own }) => [name, own]);
    // What its path says of an object is a fact.
    expect(unique).toEqual([
      ['Tool', [['gardenId', 'name']]],
      ['Watering', [['gardenId']]],
    ]);
  });

  it('a provider can be made of it, record within record included', () => {
    const source = definitionsAtHand(types.definitions, compiledStyle);
    const made = definedTypes({ provider: 'garden', source, style: compiledStyle }).types;
    expect([...made.keys()].map((token) => made.get(token)?.name)).toEqual(['Bed', 'Garden', 'Tool', 'Watering']);
  });

  it('what no rule decides is told, and settled by a correction with its reason', () => {
    expect(open.map(({ summary }) => summary)).toEqual([
      'Bed: no field identifies an object: naturalKey names the fields that do.',
      'Tool: there is no list, so unknown objects cannot be found.',
    ]);
    const rules = written(
      'rules.yaml',
      'corrections: {Bed: {naturalKey: [gardenId, rows], why: one of each}, Tool: {skip: true, why: not ours}, Garden: {why: soil is fixed, fields: {soil: {replaces: true, why: the console says so}}}}\n',
    );
    const corrected = compileFile(folder, garden, rules);
    expect(corrected.open).toEqual([]);
    expect(corrected.types.definitions.map(({ name }) => name)).toEqual(['Bed', 'Garden', 'Watering']);
    expect(corrected.types.decided['Garden']?.['soil']).toBe('correction');
    expect(corrected.types.corrections).toMatchObject({ 'Garden.soil': 'the console says so', Bed: 'one of each' });
    expect(types.overruled).toEqual({});
    expect(corrected.types.overruled).toEqual({
      Bed: { '': { said: { naturalKey: ['gardenId'] } } },
      Garden: { soil: { rule: 'create and update body', said: { replaces: null } } },
    });
  });
});

describe('types that are made at one path', () => {
  const kind = (name: string): string => `{ properties: { kind: { enum: [${name}] }, id: { type: string } } }`;
  const marked = (mark: string, schema: string): string => `
  /v1/plants#${mark}:
    post: { x-entity: ${mark}#create, requestBody: { content: { application/json: { schema: ${schema} } } } }
    get: { responses: { '200': { content: { application/json: { schema: { type: array, items: ${schema} } } } } } }
  /v1/plants/{id}#${mark}:
    get: { x-entity: ${mark}#read, responses: { '200': { content: { application/json: { schema: ${schema} } } }, '404': {} } }
    delete: { x-entity: ${mark}#delete, responses: { '204': {} } }`;
  const any = '{ properties: { kind: { type: string }, id: { type: string }, height: { type: integer } } }';
  const plants = (free: string): string => `openapi: 3.0.0
paths:
  /v1/plants:
    post: { requestBody: { content: { application/json: { schema: ${free} } } } }
  /v1/plants/{id}:
    get: { responses: { '200': { content: { application/json: { schema: ${free} } } }, '404': {} } }
    delete: { responses: { '204': {} } }${marked('Rose', kind('rose'))}${marked('Oak', kind('oak'))}
`;
  const compiled = (free: string, names: string) =>
    compileFile(
      folder,
      written('plants.yaml', plants(free)),
      written('plants.rules.yaml', `entityMark: x-entity\n${names}`),
    );
  const named = 'names: {/v1/plants: Wildflower}\n';

  it('are those that marks name, and what its call without a mark makes where the rules file names that', () => {
    expect(compiled(any, '').types.definitions.map(({ name }) => name)).toEqual(['Oak', 'Rose']);
    const [oak, rose, wild] = compiled(any, named).types.definitions;
    expect([oak?.tells, rose?.tells]).toEqual([
      { member: 'kind', is: 'oak' },
      { member: 'kind', is: 'rose' },
    ]);
    // The list that they share stands beside another of its descriptions.
    expect(wild).toMatchObject({
      ...{ name: 'Wildflower', list: { get: '/v1/plants' } },
      operations: { create: 'POST /v1/plants', read: 'GET /v1/plants/{id}', delete: 'DELETE /v1/plants/{id}' },
    });
  });

  it('are told apart by the one text of a member; one that may hold any text has any other', () => {
    const { types: made, open: left } = compiled(any, named);
    const wild = made.definitions.find(({ name }) => name === 'Wildflower');
    expect(wild?.tells).toEqual({ member: 'kind', others: { rose: 'Rose', oak: 'Oak' } });
    expect(Object.keys(wild?.fields ?? {})).toEqual(['id', 'kind', 'height']);
    expect(left.filter(({ summary }) => summary.includes('tells says'))).toEqual([]);
  });

  it.each([
    ['of choices', '{ properties: { kind: { enum: [ivy, moss] }, id: { type: string } } }'],
    ['that is no text', '{ properties: { kind: { type: integer }, id: { type: string } } }'],
    ['that is not there', '{ properties: { id: { type: string }, height: { type: integer } } }'],
  ])('are left to people with a member %s', (_, free) => {
    expect(compiled(free, named).open.map(({ summary }) => summary)).toContain(
      'Wildflower: its list holds other types, too: tells names the member that distinguishes them.',
    );
  });
});

describe('what cannot be followed is an error with its place', () => {
  const path = (schema: string): string =>
    `openapi: 3.0.0\npaths: {/a: {post: {requestBody: {content: {application/json: {schema: ${schema}}}}}}, '/a/{id}': {get: {}}}\n`;
  it.each<[string, string, string, string | RegExp]>([
    ['no file', '', 'description-unreadable', /gone\.yaml can't be read \(ENOENT\)/],
    ['broken YAML', 'openapi: 3.0.0\npaths: {a: [\n', 'description-unreadable', /^d\.yaml:3:1: /],
    ['several documents', 'openapi: 3.0.0\n---\nopenapi: 3.0.0\n', 'description-unreadable', /^d\.yaml:2:1: /],
    ['broken JSON', '{"openapi": "3.0.0",\n  nonsense}', 'description-unreadable', /^d\.yaml/],
    ['a list', '[]', 'description-unreadable', 'd.yaml holds no object.'],
    ['another kind of document', 'swagger: "2.0"\n', 'description-unreadable', /#\/openapi: this is not an OpenAPI 3/],
    [
      'a path that is none',
      'openapi: 3.0.0\npaths: {/a/b: 3}\n',
      'description-unreadable',
      /#\/paths\/~1a~1b holds no object/,
    ],
    ['too deep', `openapi: ${'['.repeat(2000)}`, 'description-unreadable', 'd.yaml is nested too deeply.'],
  ])('%s', (_, content, code, summary) => {
    const file = content === '' ? 'gone.yaml' : written('d.yaml', content);
    expect(problemOf(() => compileFile(folder, file, undefined))).toEqual([
      code,
      expect.stringMatching(summary) as string,
    ]);
  });

  it.each<[string, string, string, RegExp]>([
    ['a remote reference', path('{$ref: "https://x.example/a.yaml#/A"}'), 'remote-reference', /x\.example/],
    ['a file', path('{$ref: "other.yaml#/A"}'), 'remote-reference', /other\.yaml/],
    [
      'a lost reference',
      path('{$ref: "#/components/schemas/A"}'),
      'broken-reference',
      /leads nowhere: #\/components\/schemas\/A/,
    ],
    [
      'a ring',
      `${path('{$ref: "#/components/schemas/A"}')}components: {schemas: {A: {$ref: '#/components/schemas/B'}, B: {$ref: '#/components/schemas/A'}}}\n`,
      'broken-reference',
      /leads back to itself/,
    ],
  ])('but %s is a warning, and what it stands for any value', (_, content, code, summary) => {
    const { open, types } = compileFile(folder, written('d.yaml', content), undefined);
    expect(types.definitions).toHaveLength(1);
    expect(open).toContainEqual(
      expect.objectContaining({ severity: 'warning', code, summary: expect.stringMatching(summary) as string }),
    );
  });

  it('a schema that doubles at every level ends', () => {
    const levels = Array.from(
      { length: 60 },
      (_, n) =>
        `L${n}: {properties: {a: {$ref: '#/components/schemas/L${n + 1}'}, b: {$ref: '#/components/schemas/L${n + 1}'}}}`,
    );
    const content = `${path("{$ref: '#/components/schemas/L0'}")}components: {schemas: {${levels.join(', ')}, L60: {type: string}}}\n`;
    expect(compileFile(folder, written('d.yaml', content), undefined).types.definitions).toHaveLength(1);
  });

  it.each<[string, string]>([
    ['corrections: {Bed: {naturalKey: [rows]}}', 'does not say why'],
    ['corrections: {Bedd: {why: x}}', 'There is no type Bedd'],
    ['corrections: {Bed: {why: x, fields: {row: {why: y}}}}', 'There is no field Bed.row'],
    ['correction: {}', 'a rules file has names, words, hosts, entityMark, absence, texts, corrections'],
    ['corrections: {Bed: {why: x, fields: {rows: {kind: k, why: y}}}}', 'there is no kind "k"'],
    [
      'corrections: {Bed: {why: x, naturalKeys: [rows]}}',
      '/corrections/Bed: there is no "naturalKeys" in a correction.',
    ],
    ['corrections: {Bed: {why: x, toString: y}}', '/corrections/Bed: there is no "toString" in a correction.'],
    [
      'corrections: {Bed: {why: x, fields: {rows: {why: y, secert: true}}}}',
      '/corrections/Bed/fields/rows: there is no "secert" in a correction.',
    ],
    ['corrections: {Bed: {why: x, fields: {rows: {why: y, secret: yes}}}}', '/rows/secret must be true or false'],
    ['corrections: {Bed: {why: x, naturalKey: rows}}', '/corrections/Bed/naturalKey must be a list'],
    ['corrections: {Bed: {why: x, accepted: [naturalkey]}}', '/accepted: there is no "naturalkey" in a correction.'],
    ['corrections: {Bed: {why: x, outputs: {a: {tpye: string}}}}', '/outputs/a: there is no "tpye" in a correction.'],
    ['corrections: {Bed: why}', '/corrections/Bed holds no object'],
    ['names: {/v1/garden: Yard}', 'There is no create call /v1/garden to name.'],
    ['corrections: {Garden: {why: x, list: {}}}', 'Garden: "list.get" is no path'],
    ['corrections: {Garden: {why: x, list: {get: /v1/gardens, paging: {by: turns}}}}', '"list.paging.by" is one of'],
    [
      'corrections: {Garden: {why: x, list: {get: /v1/gardens, paging: {by: cursor, items: data, cursor: c}}}}',
      '"list.paging.next" is no list of names',
    ],
    [
      'corrections: {Garden: {why: x, operations: {create: POST /v1/gardens, read: 3}}}',
      'Garden: "operations.read" is no call',
    ],
    ['corrections: {Garden: {why: x, absence: 404}}', 'Garden: "absence" is one of'],
    ['absence: {status: 400}', 'rules.yaml#/absence is one of'],
  ])('the rules file %s', (content, summary) => {
    const rules = written('rules.yaml', `${content}\n`);
    expect(problemOf(() => compileFile(folder, garden, rules))).toEqual([
      'wrong-correction',
      expect.stringContaining(summary) as string,
    ]);
  });
});

it.each([
  ['corrections: {Bed: {why: x, naturalKeys: [rows]}}', 'naturalKey'],
  ['corrections: {Bed: {why: x, fields: {rows: {why: y, secert: true}}}}', 'secret'],
  ['corrections: {Bed: {why: x, fields: {row: {why: y}}}}', 'Bed.rows'],
  ['corrections: {Bedd: {why: x}}', 'Bed'],
  ['names: {/v1/garden: Yard}', '/v1/gardens'],
  ['correction: {}', 'corrections'],
])('the rules file %s is told what it may have meant', (content, meant) => {
  const rules = written('rules.yaml', `${content}\n`);
  expect(() => compileFile(folder, garden, rules)).toThrow(
    expect.objectContaining({
      diagnostics: [expect.objectContaining({ hint: `Did you mean ${meant}?` })],
    }) as Error,
  );
});

function problemOf(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics.flatMap(({ code, summary }) => [code, summary]);
    throw error;
  }
  return [];
}

describe('a renewed description', () => {
  it('tells what now replaces, vanishes, becomes required or secret, and what is new', () => {
    const renewed = text
      .replace('        tags: { type: array, items: { type: string } }\n        soil', '        soil')
      .replace('soil: { type: string, enum', 'soil: { x-sensitive: true, type: string, enum')
      .replace('required: [name]', 'required: [name, soil]')
      .replace('Watering: {', 'Watering: { x-new: 1,')
      .replace('  /v1/gardens/{garden}/watering:', '  /v1/gardens/{garden}/rain:');
    const next = compileFile(folder, written('next.yaml', renewed), undefined).types;
    expect(diffTypes(types.definitions, next.definitions)).toEqual([
      { type: 'Garden', field: 'soil', what: 'becomes required', breaks: true },
      { type: 'Garden', field: 'soil', what: 'becomes secret', breaks: true },
      { type: 'Garden', field: 'tags', what: 'vanishes', breaks: true },
      { type: 'Rain', what: 'appears', breaks: false },
      { type: 'Watering', what: 'vanishes', breaks: true },
    ]);
    expect(diffTypes(types.definitions, types.definitions)).toEqual([]);
  });

  it('the commands write, read again what they wrote, and compare', async () => {
    const { run } = fakeProgram({});
    written('garden.yaml', text);
    const compiled = await run('types', 'compile', 'garden.yaml', '--out', 'garden.json', '-C', folder);
    expect(compiled).toMatchObject({ code: 0, out: expect.stringMatching(/^4 types, /) as string });
    expect(compiled.err).toContain('Bed: no field identifies an object');
    expect(typesOf(folder, 'garden.json', undefined).types).toEqual(types);
    expect(await run('types', 'diff', 'garden.json', 'garden.yaml', '-C', folder)).toMatchObject({
      code: 0,
      out: 'Nothing changes for catalogues.\n',
    });
    written(
      'next.yaml',
      text.replace('country: { type: string } }, required: [country] }', 'country: { type: string } } }'),
    );
    const changed = await run('types', 'diff', 'next.yaml', 'garden.json', '-C', folder);
    expect(changed.out).toBe('! Garden.country becomes required\n');
    expect(await run('types', 'compile', 'gone.yaml', '-C', folder)).toMatchObject({ code: 1, out: '' });
  });
});
