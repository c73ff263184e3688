import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { CallOptions, Provider, RemoteObject } from '@platform-sync/core/model/provider';
import type { Identity } from '@platform-sync/core/model/state';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { asObject, parseJson } from '@platform-sync/rest/http/json';
import { cloudError } from './errors.js';
import { emptyPolicy, type Policy, policyIn } from './policy-data.js';
import type { PolicyCaller } from './policy-caller.js';
import { serviceName } from './service-name.js';

type PolicyCalls = Pick<Provider, 'list' | 'read' | 'readWriteOnly' | 'find' | 'create' | 'update' | 'delete'>;

/** Members that a write puts in place; without naming them the service would leave the audit rules as they are. */
const updateMask = 'bindings,etag,auditConfigs';

/** More calls than anybody makes: a list that has no end. */
const endless = Number.MAX_SAFE_INTEGER;

/**
 * The calls of the policy of a service as a resource. Every service has a policy, so one that is empty counts as none: to create
 * is to set it where it is empty, to delete is to empty it. Each write names the version (etag) that was read before, so that
 * what somebody else changed meanwhile is a conflict and never written over.
 */
export function policyCalls(caller: PolicyCaller, onDiagnostic?: (diagnostic: Diagnostic) => void): PolicyCalls {
  const readOf = async (name: string, options: CallOptions): Promise<Policy> =>
    policyIn(await caller.read(name, options), name);
  const find = async (name: string, options: CallOptions): Promise<RemoteObject | undefined> => {
    const policy = await readOf(name, options);
    return policy.policyData === emptyPolicy ? undefined : objectOf(name, policy);
  };
  const write = async (
    name: string,
    policy: JsonObject,
    etag: Json | undefined,
    options: CallOptions,
  ): Promise<Policy> => {
    if (typeof etag !== 'string' || etag === '') throw withoutEtag(name);
    const answer = await caller.write(name, { policy: { ...policy, version: 3, etag }, updateMask }, options);
    try {
      return policyIn(answer, name);
    } catch {
      // It was written: what the answer does not say, the service does.
      return readOf(name, options).catch(() => {
        throw unread(name);
      });
    }
  };
  return {
    // Nothing lists services with their policies: each is asked for by itself.
    list: async (_type, _scope, { isEnough } = {}) => {
      if (isEnough === undefined) onDiagnostic?.(unlisted);
      else isEnough({ objects: [], morePages: endless });
      return { objects: [], isComplete: false, total: 0 };
    },
    read: (_type, identity, options = {}) => find(nameOf(identity), options),
    readWriteOnly: async () => ({}),
    find: async (_type, _scope, inputs, options = {}) => {
      const found = await find(serviceName(inputs.serviceName), options);
      return found === undefined ? [] : [found];
    },
    create: async (_type, _scope, inputs, options = {}) => {
      const name = serviceName(inputs.serviceName);
      const policy = declaredPolicy(inputs.policyData);
      const before = await readOf(name, options);
      if (before.policyData !== emptyPolicy) throw taken(name);
      return objectOf(name, await write(name, policy, before.etag, options));
    },
    update: async (_type, { identity, set, actual }, options = {}) => {
      const name = nameOf(identity);
      return objectOf(name, await write(name, declaredPolicy(set.policyData), actual.etag, options));
    },
    delete: async (_type, identity, { actual, ...options } = {}) => {
      const name = nameOf(identity);
      const before = actual ?? (await find(name, options))?.values;
      if (before !== undefined) await write(name, {}, before.etag, options);
    },
  };
}

/** Takes `services/NAME`, which is the id, and `NAME`, as people import it. */
function nameOf({ id }: Identity): string {
  return serviceName(id);
}

function objectOf(name: string, { etag, policyData }: Policy): RemoteObject {
  return { identity: { id: `services/${name}`, scope: {} }, values: { serviceName: name, policyData, etag } };
}

/** The declared policy, as an object or its JSON text. Rules are checked before; what comes of a lookup may still be none. */
function declaredPolicy(given: Json | undefined): JsonObject {
  const policy = asObject(typeof given === 'string' ? parseJson(given) : given);
  if (policy?.bindings !== undefined) return policy;
  throw cloudError(
    'invalid',
    'invalid-cloud-argument',
    'policyData must be a policy with bindings, or its JSON text.',
    {
      field: 'policyData',
    },
  );
}

function taken(name: string): Error {
  return cloudError('conflict', 'policy-exists', `The service "${name}" has a policy already.`, {
    field: 'serviceName',
    hint: `Take it over: sync adopt ADDRESS ${name}`,
  });
}

function withoutEtag(name: string): Error {
  const summary = `The policy of "${name}" comes without etag, so it is not written.`;
  return cloudError('unexpected-answer', 'policy-without-etag', summary);
}

function unread(name: string): Error {
  const summary = `The policy of "${name}" was written, but could not be read afterwards.`;
  return cloudError('ambiguous', 'outcome-unknown', summary);
}

const unlisted: Diagnostic = {
  severity: 'warning',
  code: 'unlisted-policies',
  summary: 'Access policies of services cannot be listed, so none is exported.',
  hint: 'Take one over by its service: sync adopt ADDRESS NAME',
};
