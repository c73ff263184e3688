import type { Dispatcher } from 'undici';
import { readClientCertificate } from './client-certificate.js';
import { proxiesOf } from './network.js';

/** What carries requests to one origin: a pool of connections, through a proxy or not. */
export interface Connections {
  /** Sends one request; the handler is told what becomes of it. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean;
  destroy(): Promise<void>;
}

interface ConnectionOptions {
  readonly connections: number;
  readonly connectMs: number;
  readonly maxAnswerBytes: number;
}

/** Opens the line to an origin as the environment of this process says. */
export async function openConnections(origin: string, options: ConnectionOptions): Promise<Connections> {
  const certificate = await readClientCertificate(process.env);
  const proxies = proxiesOf(process.env);
  const connect = { timeout: options.connectMs, ...certificate };
  const settings = {
    connections: options.connections,
    connect,
    // The caller's own timer covers the whole attempt; undici's would only cover parts of it.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: options.maxAnswerBytes,
  };
  if (proxies === undefined) return (await import('./direct-connections.js')).directConnections(origin, settings);
  // The default export: a bundler gives a CommonJS package no other.
  const { default: undici } = await import('undici');
  return new undici.EnvHttpProxyAgent({ ...settings, ...proxies, requestTls: connect });
}
