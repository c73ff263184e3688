import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What Terraform's `http` backend talks to: one state behind one lock, in memory. */
export interface StateServer {
  readonly url: string;
  /** Whole states received. */
  writes(): number;
  close(): Promise<void>;
}

export async function startStateServer(): Promise<StateServer> {
  let state: Buffer | undefined;
  let lock: Buffer | undefined;
  let writes = 0;
  const answer = (request: IncomingMessage, body: Buffer, response: ServerResponse): void => {
    switch (request.method) {
      case 'GET':
        response.writeHead(state === undefined ? 404 : 200).end(state);
        return;
      case 'POST':
        // The lock's id comes as a parameter with every write that holds it.
        if (lock !== undefined && lockId(lock) !== parameter(request, 'ID')) {
          response.writeHead(423).end(lock);
          return;
        }
        state = body;
        writes += 1;
        response.end();
        return;
      case 'LOCK':
        if (lock !== undefined) {
          response.writeHead(423).end(lock);
          return;
        }
        lock = body;
        response.end();
        return;
      case 'UNLOCK':
        lock = undefined;
        response.end();
        return;
      default:
        response.writeHead(405).end();
    }
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, Buffer.concat(chunks), response));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/state`,
    writes: () => writes,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function lockId(lock: Buffer): string {
  return (JSON.parse(lock.toString()) as { readonly ID: string }).ID;
}

function parameter(request: IncomingMessage, name: string): string | null {
  return new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get(name);
}
