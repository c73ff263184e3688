import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProject } from '@platform-sync/engine/engine';
import type { Plan } from '@platform-sync/core/model/plan';
import type { StackState } from '@platform-sync/core/model/state';
import { fingerprint } from '@platform-sync/engine/sealed-state';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { providerPackages } from '@platform-sync/sdk/registry';
import { loopback, type Loopback, type Reaction, type SeenRequest } from '../providers/http/loopback.js';

type Files = Readonly<Record<string, string>>;
type Env = Readonly<Record<string, string>>;

const shelves = new Map<string, Record<string, unknown>>();
let folder: string;
let server: Loopback;
let database: MemoryDatabase;
let requests: string[];

const json = { 'content-type': 'application/json' };

function react({ method, url, body }: SeenRequest): Reaction {
  requests.push(`${method} ${url} ${body}`);
  const id = /^\/shelves\/(.+)$/.exec(url)?.[1];
  if (id === undefined && method === 'POST') {
    const made = { id: `s${shelves.size + 1}`, ...(JSON.parse(body) as Record<string, unknown>) };
    shelves.set(made.id, made);
    return { status: 201, headers: json, json: made };
  }
  if (id === undefined) return { status: 200, headers: json, json: { data: [...shelves.values()] } };
  return { status: 200, headers: json, json: shelves.get(id) };
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-rules-'));
  requests = [];
  shelves.clear();
  server = await loopback(react);
  database = new MemoryDatabase();
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** The types of the base; `pin` is a secret in them. */
function typesFile(pin: object, list = '/shelves'): string {
  return JSON.stringify({
    formatVersion: 1,
    definitions: [
      {
        ...{ name: 'Shelf', description: 'A shelf.', derived: true, absence: 'empty-404' },
        operations: {
          ...{ create: 'POST /shelves', read: 'GET /shelves/{id}' },
          ...{ update: 'PATCH /shelves/{id}', delete: 'DELETE /shelves/{id}' },
        },
        list: { get: list, paging: { by: 'none', items: 'data' } },
        ...{ naturalKey: ['name'], required: ['name'], always: ['name'] },
        fields: {
          name: { description: 'Name.' },
          topic: { description: 'Topic.', nullable: true },
          pin: { description: 'Pin.', nullable: true, ...pin },
        },
      },
    ],
  });
}

const settings = (more = ''): string =>
  `project: shop\nproviders: {acme: {types: types.json, serverUrl: ${server.origin}, auth: {bearer: !env ACME_TOKEN}}}\n${more}`;

function git(...args: readonly string[]): void {
  const own = ['user.name=t', 'user.email=t@example.com', 'commit.gpgsign=false', 'init.defaultBranch=main'];
  execFileSync('git', [...own.flatMap((setting) => ['-c', setting]), ...args], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  });
}

async function commit(files: Files): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  git('init', '--quiet');
  git('add', '--all', '--force');
  git('commit', '--quiet', '--allow-empty', '--message=x');
}

async function proposal(base: Files, changed: Files): Promise<void> {
  await commit({ 'types.json': typesFile({ secret: true }), 'sync.yaml': settings(), ...base });
  git('checkout', '--quiet', '-b', 'proposal');
  await commit(changed);
}

/** All that leaves the program: the plan, what it says, and what it asks for. */
async function planned(env: Env): Promise<{ readonly told: string; readonly asked: readonly string[] }> {
  requests = [];
  const { project, diagnostics } = await openProject({
    ...{ cwd: folder, env: { ACME_TOKEN: 'token-of-the-base', ...env }, packages: providerPackages, purpose: 'test' },
    untrusted: { base: 'refs/heads/main' },
    openState: async (config) => memoryStateStore(config.project, config.stack, database),
  });
  const result = await project?.plan({ base: { ref: 'refs/heads/main' } });
  await project?.close();
  const plan =
    result?.plan === undefined ? undefined : { ...result.plan, meta: { ...result.plan.meta, createdAt: '' } };
  return { told: JSON.stringify([diagnostics, result?.diagnostics, plan], null, 1), asked: requests };
}

async function trusted(env: Env): Promise<{ readonly told: string }> {
  const { project } = await openProject({
    ...{ cwd: folder, env: { ACME_TOKEN: 'token-of-the-base', ...env }, packages: providerPackages, purpose: 'test' },
    openState: async (config) => memoryStateStore(config.project, config.stack, database),
  });
  const result = await project?.plan();
  await project?.close();
  return { told: JSON.stringify([result?.diagnostics, result?.plan]) };
}

async function stored(): Promise<StackState | undefined> {
  return memoryStateStore('shop', 'default', database).read();
}

/** The same whatever a secret holds; gives what is told. */
async function tellsNothing(one: Env, other: Env, outcome = '"steps"'): Promise<string> {
  const [first, second] = [await planned(one), await planned(other)];
  expect(first.told).toContain(outcome);
  expect(second).toEqual(first);
  for (const value of [...Object.values(one), ...Object.values(other)]) expect(first.told).not.toContain(value);
  return first.told;
}

async function applied(env: Env): Promise<void> {
  const { project, diagnostics } = await openProject({
    ...{ cwd: folder, env: { ACME_TOKEN: 'token-of-the-base', ...env }, packages: providerPackages, purpose: 'test' },
    openState: async (config) => memoryStateStore(config.project, config.stack, database),
  });
  expect(diagnostics).toEqual([]);
  const plan = await project?.plan();
  if (project === undefined || plan?.plan === undefined) throw new Error(JSON.stringify(plan?.diagnostics));
  const result = await project.apply(project.outlined(plan, plan.plan));
  expect(result.status).toBe('done');
  await project.close();
}

const resource = (properties: string, key = 'one'): string =>
  `  ${key}: {type: 'acme:Shelf', properties: {name: ${key}, ${properties}}}\n`;
const catalogue = (...resources: readonly string[]): Files => ({
  'catalogue/main.yaml': `resources:\n${resources.join('')}`,
});

describe('what a value is comes from the base', () => {
  it('so that a pattern of the proposal asks nothing of a variable, and its change is told', async () => {
    const limits = { limits: { pattern: '^.{2}[^Q]|^.{0,2}$' } };
    await proposal(catalogue(resource('topic: x')), {
      'types.json': typesFile(limits),
      ...catalogue(resource('topic: !env CANARY')),
    });
    const told = await tellsNothing({ CANARY: 'abQdefghijkl' }, { CANARY: 'abcdefghijkl' });
    expect(told).toContain('base-types-used');
    expect(told).not.toContain('bad-form');
  });

  it('so that a field stays secret, and no list of the proposal is called', async () => {
    shelves.set('s1', { id: 's1', name: 'one', topic: 't', pin: 'canary-of-the-platform' });
    const imported = `  one: {type: 'acme:Shelf', options: {import: s1}, properties: {name: one, topic: t, pin: other}}\n`;
    await proposal(catalogue(), { 'types.json': typesFile({}, '/admin?reveal=true'), ...catalogue(imported) });
    const { told, asked } = await planned({});
    expect(told).not.toContain('canary-of-the-platform');
    expect(told).toContain('acme:');
    expect(asked.filter((line) => line.includes('/admin'))).toEqual([]);
  });

  it('so that a parameter of the proposal reads no variable', async () => {
    await proposal(catalogue(resource('topic: x')), {
      'sync.yaml': settings('parameters: {token: {}}\n'),
      ...catalogue(resource('topic: "${param.token}"')),
    });
    const told = await tellsNothing(
      { SYNC_VAR_TOKEN: 'canary-one' },
      { SYNC_VAR_TOKEN: 'canary-two-is-longer' },
      'There is no parameter',
    );
    expect(told).toContain('base-settings-used');
  });

  const policies = (): string => settings('policies: policies/*.yaml\n');
  const asks = (expression: string): Files => ({
    'policies/rules.yaml': `rules: [{name: asks, level: deny, expression: '${expression}'}]\n`,
  });

  it('so that rules of policies are, and a proposal is judged by none of its own', async () => {
    const never = { 'sync.yaml': policies(), ...asks('false') };
    await proposal({ ...never, ...catalogue() }, { ...asks('true'), ...catalogue(resource('topic: x')) });
    const { told } = await planned({});
    expect(told).toContain('"policy:asks"');
    expect(told).toContain('"level": "deny"');
    expect(told).toMatch(/changes \\"policies\\" of sync.yaml; the plan was made with those of/);
    await commit({ 'sync.yaml': settings() });
    expect((await planned({})).told).toContain('"policy:asks"');
  });

  it.each([
    '!("${c}" in [new.topic])',
    'new.topic != "${c}"',
    'new.pin.size() != ${n}',
    '!(string(new.pin) + new.topic).contains("${c}")',
  ])('so that no rule, which asks %s, tells anything of a secret', async (asked) => {
    const [one, other] = ['canary-one', 'canary-two-is-longer'];
    const expression = `new == null || ${asked.replace('${c}', one).replace('${n}', String(one.length))}`;
    await proposal(
      { 'sync.yaml': policies(), ...asks(expression), ...catalogue() },
      catalogue(resource('topic: !env CANARY, pin: !env CANARY')),
    );
    const told = await tellsNothing({ CANARY: one }, { CANARY: other });
    expect(told).toContain("the rule can't be asked: no rule reads a secret");
  });

  it('so that limits of guards are those of the base, and their change is told', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    await commit({
      ...{ 'types.json': typesFile({ secret: true }), 'sync.yaml': settings('guards: {maxDeletes: 2}\n') },
      ...catalogue(...names.map((name) => resource('topic: x', name))),
    });
    await applied({});
    git('checkout', '--quiet', '-b', 'proposal');
    await commit({
      'sync.yaml': settings('guards: {maxDeletes: 99, maxDeletePercent: 100}\n'),
      ...catalogue(resource('topic: x', 'a')),
    });
    const { told } = await planned({});
    expect(told).toContain('more than maxDeletes: 2');
    expect(told).toContain('\\"guards.maxDeletes\\" and \\"guards.maxDeletePercent\\"');
  });
});

// That nothing at all depends on what secrets hold is a law: test/laws/secrets-tell-nothing.test.ts.
describe('a secret is a hole', () => {
  it('in an object that has it already, which is as recorded where the words are', async () => {
    await commit({
      ...{ 'types.json': typesFile({ secret: true }), 'sync.yaml': settings() },
      ...catalogue(resource('topic: !env CANARY, pin: !env CANARY')),
    });
    await applied({ CANARY: 'canary-one' });
    git('checkout', '--quiet', '-b', 'proposal');
    const told = await tellsNothing({ CANARY: 'canary-one' }, { CANARY: 'canary-two-is-longer' });
    expect(told).toContain('"steps": []');
  });

  it.each([
    ['a secret field', 'pin: canary-one', 'pin: canary-two'],
    ['a field that a variable filled', 'topic: canary-one', 'topic: canary-two'],
    ['another kind of secret', 'pin: !secret canary-one', 'pin: !secret canary-two'],
  ])('that answers no guess: %s', async (_name, right, wrong) => {
    await commit({
      ...{ 'types.json': typesFile({ secret: true }), 'sync.yaml': settings() },
      ...catalogue(resource('topic: !env CANARY, pin: !env CANARY')),
    });
    await applied({ CANARY: 'canary-one' });
    git('checkout', '--quiet', '-b', 'proposal');
    const answers: string[] = [];
    for (const guess of [right, wrong]) {
      await commit(catalogue(resource(guess)));
      const { told } = await planned({ CANARY: 'canary-one' });
      answers.push(
        told
          .replace(/"(catalogueDigest|digest)": "\w+"/g, '')
          .replace(/hmac-sha256:\w+/g, '(fingerprint)')
          .replace(/canary-(one|two)/g, '(secret)'),
      );
    }
    expect(answers[1]).toBe(answers[0]);
  });

  it.each([
    ['a variable', 'name: !env CANARY'],
    ['a part of a text', 'name: "x-${secrets.one}"'],
    ['a variable of the catalogue', 'name: ${secrets.one}'],
    ['a secret in clear', 'name: !secret canary-one'],
    ['a secret field of another object', 'name: ${other.pin}'],
  ])('that names no object: %s', async (_name, name) => {
    const other = "  other: {type: 'acme:Shelf', properties: {name: other, pin: !env CANARY}}\n";
    await proposal(catalogue(), {
      'catalogue/main.yaml': `variables: {secrets: {one: !env CANARY}}\nresources:\n${other}  one:\n    type: acme:Shelf\n    properties:\n      ${name}\n`,
    });
    const told = await tellsNothing({ CANARY: 'canary-1st' }, { CANARY: 'canary-2nd-longer' }, 'secret-as-name');
    expect(told).not.toContain('"steps"');
    expect((await planned({ CANARY: 'x' })).asked).toEqual([]);
  });

  it.each([
    ['forgotten', 'retainOnDelete: true', ''],
    [
      'moved',
      'protect: false',
      "  two: {type: 'acme:Shelf', options: {aliases: [one]}, properties: {name: one, topic: x, pin: !env CANARY}}\n",
    ],
    [
      'protected',
      'protect: false',
      "  one: {type: 'acme:Shelf', options: {protect: true}, properties: {name: one, topic: x, pin: !env CANARY}}\n",
    ],
  ])('in an object that is %s, whose step rests on a digest of what is open', async (what, options, after) => {
    await commit({
      ...{
        'types.json': typesFile({ secret: true }),
        'sync.yaml': settings('guards: {allow: [{guard: emptyCatalogue, reason: x}]}\n'),
      },
      'catalogue/main.yaml': `resources:\n  one: {type: 'acme:Shelf', options: {${options}}, properties: {name: one, topic: x, pin: !env CANARY}}\n`,
    });
    await applied({ CANARY: 'canary-one' });
    git('checkout', '--quiet', '-b', 'proposal');
    await commit({ 'catalogue/main.yaml': `resources:\n${after === '' ? '  {}\n' : after}` });
    const digests: string[] = [];
    for (const pin of ['canary-one', 'canary-two-is-longer']) {
      // Somebody changed it on the platform; that it moved is drift, and told as such.
      shelves.set('s1', { ...shelves.get('s1'), pin });
      const { told } = await planned({ CANARY: 'canary-one' });
      const [, , plan] = JSON.parse(told) as [unknown, unknown, Plan];
      const { precondition } = plan.steps[0] ?? {};
      expect([what, precondition]).toMatchObject([what, { exists: true, digest: expect.any(String) as string }]);
      digests.push(precondition?.digest ?? '');
    }
    expect(digests[1]).toBe(digests[0]);
  });

  it('whose fingerprint can be compared with no other', async () => {
    const shared = 'topic: !env CANARY, pin: !env CANARY';
    await commit({
      ...{ 'types.json': typesFile({ secret: true }), 'sync.yaml': settings() },
      ...catalogue(resource(shared)),
    });
    await applied({ CANARY: 'canary-one' });
    const fingerprints = async (isTrusted: boolean): Promise<readonly string[]> => {
      const { told } = isTrusted ? await trusted({ CANARY: 'canary-two' }) : await planned({ CANARY: 'canary-two' });
      return [...told.matchAll(/hmac-sha256:\w+/g)].map(([found]) => found);
    };
    await commit(catalogue(resource('topic: !env CANARY, pin: !secret canary-two'), resource(shared, 'two')));
    for (const isTrusted of [true, false]) {
      const first = await fingerprints(isTrusted);
      expect(first.length).toBeGreaterThan(0);
      expect(await fingerprints(isTrusted)).toEqual(first);
      const { fingerprintKey } = (await stored()) ?? { fingerprintKey: '' };
      expect(first).not.toContain(fingerprint(fingerprintKey, 'canary-two'));
      expect(first).not.toContain(fingerprint(fingerprintKey, 'canary-one'));
      // Another plan of the same values has other fingerprints.
      await commit(
        catalogue(
          resource('topic: !env CANARY, pin: !secret canary-two'),
          resource(shared, 'two'),
          resource('topic: y', 'three'),
        ),
      );
      const other = await fingerprints(isTrusted);
      expect(other.filter((found) => first.includes(found))).toEqual([]);
      await commit(catalogue(resource('topic: !env CANARY, pin: !secret canary-two'), resource(shared, 'two')));
    }
  });
});
