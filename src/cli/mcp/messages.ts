import { createInterface } from 'node:readline';
import { parsedJson } from '@platform-sync/core/model/read-json';
import { defined, isObject, type Json, type JsonObject, ownMember } from '@platform-sync/core/model/value';

/** Where messages come from and go to: one JSON object a line. */
export interface Wire {
  readonly input: NodeJS.ReadableStream;
  readonly write: (text: string) => void;
}

/** Answers a request. `signal`: the client no longer waits. */
type Answer = (params: JsonObject, signal: AbortSignal) => Json | Promise<Json>;

/** A request that can't be answered; the number is one of JSON-RPC. */
export class RequestError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const invalidParams = -32602;
const [unreadable, invalid, unknownMethod, internal] = [-32700, -32600, -32601, -32603];

/**
 * JSON-RPC 2.0 as the protocol uses it: a line is a message. By hand: the protocol's own package brings a web server and a language
 * for schemas along, and the one of the language server frames messages another way.
 */
export class Messages {
  readonly #wire: Wire;
  readonly #answers: Readonly<Record<string, Answer>>;
  readonly #running = new Map<Json, AbortController>();
  readonly #asked = new Map<Json, (answer: JsonObject | undefined) => void>();

  constructor(wire: Wire, answers: Readonly<Record<string, Answer>>) {
    this.#wire = wire;
    this.#answers = answers;
  }

  /** Resolves when the client has hung up, and what ran is over. */
  async listen(): Promise<void> {
    const work = new Set<Promise<void>>();
    for await (const line of createInterface({ input: this.#wire.input, crlfDelay: Infinity })) {
      if (line.trim() === '') continue;
      const one = this.#receive(line).finally(() => work.delete(one));
      work.add(one);
    }
    for (const running of this.#running.values()) running.abort();
    for (const heard of this.#asked.values()) heard(undefined);
    await Promise.all(work);
  }

  /** Asks the client; undefined: it refuses, or has hung up. */
  async ask(method: string, params: JsonObject): Promise<JsonObject | undefined> {
    const id = `ask-${String(this.#asked.size + 1)}`;
    const answer = new Promise<JsonObject | undefined>((heard) => this.#asked.set(id, heard));
    this.#send({ id, method, params });
    return answer;
  }

  async #receive(line: string): Promise<void> {
    const message = read(line);
    if (message === undefined) return this.#refuse(null, new RequestError(unreadable, 'The line is not JSON.'));
    const { id = null, method, params = {} } = isObject(message) ? message : {};
    if (!isObject(message) || message['jsonrpc'] !== '2.0' || !isObject(params))
      return this.#refuse(id, new RequestError(invalid, 'A message is one object with jsonrpc "2.0".'));
    if (method === undefined) return this.#heard(id, message['result']);
    if (method === 'notifications/cancelled') return this.#running.get(params['requestId'] ?? null)?.abort();
    if (typeof method !== 'string' || id === null) return;
    const running = new AbortController();
    this.#running.set(id, running);
    try {
      const answer = ownMember(this.#answers, method);
      if (answer === undefined) throw new RequestError(unknownMethod, `There is no method ${method}.`);
      const result = await answer(params, running.signal);
      // Nobody waits for it any more.
      if (!running.signal.aborted) this.#send({ id, result });
    } catch (error) {
      this.#refuse(id, error);
    } finally {
      this.#running.delete(id);
    }
  }

  #heard(id: Json, result: Json | undefined): void {
    this.#asked.get(id)?.(isObject(result) ? result : undefined);
    this.#asked.delete(id);
  }

  #refuse(id: Json, error: unknown): void {
    const code = error instanceof RequestError ? error.code : internal;
    this.#send({ id, error: { code, message: error instanceof Error ? error.message : String(error) } });
  }

  #send(message: JsonObject): void {
    this.#wire.write(`${JSON.stringify(defined({ jsonrpc: '2.0', ...message }))}\n`);
  }
}

function read(line: string): Json | undefined {
  try {
    return parsedJson(line);
  } catch {
    return undefined;
  }
}
