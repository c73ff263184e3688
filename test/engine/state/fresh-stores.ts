import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { StateStore } from '@platform-sync/core/model/state-store';
import type { TestBackend, TestDatabase } from './backends.js';

/** One backend for the tests around this call; each test has an empty database and a store in it. */
export function freshStores(
  start: () => Promise<TestBackend>,
  use: (store: StateStore, database: TestDatabase, backend: TestBackend) => void,
): void {
  let backend: TestBackend;
  let database: TestDatabase;
  beforeAll(async () => {
    backend = await start();
  });
  afterAll(() => backend.stop());
  beforeEach(async () => {
    database = await backend.database();
    use(await database.open(), database, backend);
  });
  afterEach(() => database.close());
}
