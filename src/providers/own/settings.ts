import { isLoopback } from '../../engine/model/loopback.js';
import type { ProviderContext } from '../../engine/model/provider.js';
import { isObject } from '../../engine/model/value.js';
import type { Json } from '../../engine/model/value.js';
import type { Base } from '../rest/session.js';
import { settingError } from './errors.js';

/** How calls say who is calling. */
export type Auth =
  | { readonly by: 'bearer'; readonly token: string }
  | { readonly by: 'header'; readonly name: string; readonly value: string }
  | { readonly by: 'basic'; readonly username: string; readonly password: string }
  | {
      readonly by: 'clientCredentials';
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope?: string;
    };

const forms: Readonly<Record<string, readonly string[]>> = {
  bearer: [],
  header: ['name', 'value'],
  basic: ['username', 'password'],
  clientCredentials: ['tokenUrl', 'clientId', 'clientSecret', 'scope'],
};

/** Parts of `auth` that must come from the environment. */
export const secretParts = ['bearer', 'header.value', 'basic.password', 'clientCredentials.clientSecret'] as const;

/** The server of a provider, checked. Throws ProviderError. */
export function serverOf(provider: string, { settings }: Pick<ProviderContext, 'settings'>): Base {
  const { serverUrl = null } = settings;
  const setting = `providers.${provider}.serverUrl`;
  if (typeof serverUrl !== 'string' || serverUrl.trim() === '')
    throw settingError(
      `${setting} is not set.`,
      `Write the address of ${provider} there: serverUrl: https://api.example.com`,
    );
  const url = addressOf(setting, serverUrl);
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

/** An address that secrets may travel to: encrypted, or on this machine. */
export function addressOf(setting: string, text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined) throw settingError(`${setting} is no address.`, 'Write it whole: https://api.example.com');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw settingError(
      `${setting} is more than an address.`,
      'Leave out user, password, query and fragment; auth says who is calling.',
    );
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    throw settingError(`${setting} is not encrypted.`, 'Write https://; http:// is for this machine only.');
  return url;
}

/** How calls are signed; undefined where nobody asks. Throws ProviderError. */
export function authOf(provider: string, { settings }: Pick<ProviderContext, 'settings'>): Auth | undefined {
  const { auth = null } = settings;
  if (auth === null) return undefined;
  const setting = `providers.${provider}.auth`;
  const entries = isObject(auth) ? Object.entries(auth) : [];
  const [[by, given] = ['', null]] = entries;
  const members = Object.hasOwn(forms, by) ? forms[by] : undefined;
  if (entries.length !== 1 || members === undefined)
    throw settingError(
      `${setting} is one of ${Object.keys(forms).join(', ')}.`,
      'For example: auth: {bearer: !env ACME_TOKEN}',
    );
  if (by === 'bearer') return { by, token: textOf(`${setting}.bearer`, given) };
  const values = isObject(given) ? given : {};
  const strange = Object.keys(values).find((name) => !members.includes(name));
  if (strange !== undefined) throw settingError(`${setting}.${by} has no "${strange}"; it has ${members.join(', ')}.`);
  const text = (name: string): string => textOf(`${setting}.${by}.${name}`, values[name] ?? null);
  switch (by) {
    case 'header':
      return { by, name: headerName(`${setting}.header.name`, text('name')), value: text('value') };
    case 'basic':
      return { by, username: text('username'), password: text('password') };
    default: {
      const scope = values['scope'] === undefined ? {} : { scope: text('scope') };
      const tokenUrl = addressOf(`${setting}.clientCredentials.tokenUrl`, text('tokenUrl')).href;
      return {
        by: 'clientCredentials',
        tokenUrl,
        clientId: text('clientId'),
        clientSecret: text('clientSecret'),
        ...scope,
      };
    }
  }
}

/** Headers hold visible ASCII: anything else would be refused by the HTTP layer, with the value in its message. */
function textOf(setting: string, value: Json): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '') throw settingError(`${setting} is empty.`, 'Is the environment variable set?');
  if (!/^[\x20-\x7e]+$/.test(text)) throw settingError(`${setting} holds characters that can not be sent.`);
  return text;
}

function headerName(setting: string, name: string): string {
  const isOurs = /^(?:host|content-.*|transfer-encoding|connection|user-agent|accept)$/i.test(name);
  if (/^[A-Za-z0-9-]+$/.test(name) && !isOurs) return name.toLowerCase();
  throw settingError(`${setting} is no name of a header that can be chosen.`, 'For example: X-Api-Key');
}
