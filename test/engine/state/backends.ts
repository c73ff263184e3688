import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StackKey } from '@platform-sync/core/model/state';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { migrate } from '@platform-sync/state/migrations';
import { SqlStateStore } from '@platform-sync/state/sql-store';
import { openSqlite } from '@platform-sync/state/sqlite';
import { libsqlDriver, nodeDriver, type Driver } from '@platform-sync/state/sqlite-driver';
import { Tables } from '../../simulator/tables.js';
import { realTiming, type Timing } from '@platform-sync/state/lease-term';

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

/** SQLite in memory, and the tables of simulated worlds, which carry out the same statements. */
function inMemory(make: () => Pick<MemoryDatabase, 'connection'>): () => Promise<TestBackend> {
  return async () => ({
    database: async () => {
      const database = make();
      return testDatabase(async (project, stack, timing) => memoryStateStore(project, stack, database, timing));
    },
    stop: async () => undefined,
  });
}

function sqlite(driver: Driver): () => Promise<TestBackend> {
  return async () => ({
    database: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sync-state-'));
      const path = join(folder, 'state.db');
      return testDatabase(
        (project, stack, timing) => openBy(driver, path, { project, stack }, { ...realTiming, ...timing }),
        () => {
          rmSync(folder, { recursive: true });
        },
      );
    },
    stop: async () => undefined,
  });
}

/** A store in the file, by one of the drivers. */
export async function openBy(driver: Driver, path: string, stack: StackKey, timing = realTiming): Promise<StateStore> {
  const database = openSqlite(path, timing, driver);
  await migrate(database);
  return new SqlStateStore(database, stack, timing);
}

const node = nodeDriver();

/** All that this Node has. */
export const drivers: Readonly<Record<string, Driver>> = {
  'sqlite by libsql': libsqlDriver(),
  ...(node === undefined ? {} : { 'sqlite by Node': node }),
};

/** Those that need no server. */
export const backends: Readonly<Record<string, () => Promise<TestBackend>>> = {
  memory: inMemory(() => new MemoryDatabase()),
  simulated: inMemory(() => new Tables()),
  ...Object.fromEntries(Object.entries(drivers).map(([name, driver]) => [name, sqlite(driver)])),
};
