import type { ProviderError } from '@platform-sync/core/model/provider';
import { programTrust, type Trust } from '@platform-sync/core/model/trust';
import { openCredentials, type OpenedCredentials } from './auth-client.js';
import { cloudError, oneLine } from './errors.js';
import { Redactor } from '@platform-sync/core/model/redactor';
import type { CloudSettings } from './settings.js';
import { headerNames } from './wire.js';

/** Gives the headers that say who calls. The credentials library is loaded with the first call that needs it. */
export class TokenSource {
  readonly #settings: CloudSettings;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #trust: Trust;
  readonly redactor: Redactor;
  #opened: Promise<OpenedCredentials> | undefined;
  #source: string;

  constructor(
    settings: CloudSettings,
    env: Readonly<Record<string, string | undefined>>,
    trust: Trust = programTrust,
    redactor: Redactor = new Redactor(),
  ) {
    this.redactor = redactor;
    this.#settings = settings;
    this.#trust = trust;
    this.#env = env;
    this.#source = settings.credential.source;
    const { credential } = settings;
    if (credential.kind === 'token') this.redactor.add(credential.token);
    if (credential.kind === 'exchange') this.redactor.add(credential.identityToken);
  }

  /** Where the credentials came from, for people. */
  get source(): string {
    return this.#source;
  }

  /** Headers of one call; rejects with ProviderError, of kind `unavailable` when trying again may help. */
  async headers(): Promise<Readonly<Record<string, string>>> {
    const { credential, impersonate, quotaProject } = this.#settings;
    const own = quotaProject === undefined ? {} : { [headerNames.quotaProject]: quotaProject };
    // A ready-made token needs no library.
    if (credential.kind === 'token' && impersonate === undefined)
      return { authorization: `Bearer ${credential.token}`, ...own };
    const { client } = await this.#open();
    const made = await this.#requestHeaders(client);
    const authorization = made.get('authorization');
    // The library answers so when it thinks that no token is needed; anonymous calls only confuse.
    if (authorization === null) throw this.#refused('no token came of them');
    this.redactor.add(authorization.replace(/^bearer\s+/i, ''));
    const project = made.get(headerNames.quotaProject);
    return { authorization, ...(project === null ? {} : { [headerNames.quotaProject]: project }), ...own };
  }

  async #open(): Promise<OpenedCredentials> {
    this.#opened ??= openCredentials(this.#settings, this.#env, this.#trust);
    try {
      const opened = await this.#opened;
      this.#source = opened.source;
      for (const secret of opened.secrets) this.redactor.add(secret);
      return opened;
    } catch (error) {
      // The next lookup looks again: the file may have been repaired meanwhile.
      this.#opened = undefined;
      throw error;
    }
  }

  async #requestHeaders(client: OpenedCredentials['client']): Promise<Headers> {
    try {
      return await client.getRequestHeaders();
    } catch (error) {
      throw this.#tokenError(error);
    }
  }

  /** The library's error itself is dropped: it holds the request, with assertions and refresh tokens. */
  #tokenError(error: unknown): ProviderError {
    const { status, code, message } = partsOf(error);
    const words = oneLine(this.redactor, message);
    const passing = status === undefined ? networkCodes.test(code ?? '') : status === 429 || status >= 500;
    if (!passing) return this.#refused(words);
    return cloudError('unavailable', 'cloud-token-unavailable', `No access token could be fetched: ${words}`, {
      detail: `The credentials are ${this.#source}.`,
    });
  }

  #refused(words: string): ProviderError {
    return cloudError('unauthenticated', 'refused-cloud-credentials', `No access token was given: ${words}`, {
      hint: `The credentials are ${this.#source}. They may be expired, revoked, cut off, or lack the right to act as the account.`,
    });
  }
}

const networkCodes = /^(?:E[A-Z]{3,}|EAI_AGAIN|UND_ERR_|ERR_SOCKET|ERR_STREAM_PREMATURE_CLOSE)/;

interface ErrorParts {
  readonly status?: number;
  readonly code?: string;
  readonly message: string;
}

function partsOf(error: unknown): ErrorParts {
  if (!(error instanceof Error)) return { message: 'unknown error' };
  const code: unknown = Reflect.get(error, 'code');
  const response: unknown = Reflect.get(error, 'response');
  const answered: unknown = Reflect.get(typeof response === 'object' && response !== null ? response : error, 'status');
  return {
    ...(typeof answered === 'number' ? { status: answered } : {}),
    ...(typeof code === 'string' ? { code } : {}),
    message: error.message,
  };
}
