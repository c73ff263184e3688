import type { CallOptions } from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import { cloudError } from './errors.js';
import type { PolicyCaller } from './policy-caller.js';
import { policyIn } from './policy-data.js';
import { serviceName } from './service-name.js';

/**
 * The policy of one service: `{etag, id, policyData, serviceName}`. `serviceName` is the argument as it was given, which is
 * what this provider's interface promises; the vendor's own provider puts its normal form there, which is `id` here.
 */
export async function getServiceIamPolicy(
  caller: PolicyCaller,
  args: JsonObject,
  options: CallOptions,
): Promise<JsonObject> {
  checkNames(args);
  const name = serviceName(args.serviceName);
  const { etag, policyData } = policyIn(await caller.read(name, options), name);
  return { etag, id: `services/${name}`, policyData, serviceName: args.serviceName ?? name };
}

function checkNames(args: JsonObject): void {
  const unknown = Object.keys(args).find((name) => name !== 'serviceName');
  if (unknown === undefined) return;
  throw cloudError(
    'invalid',
    'invalid-cloud-argument',
    `getServiceIamPolicy has no argument ${unknown}; it takes serviceName.`,
    { field: unknown },
  );
}
