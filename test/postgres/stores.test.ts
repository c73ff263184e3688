import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { historyContract } from '../engine/drift/history-contract.js';
import { newsContract } from '../engine/drift/news-contract.js';
import { testDatabase, type TestBackend } from '../engine/state/backends.js';
import { storeContract } from '../engine/state/store-contract.js';
import type { Database } from '@platform-sync/state/database';
import { realTiming } from '@platform-sync/state/lease-term';
import { migrate } from '@platform-sync/state/migrations';
import { openStateStore } from '@platform-sync/state/open';
import { openPostgres } from '@platform-sync/state/postgres';
import { SqlStateStore } from '@platform-sync/state/sql-store';
import { movesContract } from '../engine/moves-contract.js';
import { PaperWorld } from '../harness/paper-world.js';
import { type PostgresServer, startPostgres } from './server.js';

async function postgres(): Promise<TestBackend> {
  const server = await startPostgres();
  return {
    database: async () => {
      const url = await server.createDatabase();
      return testDatabase((project, stack, timing) =>
        openStateStore({ backend: 'postgres', url }, project, stack, timing),
      );
    },
    stop: () => server.stop(),
  };
}

describe('a postgres store', () => {
  storeContract(postgres);
});

describe('the news of a postgres store', () => {
  newsContract('postgres', postgres);
});

describe('the drift history of a postgres store', () => {
  historyContract(postgres);
});

describe('a declared move between stacks of a postgres store', () => {
  let server: PostgresServer;
  const open: Database[] = [];
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((database) => database.close()));
  });
  afterAll(() => server.stop());

  movesContract(async () => {
    const database = openPostgres(await server.createDatabase(), realTiming);
    open.push(database);
    await migrate(database);
    const shared = new Proxy(database, {
      get: (target, name) => {
        if (name === 'close') return async () => undefined;
        const found: unknown = Reflect.get(target, name);
        return typeof found === 'function' ? (found.bind(target) as unknown) : found;
      },
    });
    return new PaperWorld(undefined, (project, stack) => new SqlStateStore(shared, { project, stack }, realTiming));
  }, ['giver taker', 'taker giver']);
});
