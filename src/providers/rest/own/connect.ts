import { type ProviderContext, ProviderError } from '@platform-sync/core/model/provider';
import type { Reached } from '../package.js';
import { type Auth, readOwnSettings } from './settings.js';
import { worldOf } from '../http/clock.js';
import type { World } from '@platform-sync/core/model/world';
import { tokenSubject } from '@platform-sync/core/model/resource-type';
import { defined, isObject, type Json } from '@platform-sync/core/model/value';
import { HttpClient } from '../http/client.js';
import { readBody } from '../http/json.js';
import type { HttpAnswer } from '../http/transport.js';
import type { OwnCode } from '@platform-sync/core/generated/codes';

/**
 * How a service is reached that a project describes itself. Every address that gets a secret is asked for first; objects may
 * hold secrets, too, so the server is asked for even where nobody signs.
 */
export async function connectOwn(provider: string, context: ProviderContext): Promise<Reached> {
  const { server, auth, problems } = readOwnSettings(provider, context.settings);
  const [wrong] = problems;
  if (server === undefined || wrong !== undefined)
    throw settingError(wrong?.summary ?? `${provider} has no server.`, wrong?.hint, 'bad-setting');
  const target = server.origin + server.prefix;
  const setting = `providers.${provider}.serverUrl`;
  await admit(provider, context, target, 'serverUrl', 'credentials and secrets');
  for (const secret of secretsOf(auth)) context.redactor?.add(secret);
  if (auth?.by === 'clientCredentials') {
    await admit(provider, context, auth.tokenUrl, 'auth.clientCredentials.tokenUrl', 'the secret of the client');
  }
  const tokens = auth?.by === 'clientCredentials' ? new ClientTokens(auth, context) : undefined;
  const plain = tokens === undefined ? signed(auth) : {};
  return {
    target,
    targetSource: `The setting ${setting}`,
    ...defined({ subject: auth?.by === 'bearer' ? tokenSubject(auth.token) : undefined }),
    caller: JSON.stringify([target, auth]),
    // Whatever a definition says: there is one server.
    base: () => server,
    headers: async ({ body }) => ({
      accept: 'application/json, application/problem+json;q=0.9',
      'user-agent': context.userAgent,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(tokens === undefined ? plain : { authorization: `Bearer ${await tokens.get()}` }),
    }),
    hintFor: (kind) =>
      kind === 'unauthenticated' || kind === 'forbidden'
        ? `Check providers.${provider}.auth and what it is allowed to do.`
        : undefined,
    ...(tokens === undefined ? {} : { close: () => tokens.close() }),
  };
}

/** The part of a setting's own variable that says which address it is: `SYNC_SERVER_URL_ACME`. */
const variableStems = {
  serverUrl: 'SYNC_SERVER_URL',
  'auth.clientCredentials.tokenUrl': 'SYNC_TOKEN_URL',
} as const;

function admit(
  provider: string,
  { trust }: ProviderContext,
  to: string,
  name: keyof typeof variableStems,
  what: string,
): Promise<void> {
  const setting = `providers.${provider}.${name}`;
  const own = `${variableStems[name]}_${provider.toUpperCase().replaceAll('-', '_')}`;
  return trust.admit({
    ...{ sender: provider, what: `${what} of ${provider}`, to, setting },
    ...{ chosenBy: trust.chooserOf(setting, [own]), isOwn: false },
  });
}

function signed(auth: Auth | undefined): Readonly<Record<string, string>> {
  if (auth?.by === 'bearer') return { authorization: `Bearer ${auth.token.replace(/^bearer\s+/i, '')}` };
  if (auth?.by === 'header') return { [auth.name]: auth.value };
  if (auth?.by === 'basic') return { authorization: `Basic ${basicOf(auth)}` };
  return {};
}

function basicOf({ username, password }: Extract<Auth, { readonly by: 'basic' }>): string {
  return Buffer.from(`${username}:${password}`).toString('base64');
}

function secretsOf(auth: Auth | undefined): readonly string[] {
  if (auth?.by === 'bearer') return [auth.token.replace(/^bearer\s+/i, '')];
  if (auth?.by === 'header') return [auth.value];
  if (auth?.by === 'basic') return [auth.password, basicOf(auth)];
  return auth === undefined ? [] : [auth.clientSecret];
}

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
    this.#now = worldOf(context).now;
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

/** `bad-setting` is what reading sync.yaml tells of the same. */
function settingError(summary: string, hint: string | undefined, code: OwnCode | 'bad-setting'): ProviderError {
  return new ProviderError('configuration', [{ severity: 'error', code, summary, ...defined({ hint }) }]);
}
