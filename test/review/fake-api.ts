import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json, JsonObject } from '@platform-sync/core/model/value';

export interface FakeCall {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: JsonObject;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface FakeAnswer {
  readonly status: number;
  readonly body?: Json;
  /** Instead of `body`: any bytes. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers the first call that matches with something else; `after`: the call is carried out all the same. */
export interface Fault {
  readonly match: RegExp;
  readonly answer: FakeAnswer | 'reset';
  readonly after?: boolean;
  times?: number;
}

export interface FakeApi {
  readonly url: string;
  /** `POST /repos/…`, in order. */
  readonly log: string[];
  readonly calls: FakeCall[];
  readonly faults: Fault[];
  /** Calls that write. */
  readonly writes: () => readonly string[];
  close(): Promise<void>;
}

/** A loopback server that records what it is asked, and fails where it is told to. */
export async function startFakeApi(answer: (call: FakeCall, url: string) => FakeAnswer): Promise<FakeApi> {
  const log: string[] = [];
  const calls: FakeCall[] = [];
  const faults: Fault[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '', url);
      const text = Buffer.concat(chunks).toString('utf8');
      const body = (text === '' ? {} : JSON.parse(text)) as JsonObject;
      const call = {
        method: request.method ?? '',
        path: pathname,
        query: searchParams,
        body,
        headers: request.headers,
      };
      const line = `${call.method} ${decodeURIComponent(pathname)}`;
      log.push(line);
      calls.push(call);
      const fault = faults.find(({ match, times = 1 }) => times > 0 && match.test(line));
      if (fault !== undefined) fault.times = (fault.times ?? 1) - 1;
      const usual = fault === undefined || fault.after === true ? answer(call, url) : undefined;
      const given = fault?.answer ?? usual;
      if (given === 'reset' || given === undefined) return void request.socket.destroy();
      response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers });
      response.end(given.text ?? (given.body === undefined ? undefined : JSON.stringify(given.body)));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    log,
    calls,
    faults,
    writes: () => log.filter((line) => !line.startsWith('GET ') && !line.endsWith('/graphql')),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
