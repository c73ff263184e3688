import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readPlanFile } from '@platform-sync/cli/files/plan-file';

const folder = mkdtempSync(join(tmpdir(), 'plan-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['a small plan says nothing', 100_000, 0],
  ['a large one says that the run will be long', 300_000, 1],
])('%s', async (_name, length, times) => {
  const path = join(folder, 'plan.json');
  writeFileSync(path, ' '.repeat(length));
  let told = 0;
  const heard = (): void => void told++;
  subscribe('platform-sync:long-run', heard);
  expect(await readPlanFile(path)).toMatchObject({ diagnostic: { code: 'plan-not-a-plan' } });
  unsubscribe('platform-sync:long-run', heard);
  expect(told).toBe(times);
});
