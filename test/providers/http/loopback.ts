import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What the server does with one request: an answer, or anything it likes with the raw response. */
export type Reaction =
  | {
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly json?: unknown;
      readonly text?: string;
    }
  | ((response: ServerResponse, request: IncomingMessage) => void);

export interface Loopback {
  readonly origin: string;
  readonly seen: SeenRequest[];
  close(): Promise<void>;
}

/** A real HTTP server on loopback; `react` says what happens with the nth request (from 0). */
export async function loopback(react: (request: SeenRequest, nth: number) => Reaction): Promise<Loopback> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const body = Buffer.concat(chunks).toString('utf8');
      seen.push({ method, url, headers, body });
      answer(react({ method, url, headers, body }, seen.length - 1), response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(reaction: Reaction, response: ServerResponse, request: IncomingMessage): void {
  if (typeof reaction === 'function') return reaction(response, request);
  const { status, headers = {}, json, text } = reaction;
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, ...headers });
  response.end(json === undefined ? (text ?? '') : JSON.stringify(json));
}

/** A port nobody listens on, now or later: one that was free a moment ago is given to the next server that asks for any. */
export const deadPort = 2;
