import type * as library from 'google-auth-library';
import type { AuthClient, GoogleAuthOptions, JWTInput } from 'google-auth-library';
import { defined, type JsonObject } from '@platform-sync/core/model/value';
import { asList, asObject, asText } from '@platform-sync/rest/http/json';
import type { CloudSettings } from './settings.js';
import { libraryTokenUrl } from './wire.js';

type Library = typeof library;

/** A client for the content of a credentials file, which was checked when the file was read. Rejects when the library can't use it. */
export async function keyClient(library: Library, content: JsonObject, settings: CloudSettings): Promise<AuthClient> {
  if (content.type === 'impersonated_service_account') return impersonatedClient(library, content, settings);
  return new library.GoogleAuth({
    credentials: content as unknown as JWTInput,
    // A key without scopes makes the library send no token at all.
    scopes: [...settings.scopes],
    clientOptions: clientOptions(library, content, settings),
  }).getClient();
}

/** Built by hand: the library forgets the options for the inner credentials, and the host of the impersonation address. */
async function impersonatedClient(library: Library, content: JsonObject, settings: CloudSettings): Promise<AuthClient> {
  const url = new URL(asText(content.service_account_impersonation_url) ?? '');
  const account = /([^/]+):generateAccessToken$/.exec(url.pathname)?.[1];
  if (account === undefined) throw new Error('the impersonation address names no account');
  const delegates = asList(content.delegates)
    ?.map(asText)
    .filter((delegate) => delegate !== undefined);
  const quotaProject = asText(content.quota_project_id);
  return new library.Impersonated({
    sourceClient: await keyClient(library, asObject(content.source_credentials) ?? {}, settings),
    targetPrincipal: decodeURIComponent(account),
    delegates: delegates ?? [],
    targetScopes: [...settings.scopes],
    transporter: directTransporter(library),
    endpoint: url.origin,
    ...defined({ quotaProjectId: quotaProject }),
  });
}

/** An answer with a token has a few kilobytes. Bounds what is read of one, also after it was unpacked. */
const longestAnswer = 1_000_000;

/** Sends keys and tokens to the address they are for, and nowhere that this address points at. */
export function directTransporter(library: Library): library.gaxios.Gaxios {
  const transporter = new library.gaxios.Gaxios();
  transporter.interceptors.request.add(direct);
  return transporter;
}

const direct: Parameters<library.gaxios.Gaxios['interceptors']['request']['add']>[0] = {
  resolved: (request) => {
    request.redirect = 'manual';
    request.size = longestAnswer;
    return Promise.resolve(request);
  },
};

/** The library asks the metadata server through a transporter that the whole process shares. */
export function directMetadata(library: Library): void {
  // A set: a rule that is there already is not added twice.
  library.gaxios.instance.interceptors.request.add(direct);
}

/** The library ignores the token address that a credentials file names; the original provider respects it, so it is put back. */
function clientOptions(
  library: Library,
  content: JsonObject,
  { hosts }: CloudSettings,
): NonNullable<GoogleAuthOptions['clientOptions']> {
  const named = asText(content.token_uri);
  const address = named === undefined || named === libraryTokenUrl ? hosts.token : named;
  const transporter = directTransporter(library);
  transporter.interceptors.request.add({
    resolved: (request) => {
      if (request.url.href === libraryTokenUrl) request.url = new URL(address);
      // Repeats are the caller's, who knows the deadline.
      request.retry = false;
      delete request.retryConfig;
      return Promise.resolve(request);
    },
  });
  if (content.type !== 'service_account' || address === libraryTokenUrl) return { transporter };
  // An assertion made out to the address it goes to is of no use anywhere else.
  return { transporter, additionalClaims: { aud: address } };
}
