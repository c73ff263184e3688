import type { ProviderContext } from '../../engine/model/provider.js';
import { configurationError } from './errors.js';
import { tokenSettings } from './credentials.js';
import { snakeCase } from './convert.js';
import { globalOrigin } from './wire.js';

/** A server address and where it came from, for people. */
export interface ServerUrl {
  readonly url: string;
  readonly source: string;
}

type Configured = Pick<ProviderContext, 'settings' | 'env'>;

const serverUrlVariable = 'PLATFORM_SERVER_URL';

/** The server address: the setting, else the environment, else the service's global address. */
export function chooseServerUrl({ settings, env }: Configured): ServerUrl {
  const explicit = settings.serverUrl;
  if (explicit !== undefined && explicit !== null) {
    if (typeof explicit !== 'string')
      throw configurationError('invalid-setting', 'serverUrl must be a text.', 'Quote the value.');
    return { url: explicit.trim(), source: 'The setting serverUrl' };
  }
  const fromEnv = env[serverUrlVariable]?.trim();
  if (fromEnv !== undefined && fromEnv !== '')
    return { url: fromEnv, source: `The environment variable ${serverUrlVariable}` };
  return { url: globalOrigin, source: 'The default address' };
}

export interface ConfiguredValue {
  readonly value: string;
  readonly secret: boolean;
}

/**
 * The provider's configuration as the method `terraformConfig` returns it: snake_case names, only what is configured
 * (settings, else environment), the address always. The caller masks what is secret.
 */
export function terraformConfig(configured: Configured): Readonly<Record<string, ConfiguredValue>> {
  const tokens = tokenSettings.flatMap(({ setting, env }): [string, ConfiguredValue][] => {
    const value = configured.settings[setting] ?? (env === undefined ? undefined : configured.env[env]);
    return typeof value === 'string' && value !== '' ? [[snakeCase(setting), { value, secret: true }]] : [];
  });
  const server: [string, ConfiguredValue] = [
    snakeCase('serverUrl'),
    { value: chooseServerUrl(configured).url, secret: false },
  ];
  return Object.fromEntries([...tokens, server].sort(([a], [b]) => (a < b ? -1 : 1)));
}
