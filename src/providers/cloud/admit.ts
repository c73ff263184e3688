import { defined, type Json } from '@platform-sync/core/model/value';
import type { ProviderContext } from '@platform-sync/core/model/provider';
import type { Sending, Trust } from '@platform-sync/core/model/trust';
import { configurationError } from './errors.js';
import type { KeyFile } from './key-file.js';
import { capital } from './setting-values.js';
import type { CloudSettings } from './settings.js';
import { defaultUniverse, isOwnHost, variables } from './wire.js';

const prefix = 'providers.cloud';
const what = 'the credentials of the cloud';

/** Asks for every address that the settings lead to. Rejects before anything is read or sent. */
export async function admitAddresses(context: ProviderContext, settings: CloudSettings): Promise<void> {
  const { endpoint, endpointSetting, universe, hosts } = settings;
  const { trust } = context;
  if (endpointSetting !== undefined) {
    const setting = `${prefix}.${endpointSetting}`;
    const address = fromEnvironment(context);
    await trust.admit({
      ...sending(`${endpoint.origin}${endpoint.prefix}`, setting),
      chosenBy: trust.chooserOf(setting, variables.endpoint),
      variable: { name: variables.endpoint[0], ...defined({ address }) },
    });
  }
  if (universe === defaultUniverse) return;
  const setting = `${prefix}.universeDomain`;
  const chosenBy = trust.chooserOf(setting, []);
  const derived = [hosts.exchange, hosts.impersonation, ...(endpointSetting === undefined ? [hosts.policies] : [])];
  for (const address of derived) await trust.admit({ ...sending(new URL(address).origin, setting), chosenBy });
}

/**
 * Asks for a key that the files under review name. Its kind decides what the machine reads for it (a file, a command, an
 * address), and its members where secrets go. Rejects before anything is sent.
 */
export async function admitKey({ content, source }: KeyFile, trust: Trust): Promise<void> {
  const setting = `${prefix}.credentials`;
  const chosenBy = trust.chooserOf(setting, [...variables.credentials, ...variables.defaultCredentialsFile]);
  if (chosenBy === 'operator') return;
  for (const kind of membersOf(content, (name) => name === 'type')) {
    if (!trust.mayUseKey(kind)) throw kindRefused(kind, source);
  }
  for (const text of membersOf(content, () => true)) {
    if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) continue;
    await trust.admit({ ...sending(new URL(text).origin, setting), chosenBy });
  }
}

function sending(to: string, setting: string): Omit<Sending, 'chosenBy'> {
  return { sender: 'cloud', what, to, setting, isOwn: isOwnHost(new URL(to).hostname) };
}

/** The endpoint that the environment names, in normal form. */
function fromEnvironment({ env }: ProviderContext): string | undefined {
  const text = variables.endpoint.map((name) => env[name]?.trim()).find((given) => given !== undefined && given !== '');
  if (text === undefined || !URL.canParse(text)) return undefined;
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** Texts of members by their names, at any depth. */
function membersOf(value: Json, wanted: (name: string) => boolean): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    typeof item === 'string' ? (wanted(name) ? [item] : []) : membersOf(item, wanted),
  );
}

function kindRefused(kind: string, source: string): Error {
  return configurationError(
    'untrusted-cloud-key',
    `${capital(source)} holds credentials of the kind ${/^\w{1,60}$/.test(kind) ? kind : 'that it names'}, which the files under review must not name.`,
    `If this is intended, put it where a change of these files can't: ${variables.defaultCredentialsFile[0]}=FILE (or list the kind under "keys" in SYNC_POLICY)`,
  );
}
