import { defined, type Json } from '@platform-sync/core/model/value';
import type { ProviderContext } from '@platform-sync/core/model/provider';
import { configurationError } from './errors.js';
import { tokenSettings } from './credentials.js';
import { snakeCase } from './style.js';
import { isOwnHost, resolveHosts, type Hosts } from './hosts.js';
import { globalOrigin } from './wire.js';

/** A server address and where it came from, for people. */
interface ServerUrl {
  readonly url: string;
  readonly source: string;
  /** The setting named it, not the environment or the service's own default. */
  readonly isSetting: boolean;
}

type Configured = Pick<ProviderContext, 'settings' | 'env'>;

const serverUrlVariable = 'PLATFORM_SERVER_URL';

/** The server address: the setting, else the environment, else the service's global address. */
export function chooseServerUrl({ settings, env }: Configured): ServerUrl {
  const explicit = settings.serverUrl;
  if (explicit !== undefined && explicit !== null) {
    if (typeof explicit !== 'string')
      throw configurationError('invalid-setting', 'serverUrl must be a text.', 'Quote the value.');
    return { url: explicit.trim(), source: 'The setting serverUrl', isSetting: true };
  }
  const url = environmentUrl(env);
  if (url !== undefined) return { url, source: `The environment variable ${serverUrlVariable}`, isSetting: false };
  return { url: globalOrigin, source: 'The default of serverUrl', isSetting: false };
}

function environmentUrl(env: Configured['env']): string | undefined {
  const text = env[serverUrlVariable]?.trim();
  return text === '' ? undefined : text;
}

/** What must be allowed before the token goes to the server. Rejects with the refusal; nothing is sent. */
export async function admitServer(context: ProviderContext, server: ServerUrl, hosts: Hosts): Promise<void> {
  const address = environmentTarget(context.env);
  await context.trust.admit({
    sender: 'platform',
    what: "the platform's token",
    to: hosts.target,
    setting: 'providers.platform.serverUrl',
    chosenBy: server.isSetting
      ? context.trust.chooserOf('providers.platform.serverUrl', [serverUrlVariable])
      : 'operator',
    isOwn: isOwnHost(new URL(hosts.target).hostname),
    variable: { name: serverUrlVariable, ...defined({ address }) },
  });
}

/** What the environment names, in normal form; an address that can't be used agrees with none. */
function environmentTarget(env: Configured['env']): string | undefined {
  const named = environmentUrl(env);
  if (named === undefined) return undefined;
  try {
    return resolveHosts(named, `The environment variable ${serverUrlVariable}`).target;
  } catch {
    return undefined;
  }
}

interface ConfiguredValue {
  readonly value: string;
  readonly secret: boolean;
}

/**
 * The provider's configuration as the method `terraformConfig` returns it: snake_case names, only what is configured
 * (settings, else environment), the address always. The caller masks what is secret.
 */
export function terraformConfig(configured: Configured): Readonly<Record<string, ConfiguredValue>> {
  const { settings, env: variables } = configured;
  const named = (setting: string): Json | undefined => settings[setting] ?? undefined;
  // A token of the environment is none of a connection that was given its own, whichever kind that is.
  const isExplicit = tokenSettings.some(({ setting }) => isFilled(named(setting)));
  const tokens = tokenSettings.flatMap(({ setting, env }): [string, ConfiguredValue][] => {
    const value = named(setting) ?? (isExplicit || env === undefined ? undefined : variables[env]);
    return isFilled(value) ? [[snakeCase(setting), { value, secret: true }]] : [];
  });
  const server: [string, ConfiguredValue] = [
    snakeCase('serverUrl'),
    { value: chooseServerUrl(configured).url, secret: false },
  ];
  return Object.fromEntries([...tokens, server].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isFilled(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
