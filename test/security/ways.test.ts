import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildProgram } from '../ci/recipe.js';
import { canary, runProgram, startForeignHost, type ForeignHost, type Run } from './foreign.js';
import { ways } from './ways.js';
import { partOf } from '../harness/part-of-table.js';

const program = buildProgram();
let host: ForeignHost;
let folder: string;
beforeAll(async () => {
  host = await startForeignHost();
});
afterAll(() => host.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-ways-'));
  await mkdir(join(folder, 'outside'));
  await mkdir(join(folder, 'project'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, 'project', name);
    await mkdir(dirname(path), { recursive: true });
    if (text.startsWith('-> ')) await symlink(text.slice(3), path);
    else await writeFile(path, name === 'sync.yaml' ? `project: shop\n${text}` : text);
  }
}

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
  return runProgram(program(), args, join(folder, 'project'), {
    ...{ PATH: process.env['PATH'] ?? '', HOME: folder, ...host.env },
    ...{ PLATFORM_TOKEN: canary, PLATFORM_SPAT: canary, PGPASSWORD: canary, CANARY: canary },
    ...env,
  });
}

describe('a proposal', () => {
  it.each(partOf(ways, 2))('$name: nothing arrives', async ({ files, env, args = ['plan'], code = 1, told }) => {
    await write({ 'sync.yaml': '', ...files(host) });
    const before = host.received().length;
    const ran = await run(args, env?.(host));
    expect(host.received().slice(before)).not.toContain(canary);
    expect([ran.code, ran.out]).toEqual([code, expect.stringContaining(told)]);
    expect(ran.out).not.toContain(canary);
    expect(await readdir(join(folder, 'outside'))).toEqual(putOutside(files(host)));
  });

  it('that links to the whole machine is not walked through it', async () => {
    await write({
      'sync.yaml': '',
      'shared/b.yaml': 'resources: {}\n',
      'catalogue/a.yaml': 'resources: {}\n',
      'catalogue/shared': '-> ../shared',
      'catalogue/machine': '-> /',
      'catalogue/above': '-> ../..',
    });
    const ran = await run(['validate']);
    // Links inside the project are followed, as ever.
    expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('in 2 files')]);
  });
});

/** Names that the way itself puts there. */
function putOutside(files: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(files).flatMap((name) => (name.startsWith('../outside/') ? [name.slice(11)] : []));
}

describe('the listener', () => {
  it('hears the token where whoever runs it named the address: the tests above can fail', async () => {
    await write({ 'sync.yaml': '', 'catalogue/pets.yaml': 'resources:\n  pets: {type: platform:Api}\n' });
    const ran = await run(['plan', '--refresh', 'full'], { PLATFORM_SERVER_URL: `https://foreign.test:${host.port}` });
    expect([ran.code, host.received()]).toEqual([0, expect.stringContaining('/v3/')]);
  });

  it.each([
    [
      'the environment names the same',
      (h: ForeignHost) => ({ PLATFORM_SERVER_URL: `https://FOREIGN.test:${h.port}/` }),
    ],
    [
      'the permissions list it',
      (h: ForeignHost) => ({ SYNC_POLICY: `{"hosts": {"platform": ["*.test", "foreign.test:${h.port}"]}}` }),
    ],
  ])('hears it, too, where %s', async (_name, env) => {
    await write({
      'sync.yaml': `providers: {platform: {serverUrl: "https://foreign.test:${host.port}"}}\n`,
      'catalogue/pets.yaml': 'resources:\n  pets: {type: platform:Api}\n',
    });
    const before = host.received().length;
    const ran = await run(['lookup', 'getTeamList'], env(host));
    expect([ran.code, host.received().slice(before)]).toEqual([0, expect.stringContaining(canary)]);
  });

  it('hears the password of a database that the environment names', async () => {
    await write({
      'sync.yaml': 'state: {backend: postgres, url: !env SYNC_STATE_URL}\n',
      'catalogue/pets.yaml': 'resources: {}\n',
    });
    const before = host.received().length;
    await run(['state', 'list'], {
      SYNC_STATE_URL: `postgres://me@foreign.test:${host.rawPort}/x?connect_timeout=1&sslmode=disable`,
    }).catch(() => undefined);
    expect(host.received().slice(before)).toContain(canary);
  });
});
