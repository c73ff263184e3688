import type { LookupType, Provider, ProviderContext } from '../../engine/model/provider.js';
import type { Clock } from '../http/clock.js';
import { cloudError } from './errors.js';
import { admitAddresses } from './admit.js';
import { readSettings } from './settings.js';
import { TokenSource } from './token-source.js';
import { PolicyCaller } from './policy-caller.js';
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
  lookups: ReadonlyMap<string, LookupType>,
  surroundings: CloudHost = {},
): Promise<Provider> {
  const settings = readSettings(context, surroundings.hosts);
  await admitAddresses(context, settings);
  const tokens = new TokenSource(settings, context.env, context.trust, context.redactor);
  const { userAgent, concurrency, requestsPerMinute, onWait } = context;
  const { clock, random } = surroundings;
  const caller = new PolicyCaller({
    settings,
    tokens,
    userAgent,
    concurrency,
    requestsPerMinute,
    onWait,
    clock,
    random,
  });
  return {
    name: 'cloud',
    target: `${settings.endpoint.origin}${settings.endpoint.prefix}`,
    targetSource: 'The setting serviceManagementCustomEndpoint, or its default',
    types: new Map(),
    list: noResources,
    read: noResources,
    readWriteOnly: noResources,
    find: noResources,
    create: noResources,
    update: noResources,
    delete: noResources,
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

/** The provider has no types, so nobody can hold one to call this with. */
function noResources(type: { readonly token: string }): Promise<never> {
  return Promise.reject(new Error(`bug: the cloud provider has no resource type ${type.token}`));
}
