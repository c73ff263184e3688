import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { updatesOnly } from '@platform-sync/rest/marked-members';
import { compileTypes } from '@platform-sync/describe/compile';
import { Description } from '@platform-sync/describe/description';
import { diffTypes } from '@platform-sync/describe/diff';
import { noRules } from '@platform-sync/describe/rules-file';
import { typeChangesText } from '@platform-sync/report/text/types';

const text = { type: 'string' };
const record = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });
const kind = (name: string, more: JsonObject = {}, by = 'kind'): JsonObject =>
  record({ [by]: { enum: [name] }, ...more });
const either = (...branches: readonly JsonObject[]): JsonObject => ({ oneOf: branches });
const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });

/** A type with one field `soil`, as POST and PATCH (or PUT) take it. */
function compiled(made: JsonObject, changed: JsonObject | undefined, method = 'patch') {
  const body = (soil: JsonObject | undefined): JsonObject =>
    record({ name: text, ...(soil === undefined ? {} : { soil }) });
  return compiledOf(body(made), body(changed), record({ id: text, name: text, soil: made }), method);
}

function compiledOf(made: JsonObject, changed: JsonObject, shown: JsonObject, method = 'patch') {
  const paths = {
    '/beds': { post: { requestBody: json(made), responses: { '201': json(shown) } } },
    '/beds/{id}': {
      get: { responses: { '200': json(shown), '404': {} } },
      [method]: { requestBody: json(changed), responses: { '200': json(shown) } },
      delete: { responses: { '204': {} } },
    },
  };
  const { types, open } = compileTypes(new Description({ openapi: '3.1.0', paths }, 'beds.yaml'), noRules);
  const [definition] = types.definitions;
  if (definition === undefined) throw new Error('no type');
  return { definition, rule: types.decided['Bed']?.['soil'], open: open.map(({ summary }) => summary) };
}

const limitsOf = ({ definition }: ReturnType<typeof compiled>) =>
  updatesOnly(definition.fields['soil']?.type ?? 'string');
const [a, b, c] = [kind('a', { x: text }), kind('b', { y: text }), kind('c')];

describe('what an update takes of a record', () => {
  it.each<[string, JsonObject, JsonObject | undefined, object | undefined]>([
    ['all kinds', either(a, b, c), either(a, b, c), undefined],
    ['all kinds in another order', either(a, b, c), either(c, b, a), undefined],
    ['more kinds', either(a, b), either(a, b, c), undefined],
    ['some kinds', either(a, b, c), either(a, c), { kinds: { kind: ['a', 'c'] } }],
    ['one kind, as a plain record', either(a, b, c), a, { kinds: { kind: ['a'] } }],
    ['one kind, or null', either(a, b, c), either(a, { type: 'null' }), { kinds: { kind: ['a'] } }],
    ['no kind that is made', either(a, b), c, { kinds: { kind: [] } }],
    ['kinds as constants', either(record({ kind: { const: 'a' } }), b), b, { kinds: { kind: ['b'] } }],
    ['less of a kind', either(a, b), kind('a'), { kinds: { kind: ['a'] }, fixed: ['x'] }],
    ['less of a plain record', record({ x: text, y: text }), record({ x: text }), { fixed: ['y'] }],
    [
      'what else there may be',
      record({ x: text, y: text }),
      record({ x: text }, { additionalProperties: true }),
      undefined,
    ],
    ['any record', record({ x: text }), { type: 'object' }, undefined],
    [
      'kinds inside of a record',
      record({ auth: either(a, b) }),
      record({ auth: a }),
      { kinds: { 'auth.kind': ['a'] } },
    ],
    [
      'kinds in a list',
      { type: 'array', items: either(a, b) },
      { type: 'array', items: b },
      { kinds: { kind: ['b'] } },
    ],
    [
      'kinds in a map',
      { type: 'object', additionalProperties: either(a, b) },
      { type: 'object', additionalProperties: b },
      { kinds: { '*.kind': ['b'] } },
    ],
    [
      'no kinds that anything tells apart',
      either(record({ x: text }), record({ y: text })),
      record({ x: text }),
      { fixed: ['y'] },
    ],
    ['nothing of the field', either(a, b), undefined, undefined],
  ])('%s', (_, made, changed, limits) => {
    expect(limitsOf(compiled(made, changed))).toEqual(limits);
    expect(limitsOf(compiled(made, changed, 'put'))).toEqual(limits);
  });

  it('is the rule that decided', () => {
    const rule = 'update body takes less of it: what it leaves out replaces';
    expect([compiled(either(a, b), a).rule, compiled(either(a, b), either(a, b)).rule]).toEqual([
      rule,
      'create and update body',
    ]);
  });

  const unsure = (path: string): string =>
    `Bed: an update takes fewer kinds of ${path} than a create, and nothing in it says which it is of: a change of another is refused.`;
  const [x, y, z] = [record({ x: text }), record({ y: text }), record({ z: text })];
  it.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['records that nothing tells apart', either(x, y, z), either(x, y), [unsure('soil')]],
    ['as many of them', either(x, y), either(x, z), []],
    ['records that updates do not tell apart', either(a, b, c), either(x, y), [unsure('soil')]],
    ['records that are told apart', either(a, b, c), either(a, b), []],
    [
      'such a record inside of one',
      record({ deep: either(x, y, z) }),
      record({ deep: either(x, y) }),
      [unsure('soil.deep')],
    ],
    [
      'such records in a list',
      { type: 'array', items: either(x, y, z) },
      { type: 'array', items: either(x, y) },
      [unsure('soil.*')],
    ],
    ['texts or numbers', either(text, { type: 'number' }, { type: 'boolean' }), either(text), []],
  ])('is open where nobody can tell: %s', (_, made, changed, open) => {
    expect(compiled(made, changed).open.filter((summary) => summary.includes('takes fewer'))).toEqual(open);
  });

  it('is open where it is the object itself that has kinds', () => {
    const body = (...kinds: readonly string[]) => either(...kinds.map((name) => kind(name, { name: text })));
    const made = compiledOf(body('a', 'b', 'c'), body('a', 'b'), record({ id: text, kind: text, name: text }));
    expect(made.open).toContain(unsure('kind'));
  });
});

describe('types diff', () => {
  it('tells which changes replace now, or no longer', () => {
    const [old, next] = [compiled(either(a, b, c), either(a, b)), compiled(either(a, b, c), either(kind('a'), c))];
    const changes = diffTypes([old.definition], [next.definition]);
    expect(typeChangesText(changes)).toBe(
      '! Bed.soil now replaces in more cases: kind: b, x\n  Bed.soil now replaces in fewer cases: kind: c\n',
    );
    expect(diffTypes([old.definition], [old.definition])).toEqual([]);
  });

  it('says nothing of kinds that are new, or gone', () => {
    const [old, next] = [compiled(either(a, b), a), compiled(either(a, c), a)];
    expect(diffTypes([old.definition], [next.definition])).toEqual([]);
  });

  it('says only that all of it replaces where it does', () => {
    const [old, next] = [compiled(either(a, b), a), compiled(either(a, b), undefined)];
    expect(typeChangesText(diffTypes([old.definition], [next.definition]))).toBe('! Bed.soil now replaces\n');
  });
});

describe('what is read-only inside of a record', () => {
  const shownAlone = record({ x: text, at: { ...text, readOnly: true } });
  const membersOf = (soil: JsonObject): string => JSON.stringify(compiled(soil, soil).definition.fields['soil']);

  it.each<[string, JsonObject]>([
    ['plain', shownAlone],
    ['in a list', { type: 'array', items: shownAlone }],
    ['in a map', { type: 'object', additionalProperties: shownAlone }],
    ['in another', record({ deep: shownAlone })],
    ['of several kinds', either(kind('a', { x: text, at: { ...text, readOnly: true } }), kind('b', { y: text }))],
  ])('is not declared, and known from answers: %s', (_, soil) => {
    expect(membersOf(soil)).toContain('"x":{');
    expect(membersOf(soil)).not.toContain('"at":{');
    expect(membersOf(soil)).toContain('"shown":["at"]');
  });

  it('is a member of what is read-only as a whole', () => {
    const { outputs } = compiled({ ...shownAlone, readOnly: true }, undefined).definition;
    expect(JSON.stringify(outputs?.['soil'])).toContain('"at":{');
  });
});
