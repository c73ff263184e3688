import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { openStateStore } from '@platform-sync/state/open';
import { openConnection } from '@platform-sync/state/sqlite-driver';
import { backends } from '../state/backends.js';
import { backToVersionOne } from '../state/older-version.js';
import { historyContract, note, seen } from './history-contract.js';

describe.each(Object.entries(backends))('the drift history of a %s store', (_name, start) => {
  historyContract(start);
});

it('is added to a state that an earlier version made', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sync-drift-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'state.db');
  const open = (): Promise<StateStore> => openStateStore({ backend: 'sqlite', path }, 'shop', 'dev');
  const first = await open();
  const { lineage } = await first.read();
  await first.close();
  const connection = openConnection(path, 0);
  connection.exec(backToVersionOne);
  connection.close();
  const upgraded = await open();
  await upgraded.noteDrift(note(1, seen('a')));
  expect((await upgraded.driftHistory()).findings).toHaveLength(1);
  expect((await upgraded.read()).lineage).toBe(lineage);
  await upgraded.close();
});
