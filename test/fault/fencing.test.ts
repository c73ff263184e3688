import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type PostgresServer } from '../postgres/server.js';
import { objects, runFencing, troubles } from './fencing.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

// All at once: each waits for the end of a lease, which is long enough for a busy machine.
describe('a run that loses its lease while its writes wait at the gate', { concurrent: true }, () => {
  it.each(troubles)('%s: nothing is made twice, and the first run ends', async (trouble) => {
    const needsServer = trouble === 'partition' || trouble === 'black-holed database';
    const database = needsServer ? await server.createDatabase() : undefined;
    const { first, second, names, stepsLeft } = await runFencing({
      trouble,
      ttlMs: 5_000,
      ...(database === undefined ? {} : { database }),
    });
    expect(names).toHaveLength(objects);
    expect(new Set(names).size).toBe(objects);
    expect([second.status, second.diagnostics.map(({ code }) => code)]).toEqual(['done', []]);
    expect(first.status).not.toBe('done');
    expect(stepsLeft).toBe(0);
  });
});
