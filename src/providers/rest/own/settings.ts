import { isLoopback } from '@platform-sync/core/model/loopback';
import { didYouMean } from '@platform-sync/core/model/nearest';
import type { SettingProblem } from '@platform-sync/core/model/provider';
import { isObject, type Json, ownMember } from '@platform-sync/core/model/value';
import type { Base } from '../session.js';

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

interface OwnSettings {
  readonly server: Base | undefined;
  /** Undefined where nobody signs. */
  readonly auth: Auth | undefined;
  /** What keeps them from being used; quotes no value. */
  readonly problems: readonly SettingProblem[];
}

/** The settings of a provider that a project describes: all that is wrong with them, and what is left to use. */
export function readOwnSettings(provider: string, settings: Readonly<Record<string, Json>>): OwnSettings {
  const reader = new Reader(`providers.${provider}`);
  const server = reader.server(settings['serverUrl'] ?? null, provider);
  const auth = reader.auth(settings['auth'] ?? null);
  return { server, auth, problems: reader.problems };
}

class Reader {
  readonly problems: SettingProblem[] = [];
  readonly #block: string;

  constructor(block: string) {
    this.#block = block;
  }

  server(value: Json, provider: string): Base | undefined {
    const path = ['serverUrl'];
    if (value === null || value === '')
      return this.#tell(
        path,
        'is not set',
        `Write the address of ${provider} there: serverUrl: https://api.example.com`,
      );
    const url = this.#address(path, value);
    return url === undefined ? undefined : { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
  }

  auth(value: Json): Auth | undefined {
    if (value === null) return undefined;
    const entries = isObject(value) ? Object.entries(value) : [];
    const [[by, given] = ['', null]] = entries;
    const members = ownMember(forms, by);
    if (entries.length !== 1 || members === undefined) {
      const meant = entries.length === 1 ? didYouMean(by, Object.keys(forms)) : undefined;
      const hint = meant ?? 'For example: auth: {bearer: !env ACME_TOKEN}';
      return this.#tell(['auth'], `is one of ${Object.keys(forms).join(', ')}`, hint);
    }
    if (by === 'bearer') {
      const token = this.#text(['auth', by], given);
      return token === undefined ? undefined : { by, token };
    }
    const values = isObject(given) ? given : {};
    for (const name of Object.keys(values).filter((each) => !members.includes(each)))
      this.#tell(['auth', by], `has no "${name}"; it has ${members.join(', ')}`, didYouMean(name, members));
    return this.#signed(by, (name) => this.#text(['auth', by, name], values[name] ?? null), values['scope'] ?? null);
  }

  #signed(by: string, text: (name: string) => string | undefined, scope: Json): Auth | undefined {
    if (by === 'header') {
      const [name, value] = [this.#headerName(text('name')), text('value')];
      return name === undefined || value === undefined ? undefined : { by, name, value };
    }
    if (by === 'basic') {
      const [username, password] = [text('username'), text('password')];
      return username === undefined || password === undefined ? undefined : { by, username, password };
    }
    const address = text('tokenUrl');
    const tokenUrl = address && this.#address(['auth', 'clientCredentials', 'tokenUrl'], address)?.href;
    const [clientId, clientSecret] = [text('clientId'), text('clientSecret')];
    const asked = scope === null ? undefined : text('scope');
    if (tokenUrl === undefined || clientId === undefined || clientSecret === undefined) return undefined;
    const client = { by: 'clientCredentials' as const, tokenUrl, clientId, clientSecret };
    return asked === undefined ? client : { ...client, scope: asked };
  }

  /** An address that secrets may travel to: encrypted, or on this machine. */
  #address(path: readonly string[], value: Json): URL | undefined {
    const text = typeof value === 'string' ? value.trim() : '';
    if (!URL.canParse(text)) return this.#tell(path, 'is no address', 'Write it whole: https://api.example.com');
    const url = new URL(text);
    if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
      const hint = 'Leave out user, password, query and fragment; auth says who is calling.';
      return this.#tell(path, 'is more than an address', hint);
    }
    const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
    return isSafe ? url : this.#tell(path, 'is not encrypted', 'Write https://; http:// is for this machine only.');
  }

  /** Headers hold visible ASCII: anything else would be refused by the HTTP layer, with the value in its message. */
  #text(path: readonly string[], value: Json): string | undefined {
    const isSecret = secretParts.some((part) => `auth.${part}` === path.join('.'));
    const last = path.at(-1) ?? '';
    if (value !== null && typeof value !== 'string')
      return this.#tell(path, 'is no text', isSecret ? `Write ${last}: !env NAME` : `Quote it: ${last}: "…"`);
    const text = value?.trim() ?? '';
    if (text === '' && isSecret)
      return this.#tell(path, 'is empty', `Write ${last}: !env NAME, and set that variable where sync runs.`);
    if (text === '') return this.#tell(path, 'is empty');
    return /^[\x20-\x7e]+$/.test(text) ? text : this.#tell(path, 'holds characters that cannot be sent');
  }

  #headerName(name: string | undefined): string | undefined {
    if (name === undefined) return undefined;
    const isOurs = /^(?:host|content-.*|transfer-encoding|connection|user-agent|accept)$/i.test(name);
    return /^[A-Za-z0-9-]+$/.test(name) && !isOurs
      ? name.toLowerCase()
      : this.#tell(['auth', 'header', 'name'], 'is not a header name that can be chosen', 'For example: X-Api-Key');
  }

  #tell(path: readonly string[], what: string, hint?: string): undefined {
    const summary = `${[this.#block, ...path].join('.')} ${what}.`;
    this.problems.push({ path, summary, ...(hint === undefined ? {} : { hint }) });
    return undefined;
  }
}
