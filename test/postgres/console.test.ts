import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import type { ConsoleFleet, ConsoleRole, RunningConsole } from '@platform-sync/core/model/console';
import { realWorld } from '@platform-sync/core/model/world';
import { realTiming } from '@platform-sync/state/lease-term';
import { openPostgres } from '@platform-sync/state/postgres';
import { openConsole } from 'platform-sync-fleet/main';
import { admissions, type Person } from '../../src/fleet/console/access.js';
import { formToken } from '../../src/fleet/console/guard.js';
import { ConsoleStore } from '../../src/fleet/console/store.js';
import { portToBind } from '../harness/port-to-bind.js';
import { type LoginProvider, startLoginProvider } from '../harness/login-provider.js';
import { startPostgres, type PostgresServer } from './server.js';

let server: PostgresServer;
let provider: LoginProvider;
let console_: RunningConsole;
let store: ConsoleStore;
let database: ReturnType<typeof openPostgres>;
let client: pg.Client;
let fleet: ConsoleFleet;
const problems: string[] = [];

const people = (role: ConsoleRole, name: string): ConsoleFleet['settings']['roles'] => [
  { role, people: [`${name}@acme.example`], stacks: ['shop/*'] },
];

beforeAll(async () => {
  [server, provider] = await Promise.all([
    startPostgres(),
    startLoginProvider('sync', [{ sub: 'u1', email: 'vic@acme.example', groups: ['staff'] }]),
  ]);
  const url = await server.createDatabase();
  const port = await portToBind();
  fleet = {
    name: 'acme',
    settings: {
      url: `http://127.0.0.1:${String(port)}`,
      login: { issuer: provider.issuer, client: 'sync' },
      roles: [
        ...people('viewer', 'vic'),
        ...people('planner', 'pia'),
        ...people('approver', 'ana'),
        ...people('operator', 'ole'),
      ],
    },
    stacks: ['shop', 'pets'].map((project) => ({
      ...{ project, stack: 'default', folder: `teams/${project}`, labels: {}, owners: ['@acme/shop'] },
    })),
  };
  const given = { database: url, world: realWorld, host: '127.0.0.1', port, version: '0', hookSecrets: {} };
  console_ = await openConsole({ ...given, fleet: async () => fleet, onProblem: (words) => void problems.push(words) });
  database = openPostgres(url, realTiming);
  client = new pg.Client({ connectionString: url });
  await client.connect();
  store = await ConsoleStore.open(database, await schemaOf(client), realWorld);
});
afterAll(async () => {
  await console_.close();
  await Promise.all([provider.close(), database.close(), client.end()]);
  await server.stop();
});

async function schemaOf(of: pg.Client): Promise<string> {
  const { rows } = await of.query<{ readonly name: string }>('select current_schema() as name');
  return rows[0]?.name ?? '';
}

/** Somebody with a browser in which they have logged in. */
async function session(name: string): Promise<{ readonly cookie: string; readonly token: string }> {
  const email = `${name}@acme.example`;
  const person: Person = { id: name, name: email, names: [email], aliases: [], groups: [] };
  const secret = await store.beginSession(person);
  return { cookie: `sync=${secret}`, token: formToken(secret) };
}

function ask(route: string, init: RequestInit & { readonly headers?: Record<string, string> } = {}): Promise<Response> {
  const [method = '', path = ''] = route.split(' ');
  return fetch(`${console_.url}${path}`, { method, redirect: 'manual', ...init });
}

const page = { accept: 'text/html' };

describe('the console', () => {
  it('lets in by code, PKCE, state and nonce, once, and shows what a role shows', async () => {
    const begun = await ask('GET /?state=clean', { headers: page });
    expect(begun.headers.get('location')).toBe('/login?then=%2F%3Fstate%3Dclean');
    const { home, secret } = await login('/?state=clean');
    expect(home).toBe('/?state=clean');
    const shown = await (await ask('GET /', { headers: { cookie: secret } })).text();
    expect(shown).toContain('shop/default');
    expect(shown).not.toContain('pets/default');
    expect(shown).not.toMatch(/<script(?! src="\/assets)|style="|onclick|javascript:/);
    expect(
      (await client.query(`select * from "${await schemaOf(client)}_console".sessions`)).rows.map(String),
    ).not.toContain(secret);
    await ask('POST /logout', {
      headers: { cookie: secret, origin: fleet.settings.url },
      body: new URLSearchParams({ token: formToken(secret.slice(5)) }),
    });
    expect((await ask('GET /', { headers: { cookie: secret } })).status).toBe(401);
  });

  it.each(['nonce', 'audience', 'issuer', 'signature', 'expired'] as const)(
    'refuses a login with a wrong %s',
    async (spoil) => {
      await expect(login('/', { spoil })).rejects.toThrow('400');
    },
  );

  it('gives no role to an address that nobody has verified', async () => {
    const { secret } = await login('/', { spoil: 'unverified' });
    expect((await ask('GET /', { headers: { cookie: secret } })).status).toBe(403);
  });

  it('refuses a login that was begun elsewhere, or is answered twice', async () => {
    const { answer, cookie } = await login('/');
    expect((await fetch(answer, { headers: { cookie }, redirect: 'manual' })).status).toBe(400);
    expect((await fetch(answer, { redirect: 'manual' })).status).toBe(400);
  });

  it('never goes to another place after a login', async () => {
    for (const then of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:1', '/a\nb'])
      expect((await login(then)).home).toBe('/');
  });

  it('answers every route for those who have its role, and for nobody else', async () => {
    const names: Readonly<Record<ConsoleRole, string>> = {
      viewer: 'vic',
      planner: 'pia',
      approver: 'ana',
      operator: 'ole',
    };
    const roles = Object.keys(names) as ConsoleRole[];
    for (const [route, admission] of Object.entries(admissions)) {
      if (admission === 'anybody' || admission === 'signed') continue;
      for (const stack of ['shop', 'pets']) {
        const isStack = route.includes(':project');
        const path = route.replace(':project', stack).replace(':stack', 'default').replace(/:\w+/g, '1');
        for (const who of [...roles, 'stranger', 'nobody'] as const) {
          const { cookie, token } =
            who === 'nobody' ? { cookie: '', token: '' } : await session(who === 'stranger' ? who : names[who]);
          const init = route.startsWith('POST') ? { body: new URLSearchParams({ token }) } : {};
          const { status } = await ask(path, { headers: { cookie, origin: fleet.settings.url }, ...init });
          const rank = roles.indexOf(who as ConsoleRole);
          const isAllowed =
            who !== 'nobody' &&
            (admission === 'person' || (rank >= roles.indexOf(admission) && !(isStack && stack === 'pets')));
          expect([route, stack, who, [401, 403].includes(status)]).toEqual([route, stack, who, !isAllowed]);
          expect([route, who, status < 500]).toEqual([route, who, true]);
        }
      }
    }
  });

  it('takes a form of its own alone, and writes down each denial', async () => {
    const { cookie, token } = await session('ole');
    const before = (await store.audit({ limit: 1 }))[0]?.number ?? 0;
    const post = (headers: Record<string, string>, given: string): Promise<Response> =>
      ask('POST /logout', { headers: { cookie, ...headers }, body: new URLSearchParams({ token: given }) });
    for (const [headers, given] of [
      [{ origin: 'https://evil.example' }, token],
      [{ origin: 'null' }, token],
      [{}, token],
      [{ origin: fleet.settings.url }, ''],
      [{ origin: fleet.settings.url }, (await session('ana')).token],
    ] as const)
      expect((await post(headers, given)).status).toBe(403);
    const rows = await store.audit({ limit: 5 });
    expect(rows.map(({ who, act, outcome }) => [who, act, outcome])).toEqual(
      Array(5).fill(['ole@acme.example', 'POST /logout', 'denied']),
    );
    expect(Number(rows[0]?.number)).toBe(Number(before) + 5);
    expect((await post({ origin: fleet.settings.url }, token)).status).toBe(303);
  });

  it('finds a row of the audit that was changed, or taken away', async () => {
    expect(await store.verifyAudit()).toBeUndefined();
    const table = `"${await schemaOf(client)}_console".audit`;
    await client.query('begin');
    await client.query(`update ${table} set who = 'somebody else' where number = 2`);
    await client.query('commit');
    expect(await store.verifyAudit()).toBe(2);
    await client.query(`delete from ${table} where number = 2`);
    expect(await store.verifyAudit()).toBe(2);
    await client.query(`delete from ${table}`);
    expect(await store.verifyAudit()).toBe(1);
    await client.query(`update "${await schemaOf(client)}_console".head set number = 0, digest = ''`);
    expect(await store.verifyAudit()).toBeUndefined();
  });

  it('says by its headers what a browser may do, and answers HEAD, 404, 405 and what is too large', async () => {
    const { cookie, token } = await session('vic');
    const { headers } = await ask('GET /', { headers: { cookie } });
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'; script-src 'self'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    for (const name of [
      'x-content-type-options',
      'referrer-policy',
      'cross-origin-opener-policy',
      'permissions-policy',
    ])
      expect(headers.get(name)).not.toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await ask('HEAD /', { headers: { cookie } })).status).toBe(200);
    expect((await ask('GET /healthz')).status).toBe(200);
    expect((await ask('GET /nowhere')).status).toBe(404);
    const wrong = await ask('DELETE /');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const body = new URLSearchParams({ token, more: 'x'.repeat(70_000) });
    expect((await ask('POST /logout', { headers: { cookie, origin: fleet.settings.url }, body })).status).toBe(413);
    expect(problems.filter((words) => !words.startsWith('login:'))).toEqual([]);
  });

  it('lets nobody try to log in more than sixty times a minute', async () => {
    const answers = await Promise.all(Array.from({ length: 70 }, () => ask('GET /login/return?code=x')));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  });

  it('works for the version before, and lets no one work that is older', async () => {
    const steps = [1, 2].map((number) => (schema: string) => [
      `create table ${schema}.step${String(number)} (id integer)`,
    ]);
    const open = (known: number): Promise<ConsoleStore> =>
      ConsoleStore.open(database, 'version_test', realWorld, steps.slice(0, known));
    await open(2);
    await open(1);
    await expect(open(0)).rejects.toThrow('has version 2');
  });
});

interface LoggedIn {
  /** Where the browser went in the end. */
  readonly home: string | null;
  /** As its cookie. */
  readonly secret: string;
  /** What the provider sent it to, and the cookie of the login. */
  readonly answer: string;
  readonly cookie: string;
}

async function login(then: string, { spoil }: { readonly spoil?: LoginProvider['spoil'] } = {}): Promise<LoggedIn> {
  provider.spoil = spoil;
  const begun = await ask(`GET /login?then=${encodeURIComponent(then)}`);
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const asked = await fetch(`${begun.headers.get('location') ?? ''}&as=u1`, { redirect: 'manual' });
  const answer = asked.headers.get('location') ?? '';
  const done = await fetch(answer, { headers: { cookie }, redirect: 'manual' });
  if (done.status !== 303) throw new Error(String(done.status));
  const secret =
    done.headers
      .getSetCookie()
      .find((one) => one.startsWith('sync='))
      ?.split(';')[0] ?? '';
  return { home: done.headers.get('location'), secret, answer, cookie };
}
