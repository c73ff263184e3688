import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { portToBind } from '../harness/port-to-bind.js';

/** A connection pooler in front of a server. */
export interface Pooler {
  /** The database by way of the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** True when the machine has the program. */
export function hasPgbouncer(): boolean {
  return spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Starts pgbouncer in transaction mode: each transaction may get another connection, and no setting of one outlives it. */
export async function startPgbouncer(database: string): Promise<Pooler> {
  const { hostname, port, username, password, pathname } = new URL(database);
  const folder = mkdtempSync(join(tmpdir(), 'sync-pgbouncer-'));
  const listen = await portToBind();
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    [
      '[databases]',
      `* = host=${hostname} port=${port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${String(listen)}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${join(folder, 'users.txt')}`,
      'pool_mode = transaction',
      'default_pool_size = 4',
      `logfile = ${join(folder, 'log')}`,
    ].join('\n'),
  );
  writeFileSync(join(folder, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`);
  const user = poolerUser();
  if (user !== undefined)
    for (const name of ['', 'pgbouncer.ini', 'users.txt']) chownSync(join(folder, name), user.uid, user.gid);
  const child = spawn('pgbouncer', ['-q', settings], { stdio: 'ignore', ...user });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${String(listen)}${pathname}`,
    stop: async () => {
      process.off('exit', kill);
      child.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** It refuses to run as root. */
function poolerUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}
