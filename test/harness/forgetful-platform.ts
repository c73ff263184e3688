import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';

/** A write on its way to the platform. */
export interface PassingWrite {
  readonly method: string;
  readonly path: string;
  readonly body: JsonObject;
}

/** What is done to a write: what the platform gets of it, and what is answered. */
export interface Passing {
  readonly body: JsonObject;
  readonly answer: (right: JsonObject) => JsonObject;
}

export interface ForgetfulPlatform {
  readonly url: string;
  /** What is done to writes with a body from now on; none: they pass as they are. */
  pass(by?: (write: PassingWrite) => Passing | undefined): void;
  /** `METHOD /path` of everything but GETs since the last call. */
  taken(): readonly string[];
  close(): Promise<void>;
}

/** A server in front of a platform that takes something else than what is sent, or answers something else than what it did. */
export async function forgetfulPlatform(platform: string): Promise<ForgetfulPlatform> {
  let by: (write: PassingWrite) => Passing | undefined = () => undefined;
  const writes: string[] = [];
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { method = 'GET', url = '/' } = request;
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { authorization = '', 'content-type': type = '' } = request.headers;
      const text = Buffer.concat(chunks).toString();
      if (method !== 'GET') writes.push(`${method} ${url}`);
      const body = type.includes('json') && text !== '' ? (JSON.parse(text) as Json) : undefined;
      const passing = isObject(body) ? by({ method, path: url, body }) : undefined;
      const right = await fetch(new URL(url, platform), {
        method,
        headers: { authorization, ...(type === '' ? {} : { 'content-type': type }) },
        ...(text === '' ? {} : { body: passing === undefined ? text : JSON.stringify(passing.body) }),
      });
      const said = await right.text();
      const given = right.headers.get('content-type');
      response.writeHead(right.status, given === null ? {} : { 'content-type': given });
      response.end(
        passing === undefined || !right.ok || said === ''
          ? said
          : JSON.stringify(passing.answer(JSON.parse(said) as JsonObject)),
      );
    };
    answer().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pass: (next = () => undefined) => {
      by = next;
    },
    taken: () => writes.splice(0, writes.length),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
