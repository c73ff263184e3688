import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildProgram } from '../ci/recipe.js';
import { canary, runProgram, startForeignHost, type ForeignHost, type Run } from './foreign.js';

const program = buildProgram();
let good: ForeignHost;
let bad: ForeignHost;
let folder: string;
beforeAll(async () => {
  [good, bad] = await Promise.all([startForeignHost(), startForeignHost()]);
});
afterAll(() => Promise.all([good.close(), bad.close()]));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-redirect-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function run(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Run> {
  await mkdir(join(folder, 'catalogue'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return runProgram(program(), args, folder, { PATH: process.env['PATH'] ?? '', HOME: folder, ...good.env, ...env });
}

const away = (status: number): { status: number; headers: Record<string, string>; body: string } => ({
  status,
  headers: { location: `http://127.0.0.1:${bad.plainPort}/taken` },
  body: '',
});

describe('a redirect to another host', () => {
  it.each([301, 302, 303, 307, 308])('with status %d takes no token of the platform along', async (status) => {
    good.answers.set('/v3/teams', away(status));
    const ran = await run({ 'sync.yaml': 'project: shop\n' }, ['lookup', 'getTeamList'], {
      PLATFORM_TOKEN: canary,
      PLATFORM_SERVER_URL: `https://foreign.test:${good.port}`,
    });
    expect([ran.code, bad.received()]).toEqual([1, '']);
    expect(good.received()).toContain(canary);
  });

  it.each([302, 307])('with status %d takes no key of the cloud along', async (status) => {
    good.answers.set('/token', away(status));
    const key = { type: 'authorized_user', client_id: 'x', client_secret: canary, refresh_token: canary };
    await writeFile(
      join(folder, 'key.json'),
      JSON.stringify({ ...key, token_uri: `https://foreign.test:${good.port}/token` }),
    );
    const ran = await run(
      { 'sync.yaml': 'project: shop\n' },
      ['lookup', 'getServiceIamPolicy', 'serviceName=a.example.com'],
      { GOOGLE_APPLICATION_CREDENTIALS: join(folder, 'key.json') },
    );
    expect([ran.code, bad.received()]).toEqual([1, '']);
  });

  it('takes no message of a drift check along', async () => {
    good.answers.set('/hook', away(307));
    const pets = 'resources:\n  pets: {type: platform:Api}\n';
    // Nobody listens there: a check that fails has something to tell.
    const env = { PLATFORM_TOKEN: canary, PLATFORM_SERVER_URL: 'http://127.0.0.1:9' };
    const hook = `https://foreign.test:${good.port}/hook`;
    const ran = await run(
      { 'sync.yaml': 'project: shop\n', 'catalogue/a.yaml': pets },
      ['drift', '--webhook', hook],
      env,
    );
    expect([ran.code === 0, good.received()]).toEqual([false, expect.stringMatching(/POST \S+ \/hook /)]);
    expect(bad.received()).toBe('');
  });
});
