import type { Answer, Call, Route } from '../route.js';
import { machineAccount, metadataFlavor, universeDomain } from '../wire.js';
import type { IssuedTokens } from './token-routes.js';

const flavor = { 'metadata-flavor': metadataFlavor };

/** The metadata server of a virtual machine: who the machine is, and a token for it. */
export function metadataRoutes(tokens: IssuedTokens): readonly Route[] {
  const account = 'instance/service-accounts/default';
  return [
    { method: 'GET', path: '/', family: 'cloud', open: true, handle: () => text('computeMetadata/') },
    metadata('instance', () => text('service-accounts/')),
    metadata('project/project-id', () => text('sandbox-project')),
    metadata('universe/universe-domain', () => text(universeDomain)),
    metadata(`${account}/email`, () => text(machineAccount)),
    metadata(`${account}/token`, () => ({
      status: 200,
      headers: flavor,
      body: { access_token: tokens.issue('metadata'), expires_in: 3599, token_type: 'Bearer' },
    })),
  ];
}

function metadata(path: string, answer: () => Answer): Route {
  return {
    method: 'GET',
    path: `/computeMetadata/v1/${path}`,
    family: 'cloud',
    open: true,
    handle: (call) =>
      asked(call) ? answer() : { status: 403, headers: flavor, body: 'Missing Metadata-Flavor header' },
  };
}

/** The header keeps browsers and careless proxies out. */
function asked(call: Call): boolean {
  return call.header('metadata-flavor')?.toLowerCase() === metadataFlavor.toLowerCase();
}

function text(body: string): Answer {
  return { status: 200, headers: flavor, body };
}
