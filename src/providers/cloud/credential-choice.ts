import type { Json } from '@platform-sync/core/model/value';
import { asObject, asText, parseJson } from '@platform-sync/rest/http/json';
import { configurationError } from './errors.js';
import { capital, fromEnvironment, text, textSetting, type Configured, type Sourced } from './setting-values.js';
import { variables } from './wire.js';

/** How this program proves who it is. */
export type CredentialChoice =
  /** A ready-made token, never renewed. */
  | { readonly kind: 'token'; readonly token: string; readonly source: string }
  /** Path of a JSON file, or its text. */
  | {
      readonly kind: 'key';
      readonly pathOrText: string;
      readonly source: string;
      /** A setting named it, not the environment. */
      readonly isSetting: boolean;
    }
  /** A foreign identity token, exchanged for the identity of a service account. */
  | {
      readonly kind: 'exchange';
      readonly audience: string;
      readonly serviceAccountEmail: string;
      readonly identityToken: string;
      readonly source: string;
    }
  /** Whatever the machine has: a file named by a variable, the command-line tool's file, the metadata server. */
  | { readonly kind: 'default'; readonly source: string };

/**
 * Which credentials are used. Settings exclude each other and beat the environment; there, a token beats a key, and with
 * neither the application's default credentials are looked for.
 */
export function chooseCredential(configured: Configured): CredentialChoice {
  const explicit = [exchange(configured), token(textSetting(configured, 'accessToken'))];
  const key = textSetting(configured, 'credentials');
  const chosen = [...explicit, keyChoice(key, true)].filter((choice) => choice !== undefined);
  if (chosen.length > 1) {
    const names = chosen.map(({ source }) => source).join(' and ');
    throw configurationError('conflicting-cloud-credentials', `${capital(names)} exclude each other.`, 'Keep one.');
  }
  return (
    chosen[0] ??
    token(fromEnvironment(configured, variables.accessToken)) ??
    keyChoice(fromEnvironment(configured, variables.credentials), false) ?? {
      kind: 'default',
      source: 'the application default credentials',
    }
  );
}

function token(given: Sourced | undefined): CredentialChoice | undefined {
  if (given === undefined) return undefined;
  const value = given.value.replace(/^bearer\s+/i, '');
  // The HTTP layer would refuse anything else with the value in its message.
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw configurationError(
      'invalid-cloud-setting',
      `The token from ${given.source} holds characters that no token has.`,
      'Look for line breaks or quotes copied along.',
    );
  }
  return { kind: 'token', token: value, source: given.source };
}

function keyChoice(given: Sourced | undefined, isSetting: boolean): CredentialChoice | undefined {
  return given === undefined ? undefined : { kind: 'key', pathOrText: given.value, source: given.source, isSetting };
}

/** A record of three texts, or its JSON text, which is how it comes from the environment. */
function exchange(configured: Configured): CredentialChoice | undefined {
  const given = configured.settings.externalCredentials;
  if (given === undefined || given === null) return undefined;
  const source = 'the setting externalCredentials';
  const record = asObject(typeof given === 'string' ? parseJson(given) : given);
  const member = (name: string): string => {
    const value: Json | undefined = record?.[name];
    const found = asText(value);
    if (found !== undefined) return found;
    throw configurationError(
      'invalid-cloud-setting',
      `${capital(source)} lacks the text ${name}.`,
      'It holds audience, serviceAccountEmail and identityToken.',
    );
  };
  const [audience, serviceAccountEmail, identityToken] = [
    member('audience'),
    member('serviceAccountEmail'),
    member('identityToken'),
  ];
  return { kind: 'exchange', audience, serviceAccountEmail, identityToken, source };
}

export interface Impersonation {
  readonly email: string;
  /** Accounts the right is handed on through. */
  readonly delegates: readonly string[];
  readonly source: string;
}

/** The service account to act as, unless the credentials are an exchange, which names one already. */
export function chooseImpersonation(
  configured: Configured,
  credential: CredentialChoice,
  delegates: readonly string[] | undefined,
): Impersonation | undefined {
  if (credential.kind === 'exchange') return undefined;
  const account = text(configured, 'impersonateServiceAccount', variables.impersonate);
  if (account === undefined) return undefined;
  // It stands in the path of a call.
  if (!/^[^\s/?#:%]+$/.test(account.value)) {
    throw configurationError(
      'invalid-cloud-setting',
      `${capital(account.source)} is not an e-mail address or id of a service account.`,
      'impersonateServiceAccount: name@project.example.com',
    );
  }
  return { email: account.value, delegates: delegates ?? [], source: account.source };
}
