import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLoaders } from '@platform-sync/cli/command-list';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { realProgram, type RealProgram } from '../cli/real-program.js';

const catalogue = 'resources: { petstore: { type: platform:Api, properties: { name: Petstore } } }\n';
const folders: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ready: { 'sync.yaml': 'project: shop\n', 'catalogue/all.yaml': catalogue },
  'no project': { 'readme.md': '' },
  'a broken sync.yaml': { 'sync.yaml': 'project: Shop\nguards: { maxDelete: 3 }\n', 'catalogue/all.yaml': catalogue },
  'a broken catalogue': { 'sync.yaml': 'project: shop\n', 'catalogue/all.yaml': catalogue.replace('name:', 'nmae:') },
};
const description = JSON.stringify({ openapi: '3.1.0', info: { title: 'Garden', version: '1' }, paths: {} });
/** Words that a command can't do without. */
const words: Readonly<Record<string, readonly string[]>> = {
  eval: ['petstore.name'],
  explain: ['petstore'],
  get: ['Portal', 'dev'],
  list: ['Portal'],
  show: ['plan.json'],
  test: ['rules.yaml'],
  'types:diff': ['openapi.json', 'openapi.json'],
};

const withJson: string[] = [];
/** What grows without end is one object a line. */
const withLines: string[] = [];
/** They run until they are stopped, or need a database, and have tests of their own. An editor's protocol is JSON throughout. */
const elsewhere = new Set(['sandbox', 'lsp', 'mcp', 'console', 'fleet:work', 'fleet:queue']);
for (const [id, load] of Object.entries(commandLoaders)) {
  const { flags } = (await load()) as { readonly flags?: Readonly<Record<string, unknown>> };
  const format = flags?.['format'] as { readonly options?: readonly string[] } | undefined;
  if (elsewhere.has(id)) continue;
  if (format?.options?.includes('json') === true) withJson.push(id);
  else if (format?.options?.includes('jsonl') === true) withLines.push(id);
}

let program: RealProgram;
beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'any' });
  const rules = '{rules: [{name: one, expression: plan.summary.create == 1}]}\n';
  for (const [folder, files] of Object.entries(folders))
    for (const [name, text] of Object.entries({ ...files, 'openapi.json': description, 'rules.yaml': rules }))
      await program.write({ [`${folder}/${name}`]: text });
  for (const folder of Object.keys(folders).filter((name) => name !== 'no project'))
    await program.write({ [`${folder}/fleet.yaml`]: "projects: ['.']\n" });
  await program.write({
    'written/sync.yaml': 'project: written\n',
    'written/catalogue/all.yaml': catalogue.replace('Petstore', 'Written'),
  });
  await program.run('-C', 'ready', 'plan', '--out', 'plan.json');
});
afterAll(() => program.close());

interface Answer {
  readonly ok?: boolean;
  readonly status?: string;
  readonly rows?: readonly { readonly state: string; readonly cause: string }[];
  readonly diagnostics?: readonly Diagnostic[];
}

async function asked(id: string, folder: string, ...more: readonly string[]): Promise<readonly [number, Answer]> {
  const argv = [...id.split(':'), ...(words[id] ?? []), '-C', folder, '--format', 'json', ...more];
  const { code, out } = await program.run(...argv);
  return [code, JSON.parse(out) as Answer];
}

/** What a program needs to go on: a stable code and a sentence each; a place where it is about a file of ours. */
function isEnough({ diagnostics = [] }: Answer): boolean {
  const isTold = ({ code, summary }: Diagnostic): boolean => /^[a-z][a-z-]+$/.test(code) && summary !== '';
  return diagnostics.length > 0 && diagnostics.every(isTold);
}

it('is about every command that prints JSON', () => {
  expect(withJson).toEqual(
    expect.arrayContaining(['plan', 'validate', 'refresh', 'drift', 'show', 'schema', 'state:list', 'policy:check']),
  );
});

describe.each(withJson)('sync %s --format json', (id) => {
  it('answers in a project that is ready', async () => {
    const [code, answer] = await asked(id, 'ready');
    // Nothing is recorded there yet, so that a check has nothing to compare.
    // The platform was away at the last check of the fleet.
    const codes: Readonly<Record<string, number>> = { drift: 3, 'fleet:check': 3, 'fleet:status': 1 };
    expect([code, answer.ok ?? true]).toEqual([codes[id] ?? 0, true]);
  });

  it.each(Object.keys(folders).slice(1))('says on stdout what is wrong with %s', async (folder) => {
    const [code, answer] = await asked(id, folder);
    if (code === 0) return; // It needs nothing of a project.
    if (answer.rows !== undefined) {
      // A fleet goes on without those that can't be looked at.
      expect(answer.rows.map(({ state, cause }) => [state, cause !== ''])).toEqual([['failed', true]]);
      return;
    }
    expect([code, isEnough(answer), answer.ok ?? answer.status]).toEqual([
      expect.any(Number),
      true,
      id === 'drift' ? 'failed' : false,
    ]);
    if (folder.startsWith('a broken') && !answer.diagnostics?.some(({ code: name }) => name === 'plan-file-unreadable'))
      expect(answer.diagnostics?.every(({ place }) => place !== undefined && place.line > 0)).toBe(true);
  });

  it('says so when the platform is away', async () => {
    const before = program.env;
    program.env = { ...before, PLATFORM_SERVER_URL: 'http://127.0.0.1:1' };
    try {
      const [code, answer] = await asked(id, 'ready');
      if (code !== 0 && answer.rows === undefined) expect(isEnough(answer)).toBe(true);
    } finally {
      program.env = before;
    }
  });

  it('says so when the command line makes no sense', async () => {
    const [code, answer] = await asked(id, 'ready', '--no-such-flag');
    expect([code, answer.ok, answer.diagnostics?.map((each) => each.code)]).toEqual([64, false, ['usage']]);
  });
});

it('an error of the program is told as one, and its message stays in the log', async () => {
  const { fakeProgram } = await import('../cli/fake-host.js');
  const broken = fakeProgram({ project: { validate: () => Promise.reject(new Error('odd')) } });
  const { code, out, err } = await broken.run('validate', '--format', 'json');
  expect([code, (JSON.parse(out) as Answer).diagnostics?.map((each) => each.code)]).toEqual([1, ['run-failed']]);
  expect(err).toContain('bug: run-failed: odd');
});

/** Commands without forms of their own: what they print is a member of one document. */
const others: Readonly<Record<string, readonly string[]>> = {
  adopt: ['--yes'],
  apply: ['--yes'],
  comment: ['plan.json', '--dry-run'],
  completion: ['bash'],
  config: [],
  destroy: ['--yes'],
  'drift:accept': ['petstore'],
  'drift:ignore': ['petstore', '--reason', 'a test'],
  'drift:record': ['petstore'],
  'drift:revert': ['petstore', '--yes'],
  export: ['--out', 'exported', '--force'],
  fix: ['plan.json'],
  'history:prune': ['--keep-days', '400'],
  'history:verify': [],
  import: ['petstore', '00000000-0000-4000-8000-000000000001'],
  init: ['--project', 'again'],
  lookup: ['platform:getTeamList'],
  'state:freeze': ['--reason', 'a test'],
  'state:mv': ['petstore', 'pets'],
  'state:pull': [],
  'state:push': ['openapi.json'],
  'state:rm': ['petstore'],
  'state:show': ['petstore'],
  'state:thaw': [],
  'state:unlock': ['2f6b1c9e-8d35-4e0a-9a53-3b8f1f0b7c11'],
  'types:compile': ['openapi.json'],
  undo: ['1', '--yes'],
};

it('every command prints JSON in one way or the other', () => {
  const all = Object.keys(commandLoaders).filter((id) => !elsewhere.has(id));
  expect([...new Set([...withJson, ...withLines, ...Object.keys(others)])].sort()).toEqual([...all].sort());
});

describe.each(withLines)('sync %s --format jsonl', (id) => {
  it('is an object a line, also for what is wrong', async () => {
    const { code } = await program.run('-C', 'written', 'apply', '--yes');
    const [latest = '{}'] = (await program.run('-C', 'written', 'history', '--format', 'jsonl')).out.split('\n');
    const { run } = JSON.parse(latest) as { readonly run?: number };
    const more = id === 'history:show' ? [String(run)] : [];
    const argv = [...id.split(':'), ...more, '-C', 'written', '--format', 'jsonl'];
    const { out } = await program.run(...argv);
    expect([
      code,
      out
        .trim()
        .split('\n')
        .every((line) => typeof JSON.parse(line) === 'object'),
    ]).toEqual([0, true]);
    const wrong = await program.run(...argv, '--no-such-flag');
    const told = JSON.parse(wrong.out) as Answer;
    expect([wrong.code, told.ok, told.diagnostics?.map(({ code: name }) => name)]).toEqual([64, false, ['usage']]);
  });
});

describe.each(Object.keys(others))('sync %s --format json', (id) => {
  const answer = async (folder: string, ...more: readonly string[]) => {
    const argv = [...id.split(':'), ...(others[id] ?? []), '-C', folder, '--format', 'json', ...more];
    const { code, out } = await program.run(...argv);
    const document = JSON.parse(out) as Answer & { readonly exitCode?: number; readonly result?: unknown };
    return { code, document };
  };

  it.each(Object.keys(folders))('is one document in %s, whatever comes of it', async (folder) => {
    const { code, document } = await answer(folder);
    expect(document.ok).toBe(code === 0);
    if (code === 0) expect(document).toMatchObject({ exitCode: 0, result: expect.anything() });
    else expect(isEnough(document)).toBe(true);
  });

  it('says so when the command line makes no sense', async () => {
    const { code, document } = await answer('ready', '--no-such-flag');
    expect([code, document.ok, document.diagnostics?.map((each) => each.code)]).toEqual([64, false, ['usage']]);
  });
});

it('an apply says what it did as its result file does, and asks nobody', async () => {
  await program.write({ 'one/sync.yaml': 'project: one\n', 'one/catalogue/all.yaml': catalogue });
  const run = (...argv: readonly string[]) => program.run('-C', 'one', ...argv, '--format', 'json');
  const refused = await run('apply');
  expect([refused.code, (JSON.parse(refused.out) as Answer).ok]).toEqual([64, false]);
  const { code, out } = await run('apply', '--yes', '--report', 'result.json');
  const { result, diagnostics } = JSON.parse(out) as { readonly result: object; readonly diagnostics: unknown };
  const report = JSON.parse(((await program.files()).get('one/result.json') ?? '').toString()) as object;
  expect([code, result, diagnostics]).toEqual([0, report, []]);
  expect(result).toMatchObject({ kind: 'apply-result', status: 'done', steps: [{ address: 'petstore' }] });
  expect(JSON.parse((await run('graph')).out)).toEqual({
    resources: [{ address: 'petstore', type: 'platform:index/api:Api', needs: [] }],
  });
});
