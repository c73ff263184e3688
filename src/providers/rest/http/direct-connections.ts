import type { Pool as PoolOfUndici } from 'undici';
import Pool from 'undici/lib/dispatcher/pool.js';

/** A pool of connections straight to an origin. Of undici, it loads what that takes: no fetch, cookies, web sockets, caches, streams. */
export function directConnections(origin: string, settings: PoolOfUndici.Options): PoolOfUndici {
  return new Pool(origin, settings);
}
