import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { builtDist } from '../harness/built.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const recorder = fileURLToPath(new URL('loaded-scripts.mjs', import.meta.url));

let folder: string;
let program: string;
let sandbox: RunningSandbox;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-loaded-'));
  // As it is installed: launcher, program and description of the package side by side.
  const installed = join(folder, 'package');
  await mkdir(installed);
  await symlink(await builtDist(), join(installed, 'dist'));
  for (const part of ['bin', 'schemas', 'node_modules', 'package.json'])
    await symlink(join(root, part), join(installed, part));
  program = join(installed, 'bin/sync.js');
  sandbox = await startSandbox({ quiet: true });
  await mkdir(join(folder, 'shop/catalogue'), { recursive: true });
  await writeFile(join(folder, 'shop/sync.yaml'), 'project: shop\n');
  await writeFile(
    join(folder, 'shop/catalogue/pets.yaml'),
    'resources:\n  pets: {type: "platform:Api", properties: {name: Pets}}\n',
  );
  await sync(['plan', '--out', 'plan.json']);
  await sync(['apply', '--yes']);
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

interface Script {
  readonly url: string;
  readonly length: number;
}

/** Scripts that the command has loaded: those of the package and its dependencies, and those of Node. */
async function sync(
  args: readonly string[],
): Promise<{ readonly ours: readonly Script[]; readonly nodes: readonly string[] }> {
  const file = join(folder, 'loaded.json');
  const env = {
    ...process.env,
    ...{ PLATFORM_TOKEN: 'test-token', PLATFORM_SERVER_URL: sandbox.url, SYNC_TEST_LOADED: file },
  };
  const argv = ['--preserve-symlinks-main', '--import', recorder, program, ...args];
  await promisify(execFile)(process.execPath, argv, { cwd: join(folder, 'shop'), env });
  const scripts = JSON.parse(await readFile(file, 'utf8')) as readonly Script[];
  return {
    ours: scripts.filter(({ url }) => url.startsWith('file:') && !url.endsWith(recorder)),
    nodes: scripts.map(({ url }) => url).filter((url) => url.startsWith('node:')),
  };
}

/**
 * Most that a command loads: files, and kilobytes of them. Each file costs a third of a millisecond of CPU, each hundred kilobytes
 * one or two. Who needs more for everybody writes the number here; what few runs need is loaded by name where it is used: what
 * compares long texts and API descriptions, sources, leases, writes, words for what went wrong. What checks a catalogue holds 22 kB
 * that tell credentials, formats and numbers that may be texts wherever they stand; what plans, 20 kB for whole writes, publications
 * and settling times, and 20 kB for a plan's effect. For all, the parser of command lines is 3 files, 216 kB and Node's readline, and
 * 3 kB are for parts of JSON, what explains a problem, and the tree of what is under way.
 */
const budgets: readonly (readonly [command: string, files: number, kilobytes: number])[] = [
  ['--version', 1, 3],
  ['validate', 10, 895],
  ['plan', 23, 1723],
  ['plan --refresh none', 22, 1370],
  ['show plan.json', 9, 405],
  ['show plan.json --format markdown', 13, 530],
  ['show plan.json --format html', 13, 530],
];

/**
 * Parts of Node that take long to load, by who may do without. The report is what `import 'node:process` asks for along with all
 * else that `process` has, stdin included; and what libsql asks for.
 */
const heavy = /^node:(?:http2|tls|zlib|internal\/deps\/undici\/undici)$/;
const network = /^node:(?:http|https|dns|child_process|internal\/process\/report)$/;

describe('what a command loads', () => {
  it.each(budgets)('%s: at most %i files, %i kB', async (command, files, kilobytes) => {
    const { ours } = await sync(command.split(' '));
    expect(
      ours.map(({ url }) => url.slice(url.indexOf(dirname(dirname(program)))).replace(/-[A-Z0-9]{8}\b/, '')),
    ).toSatisfy((urls: readonly string[]) => urls.length <= files);
    expect(Math.round(ours.reduce((sum, { length }) => sum + length, 0) / 1000)).toBeLessThanOrEqual(kilobytes);
    // A budget that holds twice what is loaded holds nothing.
    expect(ours.length).toBeGreaterThan(files / 2);
  });

  it.each(['validate', 'show plan.json --format html'])('%s loads nothing that speaks to others', async (command) => {
    const { nodes } = await sync(command.split(' '));
    expect(nodes.filter((name) => heavy.test(name) || network.test(name))).toEqual([]);
  });

  it('a plan loads the pool of connections, and none of what else comes with an HTTP client', async () => {
    const { nodes } = await sync(['plan']);
    expect(nodes.filter((name) => heavy.test(name))).toEqual([]);
    expect(nodes).toContain('node:http');
  });
});
