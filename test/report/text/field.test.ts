import { describe, expect, it } from 'vitest';
import type { Action, FieldChange } from '@platform-sync/core/model/plan';
import { fieldLines } from '@platform-sync/report/text/field';
import { compared } from '@platform-sync/report/view/compared';
import { fieldView } from '@platform-sync/report/view/field-view';
import { structuredReader } from '@platform-sync/report/diff/structured-text';
import { plainStyle } from '@platform-sync/report/text/style';
import { field, plan, step } from '../plan-builder.js';

const secret = { $secret: { expression: '!env KEY', fingerprint: 'hmac-sha256:00' } };
const long = 'x'.repeat(81);
const yaml = (summary: string): string =>
  `openapi: 3.0.3\ninfo: {title: Pets}\npaths:\n  /pets:\n    get: {summary: ${summary}}\n`;

async function render(change: FieldChange, action: Action = 'update'): Promise<string> {
  const read = await structuredReader(plan({ steps: [step({ address: 'a', action, fields: [change] })] }));
  return fieldLines(fieldView(change, action, read, compared), change.field.length, plainStyle).join('\n');
}

describe('fieldLines', () => {
  const table: readonly (readonly [string, FieldChange, string, Action?])[] = [
    ['old and new', field('name', { old: 'a', new: 'b' }), '~ name  "a" → "b"'],
    ['a new value', field('name', { new: 'b' }), '+ name  "b"', 'create'],
    ['back to the default', field('name', { old: 'a' }), '- name  "a" → (platform default)'],
    [
      "what can't be cleared",
      field('title', { old: 'a', cannotClear: true }),
      '! title  "a"  # stays: the platform has no way to clear it',
    ],
    [
      'unknown',
      field('apiId', { new: { $unknown: ['petstore.id'] } }),
      '+ apiId  (known after apply)  # from petstore.id',
      'create',
    ],
    ['secret', field('token', { old: secret, new: secret }), '~ token  (secret !env KEY) → (secret !env KEY)'],
    ['secret inside a list', field('l', { new: [1, secret] }), '+ l  [1, (secret !env KEY)]'],
    [
      'forces replacement',
      field('v', { old: '1', new: '2', rule: 'replace' }),
      '~ v  "1" → "2"  # forces replacement',
      'replace',
    ],
    ['a replace rule on an update says nothing', field('v', { old: '1', new: '2', rule: 'replace' }), '~ v  "1" → "2"'],
    ['drift', field('v', { old: 'theirs', new: 'ours', cause: 'drift' }), '~ v  "theirs" → "ours"  # changed outside'],
    ['both', field('v', { old: '1', new: '2', cause: 'both' }), '~ v  "1" → "2"  # changed in the file and outside'],
    [
      'map by member',
      field('labels', { old: { a: '1', b: '2' }, new: { a: '1', b: '3', c: '4' } }),
      '~ labels\n    ~ b: "2" → "3"\n    + c: "4"',
    ],
    [
      'JSON text by member',
      field('attributes', { old: '{"a":[1]}', new: '{"a":[1,2]}' }),
      '~ attributes\n    + a[1]: 2',
    ],
    [
      'YAML description by path',
      field('specContent', { old: yaml('one'), new: yaml('two') }),
      '~ specContent\n    ~ paths./pets.get.summary: "one" → "two"',
    ],
    ['layout of JSON only', field('a', { old: '{"a":1}', new: '{ "a": 1 }' }), '~ a  "{\\"a\\":1}" → "{ \\"a\\": 1 }"'],
    [
      'YAML comment only',
      field('s', { old: yaml('one'), new: `# hi\n${yaml('one')}` }),
      '~ s\n    @@ -1,3 +1,4 @@\n    +# hi\n     openapi: 3.0.3\n     info: {title: Pets}\n     paths:',
    ],
    [
      'text as hunks',
      field('content', { old: 'a\nb\n', new: 'a\nc\n' }),
      '~ content\n    @@ -1,2 +1,2 @@\n     a\n    -b\n    +c',
    ],
    [
      '81 characters are long',
      field('d', { old: long, new: 'short' }),
      `~ d\n    @@ -1,1 +1,1 @@\n    -${long}\n    +short`,
    ],
    [
      'hostile text',
      field('name\u001b', { old: '\u001b[2J', new: '\u202eb' }),
      '~ name\\u001b  "\\u001b[2J" → "\\u202eb"',
    ],
    [
      'a text that looks like a mark',
      field('a', { old: '(known after apply)', new: 'b' }),
      '~ a  "(known after apply)" → "b"',
    ],
  ];

  const rows = table.map(([name, change, expected, action = 'update']) => ({ name, change, expected, action }));
  it.each(rows)('$name', async ({ change, expected, action }) => {
    expect(await render(change, action)).toBe(expected);
  });

  it('shows the beginning of a long new text, escaped', async () => {
    const text = Array.from({ length: 20 }, (_, at) => `line ${at}\u0007`).join('\n');
    const lines = (await render(field('content', { new: text }), 'create')).split('\n');
    expect(lines[0]).toBe('+ content  (text, 20 lines)');
    expect(lines[1]).toBe('    | line 0\\u0007');
    expect(lines.at(-1)).toBe('    | … 12 more lines');
  });

  it('names a new JSON description instead of printing it', async () => {
    const text = JSON.stringify({ openapi: '3.0.3', paths: {} }, null, 2);
    expect(await render(field('specContent', { new: text }), 'create')).toBe('+ specContent  (OpenAPI 3.0.3, 4 lines)');
  });

  it('names a new YAML description without parsing it', async () => {
    expect(await render(field('specContent', { new: yaml('one') }), 'create')).toBe(
      '+ specContent  (OpenAPI 3.0.3, 5 lines)',
    );
  });

  it.each([
    ['a map of long texts', { note: `${'same '.repeat(60)}before` }, { note: `${'same '.repeat(60)}after` }],
    ['a list in JSON', ['x'.repeat(500), 'before'], ['x'.repeat(500), 'after']],
  ])('never cuts a long value where the new one begins: %s', async (_, old, now) => {
    const text = await render(field('v', { old, new: now }));
    expect(text).toContain('after');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(400);
  });

  it('gives up on diffing two texts that share nothing, and says how long they are', async () => {
    const lines = (from: number): string => Array.from({ length: 5000 }, (_, at) => `${from + at}`).join('\n');
    expect(await render(field('content', { old: lines(0), new: lines(1_000_000) }))).toBe(
      '~ content  (text, 5000 lines) → (text, 5000 lines)',
    );
  });
});

it('takes a broken description for the text that it is', async () => {
  const [whole, other] = [yaml('a'), yaml('b')];
  const read = await structuredReader(
    plan({ steps: [step({ address: 'a', action: 'update', fields: [field('spec', { old: whole, new: other })] })] }),
  );
  expect(read(whole)).toMatchObject({ openapi: '3.0.3' });
  expect(read(`${whole}tags: [a\n`)).toBeUndefined();
});
