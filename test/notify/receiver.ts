import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Post {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: unknown;
}

export interface ReceiverAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The other end of a webhook, or of an exporter of metrics. */
export interface Receiver {
  readonly url: string;
  readonly posts: readonly Post[];
  /** The next answers, or their statuses, the last one for all after it; `hang` never answers. */
  answer(...answers: (number | 'hang' | ReceiverAnswer)[]): void;
  reset(): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const posts: Post[] = [];
  let answers: (number | 'hang' | ReceiverAnswer)[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (text += part));
    request.on('end', () => {
      posts.push({ headers: request.headers, text, body: JSON.parse(text) as unknown });
      const next = (answers.length > 1 ? answers.shift() : answers[0]) ?? 204;
      if (next === 'hang') return;
      const { status, headers = {}, body = '' } = typeof next === 'number' ? { status: next } : next;
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : headers).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    posts,
    answer: (...next) => void (answers = next),
    reset: () => {
      posts.length = 0;
      answers = [];
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
