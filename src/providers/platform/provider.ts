import type * as Specifications from './hooks/specification.js';
import {
  type LookupType,
  type Provider,
  type ProviderContext,
  ProviderError,
} from '@platform-sync/core/model/provider';
import { Redactor } from '@platform-sync/core/model/redactor';
import { HttpClient } from '@platform-sync/rest/http/client';
import { objectCalls } from '@platform-sync/rest/provider';
import { type Base, type Connection, Session } from '@platform-sync/rest/session';
import type { DefinedTypes } from '@platform-sync/rest/resource-type';
import { tokenSubject } from '@platform-sync/core/model/resource-type';
import { defined } from '@platform-sync/core/model/value';
import { chooseCredential, type Credential } from './credentials.js';
import { configurationError, problem, tokenHint } from './errors.js';
import { type HostFamily, hostHint, type Hosts, mayCarryToken, resolveHosts } from './hosts.js';
import { admitServer, chooseServerUrl } from './settings.js';
import { mediaTypes } from './wire.js';

const specifications = (): Promise<typeof Specifications> => import('./hooks/specification.js');

/** Starts the provider. Rejects with a configuration error for settings that can't work; sends nothing yet. */
export async function startPlatform(
  context: ProviderContext,
  { types, restOf }: DefinedTypes,
  lookups: ReadonlyMap<string, LookupType>,
): Promise<Provider> {
  const server = chooseServerUrl(context);
  const hosts = resolveHosts(server.url, server.source);
  await admitServer(context, server, hosts);
  const { credential, warnings } = chooseCredential(context);
  for (const warning of warnings) context.onDiagnostic?.(warning);
  const http = new HttpClient({ ...context, caller: `${hosts.target} ${credential?.header ?? ''}` });
  const session = new Session({
    ...platformConnection({
      http,
      hosts,
      credential,
      userAgent: context.userAgent,
      redactor: context.redactor ?? new Redactor(),
    }),
    onDiagnostic: context.onDiagnostic,
    onWait: context.onWait,
    world: context.world,
  });
  return {
    name: 'platform',
    target: hosts.target,
    targetSource: server.source,
    ...defined({ subject: credential && tokenSubject(credential.header) }),
    types,
    ...objectCalls(session, restOf, {
      readWriteOnly: { specification: async (...call) => (await specifications()).readSpecification(...call) },
      writeKept: { specification: async (...call) => (await specifications()).writeSpecification(...call) },
    }),
    lookup: async (token, args, options = {}) => {
      const lookup = lookups.get(token);
      if (lookup === undefined)
        throw new ProviderError('invalid', [problem('unknown-lookup', `There is no lookup ${token}.`)]);
      const { runLookup } = await import('./lookups/run-lookup.js');
      return runLookup(session, lookup, args, options);
    },
    requests: () => http.requests,
    close: () => http.close(),
  };
}

interface ConnectionOptions {
  readonly http: HttpClient;
  readonly hosts: Hosts;
  readonly credential: Credential | undefined;
  readonly userAgent: string;
  readonly redactor: Redactor;
}

type Headers = Readonly<Record<string, string>>;

/** How the platform is reached: its hosts, its headers, its token, which goes to its own hosts only. */
function platformConnection({ http, hosts, credential, userAgent, redactor }: ConnectionOptions): Connection {
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
