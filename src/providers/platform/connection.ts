import type { Redactor } from '@platform-sync/core/model/redactor';
import type { HttpClient } from '@platform-sync/rest/http/client';
import type { Base, Connection } from '@platform-sync/rest/session';
import type { Credential } from './credentials.js';
import { configurationError, tokenHint } from './errors.js';
import { hostHint, mayCarryToken, type HostFamily, type Hosts } from './hosts.js';
import { mediaTypes } from './wire.js';

interface ConnectionOptions {
  readonly http: HttpClient;
  readonly hosts: Hosts;
  readonly credential: Credential | undefined;
  readonly userAgent: string;
  readonly redactor: Redactor;
}

type Headers = Readonly<Record<string, string>>;

/** How the platform is reached: its hosts, its headers, its token, which goes to its own hosts only. */
export function platformConnection({ http, hosts, credential, userAgent, redactor }: ConnectionOptions): Connection {
  if (credential !== undefined) redactor.add(credential.header.replace(/^bearer\s+/i, ''));
  const familyOf = (host: string | undefined): HostFamily => (host ?? 'regional') as HostFamily;
  const authorization = (base: Base): Headers => {
    if (credential === undefined) {
      throw configurationError(
        'missing-token',
        'No token for the platform is configured.',
        'Set PLATFORM_TOKEN or PLATFORM_SPAT.',
      );
    }
    return mayCarryToken(base, hosts) ? { authorization: credential.header } : {};
  };
  // Calls to one host differ in no header, but for those with a body.
  const known = new Map<string, Headers>();
  return {
    http,
    base: (host) => hosts.base(familyOf(host)),
    headers: ({ body, host }, base) => {
      const kind = `${familyOf(host)} ${base.origin} ${body === undefined ? '' : mediaTypes.request}`;
      const before = known.get(kind);
      if (before !== undefined) return before;
      const made: Headers = {
        accept: mediaTypes.answer,
        'user-agent': userAgent,
        ...(body === undefined ? {} : { 'content-type': mediaTypes.request }),
        ...(familyOf(host) === 'address-list' ? {} : authorization(base)),
      };
      known.set(kind, made);
      return made;
    },
    hintFor: (kind) => tokenHint(kind, credential) ?? hostHint(kind, hosts),
    redactor,
  };
}
