import * as oidc from 'openid-client';
import type { ConsoleSettings } from '@platform-sync/core/model/console';
import { defined } from '@platform-sync/core/model/value';
import type { Person } from './access.js';
import type { PendingLogin } from './store.js';

/** The provider that says who people are. Asked for its settings at the first login, and again after a failure. */
export class Login {
  readonly #settings: ConsoleSettings;
  readonly #secret: string | undefined;
  #found: Promise<oidc.Configuration> | undefined;

  constructor(settings: ConsoleSettings, secret: string | undefined) {
    this.#settings = settings;
    this.#secret = secret;
  }

  /** Where the browser goes, and what its answer must fit. */
  async begin(then: string): Promise<{ readonly url: string; readonly login: PendingLogin }> {
    const verifier = oidc.randomPKCECodeVerifier();
    const login = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier, then };
    const url = oidc.buildAuthorizationUrl(await this.#provider(), {
      redirect_uri: this.#redirect(),
      scope: 'openid email profile',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: login.state,
      nonce: login.nonce,
    });
    return { url: url.href, login };
  }

  /** Who has logged in. Rejects for an answer that is not that of this login. */
  async end(query: string, { state, nonce, verifier }: PendingLogin): Promise<Person> {
    const answer = await oidc.authorizationCodeGrant(await this.#provider(), new URL(`${this.#redirect()}?${query}`), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    return personIn(answer.claims() ?? { sub: '' }, this.#settings.login.groups ?? 'groups');
  }

  #redirect(): string {
    return `${this.#settings.url}/login/return`;
  }

  #provider(): Promise<oidc.Configuration> {
    const { issuer, client } = this.#settings.login;
    const isHere = issuer.startsWith('http://127.0.0.1:');
    this.#found ??= oidc.discovery(
      new URL(issuer),
      client,
      defined({ client_secret: this.#secret }),
      this.#secret === undefined ? oidc.None() : oidc.ClientSecretBasic(this.#secret),
      { timeout: 10, execute: [oidc.enableNonRepudiationChecks, ...(isHere ? [oidc.allowInsecureRequests] : [])] },
    );
    this.#found.catch(() => (this.#found = undefined));
    return this.#found;
  }
}

/** What an id token vouches for: an address only where the provider has verified it. */
function personIn(claims: Readonly<Record<string, unknown>>, groupsClaim: string): Person {
  const text = (name: string): readonly string[] => {
    const value = claims[name];
    return typeof value === 'string' && value !== '' ? [value] : [];
  };
  const [id] = text('sub');
  if (id === undefined) throw new Error('the id token names nobody');
  const email = claims['email_verified'] === true ? text('email') : [];
  const groups = claims[groupsClaim];
  return {
    ...{ id, name: email[0] ?? text('preferred_username')[0] ?? id, names: [...email, id] },
    aliases: [...text('email'), ...text('preferred_username'), ...text('name')],
    groups: Array.isArray(groups) ? groups.filter((each) => typeof each === 'string') : [],
  };
}
