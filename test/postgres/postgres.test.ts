import { hostname } from 'node:os';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { StateStore, StateStoreError } from '@platform-sync/core/model/state-store';
import { openStateStore } from '@platform-sync/state/open';
import { openPostgres, postgresLocation, postgresProblem } from '@platform-sync/state/postgres';
import { realProcesses } from '@platform-sync/core/model/process-identity';
import { sql, type Sql } from '@platform-sync/state/sql';
import { realTiming } from '@platform-sync/state/lease-term';
import { startPostgres, type PostgresServer } from './server.js';
import { resource } from '../engine/state/samples.js';
import { deadPort } from '../providers/http/loopback.js';
import { tamperings } from '../engine/state/tampered-history.js';
import { storeFailure } from '../engine/state/store-failure.js';
import { backToVersionOne, olderNote, olderTake } from '../engine/state/older-version.js';

const me = { owner: 'me@here pid 1', waitMs: 0 };

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

function open(url: string): Promise<StateStore> {
  return openStateStore({ backend: 'postgres', url }, 'shop', 'dev');
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

describe('a PostgreSQL state', () => {
  test('may be opened new by many at once', async () => {
    const url = await server.createDatabase();
    const stores = await Promise.all(Array.from({ length: 6 }, () => open(url)));
    const states = await Promise.all(stores.map((store) => store.read()));
    expect(new Set(states.map(({ lineage }) => lineage)).size).toBe(1);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('undoes a transaction that fails, says what went wrong in it, and goes on', async () => {
    const url = await server.createDatabase();
    await query(url, 'create table notes (text text)');
    const database = openPostgres(url, realTiming);
    const failing = (last: Sql): Promise<unknown> =>
      database.transaction(async (trx) => {
        await trx.run(sql`insert into notes values ('first')`);
        await trx.rows(last);
      });
    await expect(failing(sql`select 1 / 0`)).rejects.toMatchObject({ code: '22012' });
    // The connection is gone before anything could be undone by it.
    await expect(failing(sql`select pg_terminate_backend(pg_backend_pid())`)).rejects.toMatchObject({ code: '57P01' });
    expect(await database.rows(sql`select text from notes`)).toEqual([]);
    await database.close();
  });

  test('tells where its history was tampered with', async () => {
    for (const [what, tampering, number, told] of tamperings) {
      const url = await server.createDatabase();
      const store = await open(url);
      const lease = await store.acquire('apply', me);
      await store.commit(lease, [
        { kind: 'put', resource: resource('x') },
        { kind: 'put', resource: resource('y') },
      ]);
      expect(await store.verifyRuns()).toBeUndefined();
      await query(url, tampering);
      expect([what, await store.verifyRuns()]).toEqual([what, { number, what: told }]);
      await store.close();
    }
  });

  test('says what is missing where the user has no schema to make tables in', async () => {
    for (const path of ['', 'nowhere']) {
      const url = new URL(await server.createDatabase());
      url.searchParams.set('options', `-c search_path=${path}`);
      await expect(open(url.href)).rejects.toMatchObject({
        ...{ name: 'StateStoreError', code: 'unreachable' },
        message: expect.stringMatching(/has no schema for its tables \(3F000\)$/) as unknown,
        hint: expect.stringContaining('search_path') as unknown,
      });
    }
  });

  test('keeps leases by the clock of the server', async () => {
    const url = await server.createDatabase();
    const store = await open(url);
    const lease = await store.acquire('apply', me);
    await store.commit(lease, [{ kind: 'put', resource: resource('a') }]);
    await query(url, 'update sync_stacks set lease_expires = extract(epoch from now()) * 1000 - 1');
    await expect(store.commit(lease, [])).rejects.toMatchObject({ name: 'LeaseLostError' });
    await store.close();
  });

  test('shared by machines: only a run of this one is ever taken for dead, and it is at once', async () => {
    const url = await server.createDatabase();
    const store = await open(url);
    const lease = await store.acquire('apply', me);
    // A process number that was given again since.
    const dead = { ...realProcesses.self(), start: '1' };
    const kept = (process: object): Promise<void> =>
      query(url, `update sync_stacks set lease_process = '${JSON.stringify(process)}'`);
    const slept: number[] = [];
    const other = await openStateStore({ backend: 'postgres', url }, 'shop', 'dev', {
      sleep: async (ms) => void slept.push(ms),
    });
    await kept({ ...dead, host: `not-${hostname()}` });
    await expect(other.acquire('apply', me)).rejects.toMatchObject({
      name: 'LeaseHeldError',
      holder: { id: lease.id },
    });
    expect(slept).toEqual([]);
    await kept(dead);
    const next = await other.acquire('apply', me);
    expect([next.token > lease.token, slept]).toEqual([true, [2_000]]);
    await expect(store.commit(lease, [])).rejects.toMatchObject({ name: 'LeaseLostError' });
    await Promise.all([store.close(), other.close()]);
  });

  test('does not let a paused process keep the stack locked', async () => {
    const database = openPostgres(await server.createDatabase(), realTiming);
    const shown = await database.transaction((trx) =>
      trx.rows(sql`select current_setting('idle_in_transaction_session_timeout') as bound`),
    );
    expect(shown).toEqual([{ bound: '20s' }]);
    await database.close();
  });

  test('goes on after its connections were cut', async () => {
    const url = await server.createDatabase();
    const store = await open(url);
    const lease = await store.acquire('apply', me);
    await query(
      url,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where application_name = 'platform-sync' and pid <> pg_backend_pid()`,
    );
    await store.commit(lease, [{ kind: 'put', resource: resource('a') }]).catch(() => undefined);
    expect(await store.commit(lease, [{ kind: 'put', resource: resource('a') }])).toBeGreaterThan(0);
    await store.close();
  });

  test('of a newer version is not used', async () => {
    const url = await server.createDatabase();
    await (await open(url)).close();
    await query(url, 'update sync_schema set version = 1000');
    expect((await storeFailure(open(url))).code).toBe('newer-version');
  });

  test('of an older version is upgraded, with all it holds, by whichever of several comes first', async () => {
    const url = await server.createDatabase();
    const store = await open(url);
    const lease = await store.acquire('apply', me);
    await store.commit(lease, [{ kind: 'put', resource: resource('a') }]);
    await query(url, backToVersionOne);
    // The run of the older version that holds the stack is not disturbed.
    await expect(open(url)).rejects.toMatchObject({ name: 'LeaseHeldError' });
    await query(url, 'update sync_stacks set lease_id = null, lease_expires = null');
    await store.close();
    const stores = await Promise.all(Array.from({ length: 3 }, () => open(url)));
    for (const one of stores) {
      expect([...(await one.read()).resources.keys()]).toEqual(['a']);
      expect(await one.driftHistory()).toMatchObject({ findings: [] });
      await one.close();
    }
    // One that was started before the upgrade is refused by the database itself.
    await expect(query(url, olderTake)).rejects.toThrow('lease_token');
    await expect(query(url, olderNote)).rejects.toThrow('status');
  });

  test('that may only be read says so', async () => {
    const url = new URL(await server.createDatabase());
    url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} -c default_transaction_read_only=on`);
    expect((await storeFailure(open(url.href))).code).toBe('read-only');
  });
});

describe('a PostgreSQL server that cannot be used', () => {
  const edited = async (edit: (url: URL) => void): Promise<string> => {
    const url = new URL(await server.createDatabase());
    url.password = 'pass-canary';
    edit(url);
    return url.href;
  };

  test.each<{ what: string; url: () => Promise<string>; words: string }>([
    { what: 'for its password', url: () => edited(() => undefined), words: 'refuses the user' },
    {
      what: 'for TLS it does not have',
      url: () => edited((url) => url.searchParams.set('sslmode', 'verify-full')),
      words: 'TLS',
    },
    {
      what: 'for its port',
      url: () => Promise.resolve(`postgres://u:pass-canary@127.0.0.1:${deadPort}/db`),
      words: 'does not answer',
    },
    {
      what: 'for its name',
      url: async () => 'postgres://u:pass-canary@no-such-host.invalid/db',
      words: 'does not answer',
    },
    { what: 'for its address', url: async () => 'postgres://u:pass-canary@[/db', words: 'address is not a valid one' },
    {
      what: 'for its port number',
      url: async () => 'postgres://u:pass-canary@host:99999999/db',
      words: 'address is not a valid one',
    },
  ])('$what is unreachable, and the error keeps the password to itself', async ({ url, words }) => {
    const error = await storeFailure(open(await url()));
    expect(error.code).toBe('unreachable');
    expect(error.message).toContain(words);
    expect(error.hint).not.toBe('');
    const everything = JSON.stringify([error, error.message, error.hint, error.stack, String(error.cause)]);
    expect(everything).not.toContain('pass-canary');
  });

  test('for a database it does not have is unreachable', async () => {
    const url = new URL(await server.createDatabase());
    url.pathname = '/no_such_database';
    expect((await storeFailure(open(url.href))).message).toContain('has no such database');
  });
});

test.each([
  ['postgres://user:secret@db.example.invalid:5433/sync?password=secret', 'postgres://db.example.invalid:5433/sync'],
  ['postgresql://db.example.invalid/sync', 'postgres://db.example.invalid/sync'],
  ['user:secret', 'postgres'],
  ['postgres://user:secret@[', 'postgres'],
])('the location of %s is %s', (url, location) => {
  expect(postgresLocation(url)).toBe(location);
});

test.each<[string, StateStoreError['code']]>([
  ['53100', 'full'],
  ['53300', 'unreachable'],
  ['57P01', 'unreachable'],
  ['08006', 'unreachable'],
  ['28P01', 'unreachable'],
  ['42501', 'read-only'],
  ['25006', 'read-only'],
  ['XX001', 'corrupt'],
  ['58030', 'unreadable'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'unreachable'],
])('the code %s is told as %s', (code, told) => {
  expect(postgresProblem(Object.assign(new Error('x'), { code }), 'postgres')).toMatchObject({ code: told });
});

test('an error that is not of the server stays what it is', () => {
  const bug = Object.assign(new Error('syntax error'), { code: '42601' });
  expect(postgresProblem(bug, 'postgres')).toBe(bug);
  const refused = new DiagnosticError([{ severity: 'error', code: 'x', summary: 'the password timeout of ssl' }]);
  expect(postgresProblem(refused, 'postgres')).toBe(refused);
});
