import { describe, expect, it } from 'vitest';
import { partOf } from '@platform-sync/cli/process/json-part';
import { fakeProgram } from './fake-host.js';

const found = { severity: 'error', code: 'x' };
const plan = { steps: [{ a: 1, b: { c: [1, 2, 3], d: 2 } }, { a: 2 }], summary: { create: 2 }, digest: 'f' };

describe('a part of a document', () => {
  it.each([
    ['no field', [], undefined, plan, {}],
    ['fields', ['summary', 'digest'], undefined, { summary: { create: 2 }, digest: 'f' }, {}],
    ['a field in lists', ['steps.b.d'], undefined, { steps: [{ b: { d: 2 } }, {}] }, {}],
    ['a whole and its part', ['summary', 'summary.create'], undefined, { summary: { create: 2 } }, {}],
    ['the outermost lists', ['steps.b.c'], 1, { steps: [{ b: { c: [1, 2, 3] } }] }, { steps: 1 }],
    ['a limit that cuts nothing', ['digest'], 1, { digest: 'f' }, {}],
  ] as const)('by %s', (_name, fields, limit, shown, leftOut) => {
    expect(partOf(plan, { fields, limit })).toEqual({ shown, leftOut, unknown: [] });
  });

  it.each([
    [{ ok: false, exitCode: 1, diagnostics: [found], result: 1 }],
    [{ ok: true, exitCode: 1, diagnostics: [found], result: 1 }],
  ])('never masks why something failed', (document) => {
    const { shown } = partOf(document, { fields: ['result.name'], limit: undefined });
    expect(shown).toEqual(document);
  });

  it('says of a field that is not there which was meant', () => {
    expect(partOf([plan], { fields: ['stepz.a'], limit: undefined }).unknown).toEqual([
      '--fields: nothing here is named "stepz"; did you mean steps?',
    ]);
  });

  it.each([
    ['json', '[1, 2, 3]', '[\n  1\n]\n', '2 more are left out by --limit.\n'],
    ['json', '{"a": [1, 2]}', '{\n  "a": [\n    1\n  ],\n  "leftOut": {\n    "a": 1\n  }\n}\n', ''],
    ['json', 'no JSON', 'no JSON', ''],
  ])('is what is printed: %s of %s', async (form, text, out, err) => {
    const { partOfJson } = await import('@platform-sync/cli/process/json-part');
    const printed = { out: '', err: '' };
    const { host } = fakeProgram({
      host: { out: (more) => void (printed.out += more), err: (more) => void (printed.err += more) },
    });
    const part = partOfJson(host, form === 'json' ? 'json' : 'jsonl', [], ['1']);
    part.host.out(text);
    part.end();
    expect(printed).toEqual({ out, err });
  });
});
