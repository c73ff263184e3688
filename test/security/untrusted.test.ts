import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStateStore } from '@platform-sync/state/open';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { buildProgram } from '../ci/recipe.js';
import { canary, runProgram, startForeignHost, type ForeignHost, type Run } from './foreign.js';

const program = buildProgram();
let host: ForeignHost;
let sandbox: RunningSandbox;
let folder: string;
let heard = 0;
beforeAll(async () => {
  [host, sandbox] = await Promise.all([startForeignHost(), startSandbox({ quiet: true })]);
});
afterAll(() => Promise.all([host.close(), sandbox.close()]));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-untrusted-'));
  await mkdir(join(folder, 'project'));
  heard = host.received().length;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const pets = 'resources:\n  pets: {type: platform:Api}\n';
const path = (...names: readonly string[]): string => join(folder, 'project', ...names);
const foreign = (): string => `https://foreign.test:${host.port}`;
const arrived = (): string => host.received().slice(heard);

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), text);
  }
}

function git(...args: readonly string[]): string {
  const settings = ['user.name=t', 'user.email=t@example.com', 'commit.gpgsign=false', 'init.defaultBranch=main'];
  return execFileSync('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], {
    cwd: path(),
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  });
}

async function commit(files: Readonly<Record<string, string>>): Promise<void> {
  await write(files);
  git('init', '--quiet');
  git('add', '--all', '--force');
  git('commit', '--quiet', '--allow-empty', '--message=x');
}

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
  return runProgram(program(), args, path(), {
    ...{ PATH: process.env['PATH'] ?? '', HOME: folder, ...host.env },
    ...{ PLATFORM_TOKEN: canary, CANARY: canary, ...env },
  });
}

/** A state that says where its stack lives. */
async function record(file: string, target: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const store = await openStateStore({ backend: 'sqlite', path: file }, 'shop', 'default');
  const lease = await store.acquire('test', { owner: 'test', waitMs: 0 });
  await store.commit(lease, [{ kind: 'targets', targets: { platform: target } }]);
  await lease.release();
  await store.close();
}

describe('a target on record', () => {
  const server = (): string => `project: shop\nproviders: {platform: {serverUrl: "${foreign()}"}}\n`;

  it('7: says nothing in a state that a proposal can bring along', async () => {
    await write({ 'sync.yaml': server(), 'catalogue/pets.yaml': pets });
    await record(path('.sync/state.db'), foreign());
    const ran = await run(['plan']);
    expect([ran.code, ran.out, arrived()]).toEqual([1, expect.stringContaining('address-not-trusted'), '']);
  });

  it('that is another one makes the refusal end with 5, for every command', async () => {
    await write({ 'sync.yaml': server(), 'catalogue/pets.yaml': pets });
    await record(path('.sync/state.db'), 'https://eu.gateway.example.com');
    for (const args of [['plan'], ['apply', '--yes'], ['drift'], ['lookup', 'getTeamList']]) {
      const ran = await run(args);
      expect([args, ran.code, ran.out]).toEqual([args, 5, expect.stringContaining('address-not-recorded')]);
      expect(ran.out).toContain('https://eu.gateway.example.com');
    }
    expect(arrived()).toBe('');
  });

  it('lets the token go there when whoever runs this said where the state is', async () => {
    const file = join(folder, 'placed', 'state.db');
    await write({ 'sync.yaml': `${server()}state: {path: ../placed/state.db}\n`, 'catalogue/pets.yaml': pets });
    await record(file, foreign());
    const ran = await run(['plan'], { SYNC_POLICY: JSON.stringify({ state: [join(folder, 'placed')] }) });
    expect([ran.code, arrived()]).toEqual([0, expect.stringContaining(canary)]);
  });
});

describe('plan --untrusted', () => {
  const base = (): Record<string, string> => ({
    'sync.yaml': `project: shop\nproviders: {platform: {serverUrl: "${sandbox.url}"}}\n`,
    'catalogue/pets.yaml': pets,
  });
  const plan = (env: Readonly<Record<string, string>> = {}): Promise<Run> =>
    run(['plan', '--untrusted', '--base', 'refs/heads/main', '--out', join(folder, 'plan.json')], env);

  it('takes servers, state and webhook from the base, and says so', async () => {
    await commit(base());
    git('checkout', '--quiet', '-b', 'proposal');
    await commit({
      'sync.yaml': `project: other\nproviders: {platform: {serverUrl: "${foreign()}"}}\nstate: {backend: postgres, url: "postgres://foreign.test:${host.rawPort}/x"}\ndrift: {webhook: "${foreign()}"}\n`,
      'catalogue/cats.yaml': 'resources:\n  cats: {type: platform:Api}\n',
    });
    const ran = await plan({ PGPASSWORD: canary });
    expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('base-settings-used')]);
    expect(ran.out).toContain('"project" and "providers" and "state" and "drift"');
    expect(arrived()).toBe('');
    expect(JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8'))).toMatchObject({
      project: 'shop',
      targets: { platform: sandbox.url },
      meta: { origins: { cats: 'branch', pets: 'pending' } },
    });
  });

  it('takes them from its tip, not from an older commit that an author may begin at', async () => {
    await commit({ ...base(), 'sync.yaml': `project: shop\nproviders: {platform: {serverUrl: "${foreign()}"}}\n` });
    git('checkout', '--quiet', '-b', 'proposal');
    git('checkout', '--quiet', 'main');
    await commit(base());
    git('checkout', '--quiet', 'proposal');
    expect((await plan()).code).toBe(0);
    expect(arrived()).toBe('');
  });

  it('only reads the state', async () => {
    await commit(base());
    expect((await plan()).code).toBe(0);
    expect(git('status', '--porcelain', '--ignored')).toBe('');
    await record(path('.sync/state.db'), sandbox.url);
    const before = await readFile(path('.sync/state.db'));
    expect((await plan()).code).toBe(0);
    expect(await readFile(path('.sync/state.db'))).toEqual(before);
  });

  it('sends no secret in a lookup, whatever the policy lists', async () => {
    const lookup =
      'resources:\n  pets:\n    type: platform:Api\n    properties:\n      description: !lookup {function: platform:getTeamList, arguments: {filter: {name: {eq: !env CANARY}}}, return: id}\n';
    await commit(base());
    git('checkout', '--quiet', '-b', 'proposal');
    await commit({ 'catalogue/pets.yaml': lookup });
    const ran = await plan({ SYNC_POLICY: '{"lookups": ["CANARY"]}' });
    expect([ran.code, ran.out]).toEqual([1, expect.stringContaining('lookup-with-secret')]);
  });

  it.each([
    ['a stack', 'project: shop\nstacks: {mine: {}}\n', 'mine'],
    ['a project', 'project: shop\n', 'default'],
  ])('makes no plan for %s that the proposal brings along', async (_name, text, stack) => {
    await commit(stack === 'mine' ? base() : { 'readme.md': '' });
    git('checkout', '--quiet', '-b', 'proposal');
    await commit({ 'sync.yaml': text, 'catalogue/pets.yaml': pets });
    const ran = await plan({ SYNC_STACK: stack });
    expect([ran.code, ran.out]).toEqual([1, expect.stringContaining('untrusted-without-base')]);
  });

  it('does not let the proposal choose the stack, and so whose credentials are used', async () => {
    const stacks = (preset: string): string =>
      `project: shop\ndefaultStack: ${preset}\nstacks:\n  dev:\n  prod:\nproviders: {platform: {serverUrl: "${sandbox.url}"}}\n`;
    await commit({ 'sync.yaml': stacks('dev'), 'catalogue/pets.yaml': pets });
    await write({ 'sync.yaml': stacks('prod') });
    const untrusted = ['plan', '--untrusted', '--base', 'HEAD'];
    const ran = await run(untrusted);
    expect([ran.code, ran.out]).toEqual([1, expect.stringMatching(/plans the stack prod where HEAD at \w+ plans dev/)]);
    expect((await run([...untrusted, '--stack', 'dev'])).out).not.toContain('untrusted-without-base');
  });

  it('asks the repository around the project, not one that the proposal brings along', async () => {
    await commit(base());
    git('checkout', '--quiet', '-b', 'proposal');
    const ran = path('ran');
    // What looks like a repository without a working tree, beside sync.yaml.
    git('init', '--quiet', '--bare', 'own');
    await commit({
      'own/config': `[core]\nrepositoryformatversion = 0\nbare = true\nfsmonitor = "touch ${ran}"\n`,
      'own/refs/heads/main': `${git('rev-parse', 'HEAD').trim()}\n`,
      'own/sync.yaml': `project: shop\nproviders: {platform: {serverUrl: "${foreign()}"}}\n`,
      'own/catalogue/pets.yaml': pets,
    });
    const planned = await run(['plan', '--untrusted', '--base', 'refs/heads/main', '-C', 'own']);
    expect([planned.code, planned.out]).toEqual([1, expect.stringContaining('base-git-failed')]);
    expect(arrived()).toBe('');
    await expect(readFile(ran)).rejects.toThrow();
  });

  it('needs a base', async () => {
    await commit(base());
    expect((await run(['plan', '--untrusted'])).code).toBe(64);
  });
});
