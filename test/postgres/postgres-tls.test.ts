import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStateStore } from '@platform-sync/state/open';
import { startTlsPostgres, tlsAuthority, type PostgresServer } from './server.js';
import { resource } from '../engine/state/samples.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await startTlsPostgres();
});
afterAll(() => server.stop());

async function address(parameters: Readonly<Record<string, string>>): Promise<string> {
  const url = new URL(await server.createDatabase());
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

test('a server whose certificate our authority signed is spoken to over TLS', async () => {
  const url = await address({ sslmode: 'verify-full', sslrootcert: tlsAuthority });
  const store = await openStateStore({ backend: 'postgres', url }, 'shop', 'dev');
  const lease = await store.acquire('apply', { owner: 'me@here pid 1', waitMs: 0 });
  await store.commit(lease, [{ kind: 'put', resource: resource('a') }]);
  expect([...(await store.read()).resources.keys()]).toEqual(['a']);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ ssl: boolean }>(
    `select bool_and(ssl) as ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'platform-sync'`,
  );
  await client.end();
  await store.close();
  expect(rows).toEqual([{ ssl: true }]);
});

test.each([
  ['of an authority that nobody named', { sslmode: 'verify-full' }],
  ['of an authority that nobody named, at the lesser check', { sslmode: 'require' }],
])('a certificate %s is refused, in words', async (_what, parameters) => {
  const url = await address(parameters);
  await expect(openStateStore({ backend: 'postgres', url }, 'shop', 'dev')).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('cannot be reached over TLS') as unknown,
    hint: 'Check `sslmode` and `sslrootcert` in the address against what the server offers.',
  });
});
