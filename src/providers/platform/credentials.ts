import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { ProviderContext } from '@platform-sync/core/model/provider';
import { ownMember, type Json } from '@platform-sync/core/model/value';
import { configurationError } from './errors.js';

/** The token in use. */
export interface Credential {
  /** Value of the Authorization header. */
  readonly header: string;
  /** Where it came from, for people: `the setting personalAccessToken`, `the environment variable PLATFORM_TOKEN`. */
  readonly source: string;
}

/** Token settings in the order they win, with the variable each may come from. */
export const tokenSettings: readonly { readonly setting: string; readonly env?: string }[] = [
  { setting: 'personalAccessToken', env: 'PLATFORM_TOKEN' },
  { setting: 'systemAccountAccessToken', env: 'PLATFORM_SPAT' },
  { setting: 'platformAccessToken' },
  { setting: 'serviceAccessToken' },
];

interface ChosenCredential {
  readonly credential?: Credential;
  readonly warnings: readonly Diagnostic[];
}

interface Candidate {
  readonly source: string;
  readonly token: string;
}

/**
 * Picks the token: explicit settings before the environment, each in the order of `tokenSettings`. Rejects an empty or
 * impossible token; having none is no error here, since not every call needs one.
 */
export function chooseCredential(context: Pick<ProviderContext, 'settings' | 'env'>): ChosenCredential {
  const explicit = tokenSettings.flatMap(({ setting }) => {
    const value = ownMember(context.settings, setting);
    return value === undefined || value === null ? [] : [candidate(`the setting ${setting}`, setting, value)];
  });
  const fromEnv = tokenSettings.flatMap(({ env }) => {
    const value = env === undefined ? undefined : ownMember(context.env, env);
    return env === undefined || value === undefined
      ? []
      : [{ source: `the environment variable ${env}`, token: value.trim() }];
  });
  // CI systems hand out empty text for a secret that is not set: it only matters when there is nothing else.
  const filled = [...explicit, ...fromEnv.filter(({ token }) => token !== '')];
  const candidates = filled.length > 0 ? filled : fromEnv;
  candidates.forEach(check);
  const [chosen] = candidates;
  if (chosen === undefined) return { warnings: [] };
  const others = candidates.filter(({ token }) => token !== chosen.token);
  return {
    credential: { header: authorization(chosen.token), source: chosen.source },
    warnings: others.length === 0 ? [] : [severalTokens(chosen, others)],
  };
}

function candidate(source: string, setting: string, value: Json): Candidate {
  if (typeof value !== 'string')
    throw configurationError('invalid-setting', `${setting} must be a text.`, 'Quote the value.');
  return { source, token: value.trim() };
}

function check({ source, token }: Candidate): void {
  if (token.replace(/^bearer\b/i, '').trim() === '') {
    throw configurationError('empty-token', `The token from ${source} is empty.`, 'Fill it, or remove it.');
  }
  // Header values are visible ASCII; anything else would be refused by the HTTP layer with the value in its message.
  if (!/^[\x20-\x7e]+$/.test(token)) {
    throw configurationError(
      'invalid-token',
      `The token from ${source} holds characters that no token has.`,
      'Look for line breaks or quotes copied along.',
    );
  }
}

function authorization(token: string): string {
  return /^bearer\s/i.test(token) ? token : `Bearer ${token}`;
}

function severalTokens(chosen: Candidate, others: readonly Candidate[]): Diagnostic {
  return {
    severity: 'warning',
    code: 'several-tokens',
    summary: `Several tokens are configured: ${chosen.source} is used, ${others.map(({ source }) => source).join(' and ')} ${others.length === 1 ? 'is' : 'are'} not.`,
    hint: 'Remove the ones that are not meant, so that nobody has to know the order.',
  };
}
