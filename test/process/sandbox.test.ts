import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { builtChild } from '../harness/built.js';
import { Client } from '../sandbox/client.js';

const program = await builtChild(fileURLToPath(new URL('sandbox-child.ts', import.meta.url)));

test('the data folder of a sandbox keeps what was answered when its process is killed', async () => {
  const data = await mkdtemp(join(tmpdir(), 'sync-sandbox-killed-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const [, signal] = (await once(spawn(process.execPath, [program, data], { stdio: 'inherit' }), 'exit')) as unknown[];
  expect(signal).toBe('SIGKILL');
  const client = await Client.start({ data });
  expect(await client.names('/v3/apis?page[size]=100')).toEqual(
    Array.from({ length: 30 }, (_, at) => `api ${String(at)}`),
  );
  await client.close();
});
