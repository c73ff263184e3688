import { generateKeyPairSync } from 'node:crypto';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { Reaction, SeenRequest } from '../http/loopback.js';
import { policy, refusal } from './rig.js';

/** Where the fakes of the vendor's token servers stand on the loopback server. */
export const paths = {
  token: '/token',
  exchange: '/sts/v1/token',
  impersonate: '/v1/projects/-/serviceAccounts/',
} as const;

/** Answers as the token servers and the policy service do; each token says where it came from. */
export function tokenServer(request: SeenRequest): Reaction {
  const { url } = request;
  if (url === paths.token)
    return issued({ access_token: `from-${grantOf(request)}`, token_type: 'Bearer', expires_in: 3599 });
  if (url === paths.exchange) {
    const type = 'urn:ietf:params:oauth:token-type:access_token';
    return issued({ access_token: 'from-exchange', issued_token_type: type, token_type: 'Bearer', expires_in: 3599 });
  }
  if (url.startsWith(paths.impersonate)) {
    const account = url.slice(paths.impersonate.length).replace(':generateAccessToken', '');
    const expireTime = new Date(Date.now() + 3_600_000).toISOString();
    return issued({ accessToken: `as-${decodeURIComponent(account)}`, expireTime });
  }
  if (url.startsWith('/v1/services/')) return policy();
  return refusal(404, `nothing stands at ${url}`);
}

function issued(json: JsonObject): Reaction {
  return { status: 200, json };
}

function grantOf({ body }: SeenRequest): string {
  const grant = new URLSearchParams(body).get('grant_type') ?? '';
  return grant.slice(grant.lastIndexOf(':') + 1);
}

/** `POST /token ← Bearer x` of each request; the policy call is the last. */
export function trail(seen: readonly SeenRequest[]): string[] {
  return seen.map(({ url, headers }) => `${url} ← ${headers.authorization ?? 'nobody'}`);
}

/** The claims of a signed token. */
export function claims(jwt: string): JsonObject {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8')) as JsonObject;
}

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** A service account's key. */
export function accountKey(more: JsonObject = {}): JsonObject {
  return {
    type: 'service_account',
    client_email: 'robot@example.com',
    private_key: privateKey,
    private_key_id: 'k1',
    ...more,
  };
}

/** What the login of a person leaves on the machine. */
export function personKey(more: JsonObject = {}): JsonObject {
  return {
    type: 'authorized_user',
    client_id: 'client',
    client_secret: 'canary-client-secret',
    refresh_token: 'canary-refresh-token',
    ...more,
  };
}
