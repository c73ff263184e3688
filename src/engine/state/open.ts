import type { StateBackend, StateStore } from '@platform-sync/core/model/state-store';
import type { Database } from './database.js';
import { realTiming, type Timing } from './lease-term.js';

/**
 * Opens one stack of a state store, creating or upgrading the store's tables where needed. Throws StateStoreError.
 * Drivers are loaded here, so that commands without state never pay for them.
 */
export async function openStateStore(
  backend: StateBackend,
  project: string,
  stack: string,
  timing: Partial<Timing> = {},
): Promise<StateStore> {
  const times: Timing = { ...realTiming, ...timing };
  const [{ SqlStateStore }, { migrate }, database] = await Promise.all([
    import('./sql-store.js'),
    import('./migrations.js'),
    openDatabase(backend, times),
  ]);
  try {
    await migrate(database);
  } catch (error) {
    await database.close().catch(() => undefined);
    throw database.problem(error);
  }
  return new SqlStateStore(database, { project, stack }, times);
}

async function openDatabase(backend: StateBackend, timing: Timing): Promise<Database> {
  if (backend.backend === 'sqlite') return (await import('./sqlite.js')).openSqlite(backend.path, timing);
  return (await import('./postgres.js')).openPostgres(backend.url, timing);
}
