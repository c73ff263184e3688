import type { Dispatcher, Pool as PoolOfUndici } from 'undici';
import request from 'undici/lib/api/api-request.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { Line } from './line.js';

/** A pool of connections straight to an origin. Of undici, it loads what that takes: no fetch, cookies, web sockets, caches. */
export function directLine(
  origin: string,
  settings: PoolOfUndici.Options,
  fence: Dispatcher.DispatcherComposeInterceptor,
): Line {
  const pool = new Pool(origin, settings);
  const fenced = pool.compose(fence);
  // The whole package would put this method on every dispatcher.
  return { request: (options) => request.call(fenced, options), destroy: () => pool.destroy() };
}
