import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { reducedDescription } from '../../scripts/facts/reduced-description.js';
import { leftOut } from '../harness/left-out.js';

/** Folder with the descriptions whose facts are kept in schemas/descriptions; undefined when none is named. */
const folder = process.env['PLATFORM_DESCRIPTIONS'];
const reason =
  folder === undefined
    ? leftOut(
        'test/contract/reduced.test.ts',
        'PLATFORM_DESCRIPTIONS is not set. It names a folder with platform-description.yaml and platform-description-unmarked.yaml.',
      )
    : '';

const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');
const added = 'src/providers/platform/derived/marked.added.yaml';

describe.runIf(folder !== undefined)(`the kept facts are what the descriptions say, and what is added${reason}`, () => {
  it.each([
    ['marked', 'platform-description.yaml', read(added)],
    ['unmarked', 'platform-description-unmarked.yaml', undefined],
  ])('platform-%s.json', (name, file, more) => {
    // Long: a difference is told by its length and place, not as a page of both.
    const [made, kept] = [
      reducedDescription(read(folder ?? '', file), more),
      read(`schemas/descriptions/platform-${name}.json`),
    ];
    const lines = kept.split('\n');
    const other = made.split('\n').findIndex((line, at) => line !== lines[at]);
    expect({ other, lines: made.split('\n').length }).toEqual({ other: -1, lines: lines.length });
  });
});

/** What a newer description says, which only some have. */
const newest = join(folder ?? '', 'platform-description-newest.yaml');

describe.runIf(folder !== undefined && existsSync(newest))(`what is kept of the newest${reason}`, () => {
  it('are the paths that its rules name', () => {
    const { names } = parse(read('src/providers/platform/derived/newest.rules.yaml')) as { readonly names: object };
    const kept = read('schemas/descriptions/platform-newest.json');
    expect(reducedDescription(read(newest), undefined, Object.keys(names)) === kept).toBe(true);
  });
});

describe('what is kept of a description', () => {
  const described = `
openapi: 3.0.0
info: { title: t, version: '1' }
servers: [{ url: 'https://a.example.com' }]
paths:
  /beds:
    get: { summary: Words, responses: { '200': { description: Words } } }
components: { schemas: { Bed: { type: object, description: Words, properties: { description: { type: string } } } } }
`;
  const more = `
/beds/{id}:
  why: It is there.
  get:
    responses: { '200': { content: { application/json: { schema: { $ref: '#/components/schemas/Bed' } } } } }
`;

  it('is no sentence; what is added counts as described, its reason apart', () => {
    const made = JSON.parse(reducedDescription(described, more)) as Record<string, unknown>;
    expect(made['paths']).toEqual({
      '/beds': { get: { responses: { '200': {} } } },
      '/beds/{id}': {
        get: {
          responses: { '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Bed' } } } } },
        },
      },
    });
    expect(made['components']).toEqual({
      parameters: {},
      schemas: { Bed: { type: 'object', properties: { description: { type: 'string' } } } },
    });
  });

  it('is never said twice: a description that has caught up is an error', () => {
    expect(() => reducedDescription(described, '/beds: { why: It is there. }')).toThrow('/beds is described by now');
  });

  it('is what it was asked for, each path with its items, at the server of its region', () => {
    const two = described.replace(
      'components:',
      '  /beds/{id}: { delete: {} }\n  /bedsteads: { get: {} }\ncomponents:',
    );
    const made = JSON.parse(reducedDescription(two, undefined, ['/beds'])) as Record<string, object>;
    expect(Object.keys(made['paths'] ?? {})).toEqual(['/beds', '/beds/{id}']);
    expect(made['servers']).toEqual([{ url: 'https://{region}.api.example.com' }]);
  });
});
