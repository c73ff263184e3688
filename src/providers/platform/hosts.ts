import type { ProviderErrorKind } from '@platform-sync/core/model/provider';
import { configurationError } from './errors.js';
import { addressListOrigin, globalOrigin, ownHostSuffix, regionCodes } from './wire.js';
import { isLoopback } from '@platform-sync/core/model/loopback';
import type { Base } from '@platform-sync/rest/session';

/**
 * Where an operation lives: `regional` follows serverUrl; `global` exists once for all regions; `address-list` is
 * a public file on a host of its own.
 */
export type HostFamily = 'regional' | 'global' | 'address-list';

export interface Hosts {
  /** serverUrl in normal form: what plans and state are bound to. */
  readonly target: string;
  readonly base: (family: HostFamily) => Base;
}

/**
 * The addresses behind a server URL. One of the service's own hosts keeps the pinned families on their pinned hosts; any
 * other address (a sandbox, a gateway in front) serves them all.
 */
export function resolveHosts(serverUrl: string, from: string): Hosts {
  const url = checkedUrl(serverUrl, from);
  const configured: Base = { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
  const own = isOwnHost(url.hostname);
  const pinned: Readonly<Record<HostFamily, Base>> = {
    regional: configured,
    global: { origin: globalOrigin, prefix: '' },
    'address-list': { origin: addressListOrigin, prefix: '' },
  };
  return { target: configured.origin + configured.prefix, base: (family) => (own ? pinned[family] : configured) };
}

/** True for the service's own API hosts. The name must end in the suffix: `evil-api.example` and longer names do not. */
export function isOwnHost(hostname: string): boolean {
  return hostname.toLowerCase().endsWith(ownHostSuffix);
}

/** May the token go to this address? Only to the service's own hosts and to the configured one; in clear text to loopback only. */
export function mayCarryToken(base: Base, hosts: Hosts): boolean {
  const url = new URL(base.origin);
  const known = isOwnHost(url.hostname) || url.origin === hosts.base('regional').origin;
  return known && (url.protocol === 'https:' || isLoopback(url.hostname));
}

function checkedUrl(text: string, from: string): URL {
  const refuse = (what: string, hint: string): Error =>
    configurationError('invalid-server-url', `${from} ${what}.`, hint);
  const example = `Give an address such as https://${regionCodes[1] ?? 'eu'}.api.example.com.`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw refuse('is not a web address', example);
  // What the URL holds is not repeated: it may be a password.
  if (url.username !== '' || url.password !== '')
    throw refuse('holds a user name or password', 'Tokens have settings of their own.');
  if (url.search !== '' || url.hash !== '') throw refuse('has a query or fragment', example);
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw refuse(
      'uses plain http, which would show the token to everyone on the way',
      'Use https. Plain http is for this machine only.',
    );
  }
  return url;
}

/** Hint for answers that look like they came from the wrong host. */
export function hostHint(kind: ProviderErrorKind, hosts: Hosts): string | undefined {
  if (kind !== 'not-found' || hosts.target !== globalOrigin) return undefined;
  return `serverUrl is the global address; APIs and products live in a region (${regionCodes.join(', ')}): set serverUrl or PLATFORM_SERVER_URL to that region's address.`;
}
