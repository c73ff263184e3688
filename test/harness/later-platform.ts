import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';

/** A platform of a later version: its objects have a member that this one does not know, and that a PUT without it takes off. */
export class LaterPlatform {
  readonly #target: () => string;
  readonly #server: Server;
  readonly later = new Map<string, JsonObject>();
  /** Of each PUT the path and the answer that its GET had directly before. */
  readonly puts: { readonly path: string; readonly before: Json | undefined }[] = [];
  readonly #answers = new Map<string, Json>();

  constructor(target: () => string) {
    this.#target = target;
    this.#server = createServer((request, response) => {
      void this.#pass(request).then(({ status, headers, text }) => {
        response.writeHead(status, headers).end(text);
      });
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #pass(request: IncomingMessage) {
    const path = request.url ?? '';
    const method = request.method ?? 'GET';
    const sent: Buffer[] = [];
    for await (const piece of request) sent.push(piece as Buffer);
    let body = Buffer.concat(sent).toString();
    if (method === 'PUT') {
      const before = this.#answers.get(path);
      this.#answers.delete(path);
      this.puts.push({ path, before });
      const { later, config, ...rest } = JSON.parse(body) as JsonObject;
      const { later: inside, ...known } = isObject(config) ? config : {};
      const kept = { ...(later === undefined ? {} : { later }), ...(inside === undefined ? {} : { inside }) };
      if (this.later.has(path)) this.later.set(path, kept);
      body = JSON.stringify({
        ...rest,
        ...(config === undefined ? {} : { config: isObject(config) ? known : config }),
      });
    }
    const answer = await fetch(this.#target() + path, {
      method,
      headers: { authorization: String(request.headers.authorization), 'content-type': 'application/json' },
      ...(body === '' ? {} : { body }),
    });
    let text = await answer.text();
    const more = this.later.get(path);
    if (method === 'GET' && answer.ok && more !== undefined) text = JSON.stringify(withLater(JSON.parse(text), more));
    if (method === 'GET' && answer.ok) this.#answers.set(path, JSON.parse(text) as Json);
    const type = answer.headers.get('content-type');
    return { status: answer.status, headers: type === null ? {} : { 'content-type': type }, text };
  }
}

export function withLater(object: JsonObject, { later, inside }: JsonObject): JsonObject {
  const { config } = object;
  return {
    ...object,
    ...(later === undefined ? {} : { later }),
    ...(isObject(config) && inside !== undefined ? { config: { ...config, later: inside } } : {}),
  };
}
