import type { ProviderContext } from '@platform-sync/core/model/provider';
import type { Reached } from '../package.js';
import { ClientTokens } from './client-token.js';
import { settingError } from './errors.js';
import { readOwnSettings, type Auth } from './settings.js';

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
