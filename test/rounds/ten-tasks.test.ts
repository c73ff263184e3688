import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realWorld } from '@platform-sync/core/model/world';
import { openProject } from '@platform-sync/engine/engine';
import { startSandbox, type SandboxOptions } from '@platform-sync/sandbox/server';
import { providerPackages } from '@platform-sync/sdk/registry';
import { fakeProgram } from '../cli/fake-host.js';
import { realProgram, type RealProgram } from '../cli/real-program.js';

/**
 * Ten tasks by a reader who has never seen the program: a command is the one whose line in `--help` shares most words with the task, its
 * form is an example of its own `--help`, and what a type takes stands in `schema` and `explain`.
 */

let program: RealProgram;

beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'any' });
});

afterAll(() => program.close());

const run = async (line: readonly string[], code = 0): Promise<string> => {
  const host = { env: program.env, cwd: program.folder, openProject, packages: async () => providerPackages };
  const started = (options: SandboxOptions) => startSandbox({ quiet: true, ...options });
  const done = await fakeProgram({ host: { ...host, startSandbox: started, world: realWorld } }).run(...line);
  expect([line.join(' '), done.code, done.code === code ? '' : done.err]).toEqual([line.join(' '), code, '']);
  return code === 64 ? done.err : done.out;
};

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set((text.toLowerCase().match(/[a-z]{3,}/g) ?? []).map((word) => word.replace(/(?:s|es|ed|ing)$/, '')));

/** Names with what help says of them; a topic has more of them. */
async function listed(...command: readonly string[]): Promise<readonly (readonly [name: string, summary: string])[]> {
  const help = await run([...command, '--help']);
  const rows = [...help.matchAll(/^ {2}([a-z]+(?: [a-z…]+)?) {2,}([A-Z].*)$/gm)];
  return rows.map(([, name = '', summary = '']) => [name, summary]);
}

let commands: ReturnType<typeof listed> | undefined;

async function allCommands(): ReturnType<typeof listed> {
  const first = await listed();
  const topics = first.flatMap(([name]) => (name.endsWith(' …') ? [name.slice(0, -2)] : []));
  const below = await Promise.all(topics.map((name) => listed(name)));
  return [...first.filter(([name]) => !name.endsWith(' …')), ...below.flat()];
}

/** The command that help offers for a task: no other may fit as well. */
async function commandFor(task: string): Promise<readonly string[]> {
  const all = await (commands ??= allCommands());
  const wanted = wordsOf(task);
  const fit = all.map(([name, summary]) => {
    const words = wordsOf(`${name} ${summary}`);
    return { name, score: [...words].filter((word) => wanted.has(word)).length / Math.sqrt(words.size) };
  });
  const [best, second] = fit.sort((a, b) => b.score - a.score);
  expect([task, best?.name, (second?.score ?? 0) < (best?.score ?? 0)]).toEqual([task, best?.name, true]);
  return (best?.name ?? '').split(' ');
}

/** An example of a command that has these flags, with the reader's own words in the place of the example's. */
async function typed(task: string, own: Readonly<Record<string, string>> = {}, flags: readonly string[] = []) {
  const command = await commandFor(task);
  const lines = [...(await run([...command, '--help'])).matchAll(/^ {2}sync (.+?)(?: {2}#.*)?$/gm)].map(
    ([, line = '']) => line.replaceAll("'", '').split(' '),
  );
  const isOwn = (line: readonly string[]): boolean => command.every((word, at) => line[at] === word);
  const fits = lines.filter((line) => isOwn(line) && flags.every((flag) => line.includes(flag)));
  const example = fits.find((line) => Object.keys(own).every((word) => line.includes(word)));
  expect([task, command, example]).toEqual([task, command, expect.anything()]);
  return (example ?? []).map((word) => own[word] ?? word);
}

const edit = async (file: string, change: (text: string) => string): Promise<void> => {
  const path = join(program.folder, file);
  const before = await readFile(path, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  await writeFile(path, after);
};

/** A type of `sync schema` by what it is, and its example. */
async function exampleOf(what: RegExp): Promise<string> {
  const [, type = ''] = new RegExp(`^ {2}platform:(\\w+) +${what.source}`, 'm').exec(await run(['schema'])) ?? [];
  return run(['schema', type, '--example']);
}

const indented = (text: string, by: number): string => text.replace(/^(?=.)/gm, ' '.repeat(by));
const childrenOf = (example: string): string => /children:\n([^]*)/.exec(example)?.[1] ?? '';
const apply = async (): Promise<string> =>
  run(await typed('make the platform match the catalogue', {}, ['--yes', '--report']));
const planned = async (): Promise<string> => run(await typed('show what would change, and change nothing'));

describe('ten tasks, by help, schema and explain alone', () => {
  it('1. start a project, and check it without a token', async () => {
    await run((await typed('start a project with a first catalogue file')).slice(0, 1));
    expect(await run(await typed('check the catalogue without network and token'))).toContain('Valid');
  });

  it('2. add an API with two versions and publish it', async () => {
    const api = await exampleOf(/An API of the catalogue/);
    const version = childrenOf(await exampleOf(/A version of an API/));
    const publication = await exampleOf(/An API shown on a portal/);
    const portal = await exampleOf(/A developer portal/);
    const [, reference = ''] = /a platform:Portal: (\$\{[\w.]+\})/.exec(publication) ?? [];
    const second = version.replace('apiVersion:', 'second:').replace('"version":"1.0.0"', '"version":"2.0.0"');
    const children = [version, second, childrenOf(publication)]
      .join('')
      .replace(/portalId: .*/, `portalId: ${reference}`);
    const plain = api.replace(/^ {4}properties:\n[^]*/m, '    properties:\n      description: ours\n    children:\n');
    const file = `${plain}${children}${portal.replace('resources:\n', '').replace(/^ {4}properties:\n(?: +#.*\n)*/m, '')}`;
    expect(load(file)).toBeTruthy();
    await program.write({ 'catalogue/api.yaml': indented(file, 0) });
    await apply();
    expect(await planned()).toContain('No changes');
    const versions = JSON.parse(await run(['get', 'ApiVersion', '--parent', 'api', '--format', 'json'])) as unknown[];
    const publications = JSON.parse(
      await run(['get', 'ApiPublication', '--parent', 'api', '--format', 'json']),
    ) as unknown[];
    expect([versions.length, publications.length]).toEqual([2, 1]);
  });

  it('3. why does this replace?', async () => {
    await edit('catalogue/api.yaml', (text) =>
      `${text}  other: { type: platform:Portal }\n`.replace('portalId: ${portal.id}', 'portalId: ${other.id}'),
    );
    const { steps } = JSON.parse(await run(['plan', '--format', 'json'])) as {
      steps: { action: string; type: string; fields: { field: string; rule: string }[] }[];
    };
    const replaced = steps.find(({ action }) => action === 'replace');
    const field = replaced?.fields.find(({ rule }) => rule === 'replace')?.field ?? '';
    const type = replaced?.type.split(':').at(-1) ?? '';
    expect(await run(['explain', `${type}.${field}`])).toContain('a change replaces the object');
    await edit('catalogue/api.yaml', (text) =>
      text.replace('portalId: ${other.id}', 'portalId: ${portal.id}').replace(/ {2}other: .*\n/, ''),
    );
  });

  it('4. what does this code mean, and where is it wrong?', async () => {
    await edit('catalogue/api.yaml', (text) => text.replace('portalId: ${portal.id}', 'portalId: ${portl.id}'));
    const { diagnostics } = JSON.parse(await run(['validate', '--format', 'json'], 1)) as {
      diagnostics: { code: string; hint: string; place: { file: string } }[];
    };
    expect(diagnostics[0]?.place.file).toBe('catalogue/api.yaml');
    const line = await typed('explain a code', { 'unknown-reference': diagnostics[0]?.code ?? '' });
    expect(await run(line)).toContain('docs/errors.md');
    const [, meant = ''] = /Did you mean (\w+)\?/.exec(diagnostics[0]?.hint ?? '') ?? [];
    await edit('catalogue/api.yaml', (text) => text.replace('portl', meant));
    expect(await planned()).toContain('No changes');
  });

  const byHand = async (description: string): Promise<void> => {
    const { id } = JSON.parse(await run(['get', 'Api', 'api', '--format', 'json'])) as { id: string };
    await program.call('POST', `/_sandbox/objects/apis/${id}`, { description });
  };
  const foundOutside = async (): Promise<string> => {
    const line = await typed('find changes made outside', {}, ['--format', 'json', '--exit-zero']);
    const { findings } = JSON.parse(await run(line)) as { findings: { id: string }[] };
    expect(findings).toHaveLength(1);
    return findings[0]?.id ?? '';
  };

  it("5. undo last night's edit by hand", async () => {
    await byHand('clicked at night');
    const line = await typed('undo changes that somebody made outside on the platform', {
      '1a2b3c4d5e': await foundOutside(),
    });
    await run([...line, '--yes']);
    expect(await run(['get', 'Api', 'api', '--format', 'json'])).toContain('"ours"');
  });

  it('6. keep an edit by hand in the catalogue', async () => {
    await byHand('clicked and right');
    await run(await typed('write changes made outside into the catalogue', { '1a2b3c4d5e': await foundOutside() }));
    expect(await readFile(join(program.folder, 'catalogue/api.yaml'), 'utf8')).toContain('clicked and right');
    await apply();
  });

  it('7. undo the last run', async () => {
    await edit('catalogue/api.yaml', (text) => text.replace('clicked and right', 'a mistake'));
    await apply();
    const [latest = '{}'] = (
      await run(await typed('list what runs did to the stack', {}, ['--format', 'jsonl']))
    ).split('\n');
    const { run: number } = JSON.parse(latest) as { run: number };
    const undo = await typed('bring back what was recorded before a run', { 41: String(number) }, ['--edit']);
    await run(undo);
    await run([...undo.filter((word) => word !== '--edit'), '--yes']);
    expect(await readFile(join(program.folder, 'catalogue/api.yaml'), 'utf8')).toContain('clicked and right');
    expect(await planned()).toContain('No changes');
  });

  it('8. rename a resource, and lose nothing', async () => {
    await edit('catalogue/hello.yaml', (text) =>
      text.replace('  hello:', '  greeting:').replace('hello.id', 'greeting.id'),
    );
    await run(await typed('show what would change, and change nothing', {}, ['--out', '--report-dir']));
    await run(await typed('record detected renames in the catalogue', { 'plan.json': 'plan.json' }));
    const { summary } = JSON.parse(await run(['plan', '--format', 'json'])) as { summary: Record<string, number> };
    expect(summary).toMatchObject({ create: 0, delete: 0, replace: 0 });
    await apply();
  });

  it('9. what does an expression stand for?', async () => {
    const line = await typed('say what an expression of the catalogue stands for', {
      '${petstore.name}': '${greeting.id}',
    });
    expect(await run(line)).toMatch(/^"[0-9a-f-]{36}"\n\n {2}\$\{greeting\.id\} .*last apply$/m);
  });

  it('10. test the catalogue before anything is sent', async () => {
    const line = (await typed('test the catalogue against an empty sandbox')).slice(0, 1);
    const [, example = ''] = /(\{rules.*\})$/m.exec(await run(line, 64)) ?? [];
    await program.write({ 'tests/first.yaml': example.replace('== 2', '> 2') });
    expect(await run(line)).toBe('1 rule, 1 test: all pass.\n');
    await program.write({ 'tests/first.yaml': example });
    expect(await run(line, 1)).toContain('two-apis');
  });
});
