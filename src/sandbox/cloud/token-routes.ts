import { type Answer, type Call, type Route, ok } from '../route.js';
import { isJsonObject } from '../json.js';
import { CloudProblem } from './cloud-problem.js';

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const assertion = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const lifetimeSeconds = 3600;

/** Tokens that the sandbox has handed out; the cloud routes take them. */
export class IssuedTokens {
  readonly #issued = new Set<string>();

  /** `source` says in the token where it comes from, so that a test sees which credential was used. */
  issue(source: string): string {
    const token = `sandbox-${source}-${String(this.#issued.size + 1)}`;
    this.#issued.add(token);
    return token;
  }

  has(token: string): boolean {
    return this.#issued.has(token);
  }
}

/** Where credentials are turned into access tokens: exchange, refresh and assertion, impersonation. */
export function tokenRoutes(tokens: IssuedTokens, clock: () => number): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/sts/v1/token',
      family: 'cloud',
      open: true,
      handle: (call) => exchangeToken(tokens, call),
    },
    { method: 'POST', path: '/token', family: 'cloud', open: true, handle: (call) => grantToken(tokens, call) },
    {
      method: 'POST',
      path: '/v1/projects/-/serviceAccounts/{email}',
      verb: 'generateAccessToken',
      family: 'cloud',
      handle: (call) => impersonate(tokens, clock, call),
    },
  ];
}

function field(call: Call, name: string): string | undefined {
  const value = isJsonObject(call.body) ? call.body[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function oauthError(error: string, error_description: string): Answer {
  return { status: 400, body: { error, error_description } };
}

function exchangeToken(tokens: IssuedTokens, call: Call): Answer {
  if (field(call, 'grant_type') !== exchange)
    return oauthError('unsupported_grant_type', `grant_type must be ${exchange}`);
  for (const name of ['audience', 'subject_token', 'subject_token_type']) {
    if (field(call, name) === undefined) return oauthError('invalid_request', `Missing required parameter: ${name}`);
  }
  return ok({
    access_token: tokens.issue('sts'),
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    token_type: 'Bearer',
    expires_in: lifetimeSeconds,
  });
}

function grantToken(tokens: IssuedTokens, call: Call): Answer {
  const grant = field(call, 'grant_type');
  const needed = grant === 'refresh_token' ? 'refresh_token' : grant === assertion ? 'assertion' : undefined;
  if (needed === undefined) return oauthError('unsupported_grant_type', `Invalid grant_type: ${grant ?? ''}`);
  if (field(call, needed) === undefined) return oauthError('invalid_request', `Missing required parameter: ${needed}`);
  const source = grant === 'refresh_token' ? 'refresh' : 'assertion';
  return ok({ access_token: tokens.issue(source), token_type: 'Bearer', expires_in: lifetimeSeconds });
}

function impersonate(tokens: IssuedTokens, clock: () => number, call: Call): Answer {
  const scope = isJsonObject(call.body) ? call.body['scope'] : undefined;
  if (!Array.isArray(scope) || scope.length === 0)
    throw new CloudProblem(400, 'Request contains an invalid argument: scope.');
  const expireTime = new Date(clock() + lifetimeSeconds * 1000).toISOString();
  return ok({ accessToken: tokens.issue('impersonated'), expireTime });
}
