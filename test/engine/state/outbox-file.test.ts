import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OutboxWrite } from '@platform-sync/core/model/outbox';
import { outboxFile } from '@platform-sync/state/outbox-file';
import { resource } from './samples.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sync-kept-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (intent: string): OutboxWrite => ({
  lineage: 'one',
  intent,
  changes: [
    { kind: 'put', resource: resource(intent) },
    { kind: 'remove', address: 'old' },
    { kind: 'close-intent', id: intent },
  ],
});

test('writes are kept in their order, for another process, until they are cleared', async () => {
  const kept = outboxFile(root, 'shop', 'dev');
  expect(await kept.read()).toEqual([]);
  await Promise.all(['a', 'b', 'c'].map((intent) => kept.add(write(intent))));
  expect(await outboxFile(root, 'shop', 'dev').read()).toEqual([write('a'), write('b'), write('c')]);
  expect(await outboxFile(root, 'shop', 'prod').read()).toEqual([]);
  await kept.clear();
  await kept.clear();
  expect([await kept.read(), existsSync(kept.location)]).toEqual([[], false]);
});

test('the file is for its owner alone, and ignored by Git', async () => {
  const kept = outboxFile(root, 'shop', 'dev');
  await kept.add(write('a'));
  expect(statSync(kept.location).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(root, '.sync', '.gitignore'), 'utf8')).toBe('*\n');
});

test.each([
  ['cut off by a crash', JSON.stringify(write('x')).slice(0, -20)],
  ['no write', '{"lineage":"one","intent":"x","changes":[{"kind":"put"}]}'],
  ['of another kind', '{"lineage":"one","intent":"x","changes":[{"kind":"outputs","outputs":{}}]}'],
  ['no object', 'null'],
])('a line that is %s counts for nothing, and takes no other with it', async (_what, line) => {
  const kept = outboxFile(root, 'shop', 'dev');
  await kept.add(write('a'));
  appendFileSync(kept.location, line);
  await kept.add(write('b'));
  expect((await kept.read()).map(({ intent }) => intent)).toEqual(['a', 'b']);
});
