import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '@platform-sync/core/model/value';

export interface PlatformAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** What is answered in place of the right answer to a GET; undefined: the right one. */
export type Lie = (path: string, query: URLSearchParams, right: PlatformAnswer) => PlatformAnswer | undefined;

export interface LyingPlatform {
  readonly url: string;
  /** The lie told from now on; none: the truth. */
  tell(lie?: Lie): void;
  /** Hands out so many items a page from now on, whatever size is asked for. */
  limitPages(size: number): void;
  /** How often it was told. */
  readonly told: () => number;
  /** `METHOD /path` of everything but GETs since the last call of `tell`. */
  readonly writes: () => readonly string[];
  close(): Promise<void>;
}

/** A server in front of a platform that passes everything on, and answers some GETs with something else. */
export async function lyingPlatform(platform: string): Promise<LyingPlatform> {
  let lie: Lie | undefined;
  let pageSize: number | undefined;
  let told = 0;
  let writes: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/' } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization = '', 'content-type': type = '' } = request.headers;
    const asked = new URL(url, platform);
    if (pageSize !== undefined && asked.searchParams.has('page[size]'))
      asked.searchParams.set('page[size]', String(pageSize));
    const right = await fetch(asked, {
      method,
      headers: { authorization, ...(type === '' ? {} : { 'content-type': type }) },
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    const truth = {
      status: right.status,
      type: right.headers.get('content-type') ?? '',
      text: await right.text(),
    };
    if (method !== 'GET') writes.push(`${method} ${url}`);
    const { pathname, searchParams } = new URL(url, platform);
    const other = method === 'GET' ? lie?.(pathname, searchParams, truth) : undefined;
    if (other !== undefined) told += 1;
    const sent = other ?? truth;
    response.writeHead(sent.status, sent.type === '' ? {} : { 'content-type': sent.type });
    response.end(sent.text);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    tell: (next) => {
      lie = next;
      told = 0;
      writes = [];
    },
    limitPages: (size) => {
      pageSize = size;
    },
    told: () => told,
    writes: () => writes,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An answer of JSON. */
export function json(body: Json, status = 200): PlatformAnswer {
  return { status, type: 'application/json', text: JSON.stringify(body) };
}
