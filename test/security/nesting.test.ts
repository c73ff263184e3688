import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realProgram, type RealProgram } from '../cli/real-program.js';

const maps = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const lists = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
/** A system takes 128 KiB in an argument or a variable. */
const mostInArguments = 5_000;
const project = 'project: deep\n';
const api = (labels: string): string =>
  `resources:\n  pets: {type: platform:Api, properties: {version: "1", labels: ${labels}}}\n`;
const openapi = (levels: number, mark: number): string =>
  JSON.stringify(`{"openapi": "3.0.3", "info": {"title": "${mark}", "version": "1"}, "x-deep": ${maps(levels)}}`);
const yamlApi = (levels: number, mark: number): string =>
  JSON.stringify(`openapi: 3.0.3\ninfo: {title: "${mark}", version: "1"}\nx-deep: ${maps(levels)}\n`);

let program: RealProgram;
beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'x' });
});
afterAll(() => program.close());

interface Given {
  readonly files?: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
  readonly policy?: string;
}

/** Everything that others may write, nested so deep. */
const inputs: readonly (readonly [what: string, given: (levels: number) => Given, says: RegExp])[] = [
  [
    'a part of a JSON file',
    (n) => ({ files: { 'x.json': maps(n), 'catalogue/a.yaml': api('!file ../x.json#/a') }, argv: ['validate'] }),
    /nesting-too-deep .*more than 200 levels deep/,
  ],
  [
    'a part of a YAML file',
    (n) => ({
      files: { 'x.yaml': `a: ${lists(n)}`, 'catalogue/a.yaml': api('!file ../x.yaml#/a') },
      argv: ['validate'],
    }),
    /nesting-too-deep .*more than 200 levels deep/,
  ],
  ['a catalogue file', (n) => ({ files: { 'catalogue/a.yaml': api(maps(n)) }, argv: ['validate'] }), /nested/],
  ['sync.yaml', (n) => ({ files: { 'sync.yaml': `${project}providers: ${maps(n)}\n` }, argv: ['validate'] }), /nested/],
  [
    'a policy',
    (n) => ({ argv: ['policy', 'check'], policy: `{"hosts": ${maps(Math.min(n, mostInArguments))}}` }),
    /policy-(unreadable|invalid)/,
  ],
  ['a plan', (n) => ({ files: { 'p.json': maps(n) }, argv: ['apply', 'p.json', '--yes'] }), /more than 300 levels/],
  ['a plan to show', (n) => ({ files: { 'p.json': maps(n) }, argv: ['show', 'p.json'] }), /more than 300 levels/],
  [
    'a result to comment on',
    (n) => ({ files: { 'r.json': maps(n) }, argv: ['comment', 'r.json', '--file', 'c.md'] }),
    /more than 300 levels/,
  ],
  ['a state', (n) => ({ files: { 's.json': maps(n) }, argv: ['state', 'push', 's.json'] }), /more than 300 levels/],
  [
    'arguments of a lookup',
    (n) => ({ argv: ['lookup', 'getTeam', maps(Math.min(n, mostInArguments))] }),
    /more than 200 levels/,
  ],
];

describe.each([301, 5_000, 200_000])('what is nested %i levels deep is refused in words', (levels) => {
  it.each(inputs)('%s', async (_what, given, says) => {
    const { files = {}, argv, policy } = given(levels);
    await program.write({ 'sync.yaml': project, 'catalogue/a.yaml': api('{}'), ...files });
    const { env } = program;
    if (policy !== undefined) program.env = { ...env, SYNC_POLICY: policy };
    const { code, out, err } = await program.run(...argv);
    program.env = env;
    expect([code > 0, (out + err).replaceAll(/\s+/g, ' ').slice(0, 2_000)]).toEqual([
      true,
      expect.stringMatching(says),
    ]);
    expect(out + err).not.toMatch(/call stack|bug:|RangeError|\n {4}at /i);
  });
});

/** What a document says of itself at its head is the platform's to read: to us it is text. */
describe('the head of a document that is nested deep', () => {
  it.each([
    ['maps', maps],
    ['lists', lists],
  ])('%s: is sent, compared and shown as the text that it is', async (_kind, nested) => {
    for (const levels of [5_000, 200_000]) {
      const guide = (mark: string): string => `---\nx-deep: ${nested(levels)}\nmark: ${mark}\n---\n\n# Guide\n`;
      const page = '{type: platform:ApiDocument, properties: {title: Guide, slug: guide, content: !file ../guide.md}}';
      const pets = `resources:\n  pets:\n    type: platform:Api\n    properties: {version: "1"}\n    children: {guide: ${page}}\n`;
      await program.write({ 'sync.yaml': project, 'catalogue/a.yaml': pets, 'guide.md': guide('one') });
      expect((await program.run('apply', '--yes')).code).toBe(0);
      await program.write({ 'guide.md': guide('two') });
      for (const format of ['text', 'markdown', 'html', 'json']) {
        const { code, out, err } = await program.run('plan', '--format', format);
        expect([format, code, err.slice(0, 2_000)]).toEqual([format, 0, expect.not.stringMatching(/call stack|bug:/i)]);
        expect(out).toContain('guide');
      }
      expect((await program.run('destroy', '--yes')).code).toBe(0);
    }
  });
});

describe.each([
  ['JSON', openapi],
  ['YAML', yamlApi],
])('an API description in %s that is nested deep', (_kind, text) => {
  it.each([150, 2_000, 20_000])('%i levels: is compared as far as it can be, in every report', async (levels) => {
    const shop = (mark: number): string =>
      `resources:\n  deep: {type: platform:Api, properties: {version: "1", specContent: ${text(levels, mark)}}, options: {allowBrokenSpecification: true}}\n`;
    await program.write({ 'sync.yaml': project, 'catalogue/a.yaml': shop(1) });
    expect((await program.run('apply', '--yes')).code).toBe(0);
    await program.write({ 'catalogue/a.yaml': shop(2) });
    for (const format of ['text', 'markdown', 'html', 'json']) {
      const { code, out, err } = await program.run('plan', '--format', format, '--out', 'plan.json');
      expect([format, code, err.slice(0, 2_000)]).toEqual([format, 0, expect.not.stringMatching(/call stack|bug:/i)]);
      expect(out.length).toBeGreaterThan(100);
    }
    expect((await program.run('destroy', '--yes')).code).toBe(0);
  });
});
