import type { ProviderContext } from '@platform-sync/core/model/provider';
import { realWorld, type World } from '@platform-sync/core/model/world';
import { isObject, type Json } from '@platform-sync/core/model/value';
import { HttpClient } from '../http/client.js';
import { readBody } from '../http/json.js';
import type { HttpAnswer } from '../http/transport.js';
import { settingError } from './errors.js';
import type { Auth } from './settings.js';

type Client = Extract<Auth, { readonly by: 'clientCredentials' }>;

/** A token is renewed so long before it ends, milliseconds; one of a short life in the middle of it. */
const early = 30_000;

interface Token {
  readonly text: string;
  /** When to ask for another, milliseconds since 1970. */
  readonly until: number;
}

/** Access tokens of a client (OAuth 2.0, client credentials): one for all calls, until it ends. */
export class ClientTokens {
  readonly #client: Client;
  readonly #http: HttpClient;
  readonly #context: ProviderContext;
  readonly #now: World['now'];
  #token: Promise<Token> | undefined;

  constructor(client: Client, context: ProviderContext) {
    this.#client = client;
    this.#context = context;
    this.#now = (context.world ?? realWorld).now;
    // Asking for a token changes nothing: it is no write that a lease must allow.
    const { fence: _, ...reading } = context;
    this.#http = new HttpClient(reading);
  }

  /** Whoever finds it ended first asks for the next one, and all others wait for that. */
  async get(): Promise<string> {
    const known = this.#token;
    const token = await known;
    if (token !== undefined && token.until > this.#now()) return token.text;
    if (this.#token === known) this.#token = this.#renewed();
    return (await (this.#token ??= this.#renewed())).text;
  }

  /** A failure is told to all who wait for it, and to nobody later. */
  #renewed(): Promise<Token> {
    const asked: Promise<Token> = this.#ask().catch((error: unknown) => {
      if (this.#token === asked) this.#token = undefined;
      throw error;
    });
    return asked;
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #ask(): Promise<Token> {
    const { tokenUrl, clientId, clientSecret, scope } = this.#client;
    const url = new URL(tokenUrl);
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) });
    const sign = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64');
    this.#context.redactor?.add(sign);
    const answer = await this.#http
      .send({
        ...{ method: 'POST', origin: url.origin, path: url.pathname, body: form.toString() },
        headers: {
          accept: 'application/json',
          authorization: `Basic ${sign}`,
          'content-type': 'application/x-www-form-urlencoded',
          'user-agent': this.#context.userAgent,
        },
      })
      .catch((error: unknown) => {
        throw settingError(
          `No access token came from ${url.host}.`,
          error instanceof Error ? error.message : undefined,
          'own-token',
        );
      });
    return this.#read(answer, url.host);
  }

  #read(answer: HttpAnswer, host: string): Token {
    const body = readBody(answer.text);
    const json: Json = typeof body === 'object' ? body.json : null;
    const { access_token: token = null, expires_in: seconds = 300, error = null } = isObject(json) ? json : {};
    if (answer.status !== 200 || typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
      const said = typeof error === 'string' && /^[\w.-]{1,60}$/.test(error) ? ` (${error})` : '';
      throw settingError(`${host} gave no access token: it answered ${answer.status}${said}.`, undefined, 'own-token');
    }
    this.#context.redactor?.add(token);
    const lives = typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : 300_000;
    return { text: token, until: this.#now() + lives - Math.min(early, lives / 2) };
  }
}
