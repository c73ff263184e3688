import type { ProviderContext } from '../../engine/model/provider.js';
import { isObject } from '../../engine/model/value.js';
import type { Json, JsonObject } from '../../engine/model/value.js';
import { HttpClient } from '../http/client.js';
import { readBody } from '../http/json.js';
import type { HttpAnswer } from '../http/transport.js';
import { settingError } from './errors.js';
import type { Auth } from './settings.js';

type Client = Extract<Auth, { readonly by: 'clientCredentials' }>;

/** A token is renewed so long before it ends, milliseconds. */
const early = 30_000;

/** Access tokens of a client (OAuth 2.0, client credentials): one for all calls, until it ends. */
export class ClientTokens {
  readonly #client: Client;
  readonly #http: HttpClient;
  readonly #context: ProviderContext;
  #token: Promise<{ readonly text: string; readonly until: number }> | undefined;

  constructor(client: Client, context: ProviderContext) {
    this.#client = client;
    this.#context = context;
    // Asking for a token changes nothing: it is no write that a lease must allow.
    const { fence: _, ...reading } = context;
    this.#http = new HttpClient(reading);
  }

  async get(): Promise<string> {
    const known = await this.#token;
    if (known !== undefined && known.until > Date.now()) return known.text;
    const asked = this.#ask();
    this.#token = asked;
    asked.catch(() => (this.#token = undefined));
    return (await asked).text;
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #ask(): Promise<{ readonly text: string; readonly until: number }> {
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

  #read(answer: HttpAnswer, host: string): { readonly text: string; readonly until: number } {
    const body = readBody(answer.text);
    const json: Json = typeof body === 'object' ? body.json : null;
    const {
      access_token: token = null,
      expires_in: seconds = 300,
      error = null,
    } = isObject(json) ? (json as JsonObject) : {};
    if (answer.status !== 200 || typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
      const said = typeof error === 'string' && /^[\w.-]{1,60}$/.test(error) ? ` (${error})` : '';
      throw settingError(`${host} gave no access token: it answered ${answer.status}${said}.`, undefined, 'own-token');
    }
    this.#context.redactor?.add(token);
    const lives = typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : 300_000;
    return { text: token, until: Date.now() + Math.max(0, lives - early) };
  }
}
