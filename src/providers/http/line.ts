import { readFile } from 'node:fs/promises';
import type { Dispatcher } from 'undici';
import { clientCertificateOf, networkProblem, proxiesOf } from './network.js';

/** What carries requests to one origin: a pool of connections, through a proxy or not. */
export type Line = Pick<Dispatcher, 'request' | 'destroy'>;

export interface LineOptions {
  readonly connections: number;
  readonly connectMs: number;
  readonly maxAnswerBytes: number;
}

/** Opens the line to an origin as the environment of this process says; `fence` sees each request as it leaves. */
export async function openLine(
  origin: string,
  options: LineOptions,
  fence: Dispatcher.DispatcherComposeInterceptor,
): Promise<Line> {
  // The default export: a bundler gives a CommonJS package no other.
  const [{ default: undici }, certificate] = await Promise.all([import('undici'), readClientCertificate()]);
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
  if (proxies === undefined) return new undici.Pool(origin, settings).compose(fence);
  return new undici.EnvHttpProxyAgent({ ...settings, ...proxies, requestTls: connect }).compose(fence);
}

async function readClientCertificate(): Promise<{ readonly cert: string; readonly key: string } | undefined> {
  const files = clientCertificateOf(process.env);
  if (files === undefined) return undefined;
  const [cert, key] = await Promise.all([
    read(files.certificate, 'SYNC_CLIENT_CERT'),
    read(files.key, 'SYNC_CLIENT_KEY'),
  ]);
  return { cert, key };
}

async function read(path: string, name: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw networkProblem('client-certificate-unusable', `The file that ${name} names can't be read: ${error.code}.`);
  });
  if (text.includes('-----BEGIN ')) return text;
  throw networkProblem('client-certificate-unusable', `The file that ${name} names holds nothing in PEM form.`);
}
