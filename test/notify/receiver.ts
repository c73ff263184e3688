import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Post {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: unknown;
}

/** A webhook's other end. */
export interface Receiver {
  readonly url: string;
  readonly posts: readonly Post[];
  /** Statuses of the next answers, the last one for all after it; `hang` never answers. */
  answer(...statuses: (number | 'hang')[]): void;
  reset(): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const posts: Post[] = [];
  let statuses: (number | 'hang')[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (text += part));
    request.on('end', () => {
      posts.push({ headers: request.headers, text, body: JSON.parse(text) as unknown });
      const status = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 204;
      if (status === 'hang') return;
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    posts,
    answer: (...next) => void (statuses = next),
    reset: () => {
      posts.length = 0;
      statuses = [];
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
