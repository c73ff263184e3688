import { describe, expect, test } from 'vitest';
import { formatProblems, readSchema } from './format-problems.js';

describe('a package schema is one by the rules of the format', () => {
  test.each(['platform.json', 'cloud.json'])('%s', (name) => {
    expect(formatProblems(readSchema(name))).toEqual([]);
  });
});

interface Draft {
  [key: string]: Draft;
}

const team = 'platform:index/getTeam:getTeam';
const document = 'platform:index/apiDocument:ApiDocument';

describe('a broken package schema is refused', () => {
  const cases: readonly [string, (schema: Draft) => void, string][] = [
    [
      'unknown key',
      (s) => Object.assign(s['resources']?.[document] ?? {}, { surprise: true }),
      'additional properties',
    ],
    ['list without items', (s) => put(s, 'list', { type: 'array', description: 'x' }), '/config/variables/list'],
    [
      'two kinds of type at once',
      (s) => put(s, 'both', { type: 'string', items: { type: 'string' }, description: 'x' }),
      '/both',
    ],
    ['unknown primitive', (s) => put(s, 'odd', { type: 'text', description: 'x' }), '/config/variables/odd'],
    ['no description', (s) => put(s, 'mute', { type: 'string' }), "required property 'description'"],
    [
      'reference to nothing',
      (s) => put(s, 'lost', { $ref: '#/types/platform:index/No:No', description: 'x' }),
      'leads nowhere',
    ],
    ['type nobody uses', (s) => rename(s['types'], 'ApiPortal:ApiPortal', 'platform:index/Old:Old'), 'is never used'],
    ['required but missing', (s) => drop(s['resources']?.[document]?.['properties'], 'slug'), '"slug" is required'],
    [
      'input that is no output',
      (s) => drop(s['resources']?.[document]?.['properties'], 'content'),
      '"content" is required',
    ],
    [
      'function output missing',
      (s) => drop(s['functions']?.[team]?.['outputs']?.['properties'], 'name'),
      '"name" is required',
    ],
    [
      'token of another package',
      (s) => rename(s['functions'], 'platform:index/getTeam:getTeam', 'other:index/x:x'),
      'another package',
    ],
    [
      'token without module',
      (s) => rename(s['functions'], 'platform:index/getTeam:getTeam', 'platform:x'),
      'property name',
    ],
    [
      'method without function',
      (s) => drop(s['functions'], 'pulumi:providers:platform/terraformConfig'),
      'no function',
    ],
  ];
  test.each(cases)('%s', (_name, breakIt, expected) => {
    const schema = readSchema('platform.json') as unknown as Draft;
    breakIt(schema);
    expect(formatProblems(schema as never).join('\n')).toContain(expected);
  });
});

function put(schema: Draft, name: string, spec: object): void {
  Object.assign(schema['config']?.['variables'] ?? {}, { [name]: spec });
}

function drop(map: Draft | undefined, name: string): void {
  if (map?.[name] === undefined) throw new Error(`nothing to drop at ${name}`);
  Reflect.deleteProperty(map, name);
}

function rename(map: Draft | undefined, ending: string, to: string): void {
  const from = Object.keys(map ?? {}).find((key) => key.endsWith(ending));
  if (map === undefined || from === undefined) throw new Error(`nothing to rename at ${ending}`);
  Object.assign(map, { [to]: map[from] });
  Reflect.deleteProperty(map, from);
}
