import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { openStateStore } from '@platform-sync/state/open';
import type { Timing } from '@platform-sync/state/timing';

/** One empty database of a backend. */
export interface TestDatabase {
  /** Opens a stack in it; several stores on one database see each other. Closed with the database. */
  open(project?: string, stack?: string, timing?: Partial<Timing>): Promise<StateStore>;
  close(): Promise<void>;
}

/** A backend that is ready for use. */
export interface TestBackend {
  database(): Promise<TestDatabase>;
  stop(): Promise<void>;
}

type Open = (project: string, stack: string, timing: Partial<Timing>) => Promise<StateStore>;

export function testDatabase(open: Open, drop: () => void = () => undefined): TestDatabase {
  const stores: StateStore[] = [];
  return {
    open: async (project = 'shop', stack = 'dev', timing = {}) => {
      const store = await open(project, stack, timing);
      stores.push(store);
      return store;
    },
    close: async () => {
      await Promise.all(stores.map((store) => store.close()));
      drop();
    },
  };
}

async function memory(): Promise<TestBackend> {
  return {
    database: async () => {
      const database = new MemoryDatabase();
      return testDatabase(async (project, stack, timing) => memoryStateStore(project, stack, database, timing));
    },
    stop: async () => undefined,
  };
}

async function sqlite(): Promise<TestBackend> {
  return {
    database: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sync-state-'));
      const path = join(folder, 'state.db');
      return testDatabase(
        (project, stack, timing) => openStateStore({ backend: 'sqlite', path }, project, stack, timing),
        () => {
          rmSync(folder, { recursive: true });
        },
      );
    },
    stop: async () => undefined,
  };
}

/** Those that need no server. */
export const backends: Readonly<Record<string, () => Promise<TestBackend>>> = { memory, sqlite };
