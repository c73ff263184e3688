import { describe } from 'vitest';
import { historyContract } from '../engine/drift/history-contract.js';
import { newsContract } from '../engine/drift/news-contract.js';
import { testDatabase, type TestBackend } from '../engine/state/backends.js';
import { storeContract } from '../engine/state/store-contract.js';
import { openStateStore } from '@platform-sync/state/open';
import { startPostgres } from './server.js';

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
