import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStateStore } from '@platform-sync/state/open';
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

const start = (work: 'read' | 'write'): ReturnType<typeof spawn> =>
  spawn(process.execPath, [program, path, work], { stdio: ['ignore', 'pipe', 'inherit'] });

test('several processes may open a new state at once', async () => {
  const runs = Array.from({ length: 3 }, () => once(start('read'), 'exit'));
  expect((await Promise.all(runs)).map(([code]) => code as unknown)).toEqual([0, 0, 0]);
});

test('what was acknowledged is there after a kill', async () => {
  const run = start('write');
  let said = '';
  run.stdout?.on('data', (data: Buffer) => {
    said += data.toString();
    if (said.includes('x20\n')) run.kill('SIGKILL');
  });
  await once(run, 'close');
  const store = await openStateStore({ backend: 'sqlite', path }, 'shop', 'dev');
  const { resources, intents } = await store.read();
  const acknowledged = said.slice(0, said.lastIndexOf('\n')).split('\n');
  expect(acknowledged.filter((address) => !resources.has(address))).toEqual([]);
  // Each record is there with its intent closed, or not at all with its intent open.
  expect(intents.filter(({ address }) => resources.has(address))).toEqual([]);
  expect((await store.holder())?.owner).toBe('child');
  await store.close();
});
