import type { Provider, ProviderContext, ProviderPackage } from '@platform-sync/core/model/provider';
import type { Clock } from '@platform-sync/rest/http/clock';
import { cloudError } from './errors.js';
import { admitAddresses } from './admit.js';
import { readSettings } from './settings.js';
import { TokenSource } from './token-source.js';
import { PolicyCaller } from './policy-caller.js';
import { policyCalls } from './service-iam-policy.js';
import type { CloudHosts } from './wire.js';

/** What tests put in the place of the world. */
export interface CloudHost {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly hosts?: Partial<CloudHosts>;
}

/** Starts the provider. Rejects with a configuration error for settings that can't work; reads and sends nothing yet. */
export async function startCloud(
  context: ProviderContext,
  { types, lookups }: Pick<ProviderPackage, 'types' | 'lookups'>,
  surroundings: CloudHost = {},
): Promise<Provider> {
  const settings = readSettings(context, surroundings.hosts);
  await admitAddresses(context, settings);
  const tokens = new TokenSource(settings, context.env, context.trust, context.redactor);
  const { userAgent, concurrency, requestsPerMinute, onWait, fence, world } = context;
  const { clock, random } = surroundings;
  const caller = new PolicyCaller({
    settings,
    tokens,
    userAgent,
    concurrency,
    requestsPerMinute,
    onWait,
    fence,
    world,
    clock,
    random,
  });
  return {
    name: 'cloud',
    target: `${settings.endpoint.origin}${settings.endpoint.prefix}`,
    targetSource: 'The setting serviceManagementCustomEndpoint, or its default',
    types,
    ...policyCalls(caller, context.onDiagnostic),
    lookup: async (token, args, options = {}) => {
      if (lookups.get(token)?.name !== 'getServiceIamPolicy')
        throw cloudError('invalid', 'unknown-cloud-lookup', `There is no lookup ${token}.`);
      const { getServiceIamPolicy } = await import('./get-service-iam-policy.js');
      return getServiceIamPolicy(caller, args, options);
    },
    requests: () => caller.requests,
    close: () => caller.close(),
  };
}
