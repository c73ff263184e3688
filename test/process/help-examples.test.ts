import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLoaders } from '@platform-sync/cli/command-list';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { inProcessSync, type InProcessSync } from '../docs/in-process-sync.js';
import { fakeGithub, token, workflow, type FakePlatform } from '../review/fake-platforms.js';
import { portToBind } from '../harness/port-to-bind.js';
import { realProgram, startListener, type Listener, type RealProgram } from '../cli/real-program.js';

const catalogue = (description: string): string => `resources:
  petstore:
    type: platform:Api
    properties: { name: Petstore, description: ${description}, labels: { team: payments } }
    children:
      guide: { type: platform:ApiDocument, properties: { title: Guide, content: ${description} } }
  payments: { type: platform:Api, properties: { name: Payments } }
outputs: { petstoreId: '\${petstore.id}' }
`;
/** Of an API of one's own. */
const garden = readFileSync('test/types-compile/garden.yaml', 'utf8');

/** Examples that end with another code than 0, and why. */
const codes: Readonly<Record<string, number>> = {
  // Somebody changed the platform.
  'sync plan --out plan.json --detailed-exitcode': 2,
  'sync drift': 2,
  'sync drift --target petstore': 2,
  'sync drift --report-dir out --metrics /var/lib/node_exporter/sync.prom': 2,
  'sync drift --issue --report-dir out': 2,
  // Its three stacks are of one platform, and one alone manages it.
  'sync plan --all-stacks --report-dir reports': 1,
  'sync apply reports --all-stacks --yes --report-dir reports': 1,
  'sync drift --all-stacks --report-dir out': 3,
  'sync fleet check': 2,
  'sync fleet check --out site': 2,
  'sync fleet status': 2,
  'sync fleet status --out site': 2,
  // Never checked.
  'sync fleet status --cwd fleet --format json': 3,
  // Its package is not installed.
  'sync fleet queue': 1,
  "sync fleet queue plan 'shop/*'": 1,
  'sync fleet queue apply shop/default': 1,
  'sync fleet queue plan shop/default --commit 8c1f0e5d2b7a49360f1e2d3c4b5a69788796a5b4 --request 12': 1,
  'sync fleet work': 1,
  // Its fleet.yaml says nothing of one.
  'sync console': 1,
  'sync console --cwd fleet --port 8200': 1,
  'sync fleet work --cwd fleet --at-once 8': 1,
  // Nobody holds the stack.
  'sync state unlock 2f6b1c9e-8d35-4e0a-9a53-3b8f1f0b7c11': 64,
};

let program: RealProgram;
let sync: InProcessSync;
let issues: Listener;
let requests: FakePlatform;
/** What a pipeline for a pull request has. */
const pipeline = {
  ...{
    GITHUB_ACTIONS: 'true',
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_REF: 'refs/pull/5/merge',
    GITHUB_SHA: 'a'.repeat(40),
  },
  ...{
    GITHUB_RUN_NUMBER: '1',
    GITHUB_RUN_ID: '1',
    GITHUB_WORKFLOW_REF: `${workflow}@refs/pull/5/merge`,
    GITHUB_TOKEN: token,
  },
};
/** The project as it is found by each example: applied, then changed behind its back. */
let ready: string;
/** What it is applied to. It comes back at the same address, with the objects of its folder. */
let platform: RunningSandbox;
/** Whether an example has changed something since it was made. */
let isUsed = true;
let ids: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  [program, sync, issues, requests] = await Promise.all([
    realProgram({ PLATFORM_TOKEN: 'any', ...pipeline }),
    inProcessSync(),
    startListener(),
    fakeGithub(),
  ]);
  ready = join(program.folder, 'ready');
  await startPlatform(await portToBind());
  // Graphviz is somebody else's.
  writeFileSync(join(sync.path, 'dot'), '#!/bin/sh\nexec cat\n');
  chmodSync(join(sync.path, 'dot'), 0o755);
  writeFileSync(join(program.folder, 'permissions.yaml'), 'hosts: { platform: [a.example.com] }\n');
});
afterAll(async () => {
  await platform.close();
  await sync.close();
  await issues.close();
  await requests.api.close();
  await program.close();
});

/** By its line the command that shows it first: another name of a command, and the command above, show some again. */
const shownBy = new Map<string, string>();
for (const [id, load] of Object.entries(commandLoaders)) {
  for (const each of (await load()).examples ?? []) {
    if (typeof each !== 'string') throw new Error(`${id}: an example is a command line`);
    const line = each.replaceAll('<%= config.bin %>', 'sync');
    if (!shownBy.has(line)) shownBy.set(line, id);
  }
}
const all = [...shownBy].map(([line, id]) => [id, line] as const);

/** Only reads; the next one finds the project as it was. */
const reading =
  /^sync (?:completion|config|eval|explain|fleet (?:plan|queue|status|work)|get|graph|history(?! prune)|list|lookup|lsp|mcp|output|plan|policy|schema(?! --editor)|show|state (?:list|show|pull|unlock)|test|types diff|validate|version)/;

/** Those that leave nothing behind, then the others. */
const examples = [true, false].flatMap((isRead) => all.filter(([, example]) => reading.test(example) === isRead));

async function startPlatform(port: number): Promise<void> {
  platform = await startSandbox({ quiet: true, port, data: join(program.folder, 'platform') });
  program.env = { ...program.env, PLATFORM_SERVER_URL: platform.url };
}

/** As the first example finds it, by a copy of the folders of both. */
async function prepare(): Promise<void> {
  const place = (name: string): string => join(program.folder, name);
  const copy = (from: string, to: string): void => cpSync(place(from), place(to), { recursive: true });
  const isKnown = existsSync(place('first'));
  if (!isKnown) await makeReady();
  await platform.close();
  for (const name of ['ready', 'platform']) {
    if (isKnown) rmSync(place(name), { recursive: true });
    copy(...((isKnown ? [`first/${name}`, name] : [name, `first/${name}`]) as [string, string]));
  }
  await startPlatform(platform.port);
}

async function makeReady(): Promise<void> {
  await program.write({
    'ready/sync.yaml':
      'project: shop\nstacks: { default: { overlays: overlays/prod.yaml }, production: {}, prod: {} }\n',
    'ready/catalogue/all.yaml': catalogue('Animals'),
    'ready/overlays/prod.yaml': 'patches: {}\n',
    'ready/objects.yaml': 'apis: [{ name: Petstore }]\n',
    ...Object.fromEntries(['openapi', 'old', 'new'].map((name) => [`ready/${name}.yaml`, garden])),
    'ready/acme.rules.yaml': 'names: {}\n',
    'ready/fleet.yaml': "projects: ['.']\nstacks: [default]\n",
    'ready/fleet/fleet.yaml': "projects: ['team']\n",
    'ready/fleet/team/sync.yaml': 'project: team\n',
    'ready/tests/labels.yaml': `rules: [{ name: labels, match: { types: [Api], addresses: [petstore] }, expression: has(new.labels.team) }]\n`,
    'ready/fleet/team/catalogue/none.yaml': 'resources: {}\n',
  });
  const run = async (...argv: string[]): Promise<string> => (await program.run('-C', 'ready', ...argv)).out;
  await run('apply', '--yes');
  await program.write({ 'ready/catalogue/all.yaml': catalogue('Pets') });
  await run('apply', '--yes', '--report-dir', 'out');
  await run('types', 'compile', 'openapi.yaml', '--out', 'acme.types.json');
  const git = (...argv: string[]): void => void execFileSync('git', ['-C', ready, ...argv]);
  git('init', '-q', '-b', 'main');
  git('add', '.', ':!out');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'first');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  writeFileSync(join(ready, 'backup.json'), await run('state', 'pull'));
  const listed = JSON.parse(await run('state', 'list', '--format', 'json')) as { address: string; id: string }[];
  const [api = '', guide = '', other = ''] = ['petstore', 'petstore/guide', 'payments'].map(
    (name) => listed.find(({ address }) => address === name)?.id ?? '',
  );
  const click = (object: string, change: object): Promise<unknown> =>
    fetch(`${platform.url}/_sandbox/objects/${object}`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(change) },
    });
  await click(`apis/${api}`, { description: 'by hand', labels: { team: 'clicked' } });
  await click(`documents/${guide}`, { content: 'By hand' });
  const planned = effectOf(await run('plan', '--out', 'plan.json'));
  const [latest = '{}'] = (await run('history', 'petstore/guide', '--format', 'jsonl')).split('\n');
  const changing = String((JSON.parse(latest) as { readonly run?: number }).run);
  const undone = effectOf(await run('undo', changing, '--dry-run'));
  const urn = 'urn:pulumi:dev::shop::platform:index/api:Api::petstore';
  const deployment = { resources: [{ urn, type: 'platform:index/api:Api', id: api }] };
  writeFileSync(join(ready, 'ids.txt'), `petstore ${api}\npayments ${other}\n`);
  writeFileSync(join(ready, 'stack.json'), JSON.stringify({ version: 3, deployment }));
  const { findings } = JSON.parse(await run('drift', '--format', 'json')) as {
    findings: { id: string; address: string }[];
  };
  const finding = findings.find(({ address }) => address === 'petstore')?.id ?? '';
  ids = {
    '6f1c0c0e-51d5-4f39-8c2c-1a2b3c4d5e6f': api,
    '0b7dd2f1-9a53-4c1c-8e40-2f1f0a6a8d11': other,
    '"6f1c…"': `"${api}"`,
    '"0b7d…"': `"${guide}"`,
    ' plan.json --expect-effect 3f2a91c04b7d': ` plan.json --expect-effect ${planned}`,
    ' undo 41 --expect-effect 3f2a91c04b7d': ` undo ${changing} --expect-effect ${undone}`,
    ' 41': ` ${changing}`,
    // After the id that it is a part of.
    ' 1a2b3c4d5e': ` ${finding}`,
  };
}

function effectOf(shown: string): string {
  return /^Effect ([0-9a-f]{12})$/m.exec(shown)?.[1] ?? shown;
}

/** The example as a reader types it, who has other ids, folders and ports. */
function asTyped(example: string): string {
  const own = Object.entries({
    ...ids,
    '0.0.0.0': '127.0.0.1',
    8080: '0',
    '--request 42': '--request 5',
    '/var/lib/node_exporter': '.',
    '/etc/platform-sync': '..',
  });
  const line = own.reduce((text, [shown, mine]) => text.replaceAll(shown, mine), example.replace(/ {2,}# .*/, ''));
  if (/^sync init(?! --agents)/.test(line)) return `mkdir -p new/specs && cd new && ${line}`;
  if (line.startsWith('sync adopt')) return `sync state rm petstore payments >/dev/null && ${line}`;
  // An editor speaks to it: test/editor/own-server.test.ts does.
  if (/^sync (?:lsp|mcp)/.test(line)) return `${line} --help`;
  // One that ends without listening is not waited for, and there is nothing to end.
  if (line.startsWith('sync sandbox'))
    return `${line} > listens & until [ -s listens ] || ! kill -0 $!; do sleep 0.02; done; kill $!`;
  return line;
}

/** Exit code, and what stderr says when it is not the one that is expected. */
async function typed(example: string): Promise<readonly [number, string]> {
  if (isUsed) await prepare();
  isUsed = !reading.test(example);
  const shell = /completion (\w+)/.exec(example)?.[1] ?? 'bash';
  if (shell !== 'bash' && spawnSync(shell, ['--version']).status !== 0) return [0, ''];
  const before = shell === 'zsh' ? 'autoload -U compinit && compinit -u; ' : '';
  const env = {
    ...{ PATH: `${sync.path}:${process.env['PATH'] ?? ''}`, HOME: ready, ...program.env, ...pipeline },
    GITHUB_API_URL: example.startsWith('sync comment') ? requests.api.url : issues.url,
  };
  return new Promise((ended) => {
    execFile(shell, ['-c', before + asTyped(example)], { cwd: ready, env }, (error, _out, err) => {
      const code = typeof error?.code === 'number' ? error.code : 0;
      ended([code, code === (codes[example] ?? 0) ? '' : err]);
    });
  });
}

describe('what help shows can be typed', () => {
  it.each(examples)('%s: %s', async (_id, example) => {
    expect(await typed(example)).toEqual([codes[example] ?? 0, '']);
  });
});
