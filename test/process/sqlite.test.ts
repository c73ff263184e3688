import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeDriver } from '@platform-sync/state/sqlite-driver';
import { drivers, openBy } from '../engine/state/backends.js';
import { builtChild } from '../harness/built.js';

const program = await builtChild(fileURLToPath(new URL('state-child.ts', import.meta.url)));

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sync-sqlite-'));
  path = join(folder, '.sync', 'state.db');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Node's own switch takes away its SQLite, and leaves libsql: what a Node before 22.13 has. */
const libsql = { NODE_OPTIONS: '--no-experimental-sqlite' };
const ways: readonly (readonly [name: string, env: Readonly<Record<string, string>>])[] =
  nodeDriver() === undefined
    ? [['libsql', {}]]
    : [
        ['Node', {}],
        ['libsql', libsql],
      ];

function start(env: Readonly<Record<string, string>>, ...work: readonly string[]): ReturnType<typeof spawn> {
  return spawn(process.execPath, [program, path, ...work], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
}

test('several processes may open a new state at once, by whichever driver, and have nothing to say of it', async () => {
  const runs = Array.from({ length: 4 }, async (_, at) => {
    const child = start(ways[at % ways.length]?.[1] ?? {}, 'read');
    let said = '';
    child.stderr?.on('data', (data: Buffer) => (said += data.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, said };
  });
  expect(await Promise.all(runs)).toEqual(Array.from({ length: 4 }, () => ({ code: 0, said: '' })));
});

/** Records that were acknowledged before the child was killed. */
async function writtenUntilKilled(env: Readonly<Record<string, string>>, prefix: string): Promise<readonly string[]> {
  const run = start(env, 'write', prefix);
  let said = '';
  run.stderr?.pipe(process.stderr);
  run.stdout?.on('data', (data: Buffer) => {
    said += data.toString();
    if (said.includes('x20\n')) run.kill('SIGKILL');
  });
  await once(run, 'close');
  return said.slice(0, said.lastIndexOf('\n')).split('\n');
}

test.each(Object.entries(drivers))(
  'what was acknowledged is there after each of several kills, whichever driver wrote it: read %s',
  async (_name, reader) => {
    const acknowledged: string[] = [];
    for (const [at, [way, env]] of [...ways, ...ways].entries()) {
      acknowledged.push(...(await writtenUntilKilled(env, `${way}-${at}-`)));
      const store = await openBy(reader, path, { project: 'shop', stack: 'dev' });
      const { resources, intents } = await store.read();
      expect(acknowledged.filter((address) => !resources.has(address))).toEqual([]);
      // Each record is there with its intent closed, or not at all with its intent open.
      expect(intents.filter(({ address }) => resources.has(address))).toEqual([]);
      expect((await store.holder())?.owner).toBe('child');
      await store.close();
    }
    expect(acknowledged.length).toBeGreaterThan(40 * ways.length);
  },
);
